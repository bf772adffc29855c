import SettingsFiles
import Diagnostics
import FileSystem
import Essentials
import MigrationPlanning
import ModelHashing
import ModelLoading
package import Momtool
import ObjectModel
import StoreFormat
import StoreMigration

/// How the migration of a case's store ended.
enum CaseEnding {
    case migrated
    /// Before anything was done.
    case refused(String)
    /// On the way.
    case failed(String)
}

extension MigrationCase {
    /// Migrates the store of the case into a new file, and writes the plan beside it.
    func migrate(
        _ store: StoreFile,
        from source: ModelVersion,
        to target: ModelVersion,
        in bundle: ModelBundle,
        resultPath path: String
    ) throws -> CaseEnding {
        let plan = fileURL(path).deletingLastPathComponent()
            .appending(path: "plan.txt")
        let agreement = file.allowsDataLoss.union(
            try bundle.lossLedger().agreement(from: source, to: target)
        )
        guard let stages = file.stages else {
            let versions = try StoreVersions([bundle], to: target.name)
            let mapped = try mappingModels().stages(from: source, to: target, in: versions)
            if let mapped { return try migrate(store, by: mapped, agreement, path, plan) }
            return try ending { () throws(StoreMigrationError) in
                let migration = try StoreMigration(
                    of: store,
                    from: source,
                    to: target
                )
                write(planText(of: migration), to: plan)
                let options = MigrationRunOptions(acceptsLosses: agreement)
                try migration.run(from: store, toNewFile: path, options: options)
            }
        }
        let staged = CaseStages(stages, of: self, in: bundle)
        guard staged.faults.isEmpty else {
            return .refused(staged.faults.joined(separator: "\n"))
        }
        return try ending { () throws(StoreMigrationError) in
            let migration = try StagedStoreMigration(
                of: store,
                by: staged.manager,
                works: staged.works,
                to: staged.manager.version(target.name)?.checksum
            )
            write(migration.plan.steps.map(migration.title).joined(separator: "\n"), to: plan)
            var options = StagedRunOptions()
            options.run.acceptsLosses = agreement
            try migration.run(from: store, toNewFile: path, options: options)
        }
    }

    /// The mapping models that the case names, else those of the configuration near its model, else those beside it.
    package func mappingModels() throws(MomtoolError) -> MappingModels {
        guard file.mappingModels.isEmpty else {
            return try MappingModels(
                settings: file.mappingModels,
                policies: file.policies,
                in: folder.path
            )
        }
        let model = url(of: file.model).path
        let settings: ToolConfiguration
        do {
            settings = try configuration(nil, for: model).value
        } catch {
            throw MomtoolError(error)
        }
        guard settings.mappingModels.isEmpty else { return try MappingModels([], settings) }
        return try MappingModels(beside: model, policies: file.policies, in: folder.path)
    }

    private func migrate(
        _ store: StoreFile,
        by stages: (manager: StagedMigrationManager, works: [Int: CustomStageWork]),
        _ agreement: LossAgreement,
        _ path: String,
        _ plan: URL
    ) throws -> CaseEnding {
        try ending { () throws(StoreMigrationError) in
            let migration = try StagedStoreMigration(
                of: store,
                by: stages.manager,
                works: stages.works,
                semantics: .stepwise
            )
            write(migration.plan.steps.map(migration.title).joined(separator: "\n"), to: plan)
            var options = StagedRunOptions()
            options.run.acceptsLosses = agreement
            try migration.run(from: store, toNewFile: path, options: options)
        }
    }

    private func ending(
        _ body: () throws(StoreMigrationError) -> Void
    ) throws(StoreMigrationError) -> CaseEnding {
        do throws(StoreMigrationError) {
            try body()
            return .migrated
        } catch {
            switch error {
            case .notInferable, .rows, .stages, .map, .inTheWay: return .refused(error.description)
            case .checkFailed, .script, .handler, .stageFindings, .interrupted:
                return .failed(error.description)
            case .store, .unexpectedLayout: throw error
            }
        }
    }

    /// What the plan says is of use to a reader alone: a case does not fail because it cannot be written.
    private func write(_ text: String, to url: URL) {
        try? Data((text + "\n").utf8).write(to: url)
    }
}

/// What a migration does, as a person reads it: each table's treatment, then the statements.
func planText(of migration: StoreMigration) -> String {
    let changes = migration.program.changes.map { "\($0.table): \($0.treatment.rawValue)" }
    let steps = migration.program.steps.map { "-- \($0.purpose)\n\($0.sql);" }
    return (changes + [""] + steps).joined(separator: "\n")
}
