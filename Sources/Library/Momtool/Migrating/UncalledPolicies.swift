import Diagnostics
import SettingsFiles
import StoreMigration

extension Migrator {
    var hasPolicies: Bool {
        switch road {
        case .versions(_, let mappingModels, _): !mappingModels.codeNames.isEmpty
        case .stages(let stages, _, _): !stages.calledPolicies.isEmpty
        }
    }

    /// One warning for policies in code that no step of a route calls, as it leads past the mapping model's version.
    func uncalledPolicies(on route: MigrationRoute) -> [Diagnostic] {
        guard case .versions(let versions, let mappingModels, _) = road, !mappingModels.isStepwise,
            let source = route.source, let target = destination, !route.steps.isEmpty
        else { return [] }
        let called = route.steps.flatMap {
            mappingModels.codeNames(from: $0.source, to: $0.destination)
        }
        let stops = MappingModels.stops(from: source, to: target, in: versions.all)
        let missed = Set(zip(stops, stops.dropFirst()).flatMap(mappingModels.codeNames))
            .subtracting(called).sorted()
        guard let first = missed.first else { return [] }
        let names = missed.map { "'\($0)'" }.joined(separator: ", ")
        let steps = route.versionNames
        let message =
            first == missed.last
            ? "no step of \(steps) calls the policy \(names)"
            : "no step of \(steps) calls the policies \(names)"
        return [
            Diagnostic(
                .mappingPolicy,
                message
                    + "; if the app's own code migrates version by version, set migration: stepwise in .momtool.yml",
                severity: .warning
            )
        ]
    }
}
