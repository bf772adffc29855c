import Diagnostics
import Essentials
import ModelChecking

/// Writes a report of tests in the Test Anything Protocol, version 13: Perl's `prove` and others refuse a newer one.
func tapDocument(_ report: TestReport) -> String {
    let points = report.cases.map { item -> TestPoint in
        var point = TestPoint("\(item.group): \(item.name)", isOk: !item.isFailed)
        if item.isSkipped || item.isRecorded {
            point.directive = "SKIP \(item.lines.first ?? item.status)"
        } else {
            point.values = item.lines.isEmpty ? [] : [("message", item.lines)]
        }
        point.values.append(("duration_ms", ["\((item.seconds * 1000).fixed(0))"]))
        return point
    }
    return tapDocument(points)
}

/// Writes findings in the Test Anything Protocol: each is a test that failed, nothing found is one that passed.
func tapDocument(_ report: FindingReport) -> String {
    let faulty = Set(report.findings.map { $0.path(in: report) })
    let subjects = report.subjects ?? (faulty.isEmpty ? [report.subject] : [])
    let passed = subjects.filter { !faulty.contains($0) }.map {
        TestPoint("\($0): nothing found", isOk: true)
    }
    let points = report.findings.map { finding -> TestPoint in
        let diagnostic = finding.diagnostic
        let parts = [diagnostic.rule.rawValue, diagnostic.element].compactMap(\.self)
        var point = TestPoint(
            "\(finding.path(in: report)): \(parts.joined(separator: " "))",
            isOk: diagnostic.severity == .note
        )
        point.values = [
            ("message", finding.wholeMessage.split(separator: "\n").map(String.init)),
            ("severity", [diagnostic.severity.rawValue]),
            ("at", [diagnostic.location?.description ?? report.subject]),
        ]
        return point
    }
    return tapDocument(passed + points)
}

/// A line of a report with what is known of it.
private struct TestPoint {
    var name: String
    var isOk: Bool
    /// Why the test does not count, as `SKIP reason`.
    var directive: String?
    /// What stands in the block below it, each value in lines.
    var values: [(key: String, lines: [String])] = []

    init(_ name: String, isOk: Bool) {
        self.name = name
        self.isOk = isOk
    }

    func text(_ number: Int) -> String {
        var head = "\(isOk ? "ok" : "not ok") \(number) - \(plain(name))"
        if let directive { head += " # \(plain(directive))" }
        guard !values.isEmpty else { return head }
        let block = values.map { key, lines in
            let text = lines.map { "\"\(quoted($0))\"" }
            return text.count == 1
                ? "  \(key): \(text[0])"
                : (["  \(key):"] + text.map { "    - \($0)" }).joined(separator: "\n")
        }
        return ([head, "  ---"] + block + ["  ..."]).joined(separator: "\n")
    }

    /// A text of a line, whose number signs begin no directive.
    private func plain(_ text: String) -> String {
        text.onOneLine.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "#", with: "\\#")
    }

    /// A text between double quotes of YAML.
    private func quoted(_ text: String) -> String {
        // Surrogates are no characters of YAML.
        text.backslashed.escaping(
            { $0.value == 0x0A || $0.isObeyed },
            as: { $0.value < 0x10000 ? $0.escapedNumber : "\\U\($0.value.hexadecimal(8))" }
        ).replacingBytes(of: "##", with: "#\\u0023")
    }
}

private func tapDocument(_ points: [TestPoint]) -> String {
    let lines = points.enumerated().map { index, point in point.text(index + 1) }
    return (["TAP version 13", "1..\(points.count)"] + lines).joined(separator: "\n")
}
