import ArgumentParser
import Essentials
import FileSystem
import ModelLoading
import Momtool
import MomtoolReporting

/// The options of a command whose whole output is its report: `--format`, and `-o` for a file.
struct ReportOptions<Formats: FormatList>: ReportTargets {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A file for the report; its extension sets the format if --format does not.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Option(name: .customLong("format"), help: OutputOptions<Formats>.formatHelp)
    private var formats: [OutputRequest<Formats>] = []
    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    func validate() throws {
        (Console.color, Console.isQuiet) = (color, quiet)
        _ = try requests()
        expectReports(color, quiet)
    }

    var format: [OutputRequest<Formats>] { (try? requests()) ?? formats }

    private func requests() throws -> [OutputRequest<Formats>] {
        try Formats.requests(formats, to: output, of: "report") { output in
            guard let format = ReportFormat(extensionOf: output) else {
                let names = Formats.formats.map { ReportFormat.extensions[$0, default: ""] }
                let known = Set(names).subtracting([""]).sorted().joined(separator: ", ")
                throw ValidationError(
                    "the extension of '\(output)' is not one of \(known); name the format with --format"
                )
            }
            guard Formats.formats.contains(format) else {
                let names = Formats.formats.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "this report is not written as \(format.rawValue); choose one of \(names) with --format"
                )
            }
            return format
        }
    }
}

extension ReportFormat {
    fileprivate static let extensions: [ReportFormat: String] = [
        .text: ".txt", .json: ".json", .sarif: ".sarif", .markdown: ".md",
        .junit: ".xml", .edits: ".edits",
    ]

    /// The format for the extension of a file, text without one; `nil` for an unknown extension.
    fileprivate init?(extensionOf path: String) {
        switch fileURL(path).pathExtension.lowercased() {
        case "", "log", "txt": self = .text
        case "json": self = .json
        case "sarif": self = .sarif
        case "md", "markdown": self = .markdown
        case "xml": self = .junit
        case "edits": self = .edits
        default: return nil
        }
    }
}

/// Writes reports with paths from the root of the repository where CI looks for files there.
///
/// Swift 6.3's optimiser crashes where it inlines this.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
func reportingPaths<Result>(_ body: () throws -> Result) rethrows -> Result {
    try FindingReport.$pathInRepository.withValue(pathInRepository, operation: body)
}

/// The path of a file from the root of the repository of the current folder; the path itself for any other.
private func pathInRepository(_ path: String) -> String {
    // A path in a revision starts elsewhere.
    let places = Surroundings.current.memory.value(Places())
    guard let root = places.root, !path.contains(":") else { return path }
    let parts = PathParts(path.hasPrefix("/") ? path : places.here + "/" + path).parts
    let whole = "/" + parts.joined(separator: "/")
    let place = whole.hasPrefix(root + "/") ? whole : resolvedPath(whole)
    return place.hasPrefix(root + "/") ? String(place.dropFirst(root.count + 1)) : path
}

private struct Places: Sendable {
    let here: String
    let root: String?

    init() {
        here = resolvedPath(".")
        root = repositoryFolder(around: here)
    }
}

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
