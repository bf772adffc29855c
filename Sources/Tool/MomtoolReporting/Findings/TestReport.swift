import Diagnostics
import Essentials
package import MigrationTesting
import ModelChecking
import XMLReading

package struct TestReport: Sendable, Rendering, KeyedReport {
    package let cases: [CaseOutcome]
    /// In seconds; less than the sum of the cases where several run at a time.
    let seconds: Double

    package init(_ outcomes: [CaseOutcome], seconds: Double) {
        cases = outcomes.map { outcome in
            var outcome = outcome
            (outcome.group, outcome.name) = (outcome.group.onOneLine, outcome.name.onOneLine)
            return outcome
        }
        self.seconds = seconds
    }

    package func count(_ status: CaseOutcome.Status) -> Int { cases.count { $0.status == status } }

    static let shape = """
        tests = report { cases: [{ group: string "The folder of cases, or the model.", name: string, status: "passed" |
          "failed" | "recorded" | "skipped", lines: [string] "What differs, or why it was skipped.", seconds: number,
          path?: string "The file of the first difference that has a place.", line?: integer "Its line there, from 1."
          }], passed: integer, failed: integer, recorded: integer, skipped: integer, seconds: number }
        """
    package var jsonObject: JSONObject {
        let objects = cases.map { item -> JSONObject in
            [
                "group": item.group, "name": item.name, "status": item.status.rawValue,
                "lines": item.lines, "seconds": item.seconds, "path": item.place?.path,
                "line": item.place?.line,
            ]
        }
        return [
            "cases": objects, "passed": count(.passed), "failed": count(.failed),
            "recorded": count(.recorded), "skipped": count(.skipped), "seconds": seconds,
        ]
    }

    /// The cases of each group, groups in the order of their first case.
    var groups: [(name: String, report: TestReport)] {
        var names: [String] = []
        for item in cases where !names.contains(item.group) { names.append(item.group) }
        let byName = Dictionary(grouping: cases, by: \.group)
        return names.map { name in
            let own = byName[name] ?? []
            let seconds = own.map(\.seconds).reduce(0, +)
            return (name, TestReport(own, seconds: seconds))
        }
    }

    package func rendered(as format: ReportFormat) -> String {
        switch format {
        case .json: json(self)
        case .junit: jUnitDocument(self)
        case .github: github
        case .markdown: markdown
        default: text
        }
    }

    private static let heading = ["", "cases", "passed", "failed", "skipped", "seconds, summed"]

    private var table: [[String]] {
        groups.map { name, report in
            [
                name, "\(report.cases.count)", "\(report.count(.passed))",
                "\(report.count(.failed))", "\(report.count(.skipped))",
                report.seconds.fixed(2),
            ]
        }
    }

    var summary: String {
        let rare = [CaseOutcome.Status.recorded, .skipped].filter { count($0) > 0 }
        let counts = ([.passed, .failed] + rare).map { "\(count($0)) \($0)" }
        return counts.joined(separator: ", ") + " in \(seconds.fixed(2)) s"
    }

    private var shownLines: [String] {
        cases.filter { $0.status != .passed || !$0.remarks.isEmpty && !TextTable.isQuiet }.map {
            item in
            let lines = (item.status == .passed ? item.remarks : item.lines).flatMap {
                $0.split(separator: "\n")
            }.map { "  \($0)" }
            return "\(item.status) \(item.name)".onOneLine + "\n" + lines.joined(separator: "\n")
        }
    }

    private var text: String {
        if TextTable.isQuiet { return shownLines.joined(separator: "\n") }
        return (shownLines + [textTable(table, heading: Self.heading), summary]).joined(
            separator: "\n"
        )
    }

    private var github: String {
        let failed = cases.filter { $0.status == .failed }
        // A step has ten annotations: those of one file are one.
        let files = Dictionary(grouping: failed.filter { $0.place != nil }) { $0.place?.path ?? "" }
        var reported: Set<String> = []
        let errors = failed.compactMap { item -> String? in
            var properties = [
                item.place.map {
                    "file=\(annotationProperty(FindingReport.inRepository($0.path)))"
                },
                item.place?.line.map { "line=\($0)" },
            ].compactMap(\.self)
            let all = item.place.flatMap { files[$0.path] } ?? []
            guard all.count > 1 else {
                properties.append("title=\(annotationProperty(item.name))")
                return annotation("error", properties, item.lines.joined(separator: "\n"))
            }
            guard reported.insert(item.place?.path ?? "").inserted else { return nil }
            let count = all.reduce(0) { $0 + $1.lines.count }
            properties.append("title=\(all.count) cases fail")
            let lines =
                ["\(count.counted("line")) of \(all.count) cases:"]
                + all.flatMap { ["\($0.name):"] + $0.lines }
            return annotation("error", properties, lines.joined(separator: "\n"))
        }
        return (errors + [summary]).joined(separator: "\n")
    }

    private var markdown: String {
        let rows = cases.filter { $0.status != .passed || !$0.remarks.isEmpty }.map { item in
            let lines = item.status == .passed ? item.remarks : item.lines
            return [cell(item.name), item.status.rawValue, cell(lines.joined(separator: "\n"))]
        }
        let groups = markdownTable(heading: Self.heading, table.map { $0.map(cell) })
        let all = rows.isEmpty ? [] : [markdownTable(heading: ["case", "status", ""], rows)]
        return ([groups] + all + [summary]).joined(separator: "\n\n")
    }
}

