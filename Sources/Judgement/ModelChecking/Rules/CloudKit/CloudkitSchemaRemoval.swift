import Diagnostics
import MappingInference
import ModelDiffing

extension Rule {
    static let cloudkitSchemaRemoval = Rule(
        .named("cloudkit-schema-removal", .cloudKit, .warning),
        summary: "A version used with CloudKit removes, renames and retypes nothing",
        rationale: """
            The production schema of CloudKit only grows: a record type or field stays permanently, with its type and \
            encryption; older versions of the app still write it, and a renamed one is new and has no data.
            """,
        passing: RuleExample(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """,
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """
        ),
        failing: RuleExample(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """,
            """
            ◀<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """
        ),
        check: .step { step in
            step.mapping.judgements.compactMap { judgement in
                guard let ruling = judgement.cloudKit, ruling.verdict == .refused else {
                    return nil
                }
                let change = judgement.change
                let subject = change.subject.path.map { "'\($0)'" } ?? "the mirrored part"
                return Violation(
                    "leave \(subject) as it was: \(ruling.effect)",
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
