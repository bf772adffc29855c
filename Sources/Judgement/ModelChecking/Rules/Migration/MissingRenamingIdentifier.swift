import Diagnostics
import MappingInference
import ModelDiffing

extension Rule {
    /// Renaming identifiers are kept in later versions.
    static let missingRenamingIdentifier = Rule(
        "missing-renaming-identifier",
        .migration,
        .error,
        summary: "Renaming identifiers are kept in later versions",
        rationale: """
            An item that was renamed once carries its renaming identifier for ever: \
            the next version is matched by it, and so is a jump from the oldest \
            version to the newest.
            """,
        passing: [
            RuleExample([
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>
                """,
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/>
                <attribute name='b' optional='YES' attributeType='String'/></entity>
                """,
            ])
        ],
        failing: [
            RuleExample([
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>
                """,
                """
                <entity name='A'>◀<attribute name='a' optional='YES' attributeType='String'/>
                <attribute name='b' optional='YES' attributeType='String'/></entity>
                """,
            ])
        ],
        isAnsweredByMapping: true,
        check: .step { step in
            step.diff.suspicions.filter {
                $0.ground == .nameInsteadOfIdentifier
                    || $0.ground == .staleIdentifier && $0.elementID != $0.from
            }.map { suspicion in
                let diagnostic = suspicion.diagnostic
                return Violation(
                    diagnostic.message,
                    at: diagnostic.location,
                    element: diagnostic.element,
                    notes: diagnostic.notes,
                    severity: step.loss(behind: suspicion) == nil ? .note : step.lossSeverity,
                    loss: step.loss(behind: suspicion)?.name
                )
            }
        }
    )
}
