import FileSystem
import MomtoolReporting
import Momtool

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
