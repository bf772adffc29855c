package import Diagnostics

package struct WorkReport: Sendable, TextReport, KeyedReport {
    package enum State: String, Sendable, Encodable {
        case written
        /// It had this content before, or is kept as it was.
        case unchanged
        case removed
    }

    /// A file, or a folder of files that belong together.
    package struct File: Sendable, Encodable {
        package var path: String
        package var state: State
    }

    package var command: String
    /// Whether nothing was written, and the files are those that would be.
    package var isDry = false
    package private(set) var files: [File] = []
    package var lines: [String] = []
    /// The change as a unified diff, without a final line break; `nil` where it is not shown.
    package var patch: String?
    /// The effect of the step between two versions on stores; `nil` where there is none.
    package var verdict: String?
    /// The full plan of `migrate` for stores from before; `nil` where it is not shown.
    package var plan: String?
    package var diagnostics: [Diagnostic] = []

    package init(_ command: String) { self.command = command }

    package mutating func add(_ path: String, _ state: State, _ line: String? = nil) {
        files.append(File(path: path, state: state))
        if let line { lines.append(line) }
    }

    package var text: String { patch ?? textLines(lines) }

    static let shape = """
        work = report { command: string,
          isDry: boolean "True if nothing was written: the files are those that would be.", files: [{
          path: string "A file, or a folder that is replaced as a whole.", state: "written" | "unchanged" |
          "removed" "What happened to it; if isDry is true, what would happen to it." }],
          messages: [string] "The messages.",
          patch?: string "With --dry-run: a unified diff, as git apply takes it.",
          verdict?: string "What the step to the edited version means to stores.",
          plan?: string "With --plan: what migrate does with stores from before.",
          findings: [finding] "Warnings and notes about the run." }
        """
    package var jsonObject: JSONObject {
        let found = FindingReport(command: command, subject: "", diagnostics: diagnostics)
        return [
            "command": command, "isDry": isDry, "files": files, "messages": lines,
            // `git apply` wants a final line break, too.
            "patch": patch.map { $0.isEmpty ? "" : $0 + "\n" }, "verdict": verdict, "plan": plan,
            "findings": found.jsonFindings,
        ]
    }
}
