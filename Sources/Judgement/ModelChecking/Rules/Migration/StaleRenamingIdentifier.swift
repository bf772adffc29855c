import Diagnostics
import ModelDiffing

extension Rule {
    static let staleRenamingIdentifier = Rule(
        .named("stale-renaming-identifier", .migration, .error),
        summary: "Renaming identifiers name something in the previous version",
        rationale: """
            The names are equal but the identifiers are not: Core Data matches by identifiers, treats the item as new \
            and drops the data of the old one.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' ◀elementID='z'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        isAnsweredByMapping: true,
        fix: .keepingHash("removes the identifier, if nothing else has the old name"),
        check: .step { step in
            step.diff.suspicions.filter { $0.ground == .staleIdentifier && $0.elementID == $0.from }
                .map { $0.violation(in: step) }
        }
    )
}
