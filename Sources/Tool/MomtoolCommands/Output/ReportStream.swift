import Essentials
import FileSystem
import MomtoolReporting
import Momtool

/// A report that is written while it is made, because it may be longer than what memory holds.
final class ReportStream {
    /// The form that was asked for.
    let format: ReportFormat
    private let draft: OutputDraft
    private let isFile: Bool
    private var pending: [UInt8] = []

    /// As many bytes are gathered before they are written.
    private static let pieceSize = 1 << 16

    /// Begins a report at a place; `nil` is standard output.
    init(_ format: ReportFormat, at place: OutputPlace?) throws {
        self.format = format
        isFile =
            switch place?.kind {
            case .file, .stream: true
            case .descriptor, nil: false
            }
        draft = try writing { try OutputDraft(place ?? .standardOutput) }
    }

    /// Why it could not be written.
    var failure: FileError? { draft.failure }

    /// Whether the reader closed it, such as `head`, which is no failure.
    var isUnread: Bool { !isFile && draft.hasLostReader }

    /// Adds text.
    func write(_ text: String) throws(FileError) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= Self.pieceSize { try flush() }
    }

    /// Ends the report and puts the file in its place.
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
