import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel

extension Rule {
    static let newRequiredWithoutDefault = Rule(
        .named("new-required-without-default", .migration, .error),
        summary: "What is or becomes mandatory has a value for every row",
        rationale: """
            A lightweight step has nothing to give to rows without a value, and ends with 134110 as soon as there is \
            one: where a mandatory attribute without a default or a mandatory relationship is new, any row is one. Give \
            the attribute a default, or leave it optional; for Core Data a mapping model may fill it. If no store has such rows, name it under \
            `losses` in `.momtool.yml`. `momtool migrate` refuses such rows all the same.
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
            ]),
            RuleExample([
                """
                <entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>
                """,
                """
                <entity name='A'><attribute name='x' ◀optional='NO' attributeType='String'/></entity>
                """,
            ]),
        ],
        isAnsweredByMapping: true,
        check: .step { step in
            step.losses.filter { $0.kind == .required }.map { Rule.violation(of: $0, in: step) }
        }
    )
}
