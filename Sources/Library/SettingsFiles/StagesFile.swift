package import Diagnostics
package import MigrationPlanning
package import ObjectModel

/// A stages file as written, before versions and scripts are looked up.
package struct StagesFile: Sendable, Hashable {
    package struct Version: Sendable, Hashable {
        /// Its name, or the path of a model of its own.
        package var name: String
        package var checksum: String?
        package var location: FileLocation

        package init(name: String, checksum: String? = nil, location: FileLocation) {
            self.name = name
            self.checksum = checksum
            self.location = location
        }
    }

    package struct Script: Sendable, Hashable {
        package var path: String
        package var location: FileLocation
        /// The program to run instead of a script, whose name the path is; `nil` for a file that is read.
        package var program: Program?
    }

    package struct Program: Sendable, Hashable {
        package var arguments: [String]
        package var entities: [String]
    }

    package struct Stage: Sendable, Hashable {
        /// Whether it is a custom one; it has two versions then.
        package var isCustom: Bool
        package var versions: [Version]
        package var label: String?
        package var scripts: [CustomMigrationStage.Part: Script]
        package var location: FileLocation

        package init(
            isCustom: Bool,
            versions: [Version],
            scripts: [CustomMigrationStage.Part: Script] = [:],
            location: FileLocation
        ) {
            self.isCustom = isCustom
            self.versions = versions
            self.scripts = scripts
            self.location = location
        }
    }

    package var path: String
    package var model: String?
    package var stages: [Stage]
    /// Mapping models, or folders with them: a custom stage without a map uses the one for its step.
    package var mappingModels: [String] = []
    /// The migration policies of mapping models: `delete`, `copy`, or the path of a map.
    package var policies: [String: String] = [:]

    package init(path: String, model: String? = nil, stages: [Stage] = []) {
        self.path = path
        self.model = model
        self.stages = stages
    }

    /// Makes the list of stages; versions without a model stay unresolved.
    package func manager(
        _ find: (Version) throws -> ModelVersion?
    ) rethrows -> StagedMigrationManager {
        func reference(_ version: Version) throws -> ManagedObjectModelReference {
            guard var found = try find(version) else {
                return ManagedObjectModelReference(
                    unresolvedName: version.name,
                    versionChecksum: version.checksum ?? ""
                )
            }
            found.name = version.name
            return ManagedObjectModelReference(found, versionChecksum: version.checksum)
        }
        return StagedMigrationManager(
            try stages.map { stage in
                let versions = try stage.versions.map(reference)
                guard stage.isCustom, versions.count == 2 else {
                    return .lightweight(LightweightMigrationStage(versions, label: stage.label))
                }
                return .custom(
                    CustomMigrationStage(
                        migratingFrom: versions[0],
                        to: versions[1],
                        label: stage.label,
                        parts: Set(stage.scripts.keys)
                    )
                )
            }
        )
    }
}

extension RuleID { package static let invalidStagesFile: RuleID = "invalid-stages-file" }
