import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel

extension Rule {
    /// What becomes mandatory has a default.
    static let newRequiredWithoutDefault = Rule(
        "new-required-without-default",
        .migration,
        .note,
        summary: "A new mandatory attribute has a default",
        rationale: """
            A lightweight step has nothing to give to existing rows, and ends with 134110 as soon as there is one. \
            SwiftData has no other steps: a custom stage does its work before and behind such a \
            one, so that there it is a warning. Give the attribute a default, or make it \
            optional; for Core Data a mapping model may fill it.
            """,
        passing: [
            RuleExample([
                "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
                """
                <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
                <attribute name='y' attributeType='String' defaultValueString='-'/></entity>
                """,
            ])
        ],
        failing: [
            RuleExample([
                "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
                """
                <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
                ◀<attribute name='y' attributeType='String'/></entity>
                """,
            ])
        ],
        isAnsweredByMapping: true,
        check: .step { step in
            let isSwift = step.to.path.hasSuffix(".swift")
            return step.diff.changes.compactMap { change in
                guard case .attributeAdded(let attribute, _) = change,
                    !attribute.isOptional, !attribute.isTransient, attribute.derivation == nil,
                    attribute.defaultValue == nil, attribute.unstatedDefault == nil,
                    attribute.type != .composite
                else { return nil }
                let path = change.subject.path ?? attribute.name
                return Violation(
                    "'\(path)' is mandatory and has no default: stores with rows fail with 134110",
                    at: attribute.source.element,
                    element: path,
                    severity: isSwift ? .warning : nil
                )
            }
        }
    )
}
