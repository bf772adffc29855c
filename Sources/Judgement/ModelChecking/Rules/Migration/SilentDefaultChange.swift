import Diagnostics
import ModelDiffing

extension Rule {
    static let silentDefaultChange = Rule(
        .named("silent-default-change", .migration, .note),
        summary: "A change of a default comes with a change of the hash",
        rationale: """
            The default is not part of any hash: Core Data opens old stores as they are, and existing objects keep \
            their values, such as the old default. To change them too, set a version hash modifier in a version that \
            has not shipped, and fill the values in a custom stage.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' attributeType='Integer 16' defaultValueString='1'/></entity>",
            "<entity name='A'><attribute name='a' attributeType='Integer 16' defaultValueString='2' versionHashModifier='2'/></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' attributeType='Integer 16' defaultValueString='1'/></entity>",
            "<entity name='A'><attribute name='a' attributeType='Integer 16' ◀defaultValueString='2'/></entity>"
        ),
        check: .step { step in
            step.silentChanges.compactMap { change in
                guard case .attributeChanged(_, .defaultValue(let old, let new)) = change else {
                    return nil
                }
                // A class whose initializer sets the value has no new default that old objects could lack.
                guard new != nil || change.toLocation?.path.hasSuffix(".swift") != true else {
                    return nil
                }
                let name = "'\(change.subject.path ?? "")'"
                let kept =
                    old == nil
                    ? "existing objects do not get the new default of \(name)"
                    : "existing objects keep the old default of \(name)"
                return Violation(
                    "\(kept): no version hash changes",
                    at: change.toLocation,
                    element: change.subject.path,
                    notes: [Diagnostic.Note("it was here", at: change.fromLocation)]
                )
            }
        }
    )
}
