import Diagnostics
import FileSystem
import ModelChecking
import ModelLoading
import Momtool
import SettingsFiles

extension ProjectCheck {
    /// Warns of custom stages that a revision had between two versions which are both still there: stores take the step
    /// without their work now.
    func removedStages(
        since past: ModelBundle,
        _ result: Linter.Result,
        _ revision: String
    ) -> [Finding] {
        let (bundle, now) = (result.bundle, result.configuration)
        func steps(in text: String?, _ path: String) -> [(from: String, to: String, path: String)] {
            guard let text else { return [] }
            let file = readStagesFile(text, path: path).value
            let model = file.model?.split(separator: "/").last.map(String.init)
            guard model.map(bundle.path.hasSuffix) ?? true else { return [] }
            return file.stages.filter { $0.isCustom && $0.versions.count == 2 }
                .map { ($0.versions[0].name, $0.versions[1].name, path) }
        }
        let before = now.path.flatMap { path in
            gitText(of: path, at: revision).map { readConfiguration($0, path: path).value }
        }
        let files = now.stagesFiles + contents.stages
        let kept = files.flatMap { steps(in: try? readText($0, limit: 1 << 20), $0) }
        let had = Set(files + (before?.stagesFiles ?? [])).sorted().flatMap {
            steps(in: gitText(of: $0, at: revision), $0)
        }
        return (had + past.stepsWithFunctions).filter { step in
            guard let from = bundle.version(named: step.from),
                let to = bundle.version(named: step.to),
                result.mappingModels.path(from: from, to: to) == nil
            else { return false }
            return !(kept + bundle.stepsWithFunctions).contains {
                $0.from == step.from && $0.to == step.to
            }
        }.map { step in
            let message =
                "since \(revision): the custom stage from '\(step.from)' to '\(step.to)' was removed: stores migrate without its work"
            let place = FileLocation(path: step.path)
            return Finding(
                Diagnostic("changed-since", message, severity: .warning, at: place),
                version: step.to
            )
        }
    }
}
