import Foundation
import TestSupport

/// Commands as a person types them and what they print, read from a file of `Fixtures/Words`.
///
/// ```
/// $ model M.xcdatamodeld
/// > V1 Item(name String?, code Integer 32?)
/// > V2 Item(name String?)
///
/// # A dropped attribute is named
/// $ momtool lint M.xcdatamodeld
/// | M.xcdatamodeld: …
/// ! what went to standard error
/// [1]
/// ```
///
/// A line `# TITLE` begins a session in a folder of its own; what stands before the first one is done in each of these
/// folders. `$` begins a command, `>` its input; `|`, `!` and `[STATUS]` are recorded.
struct Transcript {
    struct Step {
        var words: String
        var input: [String] = []
        var answer: [String] = []
    }

    struct Session {
        var title: String
        var steps: [Step] = []
        /// Lines of prose behind the title.
        var remarks: [String] = []
    }

    var setUp = Session(title: "")
    var sessions: [Session] = []

    init(_ text: String) throws {
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            try read(String(line))
        }
    }

    private mutating func read(_ line: String) throws {
        if line.hasPrefix("# ") {
            return sessions.append(Session(title: String(line.dropFirst(2))))
        }
        change { session in
            if line.hasPrefix("$ ") {
                return session.steps.append(Step(words: String(line.dropFirst(2))))
            }
            guard !session.steps.isEmpty else { return session.remarks.append(line) }
            let last = session.steps.endIndex - 1
            if line.hasPrefix(">") {
                session.steps[last].input.append(
                    String(line.dropFirst(line.hasPrefix("> ") ? 2 : 1))
                )
            } else {
                session.steps[last].answer.append(line)
            }
        }
    }

    private mutating func change(_ body: (inout Session) -> Void) {
        if sessions.isEmpty { body(&setUp) } else { body(&sessions[sessions.endIndex - 1]) }
    }

    /// The file, with what each command answers now, each session in a copy of the folder as its beginning leaves it.
    func text(in folder: URL, answer: (Step, URL) throws -> [String]) throws -> String {
        let start = folder.appending(path: "start")
        try makeFolder(start)
        var lines = text(of: setUp, try setUp.steps.map { try answer($0, start) })
        for (number, session) in sessions.enumerated() {
            let own = folder.appending(path: "\(number)")
            try copyFile(start, to: own)
            lines += ["", "# " + session.title]
            lines += text(of: session, try session.steps.map { try answer($0, own) })
        }
        return lines.drop { $0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private func text(of session: Session, _ answers: [[String]]) -> [String] {
        session.remarks
            + zip(session.steps, answers).flatMap { step, answer in
                ["$ " + step.words] + step.input.map { $0.isEmpty ? ">" : "> " + $0 } + answer
            }
    }
}
