import ModelHashing
package import ObjectModel

/// A version of a model in a stage: a promise of a model, and the checksum that it must have.
///
/// Named as Apple's `NSManagedObjectModelReference`.
package struct ManagedObjectModelReference: Sendable, Hashable {
    package var name: String
    /// In base64.
    package var versionChecksum: String
    /// The existing version of that name, with any checksum.
    package var found: ModelVersion?

    /// Creates a reference to a version; `versionChecksum` pins it, by default to that of the model.
    package init(_ version: ModelVersion, versionChecksum: String? = nil) {
        name = version.name
        found = version
        self.versionChecksum = versionChecksum ?? version.checksum
    }

    /// Creates a reference to a model; `versionChecksum` pins it, by default to the computed one.
    package init(model: ManagedObjectModel, name: String, versionChecksum: String? = nil) {
        self.init(ModelVersion(name: name, model: model), versionChecksum: versionChecksum)
    }

    package init(unresolvedName name: String, versionChecksum: String = "") {
        self.name = name
        self.versionChecksum = versionChecksum
        found = nil
    }

    package var version: ModelVersion? {
        found.flatMap { $0.checksum == versionChecksum ? $0 : nil }
    }
}

/// Versions connected by lightweight steps, named as Apple's `NSLightweightMigrationStage`.
package struct LightweightMigrationStage: Sendable, Hashable {
    package var label: String?
    package var versions: [ManagedObjectModelReference]

    package init(_ versions: [ManagedObjectModelReference], label: String? = nil) {
        self.versions = versions
        self.label = label
    }
}

/// A lightweight step with work before and after it, named as Apple's `NSCustomMigrationStage`.
package struct CustomMigrationStage: Sendable, Hashable {
    package enum Part: String, Sendable, Hashable, CaseIterable {
        case willMigrate
        /// Instead of inference: value expressions from the current version to the next one.
        case map
        case didMigrate
    }

    package var label: String?
    package var currentModel: ManagedObjectModelReference
    package var nextModel: ManagedObjectModelReference
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

package enum MigrationStage: Sendable, Hashable {
    case lightweight(LightweightMigrationStage)
    case custom(CustomMigrationStage)

    package var versions: [ManagedObjectModelReference] {
        switch self {
        case .lightweight(let stage): stage.versions
        case .custom(let stage): [stage.currentModel, stage.nextModel]
        }
    }

    /// The label for people, by default made up of its versions.
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
/// A value without a database: it is checked and planned here, and performed by `StoreMigration`.
package struct StagedMigrationManager: Sendable, Hashable {
    package var stages: [MigrationStage]
    /// The versions of the model, to name one that no stage lists.
    package var versions: [ModelVersion] = []

    package init(_ stages: [MigrationStage]) { self.stages = stages }

    /// Returns the list with the relationships that name the join tables of an entity with itself.
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

    /// Returns the listed version of a name or a checksum.
    package func version(_ nameOrChecksum: String) -> ModelVersion? {
        let all = stages.flatMap(\.versions)
        let found =
            all.first { $0.name == nameOrChecksum }
            ?? all.first { $0.versionChecksum == nameOrChecksum }
        return found?.version
    }
}
