import Diagnostics
import ModelChecking

/// Findings as `--format json` gives them.
struct JSONFindings: Codable {
    struct Note: Codable {
        var message: String
        var path: String?
        var line: Int?
        var column: Int?
    }

    struct Entry: Codable {
        var rule: String
        var severity: String
        var message: String
        var path: String?
        var line: Int?
        var column: Int?
        var element: String?
        var version: String?
        var notes: [Note]
        var fix: String?
        var edit: Edit?
    }

    /// Lines that a fix replaces.
    struct Edit: Codable {
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

    /// A fix that was carried out.
    struct Done: Codable {
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

    struct Counts: Codable {
        var error: Int
        var warning: Int
        var note: Int
    }

    var command: String
    var subject: String
    /// What was looked at one by one; absent where it is one thing.
    var subjects: [String]?
    /// What was looked at, in numbers.
    var extent: String?
    var counts: Counts
    /// What was fixed before; absent where nothing was.
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
        findings = report.findings.enumerated().map { index, finding in
            let diagnostic = finding.diagnostic
            return Entry(
                rule: diagnostic.rule.rawValue,
                severity: diagnostic.severity.rawValue,
                message: diagnostic.message,
                path: diagnostic.location?.path,
                line: diagnostic.location?.line,
                column: diagnostic.location?.column,
                element: diagnostic.element,
                version: finding.version,
                notes: diagnostic.notes.map {
                    Note(
                        message: $0.text,
                        path: $0.location?.path,
                        line: $0.location?.line,
                        column: $0.location?.column
                    )
                },
                fix: finding.fix?.summary,
                edit: report.replacements[index].map(Edit.init)
            )
        }
    }
}
