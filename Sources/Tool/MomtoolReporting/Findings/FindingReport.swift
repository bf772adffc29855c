package import Diagnostics
import Essentials
package import ModelChecking

package struct FindingReport: Sendable {
    package var command: String
    package var subject: String
    /// The paths of several subjects, perhaps none; `nil` where there is one subject.
    package var subjects: [String]?
    package var findings: [Finding]
    /// What was checked, in numbers, as `312 rows of 5 entities`; empty where the subject says it.
    package var extent = ""
    /// Whether something could not be checked, which was reported elsewhere.
    package var isPartial = false
    /// The severity from which findings fail the command, and tests in JUnit.
    package var failOn: Severity = .warning
    /// The fixes that were made before.
    package var fixed: [Fix] = []
    /// The folders and models of the command; none where it took the current folder.
    package var arguments: [String] = []
    /// The replacements of the fixes, by the index of the finding; empty where nobody asked.
    package var replacements: [Int: FixReplacement] = [:]

    /// Names a file from the root of the repository, as CI looks for it; without it paths stay as they are.
    @TaskLocal package static var pathInRepository: (@Sendable (String) -> String)?

    package init(command: String, subject: String, findings: [Finding]) {
        (self.command, self.subject, self.findings) = (command, subject, findings)
    }

    /// Creates a report of diagnostics about several files, each of which is a separate test in JUnit.
    package init(command: String, subjects: [String], diagnostics: [Diagnostic]) {
        let subject =
            (1...3).contains(subjects.count)
            ? subjects.joined(separator: ", ") : subjects.count.counted("store")
        self.init(command: command, subject: subject, diagnostics: diagnostics)
        self.subjects = subjects
    }

    package init(command: String, subject: String, diagnostics: [Diagnostic]) {
        self.init(command: command, subject: subject, findings: diagnostics.map { Finding($0) })
    }

    package func rendered(as format: ReportFormat) -> String {
        let report = format.namesFilesInRepository ? shown.inRepository : shown
        return switch format {
        case .text, .edits: report.text
        case .json: json(jsonObject(report))
        case .sarif: plainJSON(sarifLog(report))
        case .github: gitHubAnnotations(report)
        case .gitlab: plainJSON(gitLabIssues(report))
        case .junit: jUnitDocument(report)
        case .markdown: markdownTable(report)
        }
    }

    /// The report in the words of the command line, with all paths as CI and editors know them, without `./`.
    var shown: FindingReport {
        var report = self
        for index in findings.indices {
            report.findings[index].diagnostic = findings[index].diagnostic.shown.worded
        }
        for index in replacements.keys { report.replacements[index]?.path.dropCurrentFolder() }
        return report
    }

    /// The path of a file from the root of the repository, where that is known.
    static func inRepository(_ path: String) -> String { pathInRepository?(path) ?? path }

    var inRepository: FindingReport {
        let name = Self.inRepository
        var report = self
        for index in findings.indices {
            var diagnostic = findings[index].diagnostic
            if let path = diagnostic.location?.path { diagnostic.location?.path = name(path) }
            for index in diagnostic.notes.indices {
                guard let path = diagnostic.notes[index].location?.path else { continue }
                diagnostic.notes[index].location?.path = name(path)
            }
            report.findings[index].diagnostic = diagnostic
        }
        for index in replacements.keys {
            guard let path = replacements[index]?.path else { continue }
            report.replacements[index]?.path = name(path)
        }
        return report
    }

    package func count(_ severity: Severity) -> Int {
        findings.count { $0.diagnostic.severity == severity }
    }

    package var summary: String {
        let counts = counts { _ in true }
        guard counts.isEmpty else { return counts }
        return isPartial ? "nothing else found" : "nothing found"
    }

    /// The numbers of some findings, such as `1 error, 2 notes`.
    private func counts(_ isCounted: (Finding) -> Bool) -> String {
        [Severity.error, .warning, .note].compactMap { severity -> String? in
            let number = findings.count { $0.diagnostic.severity == severity && isCounted($0) }
            return number == 0 ? nil : number.counted(severity.rawValue)
        }.joined(separator: ", ")
    }

    private var lines: String { findings.map(\.diagnostic.description).joined(separator: "\n") }

    /// The findings; a note that several findings of a file share is beside the first, and a loss is one line.
    private var linesWithoutRepeats: String {
        let advised = advised
        return findings.enumerated().map { $1.diagnostic.lossOnOneLine(withAdvice: $0 == advised) }
            .withoutRepeatedFileNotes.map(\.description).joined(separator: "\n")
    }

    /// The finding, rather a loss than a rename, that says how to allow it; `nil` where the report ends with all losses.
    private var advised: Int? {
        guard lossesEntry(for: findings).isEmpty else { return nil }
        let owners = findings.indices.filter { !findings[$0].unnamedLosses.isEmpty }
        return (owners + findings.indices).first {
            findings[$0].diagnostic.notes.contains { $0.role == .agreement }
        }
    }

    private var text: String {
        let fixable = counts { $0.fix != nil }
        let hint = fixable.isEmpty ? "" : "; \(fixer) fixes \(fixable)"
        if TextTable.isQuiet { return lines }
        let checked = extent.isEmpty ? "" : "\(extent): "
        let summary = "\(subject): \(checked)\(summary)\(hint)"
        return ([linesWithoutRepeats] + losses + [summary.onOneLine]).filter { !$0.isEmpty }.joined(
            separator: "\n"
        )
    }

    /// The way to make the fixes: an option of the command itself, or another command line.
    private var fixer: String {
        command == "lint"
            ? "--fix"
            : (["momtool lint"] + arguments.map(shellWord) + ["--fix"]).joined(separator: " ")
    }

    /// All unnamed losses, to be pasted at once.
    private var losses: [String] {
        let entry = lossesEntry(for: findings)
        guard !entry.isEmpty else { return [] }
        let place = entry[0] == "losses:" ? "as one entry" : "as entries below losses:"
        return ["note: all losses above \(place) of .momtool.yml; keep what you intend:"]
            + entry.map(\.onOneLine)
    }
}

