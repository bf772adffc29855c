package import Diagnostics
import Essentials
import FileSystem
package import MigrationPlanning
package import ModelChecking
package import ObjectModel
package import SwiftDataReading

/// What a `.momtool.yml` says; the JSON Schema of settings describes its keys.
package struct ToolConfiguration: Sendable, Hashable {
    package static let fileName = ".momtool.yml"

    /// `nil` when there is no file.
    package var path: String?
    package var check = CheckOptions()
    package var swift = SwiftReadingOptions()
    /// The names of versions from the oldest to the newest, where their names do not tell.
    package var versionOrder: [String] = []
    /// The patterns of tags that are releases, such as `v*`; every tag is one where there are none.
    package var releases: [String] = []
    /// The names of versions that have not shipped, which locks leave out.
    package var unshippedVersions: [String] = []
    /// Many-to-many relationships of an entity with itself that name their tables, such as `Person.friends`.
    package var namingRelationships: [String] = []
    /// Entities and properties, such as `Person.name`, that continue the old item of a shared renaming identifier.
    package var claimants: [String] = []
    package var allowsDataLoss = LossAgreement.none
    package var losses: [String: LossAgreement] = [:]

    /// What is named under `losses:` and `allowDataLoss:`, with its locations.
    package var namedLosses: [NamedLoss] = []

    /// The mapping models of the app, or folders that hold them; paths start from the folder of the file.
    package var mappingModels: [String] = []
    /// The migration policies of mapping models: `delete`, `copy`, or the path of a map.
    package var policies: [String: String] = [:]
    /// The files with the rows of versions in the corpus; paths start from the folder of the file.
    package var rows: [String: String] = [:]
    /// The locations of mapping models, and of the names and maps of policies, by their text.
    package var locations: [String: FileLocation] = [:]

    /// Whether the app's own code takes stores through every version, where Core Data takes one step.
    package var isStepwise = false
    /// Whether it says how the app migrates.
    package var saysMigration = false

    /// The stages files of the app, which migrations go through; paths start from the folder of the file.
    package var stages: [String] = []

    package init(path: String? = nil) { self.path = path }

    package var rowFiles: [String: String] { rows.mapValues(fromItsFolder) }

    package var stagesFiles: [String] { stages.map(fromItsFolder) }

    private func fromItsFolder(_ file: String) -> String {
        let folder = path.map(parent) ?? "."
        return file.hasPrefix("/") || folder == "." ? file : "\(folder)/\(file)"
    }

    package func isRelease(_ tag: String) -> Bool {
        releases.isEmpty || releases.contains { fnmatch($0, tag, 0) == 0 }
    }

    /// Returns the agreed losses through the versions of a model, oldest first.
    package func ledger(of versions: [ModelVersion]) -> LossLedger {
        var ledger = LossLedger(
            versions: versions,
            always: allowsDataLoss,
            named: losses,
            namedBack: losses
        )
        ledger.stagesFile = stages.count == 1 ? stagesFiles[0] : nil
        ledger.folder = path.map { parent(of: $0) }
        return ledger
    }

    /// The effective settings, one per line with any names, with their origin.
    package var text: String {
        let rules = check.settings.keys.map(\.rawValue).sorted().map { id -> String in
            switch check.settings[RuleID(rawValue: id)] {
            case .off: "rule \(id): off"
            case .severity(let severity): "rule \(id): \(severity.rawValue)"
            case nil: ""
            }
        }
        let house = check.houseRules.map { rule in
            "rule \(rule.id.rawValue): of this file, for \(rule.subject.rawValue), \(rule.severity.rawValue)"
        }
        let ignored = check.suppressions.map { suppression in
            let parts = [
                suppression.rule?.rawValue ?? "every rule", suppression.element,
                suppression.version.map { "in \($0)" },
            ]
            let what = parts.compactMap(\.self).joined(separator: " ")
            return "ignore \(what): \(suppression.reason)"
        }
        let scope = check.scope == .all ? "all" : "changeable"
        let head = ["configuration: \(path ?? "none found")", "versions: \(scope)"]
        let order = versionOrder.isEmpty ? [] : ["order: " + versionOrder.joined(separator: ", ")]
        let releases = releases.map { "releases: \($0)" }
        let unshipped = unshippedVersions.map { "unshipped: \($0)" }
        let losses: [String] =
            switch allowsDataLoss {
            case .all: ["data loss: all is allowed"]
            case .named(let names): names.sorted().map { "data loss: \($0) is allowed" }
            }
        let named = self.losses.keys.sorted().map { version -> String in
            switch self.losses[version] {
            case .named(let names)?:
                "losses of \(version): \(names.sorted().joined(separator: ", "))"
            case .all?, nil: "losses of \(version): all"
            }
        }
        let lists = (isStepwise ? ["migration: stepwise"] : []) + stages.map { "stages: \($0)" }
        let mappings = mappingModels.map { "mapping models: \($0)" }
        let known = policies.sorted { $0.key < $1.key }.map { "policy \($0.key): \($0.value)" }
        let rows = rows.sorted { $0.key < $1.key }.map { "rows of \($0.key): \($0.value)" }
        let joins = namingRelationships.map { "join table: named after \($0)" }
        let chosen = claimants.map { "renaming identifier: claimed by \($0)" }
        return
            (head + order + joins + chosen + releases + unshipped + losses + named + lists
            + mappings + known + rows + house + rules + ignored).map(\.onOneLine).joined(
                separator: "\n"
            )
    }
}
