import Diagnostics
import MigrationPlanning
import ModelChecking
import MomtoolReporting
import SettingsFiles

/// The settings in effect for a model, by the keys of `.momtool.yml`, as `momtool config` prints them.
struct SettingsReport: TextReport, KeyedReport {
    private let settings: ToolConfiguration

    init(_ settings: ToolConfiguration) { self.settings = settings }

    var text: String { settings.text }

    var jsonObject: JSONObject {
        let check = settings.check
        let houseRules = check.houseRules.map { rule -> JSONObject in
            ["rule": rule.id, "for": rule.subject.rawValue, "severity": rule.severity]
        }
        let ignored = check.suppressions.map { item -> JSONObject in
            [
                "rule": item.rule, "element": item.element, "version": item.version,
                "reason": item.reason,
            ]
        }
        return [
            "configuration": settings.path, "versions": check.scope == .all ? "all" : "changeable",
            "order": settings.versionOrder, "releases": settings.releases,
            "unshipped": settings.unshippedVersions, "allowDataLoss": settings.allowsDataLoss.words,
            "losses": settings.losses.mapValues(\.words),
            "migration": settings.isStepwise ? "stepwise" : "direct", "stages": settings.stages,
            "mappingModels": settings.mappingModels, "policies": settings.policies,
            "rows": settings.rows, "joinTables": settings.namingRelationships,
            "claimants": settings.claimants,
            "rules": Dictionary(check.settings.map { ($0.rawValue, $1.word) }) { $1 },
            "houseRules": houseRules, "ignore": ignored,
        ]
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
