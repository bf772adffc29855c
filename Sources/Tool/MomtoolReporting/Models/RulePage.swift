import Diagnostics
package import ModelChecking

package struct RuleExplanation: Sendable, TextReport {
    static let shape = """
        explanation = report { rule: string, family: string, severity: severity, summary: string, rationale: string,
          reporter: string "The command that reports it.", apple?: string "What Apple's tools say.",
          fix?: string "What lint --fix does about a violation.",
          fixMovesHash?: boolean "Whether that changes the version hash." }
        rules = report { rules: [{ rule: string, family: string, severity: severity, summary: string,
          fix?: string "What lint --fix does about a violation.",
          fixMovesHash?: boolean "Whether that changes the version hash." }] }
        """
    private let rule: String
    private let family: String
    private let severity: String
    private let summary: String
    private let rationale: String
    private let reporter: String
    private var apple: String?
    private var fix: String?
    private var fixMovesHash: Bool?
    /// The explanation for people, in the width of the terminal.
    private let words: @Sendable () -> String

    package init(_ rule: Rule) {
        (self.rule, family) = (rule.id.rawValue, rule.family.rawValue)
        severity = rule.severity.rawValue
        (summary, rationale, reporter) = (rule.summary, rule.rationale, rule.reporter.commandWords)
        (apple, fix, fixMovesHash) = (rule.appleText, rule.fix?.summary, rule.fix?.movesHash)
        words = { explanation(of: rule) }
    }

    package init(_ rule: HouseRule) {
        (self.rule, family) = (rule.id.rawValue, RuleList.houseFamily)
        severity = rule.severity.rawValue
        (summary, rationale) = (rule.message, "Reported when: \(rule.condition)")
        reporter = "`momtool lint`"
        words = { explanation(of: rule) }
    }

    package var text: String { words() }

    private enum CodingKeys: String, CodingKey {
        case rule, family, severity, summary, rationale, reporter, apple, fix, fixMovesHash
    }
}

package func explanation(of rule: Rule) -> String {
    var parts = [
        "\(rule.id.rawValue) (\(rule.severity.rawValue), \(rule.family.rawValue))",
        rule.summary + ".", wrapped(rule.rationale), "Reported by \(rule.reporter.commandWords).",
    ]
    if let fix = rule.fix { parts.append(wrapped(fix.sentence)) }
    if let text = rule.appleText { parts.append(wrapped("Apple: \(text)")) }
    if let example = rule.failing.first { parts.append("Reported:\n" + indented(example)) }
    if let example = rule.passing.first { parts.append("Not reported:\n" + indented(example)) }
    parts.append(
        wrapped(
            "To ignore it, add an item with a reason to lint: ignore: in .momtool.yml, or, in Xcode's models, a user"
                + " info entry momtool.ignore = \(rule.id.rawValue) to the entity or property."
        )
    )
    return parts.joined(separator: "\n\n")
}

private func indented(_ example: RuleExample) -> String {
    if let project = example.project {
        let lines = project.replacing("◀", with: "").split(separator: "\n").map { "    \($0)" }
        return "  project.pbxproj, beside "
            + example.versions.indices.map { "V\($0 + 1)" }.joined(separator: " and ")
            + "\n" + lines.joined(separator: "\n")
    }
    let isSeveral = example.versions.count > 1
    return example.versions.enumerated().map { index, body in
        let lines = body.replacing("◀", with: "").split(separator: "\n").map { "    \($0)" }
        return (isSeveral ? "  V\(index + 1)\n" : "") + lines.joined(separator: "\n")
    }.joined(separator: "\n")
}

package func explanation(of rule: HouseRule) -> String {
    func examples(_ title: String, _ examples: [HouseRule.Example]) -> String? {
        examples.first.map { example in
            let lines = example.versions.joined(separator: "\n").split(separator: "\n")
            return title + "\n" + lines.map { "    \($0)" }.joined(separator: "\n")
        }
    }
    let scope = rule.appliesToNew ? ", only for new elements" : ""
    let parts = [
        "\(rule.id.rawValue) (\(rule.severity.rawValue), for each \(rule.subject.rawValue)\(scope))",
        rule.message, "Reported when: \(rule.condition)", "It is written at \(rule.location).",
        examples("Reported:", rule.fails), examples("Not reported:", rule.passes),
    ]
    return parts.compactMap(\.self).joined(separator: "\n\n")
}

