import Diagnostics
import ObjectModel

extension Rule {
    static let cloudkitDenyRule = Rule(
        .named("cloudkit-deny-rule", .cloudKit, .error),
        summary: "Relationships in CloudKit do not deny deletion",
        rationale: "A deletion that arrives from another device cannot be refused.",
        passing: .cloud(
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        failing: .cloud(
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' ◀deletionRule='Deny' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        check: .model { model in
            model.cloudKitEntities.flatMap { entity in
                entity.relationships.filter { $0.deleteRule == .deny && !$0.isTransient }.map {
                    relationship in
                    Violation(
                        "choose Nullify or Cascade for '\(relationship.name)': CloudKit does not support Deny",
                        at: relationship.source.location(of: "deletionRule"),
                        element: "\(entity.name).\(relationship.name)"
                    )
                }
            }
        }
    )
}
