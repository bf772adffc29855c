import Essentials
package import Diagnostics
package import ModelChecking

/// What a command found, ready to be written in any format.
package struct FindingReport: Sendable {
    /// The command that looked, such as `lint`.
    package var command: String
    /// What it looked at: the path of a model or a store.
    package var subject: String
    /// The paths of what it looked at one by one, which may be none; `nil` where it is one thing.
    package var subjects: [String]?
    /// What it found, in the order in which it is written.
    package var findings: [Finding]
    /// What was looked at, in numbers, as `312 rows of 5 entities`; empty where the subject says it.
    package var extent = ""
    /// The fixes that were carried out before what is left was found.
    package var fixed: [Fix] = []
    /// The folders and models that the command was called with; none where it took the current folder.
    package var arguments: [String] = []
    /// What the fixes of findings do to lines of files, by the index of the finding; empty where nobody asked.
    package var replacements: [Int: FixReplacement] = [:]

    /// Names a file as CI looks for it, from the root of the repository; paths stay as they are without.
    @TaskLocal package static var pathInRepository: (@Sendable (String) -> String)?

    /// Creates a report of findings.
    package init(command: String, subject: String, findings: [Finding]) {
        self.command = command
        self.subject = subject
        self.findings = findings
    }

    /// Creates a report of diagnostics about several files, each of which is a test of its own in JUnit.
    package init(command: String, subjects: [String], diagnostics: [Diagnostic]) {
        let subject =
            (1...3).contains(subjects.count)
            ? subjects.joined(separator: ", ") : subjects.count.counted("store")
        self.init(command: command, subject: subject, diagnostics: diagnostics)
        self.subjects = subjects
    }

    /// Creates a report of diagnostics.
    package init(command: String, subject: String, diagnostics: [Diagnostic]) {
        self.init(command: command, subject: subject, findings: diagnostics.map { Finding($0) })
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        let report = format.namesFilesInRepository ? shown.inRepository : shown
        return switch format {
        case .text, .edits: report.text
        case .json: json(JSONFindings(report))
        case .sarif: plainJSON(SARIFLog(report))
        case .github: gitHubAnnotations(report)
        case .gitlab: plainJSON(gitLabIssues(report))
        case .junit: jUnitDocument(report)
        case .markdown: markdownTable(report)
        }
    }

    /// The report in the words of the command line, with all paths as CI and editors know them, from the folder without
    /// `./`.
    var shown: FindingReport {
        var report = self
        for index in findings.indices {
            report.findings[index].diagnostic = findings[index].diagnostic.shown.worded
        }
        for index in replacements.keys {
            report.replacements[index]?.path.dropCurrentFolder()
        }
        return report
    }

    /// The path of a file from the root of the repository, as far as that is known.
    static func inRepository(_ path: String) -> String { pathInRepository?(path) ?? path }

    /// The report with all paths from the root of the repository.
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

    /// The number of findings of a severity.
    package func count(_ severity: Severity) -> Int {
        findings.count { $0.diagnostic.severity == severity }
    }

    /// The findings in numbers, such as `1 error, 2 warnings`.
    package var summary: String {
        let parts = [Severity.error, .warning, .note].compactMap { severity -> String? in
            let number = count(severity)
            return number == 0 ? nil : number.counted(severity.rawValue)
        }
        return parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
    }

    private var lines: String {
        findings.map(\.diagnostic.description).joined(separator: "\n")
    }

    /// The findings; what is said of a whole file beside several of them is said beside the first.
    private var linesWithoutRepeats: String {
        findings.map(\.diagnostic).withoutRepeatedFileNotes.map(\.description)
            .joined(separator: "\n")
    }

    private var text: String {
        let fixable = findings.count { $0.fix != nil }
        let hint = fixable == 0 ? "" : "; \(fixer) cures \(fixable)"
        if TextTable.isQuiet { return lines }
        let checked = extent.isEmpty ? "" : "\(extent): "
        let summary = "\(subject): \(checked)\(summary)\(hint)"
        return ([linesWithoutRepeats] + losses + [summary.onOneLine]).filter { !$0.isEmpty }.joined(
            separator: "\n"
        )
    }

    /// What carries out the fixes: an option of the command itself, or another command as it is typed.
    private var fixer: String {
        command == "lint"
            ? "--fix"
            : (["momtool lint"] + arguments.map(shellWord) + ["--fix"]).joined(separator: " ")
    }

    /// All losses that are to be named, ready to be pasted at once.
    private var losses: [String] {
        let entry = lossesEntry(for: findings)
        guard !entry.isEmpty else { return [] }
        return ["note: all losses above as one entry of .momtool.yml; keep what is meant:"]
            + entry.map(\.onOneLine)
    }
}

/// The fixes that were carried out, a line each; of many the first.
package func fixLines(_ fixes: [Fix]) -> [String] {
    let lines = fixes.prefix(20).map { fix in
        let place = fix.place.map { "\($0): " } ?? ""
        return "\(place)\(fix.did)".onOneLine
    }
    return lines + (fixes.count > lines.count ? ["and \(fixes.count - lines.count) more"] : [])
}

extension Fix {
    /// What it did; a guess says that it is one.
    var did: String { "fixed: \(summary)" + (isGuess ? "; this is a guess: look at it" : "") }

    /// Where its first change is, as reports show it; `nil` where it has none.
    var place: FileLocation? {
        var location = changes.first?.location
        location?.path.dropCurrentFolder()
        return location
    }
}

extension Finding {
    /// The path to show: that of the location, else that of the subject.
    func path(in report: FindingReport) -> String {
        var path = diagnostic.location?.path ?? report.subject
        path.dropCurrentFolder()
        return path
    }

    /// The message with its notes, on lines of their own.
    var wholeMessage: String {
        let diagnostic = diagnostic.worded
        let notes = diagnostic.notes.map { note in
            note.text + (note.location.map { " (\($0))".onOneLine } ?? "")
        }
        return ([diagnostic.message.onOneLine] + notes).joined(separator: "\n")
    }
}
