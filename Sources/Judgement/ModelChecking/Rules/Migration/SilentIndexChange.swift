import Diagnostics
import ModelDiffing

extension Rule {
    static let silentIndexChange = Rule(
        .named("silent-index-change", .migration, .note),
        summary: "A change of a fetch index comes with a change of the hash",
        rationale: """
            Indexes are not part of any hash: Core Data opens old stores as they are, and they never get the index. \
            Set a version hash modifier on the entity so that the index is created; if the version has shipped, in a \
            new version, as the modifier makes it a different version.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            "<entity name='A' versionHashModifier='index'><attribute name='a' optional='YES' attributeType='String'/><fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/>◀<fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex></entity>"
        ),
        check: .step { step in
            step.silentChanges.compactMap { change in
                guard change.isIndexChange else { return nil }
                let entity = "'\(change.subject.entity ?? "")'"
                let cure =
                    step.lossSeverity == .note
                    ? "a new version with a hash modifier on \(entity) has them rebuilt"
                    : "set a version hash modifier on \(entity) to have them rebuilt, unless this version shipped"
                return Violation(
                    "existing stores keep their indexes: \(cure)",
                    at: change.toLocation,
                    element: change.subject.path,
                    notes: [Diagnostic.Note("it was here", at: change.fromLocation)]
                )
            }
        }
    )
}
