import Diagnostics
import ObjectModel

extension Rule {
    static let noActionDeleteRule = Rule(
        .named("no-action-delete-rule", .apple, .note),
        summary: "Relationships have a delete rule other than No Action",
        rationale: """
            With No Action the destination keeps a link to a deleted object, and following it raises an exception. \
            Xcode warns about it too.
            """,
        passing:
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' deletionRule='Nullify' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        failing: """
            <entity name='A'><relationship name='r' maxCount='1' optional='YES' ◀deletionRule='No Action'
              destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>
            """,
        check: .model { model in
            model.forEachRelationship { relationship, entity in
                guard relationship.deleteRule == .noAction, !relationship.isTransient,
                    relationship.inverseName != nil
                else { return nil }
                return Violation(
                    "choose Nullify, Cascade or Deny for '\(relationship.name)'; No Action leaves"
                        + " links to deleted objects",
                    at: relationship.source.location(of: "deletionRule"),
                    element: "\(entity.name).\(relationship.name)"
                )
            }
        }
    )
}
