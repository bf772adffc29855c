import Diagnostics
import ModelChecking
import XMLReading

/// Writes findings as a JUnit test report: each is a failed test, none a passed one.
func jUnitDocument(_ report: FindingReport) -> String {
    let failures = report.findings.count { $0.diagnostic.severity > .note }
    let faulty = Set(report.findings.map { $0.path(in: report) })
    let subjects = report.subjects ?? (faulty.isEmpty ? [report.subject] : [])
    let passed = subjects.filter { !faulty.contains($0) }
    var lines = [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>",
        "  <testsuite name=\"momtool \(markup(report.command))\""
            + " tests=\"\(report.findings.count + passed.count)\" failures=\"\(failures)\" errors=\"0\""
            + " skipped=\"0\">",
    ]
    for subject in passed {
        let name = markup(subject.onOneLine)
        lines.append("    <testcase classname=\"\(name)\" name=\"nothing found\"/>")
    }
    for finding in report.findings {
        let diagnostic = finding.diagnostic
        let name = [diagnostic.rule.rawValue, diagnostic.element].compactMap(\.self)
            .joined(separator: " ")
        let place = diagnostic.location.map(\.description) ?? report.subject
        let head =
            "    <testcase classname=\"\(markup(finding.path(in: report).onOneLine))\""
            + " name=\"\(markup(name.onOneLine))\""
        let body = markup("\(place.onOneLine): \(finding.wholeMessage)")
        guard diagnostic.severity > .note else {
            lines.append("\(head)><system-out>\(body)</system-out></testcase>")
            continue
        }
        lines.append(
            "\(head)><failure type=\"\(diagnostic.severity.rawValue)\""
                + " message=\"\(markup(diagnostic.message.onOneLine))\">\(body)</failure></testcase>"
        )
    }
    return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n")
}
