import Diagnostics
import ObjectModel

extension Rule {
    static let currentVersionNotLast = Rule(
        .named("current-version-not-last", .versions, .warning),
        summary: "The current version is the newest one",
        rationale: """
            New stores are made of the current version. When it is not the last one, \
            switching to a new version was forgotten, or the current version was \
            rolled back. Newer versions that no lock has count as not shipped: their stores \
            are not tried. Names that tell no order are let be.
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
            RuleExample(
                [
                    """
                    ◀
                    <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                    """,
                    """
                    <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
                    <attribute name='b' optional='YES' attributeType='String'/></entity>
                    """,
                ],
                current: 0
            )
        ],
        check: .bundle { bundle in
            guard let current = bundle.versions.first(where: \.isCurrent),
                let last = bundle.versions.last, !last.isCurrent,
                bundle.tellsOrder(of: current, and: last)
            else { return [] }
            let isLocked = bundle.locked.contains(last.name)
            if last.isBeside, !isLocked { return [] }
            let advice =
                isLocked
                ? "it is locked, so stores of it are taken back; make it current again"
                : "make it current, or remove it; nothing is tried from newer versions that no lock has"
            return [
                Violation(
                    "the current version is '\(current.name)', the last one is '\(last.name)': \(advice)",
                    at: current.elementLocation,
                    notes: [Diagnostic.Note("'\(last.name)' is here", at: last.elementLocation)],
                    version: current.name,
                    // Whoever takes back what shipped knows it.
                    severity: isLocked ? .note : nil
                )
            ]
        }
    )
}