/// The fixes that were made, a line each; of many the first.
package func fixLines(_ fixes: [Fix]) -> [String] {
    let lines = fixes.prefix(20).map { fix in
        let place = fix.place.map { "\($0): " } ?? ""
        return "\(place)\(fix.did)".onOneLine
    }
    return lines + (fixes.count > lines.count ? ["and \(fixes.count - lines.count) more"] : [])
}

extension Fix {
    /// A guess is marked as one.
    var did: String { "fixed: \(summary)" + (isGuess ? "; this is a guess: check it" : "") }

    var place: FileLocation? {
        var location = changes.first?.location
        location?.path.dropCurrentFolder()
        return location
    }
}

extension Diagnostic {
    /// The diagnostic with the older place of what is lost in its message.
    fileprivate func lossOnOneLine(withAdvice keepsAdvice: Bool) -> Diagnostic {
        guard loss != nil else { return self }
        var diagnostic = self
        let advice = keepsAdvice ? notes.first { $0.role == .agreement } : nil
        diagnostic.notes = notes.filter { $0.role == .other } + [advice].compactMap(\.self)
        if let place = notes.first(where: { $0.role == .earlierPlace })?.location {
            diagnostic.message += " (was \(place.brief(beside: location)))".onOneLine
        }
        return diagnostic
    }
}

extension FileLocation {
    /// The version and the line, such as `V2:42`, of a source in the bundle of another location; otherwise all of it.
    fileprivate func brief(beside other: FileLocation?) -> String {
        let (parts, others) = (path.split(separator: "/"), other?.path.split(separator: "/"))
        guard let line, parts.last == "contents", parts.dropLast(2) == others?.dropLast(2) else {
            return "\(self)"
        }
        let version = parts.dropLast().last ?? ""
        return "\(version.dropLast(version.hasSuffix(".xcdatamodel") ? 12 : 0)):\(line)"
    }
}

extension Finding {
    func path(in report: FindingReport) -> String {
        var path = diagnostic.location?.path ?? report.subject
        path.dropCurrentFolder()
        return path
    }

    var wholeMessage: String {
        let diagnostic = diagnostic.worded
        let notes = diagnostic.notes.map { note in
            note.text + (note.location.map { " (\($0))".onOneLine } ?? "")
        }
        return ([diagnostic.message.onOneLine] + notes).joined(separator: "\n")
    }
}

/// A finding for programs: the keys of the diagnostic, beside those of the finding.
struct JSONFinding: Encodable {
    var finding: Finding
    var replacement: FixReplacement?

    func encode(to encoder: any Encoder) throws {
        try finding.diagnostic.encode(to: encoder)
        let own: JSONObject = [
            "version": finding.version, "fix": finding.fix?.summary,
            "edit": replacement.map(jsonObject),
        ]
        try own.encode(to: encoder)
    }
}

extension FindingReport {
    var jsonFindings: [JSONFinding] {
        findings.enumerated().map { JSONFinding(finding: $1, replacement: replacements[$0]) }
    }
}

let findingShape = """
    findings = report { command: string "The command that looked, or that failed.",
      subject: string "What it looked at, in words or as a path.",
      subjects?: [string] "The paths of what was looked at one by one.",
      extent?: string "What was looked at, in numbers, in words.", counts: { error: integer, warning: integer,
      note: integer }, fixed?: [{ fix: string "What was done.", path: string,
      line?: integer "From 1, in the file before the change.", column?: integer,
      isGuess: boolean "Whether somebody has to check it."
      }] "What lint --fix wrote, before it looked for what is left.", findings: [finding] }
    finding = { rule: string "The stable ID of the rule; momtool rules describes it.", severity: severity,
      message: string, path?: string, line?: integer "From 1.", column?: integer "From 1, in UTF-8 bytes.",
      element?: string "An entity or a property, as Book.title.",
      version?: string "The version of the model that it is in.", notes: [note], rows?: { count: integer,
      unit: unit "What is counted.", keys: [integer] "The Z_PK of the first of the rows."
      } "The rows of a store that it is about.",
      loss?: string "The name of what is lost or would be, as Book.notes.",
      fix?: string "What lint --fix does about it.", edit?: { path: string, firstLine: integer "From 1.",
      lines: integer "How many lines are replaced.", text: string "What is there afterwards." } }
    note = { message: string, path?: string, line?: integer, column?: integer }
    """
func jsonObject(_ report: FindingReport) -> JSONObject {
    let counts: JSONObject = [
        "error": report.count(.error), "warning": report.count(.warning),
        "note": report.count(.note),
    ]
    return [
        "command": report.command, "subject": report.subject, "subjects": report.subjects,
        "extent": report.extent.isEmpty ? nil : report.extent, "counts": counts,
        "fixed": report.fixed.isEmpty ? nil : report.fixed.map(jsonObject),
        "findings": report.jsonFindings,
    ]
}

private func jsonObject(_ replacement: FixReplacement) -> JSONObject {
    [
        "path": replacement.path, "firstLine": replacement.firstLine,
        "lines": replacement.lineCount, "text": replacement.text,
    ]
}

private func jsonObject(_ made: Fix) -> JSONObject {
    let place = made.place
    return [
        "fix": made.summary, "path": place?.path ?? "", "line": place?.line,
        "column": place?.column, "isGuess": made.isGuess,
    ]
}
