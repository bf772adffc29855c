package import Diagnostics
import ObjectModel

/// An ignored finding of a configuration, with the reason.
package struct Suppression: Sendable, Hashable {
    /// `nil` for every rule.
    package var rule: RuleID?
    /// The entity, with its properties, or one property as `Order.number`; `nil` for every one.
    package var element: String?
    /// `nil` for every version.
    package var version: String?
    package var reason: String
    package var location: FileLocation?

    package init(rule: RuleID?, element: String? = nil, version: String? = nil, reason: String) {
        (self.rule, self.element, self.version, self.reason) = (rule, element, version, reason)
    }

    package func covers(_ finding: Finding) -> Bool {
        if let rule, rule != finding.diagnostic.rule { return false }
        if let version, version != finding.version { return false }
        guard let element else { return true }
        guard let found = finding.diagnostic.element else { return false }
        return found == element || found.hasPrefix(element + ".")
    }
}

/// The rules to ignore by the user info of entities and properties, such as `momtool.ignore`.
struct IgnoredRules {
    static let key = "momtool.ignore"
    private struct Place: Hashable {
        var version: String
        var element: String
    }
    private var rules: [Place: Set<String>] = [:]

    init(_ versions: [ModelVersion]) {
        for version in versions {
            for entity in version.model.entities {
                let name = entity.name
                add(entity.userInfo, Place(version: version.name, element: name))
                for property in CheckedProperty.all(of: entity) where !property.userInfo.isEmpty {
                    let path = "\(name).\(property.name)"
                    add(property.userInfo, Place(version: version.name, element: path))
                }
            }
        }
    }

    func contains(_ finding: Finding) -> Bool {
        guard !rules.isEmpty, let version = finding.version,
            let element = finding.diagnostic.element
        else { return false }
        let entity = element.prefix { $0 != "." }
        return [element, String(entity)].contains { element in
            let ignored = rules[Place(version: version, element: element)] ?? []
            return ignored.contains("all") || ignored.contains(finding.diagnostic.rule.rawValue)
        }
    }

    /// Returns the rule names of an entry's value, separated by spaces and commas.
    static func names(in value: String) -> [String] {
        value.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    private mutating func add(_ userInfo: [UserInfoEntry], _ place: Place) {
        for entry in userInfo where entry.key == Self.key {
            rules[place, default: []].formUnion(Self.names(in: entry.value))
        }
    }
}
