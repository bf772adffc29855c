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
        guard routes.target.isWhole else { return }
        let place = FileLocation(path: result.bundle.path)
        let all = routes.routes.map(\.source).filter(\.isWhole)
        let sources = affordable(all)
        counts.migrations += routes.count - routes.routes.count + sources.count
        if sources.count < all.count { noteLimit(sources.count, of: all.count, at: place) }
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

    /// The number of objects that are generated for one model, beyond two versions.
    private static let generatedObjects = 6_000

    /// Returns the versions whose stores are generated: the previous one, the oldest, then from new to old.
    private func affordable(_ sources: [ModelVersion]) -> [ModelVersion] {
        var objects = 0
        let ordered =
            sources.suffix(1) + sources.dropLast().prefix(1)
            + sources.dropFirst().dropLast().reversed()
        let chosen = ordered.prefix { version in
            defer { objects += options.matrix.rows * version.model.entities.count }
            return objects < Self.generatedObjects
        }
        let names = Set(chosen.map(\.name) + ordered.prefix(2).map(\.name))
        return sources.filter { names.contains($0.name) }
    }

    private mutating func noteLimit(_ count: Int, of all: Int, at place: FileLocation) {
        let message: Wording =
            "\(all - count) of \(all) versions were not migrated with generated objects; \(Hint.matrix(place.path)) migrates all"
        report("migrations-not-run", message, severity: .note, at: place)
    }
}

extension Linter.Result {
    func isRead(_ version: ModelVersion) -> Bool {
        !unreadVersions(bundle.versions, reading: findings.map(\.diagnostic)).contains(version.name)
    }

    /// Whether a step between a version and the current one is known to lose or to require something, so that a refusal
    /// on the way is not news.
    fileprivate func tells(of version: ModelVersion, to current: ModelVersion) -> Bool {
        let names = bundle.versions.map(\.name)
        guard let start = names.firstIndex(of: version.name),
            let end = names.firstIndex(of: current.name), start < end
        else { return true }
        let later = Set(names[(start + 1)...end])
        return (findings + unreported).contains { finding in
            let isFault = finding.diagnostic.severity > .note
            let isOfPlan = Rule.ofPlans.union([.stagesFail]).contains(finding.diagnostic.rule)
            return isFault && isOfPlan
                || finding.version.map(later.contains) == true
                    && (isFault || finding.diagnostic.loss != nil)
        }
    }
}
