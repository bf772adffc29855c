import Diagnostics
import Essentials
import MigrationTesting
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// Remembers the migration of each older version that reaches the current one.
    mutating func addSteps(of result: Linter.Result) {
        guard let routes = result.routes else { return }
        findings += routes.notRun
        // The losses of entities that are not understood are unknown.
        let open = routes.routes.count { !$0.source.isWhole }
        counts.migrations += routes.target.isWhole ? routes.count - open : 0
        guard routes.target.isWhole else { return }
        let place = FileLocation(path: result.bundle.path)
        let sources = routes.routes.map(\.source).filter(\.isWhole)
        tests += matrixTests(
            in: result.bundle.path,
            from: sources,
            to: routes.target,
            by: routes.migrator,
            options: options.matrix.following(result.configuration, result.ledger)
        )
        .enumerated().map { index, test in
            let source = sources[index]
            return (place, test, result.tells(of: source, to: routes.target), source.name)
        }
    }
}

extension Linter.Result {
    func isRead(_ version: ModelVersion) -> Bool {
        !unreadVersions(bundle.versions, reading: findings.map(\.diagnostic))
            .contains(version.name)
    }

    /// Whether a step between a version and the current one was found to lose or to ask something, so that a refusal on
    /// the way is no news.
    fileprivate func tells(of version: ModelVersion, to current: ModelVersion) -> Bool {
        let names = bundle.versions.map(\.name)
        guard let start = names.firstIndex(of: version.name),
            let end = names.firstIndex(of: current.name), start < end
        else { return true }
        let later = Set(names[(start + 1)...end])
        return (findings + unsaid).contains { finding in
            finding.version.map(later.contains) == true
                && (finding.diagnostic.loss != nil || finding.diagnostic.severity > .note)
        }
    }
}
