import Diagnostics
import ModelDiffing
import ObjectModel

extension Rule {
    static let oneDefaultForAll = Rule(
        .named("one-default-for-all", .migration, .warning),
        summary: "Values that identify objects do not come from a default",
        rationale: """
            A lightweight step gives every existing row the same default of a new attribute: `UUID()` and `Date()` are \
            evaluated when the schema is built, not for each row. Make the attribute optional and fill it in a custom \
            stage or a script.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            <attribute name='id' optional='YES' attributeType='UUID'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            ◀<attribute name='id' attributeType='UUID' \
            defaultValueString='6F9619FF-8B86-D011-B42D-00C04FC964FF'/></entity>
            """
        ),
        check: .step { step in
            step.diff.changes.compactMap { change in
                guard case .attributeAdded(let attribute, _) = change else { return nil }
                let text: String
                switch attribute.unstatedDefault {
                case .moment(let expression)?: text = expression
                case .expression?: return nil
                case nil:
                    guard attribute.type == .uuid, attribute.defaultValue != nil else { return nil }
                    text = "its default"
                }
                let path = change.subject.path ?? attribute.name
                return Violation(
                    "all existing rows get the same value of '\(path)', that of \(text)",
                    at: attribute.source.element,
                    element: path
                )
            }
        }
    )
}
