import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import MomtoolReporting

enum Console {
    private struct Printed: Sendable {
        let color = Locked(ColorChoice.auto)
        let isQuiet = Locked(false)
        let held = Locked<[Diagnostic]>([])
        let messages = Locked<Set<String>>([])
        let lostOutput = Locked<Int32?>(nil)
        let hasErred = Locked(false)
    }

    private static var printed: Printed { Surroundings.current.memory.value(Printed()) }

    static var color: ColorChoice {
        get { printed.color.withLock { $0 } }
        set { printed.color.withLock { $0 = newValue } }
    }

    /// Whether only requested output and faults are printed, as with `--quiet`.
    static var isQuiet: Bool {
        get { printed.isQuiet.withLock { $0 } }
        set { printed.isQuiet.withLock { $0 = newValue } }
    }

    static func note(_ line: String) { if !isQuiet { say(line) } }

    /// Writes a line to standard output; a name in it begins no other.
    static func say(_ line: String) { print(line.onOneLine, as: .lines) }

    /// Writes a text to standard output; text for programs is never coloured.
    static func print(_ text: String, as form: PrintedForm) {
        let text = StandardStreams.named(form.harmless(text))
        let isPainted = form.isForPeople && color.paints(STDOUT_FILENO)
        let descriptor = StandardStreams.isOutputTaken ? STDERR_FILENO : STDOUT_FILENO
        write((isPainted ? painted(text) : text) + "\n", to: descriptor)
    }

    /// Writes a line to standard error; a name in it begins no other.
    static func complain(_ line: String) { complain(text: line.onOneLine) }

    /// Writes lines to standard error, with each name on one line; an error of no file is that of the program.
    static func complain(text: String) {
        let isPathless = ["error: ", "warning: ", "note: "].contains(where: text.hasPrefix)
        let safe = PrintedForm.lines.harmless(isPathless ? "momtool: " + text : text)
        let text = StandardStreams.named(safe)
        write((color.paints(STDERR_FILENO) ? painted(text) : text) + "\n", to: STDERR_FILENO)
    }

    /// Prints what was noticed on standard error; notes only where wanted.
    static func show(_ diagnostics: [Diagnostic]) {
        let diagnostics = diagnostics.map(\.gradedByRule.shown.worded)
        FailureReport.note(diagnostics)
        let wanted = diagnostics.filter { !isQuiet || $0.severity != .note }
        if wanted.contains(where: { $0.severity == .error }) {
            printed.hasErred.withLock { $0 = true }
        }
        complain(once: wanted.map(\.description))
    }

    /// Whether an error was printed, after which no run succeeds.
    static var hasErred: Bool { printed.hasErred.withLock { $0 } }

    /// Keeps warnings until the command ends, when an error with the same message may replace one.
    static func showLast(_ warnings: [Diagnostic]) {
        FailureReport.note(warnings.map(\.gradedByRule.shown.worded))
        printed.held.withLock { $0 += warnings }
    }

    /// Prints the kept warnings, except those in the final messages.
    static func showKept(besides messages: [String] = []) {
        let warnings = printed.held.withLock { held in
            defer { held = [] }
            return held
        }
        for warning in warnings {
            let message = warning.asError.shown.worded.description
            guard !messages.contains(message), !hasPrinted(message) else { continue }
            complain(text: warning.gradedByRule.shown.worded.description)
        }
    }

    /// Prints new messages: what several inputs share is printed once.
    static func complain(once messages: [String]) {
        for message in messages where printed.messages.withLock({ $0.insert(message).inserted }) {
            complain(text: message)
        }
    }

    /// Whether a message was printed already, as why a version cannot be read.
    static func hasPrinted(_ message: String) -> Bool {
        printed.messages.withLock { $0.contains(message) }
    }

    /// Writes to standard error, including control codes, without ending the line.
    static func write(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Whether a descriptor is that of a terminal; a replaced stream is none.
    static func isTerminal(_ descriptor: Int32) -> Bool {
        Surroundings.current.streams == nil && isatty(descriptor) == 1
    }

    /// The number of columns of the terminal of a descriptor; `nil` without a terminal.
    static func width(of descriptor: Int32) -> Int? {
        guard isTerminal(descriptor) else { return nil }
        var size = winsize()
        let hasSize = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return hasSize ? Int(size.ws_col) : 80
    }

    static var outputFailure: CommandFailure? {
        printed.lostOutput.withLock { number in
            number.map {
                let reason = String(cString: strerror($0))
                let failure = CommandFailure(
                    .ioFailed,
                    "standard output",
                    reason,
                    .unwritableOutput
                )
                return UnreportedWork.added(to: failure)
            }
        }
    }

    /// Whether nothing more is written, as the process is about to end.
    static var isOver: Bool {
        get { ending.withLock { $0 } }
        set { ending.withLock { $0 = newValue } }
    }

    private static let ending = Locked(false)

    static func write(_ text: String, to descriptor: Int32) {
        guard !isOver, !writeAll(Array(text.utf8), to: descriptor) else { return }
        let number = errno
        // A reader that closes the pipe, as `head` does, is not a failure of the command.
        guard descriptor == STDOUT_FILENO, number != EPIPE else { return }
        printed.lostOutput.withLock { $0 = $0 ?? number }
    }
}
