import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel

extension Rule {
    /// The step from the previous version loses no data by mistake.
    static let dataLoss = Rule(
        "data-loss",
        .migration,
        .note,
        summary: "The step from the previous version loses no data by mistake",
        rationale: """
            The step is inferred, and something of the old version has no place in the \
            new one.
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
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
                <attribute name='b' optional='YES' attributeType='String'/></entity>
                """,
                """
                ◀<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                """,
            ])
        ],
        isAnsweredByMapping: true,
        check: .step { step in
            step.mapping.judgements.filter { $0.verdict == .losesData }.map { judgement in
                Violation(
                    "the step from '\(step.from.name)': \(judgement.change.subject.path ?? "the model"):"
                        + " \(judgement.effect)",
                    at: judgement.change.toLocation ?? step.to.elementLocation,
                    element: judgement.change.subject.path,
                    notes: judgement.change.fromLocation.map {
                        [Diagnostic.Note("it was here", at: $0)]
                    } ?? []
                )
            }
        }
    )
}
