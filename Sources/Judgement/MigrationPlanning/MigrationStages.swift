package import MappingInference
import ModelHashing
package import ObjectModel

/// A version of a model that a stage speaks of: a promise of a model, and the checksum that it must have.
///
/// Named as Apple's `NSManagedObjectModelReference`.
package struct ManagedObjectModelReference: Sendable, Hashable {
    /// The name of the version, or what the user called it.
    package var name: String
    /// The checksum that the stage expects, in base64.
    package var versionChecksum: String
    /// The version that there is of that name, whatever its checksum.
    package var found: ModelVersion?

    /// Creates a reference to a version; `versionChecksum` pins what it must be, else it is that of the model.
    package init(_ version: ModelVersion, versionChecksum: String? = nil) {
        name = version.name
        found = version
        self.versionChecksum = versionChecksum ?? version.checksum
    }

    /// Creates a reference to a model; `versionChecksum` pins what it must be, else it is computed.
    package init(model: ManagedObjectModel, name: String, versionChecksum: String? = nil) {
        self.init(ModelVersion(name: name, model: model), versionChecksum: versionChecksum)
    }

    /// Creates a reference that no model was found for.
    package init(unresolvedName name: String, versionChecksum: String = "") {
        self.name = name
        self.versionChecksum = versionChecksum
        found = nil
    }

    /// The version, when there is a model and its checksum is the expected one.
    package var version: ModelVersion? {
        found.flatMap { $0.checksum == versionChecksum ? $0 : nil }
    }
}

/// Versions that lightweight steps lead between, named as Apple's `NSLightweightMigrationStage`.
package struct LightweightMigrationStage: Sendable, Hashable {
    /// What the stage is called, for people.
    package var label: String?
    /// The versions, in order.
    package var versions: [ManagedObjectModelReference]

    package init(_ versions: [ManagedObjectModelReference], label: String? = nil) {
        self.versions = versions
        self.label = label
    }
}

/// A lightweight step with work before and after it, named as Apple's `NSCustomMigrationStage`.
package struct CustomMigrationStage: Sendable, Hashable {
    /// The parts of a stage that do work.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// Before the step, on the store at the current version.
        case willMigrate
        /// Instead of inference: value expressions from the current version to the next one.
        case map
        /// After the step, on the store at the next version.
        case didMigrate
    }

    /// What the stage is called, for people.
    package var label: String?
    /// The version that the stage starts from.
    package var currentModel: ManagedObjectModelReference
    /// The version that it leads to.
    package var nextModel: ManagedObjectModelReference
    /// The parts that have work to do.
    package var parts: Set<Part>

    package init(
        migratingFrom currentModel: ManagedObjectModelReference,
        to nextModel: ManagedObjectModelReference,
        label: String? = nil,
        parts: Set<Part> = []
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
        self.label = label
        self.parts = parts
    }
}

/// One stage of a list.
package enum MigrationStage: Sendable, Hashable {
    /// Versions that lightweight steps lead between.
    case lightweight(LightweightMigrationStage)
    /// A step with work of its own.
    case custom(CustomMigrationStage)

    /// The versions that the stage lists, in order.
    package var versions: [ManagedObjectModelReference] {
        switch self {
        case .lightweight(let stage): stage.versions
        case .custom(let stage): [stage.currentModel, stage.nextModel]
        }
    }

    /// What the stage is called, for people; made up of its versions when it has no label.
    package var title: String {
        let names = versions.map(\.name)
        switch self {
        case .lightweight(let stage):
            return stage.label ?? "lightweight \(names.joined(separator: ", "))"
        case .custom(let stage): return stage.label ?? "custom \(names.joined(separator: " → "))"
        }
    }
}

/// A list of stages, named as Apple's `NSStagedMigrationManager`.
///
/// A value without a database: it is checked and planned here, and carried out by `StoreMigration`.
package struct StagedMigrationManager: Sendable, Hashable {
    /// The stages, in order.
    package var stages: [MigrationStage]
    /// What inference may do beyond what is on record.
    package var options: InferenceOptions

    package init(_ stages: [MigrationStage], options: InferenceOptions = InferenceOptions()) {
        self.stages = stages
        self.options = options
    }

    /// Returns the list with the choice of which relationships of an entity with itself name their tables.
    package func namingJoinTables(by names: [String]) -> StagedMigrationManager {
        func named(_ reference: ManagedObjectModelReference) -> ManagedObjectModelReference {
            var copy = reference
            copy.found?.namingRelationships.formUnion(names)
            return copy
        }
        var copy = self
        copy.stages = stages.map { stage in
            switch stage {
            case .lightweight(var stage):
                stage.versions = stage.versions.map(named)
                return .lightweight(stage)
            case .custom(var stage):
                stage.currentModel = named(stage.currentModel)
                stage.nextModel = named(stage.nextModel)
                return .custom(stage)
            }
        }
        return copy
    }

    /// Returns the version of a name or a checksum that some stage lists.
    package func version(_ nameOrChecksum: String) -> ModelVersion? {
        let all = stages.flatMap(\.versions)
        let found =
            all.first { $0.name == nameOrChecksum }
            ?? all.first { $0.versionChecksum == nameOrChecksum }
        return found?.version
    }
}
