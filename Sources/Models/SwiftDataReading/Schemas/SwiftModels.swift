package import Diagnostics
package import ObjectModel

/// What the Swift sources of an app say of its models.
package struct SwiftModels: Sendable {
    /// The versions: those of `VersionedSchema` in the order of the plan, else of their numbers, and then the
    /// classes that belong to none.
    package var versions: [SwiftModelVersion]
    /// The migration plans.
    package var plans: [SwiftMigrationPlan]
    /// What is worth a word when models are checked, and no fault.
    package var remarks: [Diagnostic] = []

    /// Whether stores are made of the classes that no version lists: an app may open these beside a plan without stages.
    package var opensUnversioned = false
    /// Whether a container is opened with a private database of CloudKit.
    package var opensCloudKit = false
    /// Whether a container is opened without CloudKit, whatever the app is entitled to.
    package var refusesCloudKit = false
    /// The sources, to be read again under other options.
    package var readings: SwiftReadings?

    /// Returns the version of a name, given whole or by its last part.
    package func version(named name: String) -> SwiftModelVersion? {
        versions.first { $0.name == name }
            ?? versions.first { $0.name.split(separator: ".").last.map(String.init) == name }
    }
}

/// One version of a model that Swift sources declare.
package struct SwiftModelVersion: Sendable {
    /// The name that the classes have that no `VersionedSchema` lists.
    package static let unversionedName = "unversioned"

    /// The name of the `VersionedSchema`, with those of the types around.
    package var name: String
    /// The file that declares it.
    package var path: String
    /// The version identifier, such as `1.0.0`; `nil` where it is not a plain number.
    package var identifier: String?
    /// Whether a `VersionedSchema` declares it.
    package var isVersioned: Bool
    /// The model, with what was understood of each entity.
    package var model: ManagedObjectModel
    /// The names of the entities that are not understood as a whole, and so have no hash.
    package var spoiledEntities: Set<String>
    /// The names of the entities that rest on inference, without evidence from a store.
    package var unprovenEntities: Set<String>
    /// What the sources leave open, and answers would settle.
    package var questions: [SwiftQuestion]
    /// The types that make up the version.
    package var types: [SwiftModelType]
    /// The types of the attributes as Swift writes them.
    package var shapes: SwiftShapes
    /// Where it is declared.
    package var source: SourceMark

    /// The names of its classes, with those of the types around.
    var classNames: Set<String> { Set(types.filter { $0.kind == .model }.map(\.name)) }
}

/// Something that sources leave open and that can be said beside them.
package struct SwiftQuestion: Sendable, Hashable {
    /// What is asked for.
    package enum Kind: Sendable, Hashable {
        /// The inverse of a relationship: one of these, or none.
        case inverse([String])
        /// The type of a property.
        case type
    }

    /// The entity that has no hash without an answer.
    package var entity: String
    /// The relationship or the property, such as `Item.folder`; a property of a struct with the struct's name.
    package var name: String
    /// What is asked for.
    package var kind: Kind
}

/// Swift sources that are parsed, to be read under several options.
///
/// Any two are equal: what they give is compared by itself.
package struct SwiftReadings: Sendable, Hashable {
    let files: [FileDeclarations]
    /// The options that they were read under.
    package let options: SwiftReadingOptions

    /// Reads the models under other options.
    ///
    /// - Parameter options: the options; those about files say nothing any more.
    /// - Returns: the versions and plans, without what is said of them.
    package func models(_ options: SwiftReadingOptions) -> SwiftModels {
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
    package static func == (left: SwiftReadings, right: SwiftReadings) -> Bool { true }

    /// Adds nothing to the hasher.
    package func hash(into hasher: inout Hasher) {}
}

/// A type that takes part in the hash of a version.
package struct SwiftModelType: Sendable, Hashable {
    /// What kind of type it is.
    package enum Kind: Sendable, Hashable {
        /// A class of an entity.
        case model
        /// A struct, or an enum without raw values.
        case value
    }

    /// The name with those of the types around.
    package var name: String
    /// What kind of type it is.
    package var kind: Kind
    /// Whether it is declared inside the version, and so by no other version.
    package var isOwn: Bool
    /// Whether it is declared inside some version, and so changes with no other.
    package var isFrozen: Bool
    /// Whether the version lists it by itself; others are reached from what is listed.
    package var isListed: Bool
    /// Where it is declared.
    package var source: SourceMark
}

/// A `SchemaMigrationPlan`.
package struct SwiftMigrationPlan: Sendable, Hashable {
    /// One stage of a plan.
    package struct Stage: Sendable, Hashable {
        /// How the stage migrates.
        package enum Kind: Sendable, Hashable {
            /// By what Core Data infers.
            case lightweight
            /// By functions, which cannot be run here.
            case custom
        }

        /// How the stage migrates.
        package var kind: Kind
        /// The name of the version that it begins with.
        package var from: String
        /// The name of the version that it ends with.
        package var to: String
        /// The functions of a custom stage that are given, `willMigrate` and `didMigrate`.
        package var closures: [String] = []
        /// Where it is written.
        package var source: SourceMark
    }

    /// The name of the type.
    package var name: String
    /// The names of the versions, in order.
    package var schemas: [String]
    /// The stages, in order.
    package var stages: [Stage]
    /// Where it is declared.
    package var source: SourceMark
}
