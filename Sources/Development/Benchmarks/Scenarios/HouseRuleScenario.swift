import Diagnostics
import ModelChecking
import ModelLanguage
import ObjectModel

extension Scenario {
    /// A team's rules are evaluated for each attribute of each version, and must not be felt.
    static let houseRules = Scenario(
        name: "house-rules",
        summary: "over a hundred thousand evaluations of house rules, in one process"
    ) { _ in
        let versions = (1...120).map { number in
            ModelVersion(name: "V\(number)", model: model(attributes: 8 + number / 40))
        }
        let rules = try conditions.enumerated().map { number, condition in
            HouseRule(
                RuleID(rawValue: "acme-\(number)"),
                for: .attribute,
                when: try Predicate(parsing: condition),
                message: "{name} of {entity.name}",
                at: FileLocation(path: ".momtool.yml")
            )
        }
        let attributes = versions.reduce(0) { sum, version in
            sum + version.model.entities.reduce(0) { $0 + $1.attributes.count }
        }
        var count = 0
        let names = Set(versions.map(\.name))
        let seconds = leastSeconds(prepare: { versions }) { versions in
            count = houseFindings(versions, names, rules).count
        }
        return [
            "\(attributes * rules.count) evaluations: \(seconds.milliseconds) (\(count) findings)"
        ]
    }

    /// A comparison, a pattern, a key path and a collection of the entity.
    private static let conditions = [
        "type == 'Binary' AND externalStorage == NO",
        "NOT name MATCHES '[a-z][A-Za-z0-9]*'",
        "entity.parent.name == 'Base' AND optional == NO",
        "name == 'value7' AND entity.attributes.@count > 9",
    ]

    private static func model(attributes count: Int) -> ManagedObjectModel {
        var model = ManagedObjectModel()
        model.entities = (0..<40).map { number in
            Entity(
                name: "Entity\(number)",
                attributes: (0..<count).map { Attribute(name: "value\($0)", type: .string) }
            )
        }
        return model
    }
}
