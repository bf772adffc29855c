import Diagnostics
import Essentials
import MigrationPlanning
import ModelLoading
import Momtool
import SettingsFiles
import StoreMigration

/// The stages of a case with everything that they name.
struct CaseStages {
    var manager: StagedMigrationManager
    var works: [Int: CustomStageWork]
    /// What is wrong with the list, or with what it names; a line each.
    var faults: [String]

    init(_ stages: CaseFile.Stages, of migrationCase: MigrationCase, in bundle: ModelBundle) {
        do throws(MomtoolError) {
            let read =
                switch stages {
                case .list(let list):
                    try Stages.resolve(
                        list,
                        models: [bundle],
                        mappingModels: migrationCase.mappingModels()
                    )
                case .file(let path):
                    try Stages.read(
                        migrationCase.url(of: path).path,
                        models: [bundle],
                        mappingModels: migrationCase.mappingModels()
                    )
                }
            (manager, works) = (read.value.manager, read.value.works)
            let found = read.diagnostics + read.value.findings()
            faults = found.filter { $0.severity == .error }.map(\.description)
        } catch {
            (manager, works, faults) = (StagedMigrationManager([]), [:], error.messages)
        }
    }
}