func jUnitDocument(_ report: TestReport) -> String {
    let suites = report.groups.map { name, group -> String in
        let head =
            "  <testsuite name=\"\(markup(name.onOneLine))\" tests=\"\(group.cases.count)\""
            + " failures=\"\(group.count(.failed))\" errors=\"0\""
            + " skipped=\"\(group.count(.skipped) + group.count(.recorded))\""
            + " time=\"\(time(group.seconds))\">"
        return ([head] + group.cases.map(testCase) + ["  </testsuite>"]).joined(separator: "\n")
    }
    let head =
        "<testsuites name=\"momtool test\" tests=\"\(report.cases.count)\" failures=\"\(report.count(.failed))\""
        + " time=\"\(time(report.seconds))\">"
    return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", head] + suites + ["</testsuites>"])
        .joined(separator: "\n")
}

private func testCase(_ item: CaseOutcome) -> String {
    let head =
        "    <testcase classname=\"\(markup(item.group.onOneLine))\" name=\"\(markup(item.name.onOneLine))\""
        + " time=\"\(time(item.seconds))\""
        + (item.place.map { " file=\"\(markup($0.path.onOneLine))\"" } ?? "")
        + (item.place?.line.map { " line=\"\($0)\"" } ?? "")
    let message = markup((item.lines.first ?? item.status.rawValue).onOneLine)
    let text = markup(harmlessLines(item.lines))
    let body =
        switch item.status {
        case .failed: "<failure message=\"\(message)\">\(text)</failure>"
        case .skipped, .recorded: "<skipped message=\"\(message)\"/>"
        case .passed: item.lines.isEmpty ? "" : "<system-out>\(text)</system-out>"
        }
    return body.isEmpty ? head + "/>" : head + ">\(body)</testcase>"
}

/// Lines that a runner cannot read as commands if the report goes to its log.
private func harmlessLines(_ lines: [String]) -> String {
    lines.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("::") || $0.hasPrefix("##[") ? "\\\($0)" : String($0) }
        .joined(separator: "\n")
}

private func time(_ seconds: Double) -> String { seconds.fixed(3) }

func jUnitDocument(_ report: FindingReport) -> String {
    let failures = report.findings.count { $0.diagnostic.severity >= report.failOn }
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
        guard diagnostic.severity >= report.failOn else {
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
