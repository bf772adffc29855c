import Diagnostics
import Foundation
import ModelChecking
import MomtoolReporting
import Testing
import XMLReading

/// Findings with everything that can be hard to write: no place, odd characters, notes, several of a kind.
private let report = FindingReport(
    command: "lint",
    subject: "A b.xcdatamodeld",
    findings: [
        Finding(
            Diagnostic(
                "missing-inverse",
                "give 'a<b>&\"c\"' its pair | at 50%\nnow",
                severity: .warning,
                at: FileLocation(path: "A b.xcdatamodeld/V:1,2/contents", line: 3, column: 5),
                element: "Order.a",
                notes: [
                    Diagnostic.Note("old place", at: FileLocation(path: "old", line: 1)),
                    Diagnostic.Note("do it\u{1}"),
                ]
            ),
            version: "V1"
        ),
        Finding(Diagnostic("missing-inverse", "x", severity: .note, at: FileLocation(path: "p"))),
        Finding(Diagnostic("missing-inverse", "x", severity: .note, at: FileLocation(path: "p"))),
        Finding(Diagnostic("some-other-rule", "broken")),
    ]
)

private let nothing = FindingReport(command: "lint", subject: "A", findings: [])

private func object(_ format: ReportFormat, _ report: FindingReport = report) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(report.rendered(as: format).utf8))
}

