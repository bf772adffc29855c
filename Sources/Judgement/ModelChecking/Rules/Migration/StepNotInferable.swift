import Diagnostics
import MappingInference
import ObjectModel

extension Rule {
    static let stepNotInferable = Rule(
        .named("step-not-inferable", .migration, .error),
        summary: "Core Data can infer the step from the previous version",
        rationale: """
            A step that cannot be inferred needs a mapping model or a custom stage; without one, stores do not open \
            (134140, 134190). `momtool plan` shows the whole step. A mapping model for the step in the project \
            resolves it. A finding that rests on a guess is a warning.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='a' optional='YES' ◀attributeType='Date'/></entity>"
        ),
        isAnsweredByMapping: true,
        check: .step { step in
            let refusals = step.mapping.refusals
            let bridging = refusals.isEmpty ? [] : step.bridgingNotes
            return refusals.enumerated().map { index, refusal in
                let diagnostic = refusal.diagnostic
                return Violation(
                    "the step from '\(step.from.name)' needs a mapping model or a custom stage:"
                        + " \(refusal.sentence)",
                    at: diagnostic.location,
                    element: diagnostic.element,
                    notes: diagnostic.notes + (index == 0 ? bridging : []),
                    severity: refusal.evidence.isGuess ? .warning : nil
                )
            }
        }
    )
}
