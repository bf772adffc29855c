import Diagnostics
import ModelDiffing
import ObjectModel

extension Rule {
    /// A version used with CloudKit removes and renames nothing.
    static let cloudkitSchemaRemoval = Rule(
        "cloudkit-schema-removal",
        .cloudKit,
        .warning,
        summary: "A version used with CloudKit removes and renames nothing",
        rationale: """
            The production schema of CloudKit only grows: a record type or field stays \
            for ever, older versions of the app still write it, and a renamed one is a \
            new one without the data.
            """,
        passing: [
            RuleExample([
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
                """,
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
                <attribute name='b' optional='YES' attributeType='String'/></entity>
                <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
                """,
            ])
        ],
        failing: [
            RuleExample([
                """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
                <attribute name='b' optional='YES' attributeType='String'/></entity>
                <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
                """,
                """
                ◀<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
                <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
                """,
            ])
        ],
        check: .step { step in
            let entities = Set(step.to.model.cloudKitEntities.map(\.name))
                .union(step.from.model.cloudKitEntities.map(\.name))
            guard !entities.isEmpty else { return [] }
            return step.diff.changes.compactMap { change in
                guard change.breaksCloudKitSchema, let entity = change.subject.entity,
                    entities.contains(entity)
                else { return nil }
                return Violation(
                    "leave '\(change.subject.path ?? entity)' as it was: the CloudKit schema only grows",
                    at: change.toLocation ?? step.to.elementLocation,
                    element: change.subject.path,
                    notes: change.fromLocation.map {
                        [Diagnostic.Note("it was here", at: $0)]
                    } ?? []
                )
            }
        }
    )
}
