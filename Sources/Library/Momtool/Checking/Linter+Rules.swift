import Diagnostics
import ModelChecking
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
