import Diagnostics
import ObjectModel

extension Rule {
    static let unknownIgnoredRule = Rule(
        .named("unknown-ignored-rule", .style, .warning),
        summary: "Ignored rules exist",
        rationale: """
            A `momtool.ignore` entry in a user info names a rule that does not exist, so it ignores nothing.
            """,
        passing:
            "<entity name='A'><userInfo><entry key='momtool.ignore' value='missing-inverse, all'/></userInfo></entity>",
        failing:
            "◀<entity name='A'><userInfo><entry key='momtool.ignore' value='mising-inverse'/></userInfo></entity>",
        check: .model { model in
            zip(model.entities, model.properties).flatMap { entity, properties in
                unknownRules(entity.userInfo, at: entity.source, element: entity.name)
                    + properties.flatMap { property in
                        unknownRules(
                            property.userInfo,
                            at: property.source,
                            element: "\(entity.name).\(property.name)"
                        )
                    }
            }
        }
    )

    static func noSuchRule(_ name: String) -> String { "there is no rule '\(name)'" }
}

private func unknownRules(
    _ userInfo: [UserInfoEntry],
    at source: SourceMark,
    element: @autoclosure () -> String
) -> [Violation] {
    guard !userInfo.isEmpty else { return [] }
    let element = element()
    return userInfo.filter { $0.key == IgnoredRules.key }
        .flatMap { IgnoredRules.names(in: $0.value) }
        .filter { $0 != "all" && Rule.named($0) == nil }
        .map { name in
            let nearest = suggestion(for: name, among: Rule.all.map(\.id.rawValue))
            return Violation(
                "\(Rule.noSuchRule(name))\(nearest)",
                at: source.element,
                element: element
            )
        }
}
