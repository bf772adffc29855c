package import Diagnostics
package import ObjectModel

/// What the Swift sources of an app say about its models.
package struct SwiftModels: Sendable {
    /// The versions: those of `VersionedSchema` in the order of the plan or of their numbers, then the classes outside any
    /// version.
    package var versions: [SwiftModelVersion]
    package var plans: [SwiftMigrationPlan]
    /// Remarks for a check of models, which are not faults.
    package var remarks: [Diagnostic] = []

    /// Whether stores may have the classes that no version lists: an app may open these beside a plan without stages.
    package var opensUnversioned = false
    /// The stores of containers whose classes are known.
    package var stores: [SwiftStore] = []
    /// Whether a container is opened with a private database of CloudKit.
    package var opensCloudKit = false
    /// Whether a container is opened without CloudKit, regardless of the app's entitlements.
    package var refusesCloudKit = false
    /// The sources, to be read again under other options.
    package var readings: SwiftReadings?

    /// Returns the version of a full name, or of its last part.
    package func version(named name: String) -> SwiftModelVersion? {
        versions.first { $0.name == name }
            ?? versions.first { $0.name.split(separator: ".").last.map(String.init) == name }
    }
}

/// A store that a container of SwiftData keeps.
package struct SwiftStore: Sendable, Hashable {
    /// The names of the entities of its classes.
    package var entities: Set<String>
    /// Whether it is mirrored to CloudKit; `nil` where the entitlements decide.
    package var isMirrored: Bool?
    /// What says which file it is: the name or URL of its configuration, and its group; the same for all defaults.
    package var file: String
    package var source: SourceMark

    /// Whether the file is in the folder of a group, which apps share.
    package var isOfGroup: Bool { file.contains(/"(identifier|forSecurity\w+Identifier)"/) }
}

package struct SwiftModelVersion: Sendable {
    /// The version name of classes that no `VersionedSchema` lists.
    package static let unversionedName = "unversioned"

    /// The name of the `VersionedSchema`, with its enclosing types.
    package var name: String
    package var path: String
    /// The version identifier, such as `1.0.0`; `nil` where it is not a plain number.
    package var identifier: String?
    /// Whether a `VersionedSchema` declares it.
    package var isVersioned: Bool
    /// The model, with what was understood of each entity.
    package var model: ManagedObjectModel
    /// The names of the entities that are not fully understood, and so have no hash.
    package var spoiledEntities: Set<String>
    /// The names of the entities that were inferred, without evidence from a store.
    package var unprovenEntities: Set<String>
    /// The open questions whose answers would complete the model.
    package var questions: [SwiftQuestion]
    package var types: [SwiftModelType]
    package var shapes: SwiftShapes
    package var source: SourceMark

    /// The names of its classes, with their enclosing types.
    var classNames: Set<String> { Set(types.filter { $0.kind == .model }.map(\.name)) }
}

/// Something that sources leave open and that can be stated beside them.
package struct SwiftQuestion: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The inverse of a relationship: one of these, or none.
        case inverse([String])
        /// The type of a property: one of these, as `types:` has them; any where there are none.
        case type([String])
        /// Whether a constraint that is written twice counts once.
        case uniqueness
    }

    /// The entity that has no hash, or no proven one, without an answer.
    package var entity: String
    /// The relationship or the property, such as `Item.folder`; a property of a struct with the struct's name.
    package var name: String
    package var kind: Kind
}

/// Parsed Swift sources, to be read under several options.
///
/// Any two are equal: their results are compared separately.
package struct SwiftReadings: Sendable, Hashable {
    let files: [FileDeclarations]
    package let options: SwiftReadingOptions

    /// Reads the models again with other options, except those about files; without diagnostics.
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

    package static func == (left: SwiftReadings, right: SwiftReadings) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// A type that takes part in the hash of a version.
package struct SwiftModelType: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case model
        case value
    }

    /// The name with its enclosing types.
    package var name: String
    package var kind: Kind
    /// Whether it is declared inside the version, and so by no other version.
    package var isOwn: Bool
    /// Whether it is declared inside some version, and so changes with no other.
    package var isFrozen: Bool
    /// Whether the version itself lists it; others are reached from what is listed.
    package var isListed: Bool
    package var source: SourceMark
}

package struct SwiftMigrationPlan: Sendable, Hashable {
    package struct Stage: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case lightweight
            /// By functions, which cannot be run here.
            case custom
        }

        package var kind: Kind
        package var from: String
        package var to: String
        /// The given functions of a custom stage, `willMigrate` and `didMigrate`.
        package var closures: [String] = []
        /// Whether `willMigrate` deletes objects, so that the step may meet none.
        package var deletes = false
        package var source: SourceMark
    }

    package var name: String
    /// The names of the versions, in order.
    package var schemas: [String]
    package var stages: [Stage]
    package var source: SourceMark
}
