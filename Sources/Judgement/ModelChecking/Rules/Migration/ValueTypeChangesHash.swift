import Diagnostics
import ModelDiffing
import ObjectModel

extension Rule {
    static let valueTypeChangesHash = Rule(
        .named("value-type-changes-hash", .migration, .note),
        summary: "The members of composites are those of the previous version",
        rationale: """
            A member of a stored struct, or a case of a stored enum without raw values, is part of the entity's hash, \
            however far its declaration is from the class. In a new version that is fine, like any other change; in a \
            version that shipped it fails with 134504. Cases of enums with raw values are free.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/></composite>",
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/></composite>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/></composite>",
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/>"
                + "◀<attribute name='y' attributeType='String' optional='YES'/></composite>"
        ),
        check: .step { step in
            step.diff.changes.compactMap { change in
                guard case .attributeChanged(_, .element(let path, let element)) = change,
                    change.movesVersionHash
                else { return nil }
                let name = path.joined(separator: ".")
                let (what, source): (String, SourceMark?) =
                    switch element {
                    case .added(let attribute):
                        ("the member or case '\(name)' is new", attribute.source)
                    case .removed: ("the member or case '\(name)' was removed", nil)
                    case .changed(_, let attribute, _):
                        ("the member '\(name)' was changed", attribute.source)
                    }
                return Violation(
                    "\(what): the hash of '\(change.subject.entity ?? "")' changes with it",
                    at: source?.element ?? change.toLocation,
                    element: change.subject.path
                )
            }
        }
    )
}
