import Diagnostics
import ModelDiffing
import ModelHashing
import ObjectModel

extension Rule {
    /// A version differs from the one before by more than indexes.
    static let indexOnlyVersion = Rule(
        "index-only-version",
        .versions,
        .warning,
        summary: "A version differs from the one before by more than indexes",
        rationale: """
            Indexes take part in no hash, so that a version that only adds some is the one before for Core Data: its \
            stage never runs, stores in the field never get the index, and a plan that lists \
            both versions raises "Duplicate version checksums". Add the index together with a \
            change that moves a hash.
            """,
        passing: [
            RuleExample([
                "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
                <attribute name='b' optional='YES' attributeType='String'/>\
                <fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>\
                </entity>
                """,
            ])
        ],
        failing: [
            RuleExample([
                "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
                """
                ◀
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\
                <fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>\
                </entity>
                """,
            ])
        ],
        check: .step { step in
            guard step.from.isWhole, step.to.isWhole, step.from.checksum == step.to.checksum,
                step.silentChanges.contains(where: \.isIndexChange)
            else { return [] }
            return [
                Violation(
                    "'\(step.to.name)' only adds indexes to '\(step.from.name)': for Core Data it is the same "
                        + "version, and stores in the field never get them",
                    at: step.to.elementLocation,
                    version: step.to.name
                )
            ]
        }
    )
}
