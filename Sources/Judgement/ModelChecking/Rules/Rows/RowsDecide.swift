import Diagnostics
import MappingInference

extension Rule {
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
