import Diagnostics
import Essentials
import FileSystem

/// The terminal.
enum Console {
    /// When what is said is coloured, as `--color` says.
    static var color: ColorChoice {
        get { chosenColor.withLock { $0 } }
        set { chosenColor.withLock { $0 = newValue } }
    }

    private static let chosenColor = Locked(ColorChoice.auto)

    /// Writes a line to standard output; what is for programs is never coloured.
    static func say(_ text: String, isForPeople: Bool = true) {
        let text = StandardStreams.named(harmless(text))
        let isPainted = isForPeople && color.paints(STDOUT_FILENO)
        let descriptor = StandardStreams.isOutputTaken ? STDERR_FILENO : STDOUT_FILENO
        write((isPainted ? painted(text) : text) + "\n", to: descriptor)
    }

    /// Writes a line to standard error; an error of no file is that of the program.
    static func complain(_ text: String) {
        let isPathless = ["error: ", "warning: ", "note: "].contains(where: text.hasPrefix)
        let text = StandardStreams.named(harmless(isPathless ? "momtool: " + text : text))
        write((color.paints(STDERR_FILENO) ? painted(text) : text) + "\n", to: STDERR_FILENO)
    }

    /// Says what was noticed on standard error.
    static func show(_ diagnostics: [Diagnostic]) {
        FailureReport.note(diagnostics)
        for diagnostic in diagnostics { complain(diagnostic.description) }
    }

    /// Writes to standard error without ending the line; the terminal may be told what to do.
    static func write(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// The number of columns of the terminal behind a descriptor; `nil` when there is none.
    static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let hasSize = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return hasSize ? Int(size.ws_col) : 80
    }

    /// Returns a text without what a terminal would obey.
    ///
    /// Control characters but for lines and tabs, and those that turn the direction of text, come from names; in JSON
    /// their escapes mean the same.
    private static func harmless(_ text: String) -> String {
        let isHarmful = { (scalar: Unicode.Scalar) in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return text.unicodeScalars.map { scalar in
            isHarmful(scalar)
                ? "\\u" + scalar.value.hexadecimal(4, uppercase: true) : String(scalar)
        }.joined()
    }

    /// Why something could not be written to standard output; `nil` when nothing went wrong.
    static var outputFailure: CommandFailure? {
        lostOutput.withLock { number in
            number.map {
                let reason = String(cString: strerror($0))
                return CommandFailure(.ioFailed, "standard output", reason, .unwritableOutput)
            }
        }
    }

    private static let lostOutput = Locked<Int32?>(nil)

    private static func write(_ text: String, to descriptor: Int32) {
        guard !writeAll(Array(text.utf8), to: descriptor) else { return }
        let number = errno
        // A reader that went away, as `head` does, is no failure of the command.
        guard descriptor == STDOUT_FILENO, number != EPIPE else { return }
        lostOutput.withLock { $0 = $0 ?? number }
    }
}
