import Diagnostics
import Essentials
package import MigrationTesting

package struct AcceptanceWords {
    static let shape = """
        acceptance = report { system: {any} "The Mac that ran the kit.",
          momtool: string "The version that made the kit.", counts: {integer}, rules: [{ rule: string, evidence: string,
          counts: {integer}, items: [string] }], findings: [{ item: string, check: string, outcome: string,
          message: string }], unmatched: [string] }
        """
    private let comparison: AcceptanceComparison

    package init(_ comparison: AcceptanceComparison) { self.comparison = comparison }

    package func text(as format: ReportFormat) -> String {
        switch format {
        case .json: json
        case .markdown: markdown
        default: plain
        }
    }

    private var system: String {
        let system = comparison.system
        return
            "\(system.name) \(system.version) (\(system.machine)), Core Data \(system.coreData), "
            + "Xcode \(system.xcode), momtool \(comparison.momtool)"
    }

    private var summary: String {
        AcceptanceComparison.Outcome.allCases.map { "\(comparison.count($0)) \($0.rawValue)" }
            .joined(separator: ", ")
    }

    /// The rulings, a row each: the counts of outcomes, and the items that decide.
    private var rows: [[String]] {
        comparison.rows.map { row in
            let counts = AcceptanceComparison.Outcome.allCases.map { outcome in
                String(row.counts[outcome] ?? 0)
            }
            return [row.rule.rule, row.rule.evidence] + counts + [row.items.listed(most: 2)]
        }
    }

    private var heading: [String] {
        ["rule", "evidence"] + AcceptanceComparison.Outcome.allCases.map(\.rawValue) + [
            "decided by"
        ]
    }

    /// What needs attention: differences, then answers.
    private var notable: [AcceptanceComparison.Finding] {
        [.different, .answered].flatMap { outcome in
            comparison.findings.filter { $0.outcome == outcome }
        }
    }

    private var plain: String {
        var parts = [system.onOneLine + "\n" + summary, textTable(rows, heading: heading)]
        let lines = notable.map { finding in
            "\(finding.outcome.rawValue): \(finding.item): \(finding.check): \(finding.words)"
                .onOneLine
        }
        if !lines.isEmpty { parts.append(lines.joined(separator: "\n")) }
        if !comparison.unmatched.isEmpty {
            parts.append(comparison.unmatched.map(\.onOneLine).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    private var markdown: String {
        func table(_ heading: [String], _ rows: [[String]]) -> String {
            markdownTable(heading: heading, rows.map { $0.map(cell) })
        }
        var parts = [
            "# What Core Data says about momtool", cell(system), summary, table(heading, rows),
        ]
        if !notable.isEmpty {
            let lines = notable.map { [$0.outcome.rawValue, $0.item, $0.check, $0.words] }
            parts += ["## Differences and answers"]
            parts += [table(["outcome", "item", "check", "what Core Data does"], lines)]
        }
        if !comparison.unmatched.isEmpty {
            parts += ["## Not compared"]
            parts += [comparison.unmatched.map { "- " + cell($0) }.joined(separator: "\n")]
        }
        return parts.joined(separator: "\n\n")
    }

    /// A text of a report, which anybody may have written, as one cell.
    private func cell(_ text: String) -> String {
        let line = text.onOneLine.replacingBytes(of: "\\", with: "\\\\")
            .replacingBytes(of: "|", with: "\\|")
            .replacingBytes(of: "<", with: "&lt;")
        return line.count > 400 ? String(line.prefix(400)) + "…" : line
    }

    private var json: String {
        func named(_ counts: [AcceptanceComparison.Outcome: Int]) -> [String: Int] {
            Dictionary(counts.map { ($0.key.rawValue, $0.value) }) { $1 }
        }
        let outcomes = AcceptanceComparison.Outcome.allCases
        let counts = Dictionary(outcomes.map { ($0, comparison.count($0)) }) { $1 }
        let rules = comparison.rows.map { row -> JSONObject in
            [
                "rule": row.rule.rule, "evidence": row.rule.evidence, "counts": named(row.counts),
                "items": row.items,
            ]
        }
        let findings = notable.map { found -> JSONObject in
            [
                "item": found.item, "check": found.check, "outcome": found.outcome.rawValue,
                "message": found.words,
            ]
        }
        let report: JSONObject = [
            "system": comparison.system, "momtool": comparison.momtool, "counts": named(counts),
            "rules": rules, "findings": findings, "unmatched": comparison.unmatched,
        ]
        return MomtoolReporting.json(report)
    }
}
