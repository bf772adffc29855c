import Foundation
public import MigrationTesting

/// What came out of fixture cases, as `momtool test` gives it.
public struct TestReport: Sendable, Codable, Rendering {
    /// A case.
    public struct Case: Sendable, Codable {
        /// The name.
        public var name: String
        /// `passed`, `failed` or `recorded`.
        public var status: String
        /// What is different, or what was recorded.
        public var lines: [String]
        /// How long it took, in seconds.
        public var seconds: Double
    }

    /// The cases, in their order.
    public var cases: [Case]
    /// How many passed.
    public var passed: Int
    /// How many failed.
    public var failed: Int
    /// How many were recorded.
    public var recorded: Int

    /// Creates a report.
    public init(_ outcomes: [CaseOutcome]) {
        cases = outcomes.map {
            Case(name: $0.name, status: $0.status.rawValue, lines: $0.lines, seconds: $0.seconds)
        }
        passed = outcomes.count { $0.status == .passed }
        failed = outcomes.count { $0.status == .failed }
        recorded = outcomes.count { $0.status == .recorded }
    }

    /// Writes the report.
    public func rendered(as format: ReportFormat) -> String {
        switch format {
        case .json: json(self)
        case .junit: junit
        case .github: github
        case .markdown: markdown
        default: text
        }
    }

    private var text: String {
        let told = cases.filter { $0.status != CaseOutcome.Status.passed.rawValue }.map { item in
            "\(item.status) \(item.name)\n" + item.lines.map { "  \($0)" }.joined(separator: "\n")
        }
        let counts = [
            "\(passed) passed", "\(failed) failed", recorded > 0 ? "\(recorded) recorded" : nil,
        ]
        return (told + [counts.compactMap(\.self).joined(separator: ", ")]).joined(separator: "\n")
    }

    private var junit: String {
        let items = cases.map { item -> String in
            let head =
                "    <testcase classname=\"momtool\" name=\"\(markup(item.name))\" "
                + String(format: "time=\"%.3f\"", item.seconds)
            guard item.status == CaseOutcome.Status.failed.rawValue else { return head + "/>" }
            let message = item.lines.first ?? "failed"
            return head + ">\n      <failure message=\"\(markup(message))\">"
                + markup(item.lines.joined(separator: "\n")) + "</failure>\n    </testcase>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="momtool" tests="\(cases.count)" failures="\(failed)">
            \(items.joined(separator: "\n"))
              </testsuite>
            </testsuites>
            """
    }

    private var github: String {
        let errors = cases.filter { $0.status == CaseOutcome.Status.failed.rawValue }.map { item in
            let message = item.lines.joined(separator: "\n")
                .replacing("%", with: "%25").replacing("\n", with: "%0A")
            return "::error title=\(item.name)::\(message)"
        }
        return (errors + ["\(passed) passed, \(failed) failed"]).joined(separator: "\n")
    }

    private var markdown: String {
        let rows = cases.map { item in
            [cell(item.name), item.status, cell(item.lines.joined(separator: "\n"))]
        }
        return markdownTable(heading: ["case", "status", ""], rows) + "\n\n" + text
    }
}
