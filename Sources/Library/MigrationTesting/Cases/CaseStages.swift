import Diagnostics
import Essentials
import ModelLoading
import Momtool
import SettingsFiles

struct CaseStages {
    let stages: Stages

    /// Reads the stages; throws the faults of the list, and of what it names.
    init(
        _ stages: CaseFile.Stages,
        of migrationCase: MigrationCase,
        in bundle: ModelBundle
    ) throws(MomtoolError) {
        let mappingModels = try migrationCase.mappingModels()
        let read =
            switch stages {
            case .list(let list):
                try Stages.resolve(list, models: [bundle], mappingModels: mappingModels)
            case .file(let path):
                try Stages.read(
                    migrationCase.url(of: path).path,
                    models: [bundle],
                    mappingModels: mappingModels
                )
            }
        let faults = read.diagnostics.filter { $0.severity == .error } + read.value.faults
        guard faults.isEmpty else { throw MomtoolError(.refused, saying: faults) }
        self.stages = read.value
    }
}
