import Diagnostics
import ModelDiffing

extension Rule {
    /// Renamed items have a renaming identifier.
    static let undeclaredRename = Rule(
        "undeclared-rename",
        .migration,
        .warning,
        summary: "Renamed items have a renaming identifier",
        rationale: """
            Something was removed and something like it was added. Without a renaming \
            identifier Core Data drops the one and its data and adds the other. Set \
            the identifier if it is a rename; ignore the rule if it is none.
            """,
        passing: [
            RuleExample([
                """
                <entity name='A'><attribute name='userName' optional='YES' attributeType='String'/></entity>
                """,
                """
                <entity name='A'><attribute name='username' optional='YES' attributeType='String' elementID='userName'/></entity>
                """,
            ])
        ],
        failing: [
            RuleExample([
                """
                <entity name='A'><attribute name='userName' optional='YES' attributeType='String'/></entity>
                """,
                """
                <entity name='A'>◀<attribute name='username' optional='YES' attributeType='String'/></entity>
                """,
            ])
        ],
        isAnsweredByMapping: true,
        check: .step { step in
            step.diff.suspicions.filter {
                [.similarName, .onlyCandidates, .sharedProperties].contains($0.ground)
            }.map { suspicion in
                let diagnostic = suspicion.diagnostic
                return Violation(
                    diagnostic.message,
                    at: diagnostic.location,
                    element: diagnostic.element,
                    notes: diagnostic.notes,
                    severity: diagnostic.severity
                )
            }
        }
    )
}
