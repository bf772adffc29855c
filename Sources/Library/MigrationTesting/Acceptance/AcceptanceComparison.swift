import ObjectModel
import Essentials

/// What a report proves or disproves of momtool's rulings.
package struct AcceptanceComparison: Sendable, Hashable {
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Core Data does what momtool says.
        case same
        /// It does something different.
        case different
        /// momtool could not tell, and the answer is known now.
        case answered
        /// Core Data was not asked.
        case notAsked = "not asked"
    }

    package struct Finding: Sendable, Hashable {
        package var item: String
        package var check: String
        package var rules: [AcceptanceRule]
        package var outcome: Outcome
        /// The difference, or the answer, as text; empty if nothing differs.
        package var words: String
    }

    package struct Row: Sendable, Hashable {
        package var rule: AcceptanceRule
        package var counts: [Outcome: Int] = [:]
        /// The items that decide it: where Core Data differs, or answered, or all.
        package var items: [String] = []
    }

    package let system: AcceptanceReport.System
    package let momtool: String
    package private(set) var findings: [Finding] = []
    /// The checks that only the kit or only the report has.
    package private(set) var unmatched: [String] = []

    /// Compares a report with what momtool expected when it wrote the kit, or with what a newer kit expects.
    ///
    /// Outcomes in the report are ignored and computed here.
    package init(of report: AcceptanceReport, with kit: AcceptanceKit? = nil) {
        system = report.system
        momtool = kit?.momtool ?? report.momtool
        let items = Dictionary(firstOf: (kit?.items ?? []).map { ($0.name, $0) })
        for check in report.checks {
            var check = check
            if kit != nil {
                guard let item = items[check.item], let expected = item.expected[check.check] else {
                    unmatched.append("the kit has no \(check.check) of \(check.item)")
                    continue
                }
                (check.expected, check.rules) = (expected, item.rules)
            }
            findings.append(Self.finding(check))
        }
        let reported = Set(report.checks.map { [$0.item, $0.check] })
        for item in kit?.items ?? [] {
            for name in item.expected.keys.sorted() where !reported.contains([item.name, name]) {
                unmatched.append("the report has no \(name) of \(item.name)")
            }
        }
    }

    package func count(_ outcome: Outcome) -> Int { findings.count { $0.outcome == outcome } }

    /// Each ruling with its checks, by name; a check without rulings counts as one.
    package var rows: [Row] {
        var rows: [AcceptanceRule: Row] = [:]
        var items: [AcceptanceRule: [Outcome: [String]]] = [:]
        for finding in findings {
            let own = AcceptanceRule(rule: finding.check, evidence: "measured")
            for rule in finding.rules.isEmpty ? [own] : finding.rules {
                rows[rule, default: Row(rule: rule)].counts[finding.outcome, default: 0] += 1
                var names = items[rule, default: [:]][finding.outcome, default: []]
                if names.last != finding.item { names.append(finding.item) }
                items[rule, default: [:]][finding.outcome] = names
            }
        }
        return rows.keys.sorted().compactMap { rule in
            var row = rows[rule]
            let decisive = [Outcome.different, .answered, .same, .notAsked].lazy.compactMap {
                items[rule]?[$0]
            }
            row?.items = decisive.first ?? []
            return row
        }
    }

    private static func finding(_ check: AcceptanceReport.Check) -> Finding {
        var finding = Finding(
            item: check.item,
            check: check.check,
            rules: check.rules,
            outcome: .notAsked,
            words: check.note ?? ""
        )
        guard let observed = check.observed, observed != .null else { return finding }
        let note = check.note.map { "; \($0)" } ?? ""
        guard let expected = check.expected, expected != .null else {
            (finding.outcome, finding.words) = (.answered, "Core Data: \(observed)\(note)")
            return finding
        }
        guard let difference = difference(expected, observed, []) else {
            (finding.outcome, finding.words) = (.same, "")
            return finding
        }
        (finding.outcome, finding.words) = (.different, difference + note)
        return finding
    }
}

/// The first difference between what is expected and what was seen, at its path; `nil` for none.
private func difference(_ expected: JSONValue, _ observed: JSONValue, _ path: [String]) -> String? {
    switch (expected, observed) {
    case (.string("refused"), .integer) where path.isEmpty: return nil
    case (.string(let first), .string(let second)): if isSame(first, second) { return nil }
    case (.object(let first), .object(let second)):
        for key in Set(first.keys).union(second.keys).sorted() {
            let found = difference(first[key] ?? .null, second[key] ?? .null, path + [key])
            if let found { return found }
        }
        return nil
    case (.list(let first), .list(let second)):
        if first.count == second.count,
            zip(first, second).allSatisfy({ difference($0, $1, []) == nil })
        {
            return nil
        }
        let missing = first.first { !second.contains($0) }
        let surplus = second.first { !first.contains($0) }
        if missing != nil || surplus != nil {
            return words(missing ?? .null, surplus ?? .null, path)
        }
    case (.integer(let first), .number(let second)): if Double(first) == second { return nil }
    case (.number(let first), .integer(let second)): if first == Double(second) { return nil }
    default: if expected == observed { return nil }
    }
    return words(expected, observed, path)
}

private func words(_ expected: JSONValue, _ observed: JSONValue, _ path: [String]) -> String {
    let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
    return "\(place)momtool: \(expected); Core Data: \(observed)"
}

/// Whether two texts are equal, numbers such as `date:0.5` by value: each side writes digits differently.
private func isSame(_ expected: String, _ observed: String) -> Bool {
    guard !haveSameBytes(expected, observed) else { return true }
    for kind in ["double:", "date:", "decimal:"]
    where expected.hasPrefix(kind) && observed.hasPrefix(kind) {
        let numbers = [expected, observed].map { Double($0.dropFirst(kind.count)) }
        return numbers[0] != nil && numbers[0] == numbers[1]
    }
    return false
}
