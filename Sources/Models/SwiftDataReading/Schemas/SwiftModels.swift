public import Diagnostics
public import ObjectModel

/// What the Swift sources of an app say of its models.
public struct SwiftModels: Sendable {
    /// The versions: those of `VersionedSchema` in the order of the plan, else of their numbers, and then the
    /// classes that belong to none.
    public var versions: [SwiftModelVersion]
    /// The migration plans.
    public var plans: [SwiftMigrationPlan]
    /// What is worth a word when models are checked, and no fault.
    public var remarks: [Diagnostic] = []

    /// Whether a container is opened with a private database of CloudKit.
    public var opensCloudKit = false
    /// Whether a container is opened without CloudKit, whatever the app is entitled to.
    package var refusesCloudKit = false
    /// The sources, to be read again under other options.
    public var readings: SwiftReadings?

    /// Returns the version of a name, given whole or by its last part.
    public func version(named name: String) -> SwiftModelVersion? {
        versions.first { $0.name == name }
            ?? versions.first { $0.name.split(separator: ".").last.map(String.init) == name }
    }
}

/// One version of a model that Swift sources declare.
public struct SwiftModelVersion: Sendable {
    /// The name that the classes have that no `VersionedSchema` lists.
    public static let unversionedName = "unversioned"

    /// The name of the `VersionedSchema`, with those of the types around.
    public var name: String
    /// The file that declares it.
    public var path: String
    /// The version identifier, as `1.0.0`; `nil` where it is not a plain number.
    public var identifier: String?
    /// Whether a `VersionedSchema` declares it.
    public var isVersioned: Bool
    /// The model, with what was understood of each entity.
    public var model: ManagedObjectModel
    /// The names of the entities that are not understood as a whole, and so have no hash.
    public var spoiledEntities: Set<String>
    /// The names of the entities that rest on what nobody has seen.
    public var unprovenEntities: Set<String>
    /// What the sources leave open, and answers would settle.
    public var questions: [SwiftQuestion]
    /// The types that make up the version.
    public var types: [SwiftModelType]
    /// The types of the attributes as Swift writes them.
    public var shapes: SwiftShapes
    /// Where it is declared.
    public var source: SourceMark
}

/// Something that sources leave open and that can be said beside them.
public struct SwiftQuestion: Sendable, Hashable {
    /// What is asked for.
    public enum Kind: Sendable, Hashable {
        /// The inverse of a relationship: one of these, or none.
        case inverse([String])
        /// The type of a property.
        case type
    }

    /// The entity that has no hash without an answer.
    public var entity: String
    /// The relationship or the property, as `Item.folder`; a property of a struct with the struct's name.
    public var name: String
    /// What is asked for.
    public var kind: Kind
}

/// Swift sources that are parsed, to be read under several options.
///
/// Any two are equal: what they give is compared by itself.
public struct SwiftReadings: Sendable, Hashable {
    let files: [FileDeclarations]
    /// The options that they were read under.
    public let options: SwiftReadingOptions

    /// Reads the models under other options.
    ///
    /// - Parameter options: the options; those about files say nothing any more.
    /// - Returns: the versions and plans, without what is said of them.
    public func models(_ options: SwiftReadingOptions) -> SwiftModels {
        #if SwiftData
            let foreign = options.types.compactMapValues { ForeignForm($0) }
            let index = TypeIndex(files, BuildConditions(options), foreign: foreign)
            var reader = SchemaReader(index)
            return reader.models(options)
        #else
            return SwiftModels(versions: [], plans: [])
        #endif
    }

    /// Returns `true`.
    public static func == (left: SwiftReadings, right: SwiftReadings) -> Bool { true }

    /// Adds nothing to the hasher.
    public func hash(into hasher: inout Hasher) {}
}

/// A type that takes part in the hash of a version.
public struct SwiftModelType: Sendable, Hashable {
    /// What kind of type it is.
    public enum Kind: Sendable, Hashable {
        /// A class of an entity.
        case model
        /// A struct, or an enum without raw values.
        case value
    }

    /// The name with those of the types around.
    public var name: String
    /// What kind of type it is.
    public var kind: Kind
    /// Whether it is declared inside the version, and so by no other version.
    public var isOwn: Bool
    /// Whether it is declared inside some version, and so changes with no other.
    public var isFrozen: Bool
    /// Whether the version lists it by itself; others are reached from what is listed.
    public var isListed: Bool
    /// Where it is declared.
    public var source: SourceMark
}

/// A `SchemaMigrationPlan`.
public struct SwiftMigrationPlan: Sendable, Hashable {
    /// One stage of a plan.
    public struct Stage: Sendable, Hashable {
        /// How the stage migrates.
        public enum Kind: Sendable, Hashable {
            /// By what Core Data infers.
            case lightweight
            /// By functions, which cannot be run here.
            case custom
        }

        /// How the stage migrates.
        public var kind: Kind
        /// The name of the version that it begins with.
        public var from: String
        /// The name of the version that it ends with.
        public var to: String
        /// The functions of a custom stage that are given, `willMigrate` and `didMigrate`.
        public var closures: [String] = []
        /// Where it is written.
        public var source: SourceMark
    }

    /// The name of the type.
    public var name: String
    /// The names of the versions, in order.
    public var schemas: [String]
    /// The stages, in order.
    public var stages: [Stage]
    /// Where it is declared.
    public var source: SourceMark
}
