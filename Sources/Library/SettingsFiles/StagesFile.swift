package import Diagnostics
package import MigrationPlanning
package import ObjectModel

/// A stages file as it is written, before versions and scripts are looked up.
package struct StagesFile: Sendable, Hashable {
    /// A version as the file names it.
    package struct Version: Sendable, Hashable {
        /// Its name, or the path of a model of its own.
        package var name: String
        /// The checksum that it is pinned to.
        package var checksum: String?
        /// Where it stands.
        package var location: FileLocation

        package init(name: String, checksum: String? = nil, location: FileLocation) {
            self.name = name
            self.checksum = checksum
            self.location = location
        }
    }

    /// A file that a stage names.
    package struct Script: Sendable, Hashable {
        /// The path, relative to the stages file.
        package var path: String
        /// Where it stands.
        package var location: FileLocation
        /// The program that is run instead of a script, whose name the path is; `nil` for a file that is read.
        package var program: Program?
    }

    /// A program that does the work of a stage.
    package struct Program: Sendable, Hashable {
        /// The program and its arguments.
        package var arguments: [String]
        /// The entities whose objects it reads.
        package var entities: [String]
    }

    /// One stage.
    package struct Stage: Sendable, Hashable {
        /// Whether it is a custom one; it has two versions then.
        package var isCustom: Bool
        /// The versions, in order.
        package var versions: [Version]
        /// What it is called.
        package var label: String?
        /// The work of its parts.
        package var scripts: [CustomMigrationStage.Part: Script]
        /// Where it stands.
        package var location: FileLocation

        package init(
            isCustom: Bool,
            versions: [Version],
            label: String? = nil,
            scripts: [CustomMigrationStage.Part: Script] = [:],
            location: FileLocation
        ) {
            self.isCustom = isCustom
            self.versions = versions
            self.label = label
            self.scripts = scripts
            self.location = location
        }
    }

    /// The path of the file, as diagnostics name it.
    package var path: String
    /// The path of the model, relative to the stages file.
    package var model: String?
    /// The stages, in order.
    package var stages: [Stage]
    /// Mapping models, or folders that hold some: a custom stage without a map takes the one that is for its step.
    package var mappingModels: [String] = []
    /// What the migration policies of mapping models do: `delete`, `copy`, or the path of a map.
    package var policies: [String: String] = [:]

    package init(path: String, model: String? = nil, stages: [Stage] = []) {
        self.path = path
        self.model = model
        self.stages = stages
    }

    /// Makes the list of stages, with the models of its versions.
    ///
    /// - Parameter find: gives the version of a name; `nil` when there is none.
    /// - Returns: the list; versions without a model stay unresolved.
    /// - Throws: what `find` throws.
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
                    return .lightweight(
                        LightweightMigrationStage(versions, label: stage.label)
                    )
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

extension RuleID {
    /// A stages file, or a file of value expressions, that is not understood.
    package static let invalidStagesFile: RuleID = "invalid-stages-file"
}
