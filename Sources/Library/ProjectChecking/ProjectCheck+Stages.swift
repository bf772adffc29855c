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
        let bundle = result.bundle
        let now = result.configuration
        let before = now.path.flatMap { path in
            gitText(of: path, at: revision).map { readConfiguration($0, path: path).value }
        }
        let files = Set((before?.stagesFiles ?? []) + now.stagesFiles + contents.stages).sorted()
        func own(_ steps: [CustomStep]) -> [CustomStep] {
            steps.filter { step in step.model.map { bundle.path.hasSuffix($0) } ?? true }
        }
        let kept = own(
            (now.stagesFiles + contents.stages).flatMap { file in
                (try? readText(file, limit: 1 << 20)).map { customSteps(in: $0, file) } ?? []
            } + customSteps(ofPlansIn: bundle)
        )
        let had = own(
            files.flatMap { file in
                gitText(of: file, at: revision).map { customSteps(in: $0, file) } ?? []
            } + customSteps(ofPlansIn: past)
        )
        return had.filter { step in
            guard !kept.contains(where: { $0.from == step.from && $0.to == step.to }),
                let from = bundle.version(named: step.from),
                let to = bundle.version(named: step.to)
            else { return false }
            return result.mappingModels.path(from: from, to: to) == nil
        }.map { step in
            let wording: Wording =
                "since \(revision): the custom stage from '\(step.from)' to '\(step.to)' was removed: stores migrate without its work"
            let diagnostic = Diagnostic(
                "changed-since",
                saying: wording,
                severity: .warning,
                at: FileLocation(path: step.path)
            )
            return Finding(diagnostic, version: step.to)
        }
    }
}

/// A step that a custom stage takes, with the model that its file names.
private struct CustomStep {
    var model: String?
    var from: String
    var to: String
    var path: String
}

private func customSteps(in text: String, _ path: String) -> [CustomStep] {
    let file = readStagesFile(text, path: path).value
    return file.stages.filter { $0.isCustom && $0.versions.count == 2 }.map { stage in
        CustomStep(
            model: file.model?.split(separator: "/").last.map(String.init),
            from: stage.versions[0].name,
            to: stage.versions[1].name,
            path: path
        )
    }
}

private func customSteps(ofPlansIn bundle: ModelBundle) -> [CustomStep] {
    bundle.stepsWithFunctions.map { from, to, path in
        CustomStep(model: nil, from: from, to: to, path: path)
    }
}
