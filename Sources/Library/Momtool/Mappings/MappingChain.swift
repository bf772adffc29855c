import Diagnostics
import ModelChecking
import ObjectModel
import StoreMigration

/// A way through other versions by mapping models, which Core Data does not go: it takes one step.
struct MappingChain: Sendable, Hashable {
    /// The names of the versions.
    var names: [String]
    /// The paths of the mapping models, in the order of the steps.
    var mappingModels: [String]

    /// Whether every step has its mapping model, so that an app most likely takes them one after the other.
    var isWhole: Bool { mappingModels.count + 1 == names.count }

    var title: String { names.joined(separator: " → ") }

    /// Why no store migrates along it.
    var refusal: String {
        "Core Data takes a single step, and no mapping model leads there: \(title) are \(names.count - 1) "
            + "steps, which only an app's own code takes (migration: stepwise in .momtool.yml)"
    }

    /// Tells that mapping models lead on only one after the other.
    ///
    /// If every step has one, an app most likely takes them, and momtool asks; otherwise stores do not open.
    func finding(from version: ModelVersion, to target: ModelVersion) -> Finding {
        let reason =
            isWhole
            ? "migrate to '\(target.name)' in several steps: Core Data takes only one, so the app's own code must take them"
            : "cannot migrate to '\(target.name)': no mapping model leads there, and Core Data does not take several steps"
        let diagnostic = Diagnostic(
            isWhole ? .severalSteps : .versionCannotOpen,
            "stores of '\(version.name)' \(reason)",
            severity: isWhole ? .warning : .error,
            // Chains to one version have the last one in common, and are reported together.
            at: mappingModels.last.map { FileLocation(path: $0) },
            notes: [
                Diagnostic.Note(
                    "if the app's code takes \(title), set migration: stepwise in .momtool.yml"
                )
            ]
        )
        return Finding(diagnostic, version: version.name)
    }
}

extension Migrator {
    /// A route through other versions with mapping models, without a setting that the app's code takes it.
    func unaskedChain(_ route: MigrationRoute) -> MappingChain? {
        guard case .versions(_, let mappingModels, _) = road, !mappingModels.isStepwise,
            !route.mappingModels.isEmpty, route.steps.count > 1, let source = route.source
        else { return nil }
        return MappingChain(
            names: [source.name] + route.steps.map(\.destination.name),
            mappingModels: route.mappingModels.sorted { $0.key < $1.key }.map(\.value)
        )
    }
}
