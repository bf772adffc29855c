package import Diagnostics
import ModelChecking

/// What a command that writes files did, in words or as JSON.
package struct WorkReport: Sendable, Rendering {
    /// What became of a file or folder.
    package enum State: String, Sendable, Encodable {
        /// It was made or replaced.
        case written
        /// It was there with this content, or is kept as it was.
        case unchanged
        /// It is gone.
        case removed
    }

    /// A file, or a folder of files that belong together.
    package struct File: Sendable, Encodable {
        package var path: String
        /// What became of it.
        package var state: State
    }

    /// The command, as `compile`.
    package var command: String
    /// Whether nothing was written, and the files are those that would be.
    package var isDry = false
    package private(set) var files: [File] = []
    /// What people are told, a line each.
    package var lines: [String] = []
    /// The change as a unified diff, without a line end behind it; `nil` where it is not shown.
    package var patch: String?
    /// What the step between two versions means to stores, in a line; `nil` where there is none.
    package var verdict: String?
    /// What `migrate` does with stores from before, in full; `nil` where it is not shown.
    package var plan: String?
    /// What was noticed on the way.
    package var diagnostics: [Diagnostic] = []

    /// Begins the report of a command that has done nothing yet.
    package init(_ command: String) { self.command = command }

    /// Adds a file, and what people are told of it.
    package mutating func add(_ path: String, _ state: State, _ line: String? = nil) {
        files.append(File(path: path, state: state))
        if let line { lines.append(line) }
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        guard format == .json else { return patch ?? textLines(lines) }
        return json(self)
    }

    private enum CodingKeys: String, CodingKey {
        case command, isDry, files, messages, patch, verdict, plan, findings
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(command, forKey: .command)
        try container.encode(isDry, forKey: .isDry)
        try container.encode(files, forKey: .files)
        try container.encode(lines, forKey: .messages)
        // `git apply` wants the end of the last line, too.
        let patch = patch.map { $0.isEmpty ? "" : $0 + "\n" }
        try container.encodeIfPresent(patch, forKey: .patch)
        try container.encodeIfPresent(verdict, forKey: .verdict)
        try container.encodeIfPresent(plan, forKey: .plan)
        let found = FindingReport(command: command, subject: "", diagnostics: diagnostics)
        try container.encode(JSONFindings(found).findings, forKey: .findings)
    }
}
