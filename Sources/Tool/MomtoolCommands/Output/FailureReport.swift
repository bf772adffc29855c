import Diagnostics
import Essentials
import Momtool
import MomtoolReporting

/// The report of a command that ended before it could make its own.
///
/// Errors are given in the requested format, JSON or annotations too: a build would take an empty report for success.
enum FailureReport {
    private struct Request {
        var format: ReportFormat
        var path: String?
    }

    private struct State {
        var requests: [Request] = []
        var noticed: [Diagnostic] = []
    }

    private struct Kept: Sendable { let state = Locked(State()) }

    private static var state: Locked<State> { Surroundings.current.memory.value(Kept()).state }

    static func expect(_ formats: [(format: ReportFormat, path: String?)]) {
        state.withLock { state in
            state.requests = formats.map { Request(format: $0.format, path: $0.path) }
        }
    }

    /// Reads the formats from words that could not be parsed, as far as the command would record its own.
    static func expect(words: some Sequence<String>) {
        guard state.withLock({ $0.requests.isEmpty }) else { return }
        var formats: [(format: ReportFormat, path: String?)] = []
        var previous = ""
        for word in words.prefix(while: { $0 != "--" }) {
            defer { previous = word }
            let option = "--format="
            let isValue = previous == "--format"
            guard isValue || word.hasPrefix(option) else { continue }
            let value = isValue ? word : String(word.dropFirst(option.count))
            let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
            guard let format = parts.first.flatMap(ReportFormat.init) else { continue }
            let path = parts.count > 1 && parts[1] != "-" ? parts[1] : nil
            formats.append((format, path))
        }
        expect(formats)
    }

    static var files: [String] { state.withLock { $0.requests.compactMap(\.path) } }

    /// Refuses a report at a path that the words of a command name, before the command begins.
    static func requirePlaces(beside words: [String]) throws {
        let files = files
        guard !files.isEmpty else { return }
        let inputs = InputFiles(inputs(in: words))
        for file in files { _ = try OutputPlace(file, sparing: inputs) }
    }

    /// The words of a command that may name inputs: neither its own name nor what an option writes to.
    private static func inputs(in words: [String]) -> [String] {
        let outputs: Set<String> = [
            "-o", "--output", "--format", "--comment", "--journal", "--write-baseline", "--lock",
        ]
        var (inputs, previous): ([String], String) = ([], "")
        for word in MomtoolCommand.operands(in: words) {
            defer { previous = word }
            guard !outputs.contains(previous) else { continue }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard word.hasPrefix("--"), parts.count > 1 else {
                inputs.append(word)
                continue
            }
            if !outputs.contains(parts[0]) { inputs.append(parts[1]) }
        }
        return inputs
    }

    /// The report for programs of a failed command, from its messages.
    static func document(_ command: String, _ lines: [String]) -> JSONValue {
        var diagnostics = CommandFailure(.failed, lines).diagnostics
        if diagnostics.isEmpty {
            let words = lines.isEmpty ? "it ended without a reason" : lines.joined(separator: "\n")
            diagnostics = [Diagnostic("failure", words)]
        }
        let text = report(of: diagnostics, by: command).rendered(as: .json)
        return (try? JSONValue(parsing: Array(text.utf8))) ?? .null
    }

    private static func report(of diagnostics: [Diagnostic], by command: String) -> FindingReport {
        FindingReport(
            command: command,
            subject: diagnostics.lazy.compactMap(\.location?.path).first ?? "momtool",
            diagnostics: diagnostics
        )
    }

    /// Forgets the formats: the command has made its own report, or has failed to.
    static func settle() { state.withLock { $0 = State() } }

    /// Remembers what was noticed while reading, which belongs to a later failure.
    static func note(_ diagnostics: [Diagnostic]) {
        state.withLock { state in if !state.requests.isEmpty { state.noticed += diagnostics } }
    }

    static func takeNoticed() -> [Diagnostic] {
        state.withLock { state in
            defer { state.noticed = [] }
            return state.noticed
        }
    }

