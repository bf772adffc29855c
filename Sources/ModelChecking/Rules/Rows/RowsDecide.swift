import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel

extension Rule {
    /// A step does not depend on the rows.
    static let rowsDecide = Rule(
        "rows-decide",
        .rows,
        .warning,
        summary: "A step does not depend on the rows",
        rationale: """
            The step is inferred, and fails or loses something when a store holds rows \
            that are against it. `momtool plan --store` counts them.
            """,
        passing: [
            RuleExample([
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                """,
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
                <attribute name='b' optional='YES' attributeType='String'/></entity>
                """,
            ])
        ],
        failing: [
            RuleExample([
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                """,
                """
                <entity name='A'><attribute name='a' ◀optional='NO' attributeType='String'/></entity>
                """,
            ])
        ],
        isAnsweredByMapping: true,
        check: .step { step in
            step.mapping.judgements.filter { $0.verdict == .dependsOnRows }.map { judgement in
                Violation(
                    "the step from '\(step.from.name)' depends on the rows: \(judgement.effect)",
                    at: judgement.change.toLocation,
                    element: judgement.change.subject.path,
                    notes: judgement.cure.map { [Diagnostic.Note($0)] } ?? []
                )
            }
        }
    )
}
