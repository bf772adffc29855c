import Diagnostics
import ModelCompiling

extension Rule {
    static let swiftdataUnsupported = Rule(
        .named("swiftdata-unsupported", .apple, .note),
        summary: "A model used with SwiftData has only what SwiftData supports",
        rationale: """
            Xcode warns about abstract entities, inheritance and uniqueness constraints on several attributes if "Used \
            with SwiftData" is on. Turn it off if no `@Model` class opens the stores.
            """,
        passing: "<entity name='A' isAbstract='YES'/>",
        failing: RuleExample(
            """
            <entity name='A' isAbstract='YES'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/><uniquenessConstraints>
            <uniquenessConstraint><constraint value='a'/><constraint value='b'/></uniquenessConstraint>
            </uniquenessConstraints></entity>
            <entity name='B' parentEntity='A'/>
            """,
            modelAttributes: "usedWithSwiftData='YES'"
        ),
        check: .model { model in
            model.entities.flatMap { swiftDataFindings(in: $0, of: model.model) }.map {
                Violation($0.wording, at: $0.location, element: $0.element)
            }
        }
    )
}
