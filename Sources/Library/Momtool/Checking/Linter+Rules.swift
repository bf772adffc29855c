package import Diagnostics
import FoundationEssentials
import MigrationPlanning
package import ModelChecking
import ModelLoading
import ObjectModel
import SettingsFiles

extension Linter {
    /// How violations of a rule are reported, in the terms of `.momtool.yml`.
    public enum RuleSetting: String, Sendable, Hashable, CaseIterable {
        case off
        case note
        case warning
        case error
    }

    func setting(
        _ rules: [RuleID: RuleSetting],
        in configuration: ToolConfiguration
    ) throws(MomtoolError) -> ToolConfiguration {
        var configuration = configuration
        let own = configuration.check.houseRules.map(\.id)
        for (id, setting) in rules.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let known = own.contains(id) ? id : Rule.named(id.rawValue)?.id else {
                let names = (own + Rule.all.map(\.id)).map(\.rawValue)
                let nearest = suggestion(for: id.rawValue, among: names)
                let message: Wording =
                    "there is no rule '\(id.rawValue)'\(nearest); \(.rules) lists them"
                throw MomtoolError(usage: message)
            }
            configuration.check.settings[known] =
                Severity(rawValue: setting.rawValue).map(CheckOptions.Setting.severity) ?? .off
        }
        return configuration
    }
}

extension ModelBundle {
    /// The versions that settings put in order, and those that they call unshipped and spell nearly as one; others may be of
    /// a removed model.
    func namedVersions(in configuration: ToolConfiguration) -> [Suppression] {
        let names = versions.map(\.name)
        let unshipped = configuration.unshippedVersions.filter {
            !suggestion(for: $0, among: names).isEmpty
        }
        return (configuration.versionOrder + unshipped).map { name in
            var entry = Suppression(rule: nil, version: name, reason: "")
            entry.location = configuration.locations[name]
            return entry
        }
    }

    /// Warns about bridging versions whose new attribute no stage fills.
    ///
    /// The old attribute is named as lost, since it moves. Without a stage it does not, and the refused step became one
    /// that loses all. What the lock has may have been filled by the app. Only stages files that the configuration
    /// names count, as where stores are migrated.
    func unfilledBridges(
        _ ledger: LossLedger,
        _ lock: ModelLock?,
        _ stages: [ReadStages],
        _ mappingModels: MappingModels
    ) -> [Diagnostic] {
        guard let lock = lock?.following(versions).lock else { return [] }
        let locked = Set(lock.versions.map(\.name))
        return versions.indices.dropFirst(2).flatMap { index -> [Diagnostic] in
            let (before, from, to) = (versions[index - 2], versions[index - 1], versions[index])
            guard !locked.contains(from.name), !locked.contains(to.name) else { return [] }
            let agreement = ledger.agreement(into: to.name)
            let held = heldValues(from: from, to: to, after: before)
                .filter { agreement.covers($0.names) }
            guard !held.isEmpty, mappingModels.path(from: from, to: to) == nil,
                stages.stage(from: from, to: to) == nil,
                // The step before may fill the new form at its end.
                mappingModels.path(from: before, to: from) == nil,
                stages.stage(from: before, to: from, with: [.map, .didMigrate]) == nil
            else { return [] }
            return held.map { value in
                Diagnostic(
                    "data-loss",
                    saying: """
                        the step from '\(from.name)': \(value.name) is allowed as a loss because its values move to '\(value.heir)', but no \
                        custom stage moves them: every value is lost
                        """,
                    severity: .warning,
                    at: value.location ?? FileLocation(path: to.path),
                    element: value.name,
                    notes: [
                        Diagnostic.Note(
                            """
                            momtool uses a stages file once .momtool.yml names it: stages: [Stages.yml], with a relative path; if the \
                            values may be dropped, the new attribute needs no renaming identifier
                            """
                        )
                    ]
                )
            }
        }
    }
}

extension HouseRule {
    /// Tests the rule on its examples; returns those that cannot be read, or that contradict the rule.
    package func faults() -> [Diagnostic] {
        passes.flatMap { fault(of: $0, breaks: false) }
            + fails.flatMap { fault(of: $0, breaks: true) }
    }

    private func fault(of example: Example, breaks: Bool) -> [Diagnostic] {
        var versions: [ModelVersion] = []
        for (index, body) in example.versions.enumerated() {
            let name = "V\(index + 1)"
            let text = "<model documentVersion=\"1.0\">\(body)</model>"
            let read = readModel(contents: Data(text.utf8), path: name)
            if let fault = read.diagnostics.first(where: { $0.severity == .error }) {
                return [finding("the example cannot be read: \(fault.message)", example)]
            }
            let isLast = index + 1 == example.versions.count
            versions.append(
                ModelVersion(name: name, path: name, isCurrent: isLast, model: read.value)
            )
        }
        let breaches = breaches(in: versions)
        if breaks {
            return breaches.isEmpty
                ? [finding("'\(id.rawValue)' should report this example of 'fails'", example)] : []
        }
        return breaches.prefix(1).map {
            finding("'\(id.rawValue)' should pass this, but reports: \($0.message)", example)
        }
    }

    private func finding(_ message: String, _ example: Example) -> Diagnostic {
        Diagnostic("house-rule-example", message, at: example.location)
    }
}
