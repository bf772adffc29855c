import Diagnostics
import MappingInference

extension Rule {
    static let missingSwiftValue = Rule(
        .named("missing-swift-value", .rows, .warning, by: .planning),
        summary: "Existing rows have a value for properties that are not optional in Swift",
        rationale: """
            In the model, a SwiftData enum may always be missing, even if its property is not optional, and a default \
            in Swift applies only to new objects. If such a property is new, or was optional, old rows have NULL: \
            nothing fails in a migration, but the app crashes when it reads one. The same goes for a new optional \
            attribute of Core Data that a class declares as `@NSManaged var id: UUID`, or as a date or URL that is \
            not optional. Make the property optional, or fill it in a custom stage. `momtool plan --store` counts the \
            rows, and `momtool verify --model` those of SwiftData, with `--validate` those of Core Data too.
            """
    )

    static let rowsDecide = Rule(
        .named("rows-decide", .rows, .warning),
        summary: "Whether a step succeeds does not depend on the rows",
        rationale: """
            Core Data infers the step, but it fails or drops data if a store has rows that violate it: duplicates \
            under a new constraint, objects of an entity that becomes abstract, or more links than a smaller maximum \
            allows. `momtool plan --store` counts them. If no store has such rows, allow the entity or property under \
            `losses` in `.momtool.yml`.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <uniquenessConstraints>◀<uniquenessConstraint><constraint value='a'/>
            </uniquenessConstraint></uniquenessConstraints></entity>
            """
        ),
        isAnsweredByMapping: true,
        check: .step { step in
            step.losses.filter { $0.kind == .rows }
                .map { Rule.violation(of: $0, in: step, severity: .warning) }
        }
    )
}
