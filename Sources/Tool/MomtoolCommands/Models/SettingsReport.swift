import Diagnostics
import MigrationPlanning
import ModelChecking
import MomtoolReporting
import SettingsFiles

/// The settings in effect for a model, by the keys of `.momtool.yml`, as `momtool config` prints them.
struct SettingsReport: TextReport {
    private struct HouseRule: Encodable {
        var rule: String
        var `for`: String
        var severity: String
    }

    private struct Ignored: Encodable {
        var rule: String?
        var element: String?
        var version: String?
        var reason: String
    }

    private enum CodingKeys: String, CodingKey {
        case configuration, versions, order, releases, unshipped, allowDataLoss, losses, migration,
            stages
        case mappingModels, policies, rows, joinTables, claimants, rules, houseRules, ignore
    }

    private let settings: ToolConfiguration

    init(_ settings: ToolConfiguration) { self.settings = settings }

    var text: String { settings.text }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let check = settings.check
        try container.encodeIfPresent(settings.path, forKey: .configuration)
        try container.encode(check.scope == .all ? "all" : "changeable", forKey: .versions)
        try container.encode(settings.versionOrder, forKey: .order)
        try container.encode(settings.releases, forKey: .releases)
        try container.encode(settings.unshippedVersions, forKey: .unshipped)
        try container.encode(settings.allowsDataLoss.words, forKey: .allowDataLoss)
        try container.encode(settings.losses.mapValues(\.words), forKey: .losses)
        try container.encode(settings.isStepwise ? "stepwise" : "direct", forKey: .migration)
        try container.encode(settings.stages, forKey: .stages)
        try container.encode(settings.mappingModels, forKey: .mappingModels)
        try container.encode(settings.policies, forKey: .policies)
        try container.encode(settings.rows, forKey: .rows)
        try container.encode(settings.namingRelationships, forKey: .joinTables)
        try container.encode(settings.claimants, forKey: .claimants)
        let rules = check.settings.map { ($0.rawValue, $1.word) }
        try container.encode(Dictionary(rules) { $1 }, forKey: .rules)
        let house = check.houseRules.map { rule in
            HouseRule(
                rule: rule.id.rawValue,
                for: rule.subject.rawValue,
                severity: rule.severity.rawValue
            )
        }
        try container.encode(house, forKey: .houseRules)
        let ignored = check.suppressions.map { item in
            Ignored(
                rule: item.rule?.rawValue,
                element: item.element,
                version: item.version,
                reason: item.reason
            )
        }
        try container.encode(ignored, forKey: .ignore)
    }
}

extension LossAgreement {
    fileprivate var words: [String] {
        switch self {
        case .all: ["*"]
        case .named(let names): names.sorted()
        }
    }
}

extension CheckOptions.Setting {
    fileprivate var word: String {
        switch self {
        case .off: "off"
        case .severity(let severity): severity.rawValue
        }
    }
}
