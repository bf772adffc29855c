import Diagnostics
import FileSystem
import MappingInference
package import ModelChecking
import ModelDiffing
import ModelLoading
import ObjectModel

extension Linter.Result {
    /// The fixes that do no harm: none writes into a version that shipped, and none makes a step lose what it keeps now.
    ///
    /// - Returns: the fixes, and what is said of those that are left out.
    package func safeFixes() -> (fixes: [Fix], refused: [Diagnostic]) {
        var fixes: [Fix] = []
        var refused: [Diagnostic] = []
        func refuse(_ finding: Finding, _ reason: String) {
            refused.append(
                Diagnostic(
                    finding.diagnostic.rule,
                    "not fixed: \(reason)",
                    severity: .note,
                    at: finding.fix?.changes.first?.location
                )
            )
        }
        let open = findings.filter { finding in
            guard let fix = finding.fix else { return false }
            // What lies beside the versions is no part of them.
            guard fix.isOfSource else {
                fixes.append(fix)
                return false
            }
            guard let version = finding.version, lock?.version(named: version) != nil else {
                return true
            }
            refuse(finding, "'\(version)' is locked, and stores in the field have it")
            return false
        }
        for (path, own) in Dictionary(grouping: open, by: { $0.fix?.path ?? "" })
            .sorted(by: { $0.key < $1.key })
        {
            guard let bytes = try? readFile(path, limit: 64 << 20) else { continue }
            guard let harm = harm(of: own.compactMap(\.fix), in: path, bytes) else {
                fixes += own.compactMap(\.fix)
                continue
            }
            // One of them does it; alone each is judged anew.
            for finding in own {
                guard let fix = finding.fix else { continue }
                let loss = own.count == 1 ? harm : self.harm(of: [fix], in: path, bytes)
                if let loss { refuse(finding, loss) } else { fixes.append(fix) }
            }
        }
        return (fixes, refused)
    }

    /// What fixes of a file would do to the steps from and to its version; `nil` for nothing bad.
    private func harm(of fixes: [Fix], in path: String, _ bytes: [UInt8]) -> String? {
        let versions = bundle.versions
        guard let index = versions.firstIndex(where: { path.hasPrefix($0.path) }) else {
            return nil
        }
        let text = applying(fixes, to: bytes).text
        let (before, after) = (
            readModel(source: bytes, path: path), readModel(source: text, path: path)
        )
        guard !before.hasErrors else { return nil }
        guard !after.hasErrors else { return "the version could not be read afterwards" }
        let name = versions[index].name
        let old = ModelVersion(name: name, path: path, model: before.value)
        let new = ModelVersion(name: name, path: path, model: after.value)
        var steps: [(kept: Set<String>, now: [StepLoss])] = []
        if index > 0 {
            let source = versions[index - 1]
            steps.append((names(source, old), losses(source, new)))
        }
        if index + 1 < versions.count {
            let target = versions[index + 1]
            steps.append((names(old, target), losses(new, target)))
        }
        let lost = steps.flatMap { step in step.now.filter { !step.kept.contains($0.name) } }
        return lost.first.map { "\($0.name): \($0.effect)" }
    }

    private func names(_ source: ModelVersion, _ target: ModelVersion) -> Set<String> {
        Set(losses(source, target).map(\.name))
    }

    private func losses(_ source: ModelVersion, _ target: ModelVersion) -> [StepLoss] {
        let matching = ModelMatching(from: source, to: target)
        return stepLosses(matching, inferMapping(matching, diff(matching)))
    }
}
