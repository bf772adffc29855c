import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel

extension Rule {
    static let dataLoss = Rule(
        .named("data-loss", .migration, .error),
        summary: "The step from the previous version drops no data without permission",
        rationale: """
            Core Data infers the step, and part of the old version has no counterpart in the new one: objects, values, \
            links or their order. If this is intended, list it for the version under `losses` in `.momtool.yml`: this \
            allows it in every command, also when the version is locked. A loss in a version that has shipped is a \
            note.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """,
            "◀<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        ),
        isAnsweredByMapping: true,
        check: .step { step in
            let suspected = Set(step.diff.suspicions.compactMap { step.loss(behind: $0)?.name })
            let misspelled = step.misspelledNames
            return step.losses.filter { loss in
                loss.kind == .dropped && !suspected.contains(loss.name)
                    && misspelled.isDisjoint(with: loss.names)
            }
            .map { violation(of: $0, in: step) }
        }
    )

    /// The breach for a loss of a step, or a demand on rows, and how to agree to it.
    static func violation(
        of loss: StepLoss,
        in step: CheckedStep,
        severity: Severity? = nil
    ) -> Violation {
        let place =
            loss.oldLocation.map { [Diagnostic.Note("it was here", at: $0).having(.earlierPlace)] }
            ?? []
        return Violation(
            "the step from '\(step.from.name)': \(loss.name): \(loss.effect)",
            at: loss.location ?? step.to.elementLocation,
            element: loss.name,
            notes: place + [loss.advice(for: step.to, step.ledger)]
                + step.conversionNotes(for: loss),
            severity: min(severity ?? .error, step.lossSeverity),
            loss: loss.name
        )
    }
}
