import Diagnostics
import ObjectModel

extension Rule {
    static let currentVersionNotLast = Rule(
        .named("current-version-not-last", .versions, .warning),
        summary: "The current version is the newest one",
        rationale: """
            New stores have the current version. If it is not the last one, someone forgot to switch to the new \
            version, or the current version was rolled back. Newer versions without a lock count as not shipped: their \
            stores are not tested. Names without an order are left alone.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            """
            ◀
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            """,
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """,
            current: 0
        ),
        check: .bundle { bundle in
            guard let current = bundle.versions.first(where: \.isCurrent),
                let last = bundle.versions.last, !last.isCurrent,
                bundle.tellsOrder(of: current, and: last)
            else { return [] }
            let isLocked = bundle.locked.contains(last.name)
            if last.isBeside, !isLocked { return [] }
            let advice =
                isLocked
                ? "its stores would migrate back, and it is locked; make '\(last.name)' current again"
                : "make it current, or remove it; newer versions without a lock are not tested"
            return [
                Violation(
                    "the current version is '\(current.name)', but the last one is '\(last.name)': \(advice)",
                    at: current.elementLocation,
                    notes: [Diagnostic.Note("'\(last.name)' is here", at: last.elementLocation)],
                    version: current.name,
                    // Reverting a shipped version is a known decision.
                    severity: isLocked ? .note : nil
                )
            ]
        }
    )
}
