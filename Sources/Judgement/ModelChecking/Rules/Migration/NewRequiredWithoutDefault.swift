import Diagnostics
import MappingInference

extension Rule {
    static let newRequiredWithoutDefault = Rule(
        .named("new-required-without-default", .migration, .error),
        summary: "Every row has a value for a mandatory property",
        rationale: """
            A lightweight step has no value for rows without one, and fails with 134110 as soon as there is such a \
            row: for a new mandatory relationship, or a new mandatory attribute without a default, that is any row. \
            Give the attribute a default, or make it optional; with Core Data a mapping model may fill it. If no store \
            has such rows, allow it under `losses` in `.momtool.yml`. `momtool migrate` still refuses such rows.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            <attribute name='y' attributeType='String' defaultValueString='-'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            ◀<attribute name='y' attributeType='String'/></entity>
            """
        ),
        RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='x' ◀optional='NO' attributeType='String'/></entity>"
        ),
        isAnsweredByMapping: true,
        check: .step { step in
            step.losses.filter { $0.kind == .required }.map { Rule.violation(of: $0, in: step) }
        }
    )
}