struct FindingFormatTests {
    @Test func `text is lines that compilers print, with a summary`() {
        let lines = report.rendered(as: .text).split(separator: "\n")
        #expect(
            lines[0]
                == "A b.xcdatamodeld/V:1,2/contents:3:5: warning: give 'a<b>&\"c\"' its pair | at 50%\\u000Anow [missing-inverse]"
        )
        #expect(
            report.rendered(as: .text).hasSuffix("A b.xcdatamodeld: 1 error, 1 warning, 2 notes")
        )
        #expect(nothing.rendered(as: .text) == "A: nothing found")
    }

    @Test func `json holds every field and the counts`() throws {
        let json = try #require(try object(.json) as? [String: Any])
        #expect(json["counts"] as? [String: Int] == ["error": 1, "warning": 1, "note": 2])
        let first = try #require((json["findings"] as? [[String: Any]])?.first)
        #expect(first["rule"] as? String == "missing-inverse")
        #expect(first["line"] as? Int == 3)
        #expect(first["element"] as? String == "Order.a")
        #expect(first["version"] as? String == "V1")
        #expect((first["notes"] as? [[String: Any]])?.count == 2)
    }

    @Test func `a finding of json is a diagnostic as the library writes and reads it`() throws {
        struct Report: Decodable { var findings: [Diagnostic] }
        let data = Data(report.rendered(as: .json).utf8)
        let read = try JSONDecoder().decode(Report.self, from: data).findings
        #expect(read.map(\.description) == report.findings.map(\.diagnostic.description))
        let again = try JSONDecoder().decode([Diagnostic].self, from: JSONEncoder().encode(read))
        #expect(again == read)
    }

    @Test func `sarif names its rules, results refer to them, places are URIs`() throws {
        let log = try #require(try object(.sarif) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 4)
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
            #expect((result["locations"] as? [Any])?.count == 1)
            #expect(["none", "note", "warning", "error"].contains(result["level"] as? String))
        }
        #expect(report.rendered(as: .sarif).contains("A%20b.xcdatamodeld/V%3A1,2/contents"))
        let prints = results.compactMap { $0["partialFingerprints"] as? [String: String] }
        #expect(Set(prints.compactMap(\.values.first)).count == 4)
    }

    @Test func `github annotations escape what would end them`() {
        let lines = report.rendered(as: .github).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(
            lines[0].hasPrefix(
                "::warning file=A b.xcdatamodeld/V%3A1%2C2/contents,line=3,col=5,title=missing-inverse::"
            )
        )
        #expect(lines[0].contains("at 50%25\\u000Anow%0Aold place"))
        #expect(lines[3] == "::error file=A b.xcdatamodeld,title=some-other-rule::broken")
    }

    @Test func `github notes have line and column, as in text`() {
        let place = FileLocation(path: "V1/contents", line: 3, column: 5)
        let note = Finding(Diagnostic("missing-inverse", "x", severity: .note, at: place))
        let report = FindingReport(command: "lint", subject: "M", findings: [note])
        #expect(report.rendered(as: .github) == "note: V1/contents:3:5: x")
    }

    @Test func `edits of a locked version are one annotation of its file`() {
        func edit(_ line: Int, _ path: String = "V1/contents") -> Finding {
            Finding(
                Diagnostic(
                    "locked-version-edited",
                    "edit \(line)",
                    at: FileLocation(path: path, line: line),
                    notes: [
                        Diagnostic.Note(
                            "locked",
                            at: FileLocation(path: "M.lock", line: line)
                        ), Diagnostic.Note("restore it"),
                    ]
                )
            )
        }
        let findings = (1...12).map { edit($0) } + [edit(3, "V2/contents")]
        let report = FindingReport(command: "lock", subject: "M", findings: findings)
        let lines = report.rendered(as: .github).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines[0].hasPrefix(
                "::error file=V1/contents,line=1,title=locked-version-edited::12 lines"
            )
        )
        #expect(lines[0].contains(":%0Aline 1: edit 1%0A"))
        #expect(lines[0].hasSuffix("%0Aline 12: edit 12%0Arestore it"), "\(lines[0])")
        #expect(lines[1].contains("::edit 3%0Alocked (M.lock:3)"), "\(lines[1])")
        #expect(report.rendered(as: .text).split(separator: "\n").count == 13 * 3 + 1)
    }

    @Test func `gitlab issues have lines and fingerprints of their own`() throws {
        let issues = try #require(try object(.gitlab) as? [[String: Any]])
        #expect(issues.map { $0["severity"] as? String } == ["minor", "info", "info", "major"])
        #expect(Set(issues.compactMap { $0["fingerprint"] as? String }).count == 4)
        let place = try #require(issues[3]["location"] as? [String: Any])
        #expect(place["path"] as? String == "A b.xcdatamodeld")
        #expect((place["lines"] as? [String: Int])?["begin"] == 1)
        #expect(try object(.gitlab, nothing) as? [[String: String]] == [])
    }

    @Test func `a fingerprint does not move with lines`() throws {
        var moved = report
        moved.findings[0].diagnostic.location?.line = 99
        func prints(_ report: FindingReport) throws -> [String] {
            let issues = try #require(try object(.gitlab, report) as? [[String: Any]])
            return issues.compactMap { $0["fingerprint"] as? String }
        }
        #expect(try prints(moved) == prints(report))
    }

    @Test func `junit is well formed whatever stands in the findings`() throws {
        for report in [report, nothing] {
            let text = report.rendered(as: .junit)
            #expect(try readXML(Data(text.utf8), path: "r").root.name == "testsuites")
        }
    }

    @Test func `junit counts what failed, and passes when nothing is found`() throws {
        let suite = try readXML(Data(report.rendered(as: .junit).utf8), path: "r").root.children[0]
        #expect(suite["tests"] == "4")
        #expect(suite["failures"] == "2")
        #expect(suite.children.count == 4)
        #expect(suite.children[0].children.first?["type"] == "warning")
        let passed = try readXML(Data(nothing.rendered(as: .junit).utf8), path: "r").root
        #expect(passed.children[0]["tests"] == "1")
        #expect(passed.children[0].children[0].children.isEmpty)
    }

    @Test(arguments: [(Severity.note, "4"), (.warning, "2")])
    func `junit counts as failed what fails the command`(_ limit: Severity, _ count: String) throws
    {
        var report = report
        report.failOn = limit
        let suite = try readXML(Data(report.rendered(as: .junit).utf8), path: "r").root.children[0]
        #expect(suite["failures"] == count)
        #expect(suite.children.count { $0.children.first?.name == "failure" } == Int(count))
    }

    @Test func `markdown escapes what it must`() {
        let markdown = report.rendered(as: .markdown)
        #expect(markdown.contains("&lt;b>&amp;"))
        #expect(markdown.contains("\\| at 50%\\\\u000Anow"))
        #expect(markdown.split(separator: "\n").count { $0.hasPrefix("|") } == 6)
    }

    @Test(arguments: ReportFormat.allCases)
    func `the same findings give the same bytes`(format: ReportFormat) {
        #expect(report.rendered(as: format) == report.rendered(as: format))
    }
}
