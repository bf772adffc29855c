import Diagnostics
import ModelDiffing

extension Rule {
    static let silentTransformerChange = Rule(
        .named("silent-transformer-change", .migration, .warning),
        summary: "A change of a value transformer comes with a change of the hash",
        rationale: """
            The transformer is not part of any hash: Core Data opens old stores as they are, and the new transformer \
            gets the bytes of the old one. Set a version hash modifier and convert the values in a custom stage, or \
            make the new transformer read both. The secure transformer reads what Core Data writes without one.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='One'/></entity>",
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='Two' versionHashModifier='2'/></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='One'/></entity>",
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' ◀valueTransformerName='Two'/></entity>"
        ),
        check: .step { step in
            step.silentChanges.compactMap { change in
                guard case .attributeChanged(_, let own) = change,
                    case .setting(.valueTransformerName, let from, let to) = own,
                    !(writesKeyedArchives(from) && writesKeyedArchives(to))
                else { return nil }
                return Violation(
                    "'\(change.subject.property ?? "")' has a new transformer but keeps its old bytes: set a"
                        + " version hash modifier and convert them in a custom stage",
                    at: change.toLocation,
                    element: change.subject.path,
                    notes: [Diagnostic.Note("it was here", at: change.fromLocation)]
                )
            }
        }
    )
}

/// Whether values are kept as keyed archives, Core Data's default; the secure transformer reads the same bytes.
private func writesKeyedArchives(_ transformer: String?) -> Bool {
    [
        nil, "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName",
    ].contains(transformer)
}
