import Diagnostics
import Essentials
package import MigrationTesting

package struct TestReport: Sendable, Encodable, Rendering {
    package struct Case: Sendable, Encodable {
        /// The folder of cases, or the model.
        package var group: String
        package var name: String
        /// `passed`, `failed`, `recorded` or `skipped`.
        package var status: String
        /// What differs, what was recorded, why it was skipped, or remarks.
        package var lines: [String]
        /// In seconds.
        package var seconds: Double
        /// The file of the first difference with a location, and its line there.
        package var path: String?
        package var line: Int?
        /// The lines that are reported for a passed case too.
        var remarks: [String] = []

        private enum CodingKeys: String, CodingKey {
            case group, name, status, lines, seconds, path, line
        }

        var isPassed: Bool { status == CaseOutcome.Status.passed.rawValue }
        var isFailed: Bool { status == CaseOutcome.Status.failed.rawValue }
        var isSkipped: Bool { status == CaseOutcome.Status.skipped.rawValue }
        var isRecorded: Bool { status == CaseOutcome.Status.recorded.rawValue }
    }

    package var cases: [Case]
    package var passed: Int
    package var failed: Int
    package var recorded: Int
    package var skipped: Int
    /// In seconds; less than the sum of the cases where several run at a time.
    package var seconds: Double

    package init(_ outcomes: [CaseOutcome], seconds: Double) {
        let cases = outcomes.map {
            Case(
                group: $0.group.onOneLine,
                name: $0.name.onOneLine,
                status: $0.status.rawValue,
                lines: $0.lines,
                seconds: $0.seconds,
                path: $0.place?.path,
                line: $0.place?.line,
                remarks: $0.remarks
            )
        }
        self.init(cases: cases, seconds: seconds)
    }

    init(cases: [Case], seconds: Double) {
        func count(_ status: CaseOutcome.Status) -> Int {
            cases.count { $0.status == status.rawValue }
        }
        self.cases = cases
        (passed, failed) = (count(.passed), count(.failed))
        (recorded, skipped) = (count(.recorded), count(.skipped))
        self.seconds = seconds
    }

    /// The cases of each group, groups in the order of their first case.
    var groups: [(name: String, report: TestReport)] {
        var names: [String] = []
        for item in cases where !names.contains(item.group) { names.append(item.group) }
        let byName = Dictionary(grouping: cases, by: \.group)
        return names.map { name in
            let own = byName[name] ?? []
            let seconds = own.map(\.seconds).reduce(0, +)
            return (name, TestReport(cases: own, seconds: seconds))
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
                name, "\(report.cases.count)", "\(report.passed)", "\(report.failed)",
                "\(report.skipped)", report.seconds.fixed(2),
            ]
        }
    }

    var summary: String {
        let counts = [
            "\(passed) passed", "\(failed) failed", recorded > 0 ? "\(recorded) recorded" : nil,
            skipped > 0 ? "\(skipped) skipped" : nil,
        ]
        return counts.compactMap(\.self).joined(separator: ", ") + " in \(seconds.fixed(2)) s"
    }

    private var shownLines: [String] {
        cases.filter { !$0.isPassed || !$0.remarks.isEmpty && !TextTable.isQuiet }.map { item in
            let lines = (item.isPassed ? item.remarks : item.lines).flatMap {
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
        let failed = cases.filter(\.isFailed)
        // A step has ten annotations: those of one file are one.
        let files = Dictionary(grouping: failed.filter { $0.path != nil }) { $0.path ?? "" }
        var reported: Set<String> = []
        let errors = failed.compactMap { item -> String? in
            var properties = [
                item.path.map { "file=\(annotationProperty(FindingReport.inRepository($0)))" },
                item.line.map { "line=\($0)" },
            ].compactMap(\.self)
            let all = item.path.flatMap { files[$0] } ?? []
            guard all.count > 1 else {
                properties.append("title=\(annotationProperty(item.name))")
                return annotation("error", properties, item.lines.joined(separator: "\n"))
            }
            guard reported.insert(item.path ?? "").inserted else { return nil }
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
        let rows = cases.filter { !$0.isPassed || !$0.remarks.isEmpty }.map { item in
            let lines = item.isPassed ? item.remarks : item.lines
            return [cell(item.name), item.status, cell(lines.joined(separator: "\n"))]
        }
        let groups = markdownTable(heading: Self.heading, table.map { $0.map(cell) })
        let all = rows.isEmpty ? [] : [markdownTable(heading: ["case", "status", ""], rows)]
        return ([groups] + all + [summary]).joined(separator: "\n\n")
    }
}
