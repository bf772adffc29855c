import Diagnostics
import ModelChecking

struct JSONFindings: Encodable {
    struct Entry: Encodable {
        var diagnostic: Diagnostic
        var version: String?
        var fix: String?
        var edit: Edit?

        private enum CodingKeys: String, CodingKey { case version, fix, edit }

        init(_ finding: Finding, _ replacement: FixReplacement?) {
            diagnostic = finding.diagnostic
            version = finding.version
            fix = finding.fix?.summary
            edit = replacement.map(Edit.init)
        }

        func encode(to encoder: any Encoder) throws {
            try diagnostic.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(version, forKey: .version)
            try container.encodeIfPresent(fix, forKey: .fix)
            try container.encodeIfPresent(edit, forKey: .edit)
        }
    }

    struct Edit: Encodable {
        var path: String
        var firstLine: Int
        var lines: Int
        var text: String

        init(_ replacement: FixReplacement) {
            path = replacement.path
            firstLine = replacement.firstLine
            lines = replacement.lineCount
            text = replacement.text
        }
    }

    struct Done: Encodable {
        var fix: String
        var path: String
        var line: Int?
        var column: Int?
        var isGuess: Bool

        init(_ made: Fix) {
            let place = made.place
            fix = made.summary
            path = place?.path ?? ""
            line = place?.line
            column = place?.column
            isGuess = made.isGuess
        }
    }

    struct Counts: Encodable {
        var error: Int
        var warning: Int
        var note: Int
    }

    var command: String
    var subject: String
    /// Absent where there is one subject.
    var subjects: [String]?
    var extent: String?
    var counts: Counts
    /// Absent if nothing was fixed.
    var fixed: [Done]?
    var findings: [Entry]

    init(_ report: FindingReport) {
        command = report.command
        subject = report.subject
        subjects = report.subjects
        extent = report.extent.isEmpty ? nil : report.extent
        counts = Counts(
            error: report.count(.error),
            warning: report.count(.warning),
            note: report.count(.note)
        )
        fixed = report.fixed.isEmpty ? nil : report.fixed.map(Done.init)
        findings = report.findings.enumerated().map { Entry($1, report.replacements[$0]) }
    }
}
