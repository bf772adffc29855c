import ArgumentParser
import Essentials
import FileSystem
import Momtool
import MomtoolReporting

/// A report that is written while it is made, because it may not fit in memory.
final class ReportStream {
    let format: ReportFormat
    private let draft: OutputDraft
    private let isFile: Bool
    private var pending: [UInt8] = []

    /// The number of bytes to gather before they are written.
    private static let pieceSize = 1 << 16

    init(_ format: ReportFormat, at place: OutputPlace?) throws {
        self.format = format
        isFile =
            switch place?.kind {
            case .file, .stream: true
            case .descriptor, nil: false
            }
        draft = try writing { try OutputDraft(place ?? .standardOutput) }
    }

    var failure: FileError? { draft.failure }

    /// Whether the reader closed it, as `head` does, which is not a failure.
    var isUnread: Bool { !isFile && draft.hasLostReader }

    func write(_ text: String) throws(FileError) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= Self.pieceSize { try flush() }
    }

    func finish() throws(FileError) {
        try flush()
        try draft.finish()
        try draft.publish()
    }

    private func flush() throws(FileError) {
        var text = StandardStreams.named(String(decoding: pending, as: UTF8.self))
        if !isFile { text = PrintedForm(format).harmless(text) }
        pending.removeAll(keepingCapacity: true)
        try draft.write(Array(text.utf8))
    }
}

/// The option `-o` of a command whose output has only one format.
struct TextOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file; standard output when left out.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    func validate() throws { (Console.color, Console.isQuiet) = (color, quiet) }

    /// Writes a text without a final line break; the form is for printing.
    func deliver(_ text: String, as form: PrintedForm) throws {
        guard let place = try outputPlaces(of: [output], sparing: InputFiles([]))[0] else {
            return Console.print(text, as: form)
        }
        try write(Data((text + "\n").utf8), to: place)
    }
}
