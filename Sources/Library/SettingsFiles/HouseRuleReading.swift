import Diagnostics
import ModelChecking
import ModelLanguage
import YAMLReading

extension YAMLDocument {
    /// Reads the rules of a team; faults are errors at their location.
    mutating func houseRules(_ node: YAMLNode) -> [HouseRule] {
        var rules: [HouseRule] = []
        for item in items(node, "'rules'") {
            guard let rule = houseRule(item) else { continue }
            guard !rules.contains(where: { $0.id == rule.id }) else {
                report("the rule '\(rule.id.rawValue)' already exists", at: item)
                continue
            }
            rules.append(rule)
        }
        return rules
    }

    private static let ruleKeys = [
        "id", "for", "when", "message", "severity", "applies", "passes", "fails",
    ]

    private mutating func houseRule(_ node: YAMLNode) -> HouseRule? {
        var values: [String: YAMLNode] = [:]
        for (key, value) in entries(node, "an item of 'rules'") {
            guard let name = key.string, Self.ruleKeys.contains(name) else {
                unknown(key, among: Self.ruleKeys)
                continue
            }
            values[name] = value
        }
        let id = values["id"].flatMap { houseRuleID($0) }
        let subject = values["for"].flatMap { choice($0, HouseRule.Subject.self) }
        let condition = values["when"].flatMap { predicate($0) }
        let message = values["message"].flatMap { text($0, "'message'") }
        for name in ["id", "for", "when", "message"] where values[name] == nil {
            report("give the rule '\(name)'", at: node)
        }
        guard let id, let subject, let condition, let message else { return nil }
        var rule = HouseRule(
            id,
            for: subject,
            when: condition,
            message: message,
            at: location(node)
        )
        if let value = values["severity"], let severity = choice(value, Severity.self) {
            rule.severity = severity
        }
        if let value = values["applies"], let applies = choice(value, HouseScope.self) {
            rule.appliesToNew = applies == .new
        }
        rule.passes = values["passes"].map { examples($0, "'passes'") } ?? []
        rule.fails = values["fails"].map { examples($0, "'fails'") } ?? []
        let faults = rule.faults
        for fault in faults { report(fault, at: values["when"]) }
        return faults.isEmpty ? rule : nil
    }

    /// Reads an ID in the form of momtool's rules, which is none of theirs.
    private mutating func houseRuleID(_ node: YAMLNode) -> RuleID? {
        guard let name = text(node, "'id'") else { return nil }
        let isKebab = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        guard isKebab, name.first != "-", name.last != "-" else {
            report(
                "write an ID in lower-case letters, digits and hyphens, such as acme-no-binary",
                at: node
            )
            return nil
        }
        guard Rule.named(name) == nil else {
            report("momtool has its own rule '\(name)'; choose another name", at: node)
            return nil
        }
        return RuleID(rawValue: name)
    }

    private mutating func predicate(_ node: YAMLNode) -> Predicate? {
        guard let text = text(node, "'when'") else { return nil }
        do throws(PredicateSyntaxError) { return try Predicate(parsing: text) } catch {
            let before = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self)
            report("character \(before.count + 1) of the condition: \(error)", at: node)
            return nil
        }
    }

    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ node: YAMLNode,
        _ type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        if let choice = node.string.flatMap({ Choice(rawValue: $0) }) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        report("use \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")", at: node)
        return nil
    }

    private mutating func examples(_ node: YAMLNode, _ what: String) -> [HouseRule.Example] {
        items(node, what).compactMap { item in
            let versions = (item.sequence ?? [item]).compactMap { text($0, "an example") }
            return versions.isEmpty ? nil : HouseRule.Example(versions, at: location(item))
        }
    }
}

private enum HouseScope: String, CaseIterable { case new, all }