package struct RuleList: Sendable, Encodable {
    package struct Entry: Sendable, Encodable {
        var rule: String
        var family: String
        var severity: String
        var summary: String
        /// How `lint --fix` cures a breach; `nil` where the cure is a choice.
        var fix: String?
        /// Whether the fix changes a version hash.
        var fixMovesHash: Bool?
    }

    /// By family, then by ID.
    package var rules: [Entry]

    package init(_ house: [HouseRule] = []) {
        rules = Rule.all.map {
            Entry(
                rule: $0.id.rawValue,
                family: $0.family.rawValue,
                severity: $0.severity.rawValue,
                summary: $0.summary,
                fix: $0.fix?.summary,
                fixMovesHash: $0.fix?.movesHash
            )
        }
        rules += house.map {
            Entry(
                rule: $0.id.rawValue,
                family: Self.houseFamily,
                severity: $0.severity.rawValue,
                summary: $0.message
            )
        }
    }

    fileprivate static let houseFamily = "house"

    package static let formats: [ReportFormat] = [.text, .json, .markdown]

    package func rendered(as format: ReportFormat) -> String {
        switch format {
        case .json: json(self)
        case .markdown: rulePage() + houseSection
        case .text, .sarif, .github, .gitlab, .junit, .edits:
            textTable(rules.map { [$0.rule, $0.severity, $0.family, $0.summary + $0.fixMark] })
        }
    }

    private var houseSection: String {
        let house = rules.filter { $0.family == Self.houseFamily }
        guard !house.isEmpty else { return "" }
        let rows = house.map { [code($0.rule), $0.severity, cell($0.summary)] }
        return "\n\n## House rules\n\n"
            + markdownTable(heading: ["Rule", "Severity", "Message"], rows)
    }
}

package func rulePage() -> String {
    var parts = [
        "# Rules", "After this page you know what each rule requires, why, and what violates it.",
        "```sh\nmomtool rules missing-inverse\n```",
        "The command shows one rule, with an example that follows it. This page is generated from the rules. If no"
            + " command is named, `momtool lint` and `momtool check` report the rule; all commands are those that read a model.",
    ]
    for family in Rule.Family.allCases {
        parts.append("## \(family.title)")
        for rule in Rule.all where rule.family == family {
            parts.append("### \(rule.id.rawValue)")
            let reporter =
                switch rule.reporter {
                case .linter: ""
                case .reader: "; all commands"
                default: "; \(rule.reporter.commandWords)"
                }
            parts.append("\(rule.summary). (\(rule.severity.rawValue)\(reporter))")
            parts.append(rule.rationale)
            if let fix = rule.fix { parts.append(fix.sentence) }
            if let text = rule.appleText { parts.append("Apple: “\(text)”") }
            if let example = rule.failing.first, example.project == nil {
                parts.append("Reported:\n\n\(block(example))")
            }
        }
    }
    return parts.joined(separator: "\n\n")
}

private func block(_ example: RuleExample) -> String {
    example.versions.enumerated().map { index, body in
        let title = example.versions.count > 1 ? "<!-- V\(index + 1) -->\n" : ""
        let text = body.replacing("◀", with: "")
        let lines = text.split(separator: "\n")
        let shown = lines.count > 12 ? lines.prefix(6) + ["…"] : lines
        return "```xml\n\(title)\(shown.joined(separator: "\n"))\n```"
    }.joined(separator: "\n\n")
}

extension RuleList.Entry {
    fileprivate var fixMark: String {
        fix == nil ? "" : fixMovesHash == true ? " (fix, new hash)" : " (fix)"
    }
}

extension RuleFix {
    fileprivate var sentence: String {
        let caveat =
            movesHash
            ? " That changes the version hash, so it is done only in the newest version, and only if a lock says that it has"
                + " not shipped." : ""
        return "`--fix` \(summary).\(caveat)"
    }
}

extension Rule.Family {
    fileprivate var title: String {
        switch self {
        case .structure: "Structure"
        case .apple: "What Apple's tools require"
        case .versions: "Shipped versions"
        case .migration: "Steps between versions"
        case .rows: "Rows"
        case .cloudKit: "CloudKit"
        case .style: "Style"
        }
    }
}

extension RuleReporter {
    fileprivate var commandWords: String {
        switch self {
        case .reader: "every command that reads a model"
        case .linter: "`momtool lint` and `momtool check`"
        case .source: "`momtool lint` and `momtool check`, from the bytes of the source"
        case .lock: "`momtool lock --check` and `momtool lint`"
        case .project: "`momtool check`"
        case .planner: "`momtool plan` and `momtool migrate`"
        case .schema: "`momtool cloudkit check`"
        case .schemaStep: "`momtool cloudkit diff`"
        }
    }
}