    /// Reports a failure in each requested format, except text on standard output: it was printed already.
    static func deliver(_ failure: CommandFailure) {
        let (requests, noticed) = state.withLock { ($0.requests, $0.noticed) }
        settle()
        let faults = failure.diagnostics
        // An error replaces an earlier warning.
        let others = noticed.filter { notice in
            !faults.contains {
                ($0.rule, $0.message, $0.location) == (notice.rule, notice.message, notice.location)
            }
        }
        let diagnostics = others + faults
        guard !diagnostics.isEmpty else { return }
        let report = report(of: diagnostics, by: RunWords.current.first ?? "momtool")
        // A list of edits has no place for faults, which are printed anyway.
        for request in requests where request.format != .edits {
            let text = reportingPaths { report.rendered(as: request.format) }
            if let path = request.path {
                // The fault may be the file itself, for example that the command reads it.
                guard !failure.messages.contains(where: { $0.hasPrefix(path + ": ") }) else {
                    continue
                }
                write(text, to: path, after: failure)
            } else if request.format != .text {
                Console.print(text, as: PrintedForm(request.format))
            }
        }
    }

    /// Writes a report where no argument of the command names an input.
    private static func write(_ text: String, to path: String, after failure: CommandFailure) {
        guard [.usage, .noInput, .badData, .refused, .failed].contains(failure.status),
            // One file would replace another.
            !failure.diagnostics.contains(where: {
                ["output-is-input", "repeated-output"].contains($0.rule)
            })
        else { return }
        do {
            let inputs = InputFiles(inputs(in: RunWords.current))
            let place = try OutputPlace(path, sparing: inputs)
            try MomtoolCommands.write(Data((StandardStreams.named(text) + "\n").utf8), to: place)
        } catch {
            // A place that cannot take a report may be the failure itself.
            for message in CommandFailure(error).messages where !failure.messages.contains(message)
            { Console.complain(text: message) }
        }
    }
}

extension CommandFailure {
    var diagnostics: [Diagnostic] { messages.compactMap(Diagnostic.init(printed:)) }
}

extension Diagnostic {
    /// Reads a diagnostic from its printed form; `nil` for a line that belongs to another one.
    init?(printed text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        guard let head = lines.first else { return nil }
        for severity in [Severity.error, .warning, .note] {
            let word = "\(severity.rawValue): "
            let (place, rest): (Substring?, Substring)
            if head.hasPrefix(word) {
                (place, rest) = (nil, head.dropFirst(word.count))
            } else if let range = head.firstRange(of: ": " + word) {
                (place, rest) = (head[..<range.lowerBound], head[range.upperBound...])
            } else {
                continue
            }
            var (message, rule) = (String(rest), "failure")
            if message.last == "]", let mark = message.lastIndex(of: "[") {
                rule = String(message[message.index(after: mark)...].dropLast())
                message = String(message[..<mark]).trimmed
            }
            self.init(
                RuleID(rawValue: rule),
                message,
                severity: severity,
                at: place == "momtool" ? nil : place.map(FileLocation.init(printed:)),
                notes: lines.dropFirst().map { line in
                    let note = Diagnostic(printed: line)
                    guard let note, note.severity == .note, note.rule == "failure" else {
                        return Note(line)
                    }
                    return Note(note.message, at: note.location)
                }
            )
            return
        }
        return nil
    }
}

/// The finished work of a command, which remains although its report fails.
enum UnreportedWork {
    private struct Done: Sendable { let lines = Locked<[String]>([]) }

    private static var lines: Locked<[String]> { Surroundings.current.memory.value(Done()).lines }

    /// Remembers finished work, such as `New.sqlite is the migrated store`.
    static func note(_ line: String) { lines.withLock { $0.append(line) } }

    static func added(to failure: CommandFailure) -> CommandFailure {
        var failure = failure
        failure.messages += lines.withLock { lines in
            defer { lines = [] }
            return lines.map { "note: only the report failed; \($0)" }
        }
        return failure
    }
}
