import ArgumentParser
import Essentials
import MomtoolReporting
import Momtool

/// The formats that the reports of a command have.
protocol FormatList {
    static var formats: [ReportFormat] { get }
}

/// What most reports have.
enum TextFormats: FormatList {
    static let formats: [ReportFormat] = [.text, .json]
}

/// What reports of findings have.
enum FindingFormats: FormatList {
    static let formats = ReportFormat.allCases.filter { $0 != .edits }
}

/// A form of output and the file that it goes to, such as `json` or `json=report.json`; `-` is standard output.
struct OutputRequest<Formats: FormatList>: ExpressibleByArgument {
    var format: ReportFormat
    var path: String?

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard let format = parts.first.flatMap(ReportFormat.init), Formats.formats.contains(format)
        else { return nil }
        self.init(format: format, path: parts.count > 1 ? parts[1] : nil)
    }

    init(format: ReportFormat, path: String? = nil) {
        self.format = format
        self.path = path == "-" ? nil : path
    }

    /// What help offers, and what an error lists.
    static var allValueStrings: [String] { Formats.formats.map(\.rawValue) }

    /// What shells offer.
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// Reports whose places are known before the work begins.
protocol PlacedReports {
    /// Tries the places that reports go to.
    func check(sparing inputs: @autoclosure () -> InputFiles, apartFrom other: String?) throws
}

/// The option `--format` of a command that has other output, too.
struct OutputOptions<Formats: FormatList>: ParsableArguments, PlacedReports {
    @Option(help: formatHelp) var format: [OutputRequest<Formats>] = []
    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    static var formatHelp: ArgumentHelp {
        ArgumentHelp(
            "The output format; FORMAT=PATH writes to a file. May be repeated.",
            valueName: "format[=path]"
        )
    }

    func validate() throws {
        (Console.color, Console.isQuiet) = (color, quiet)
        FailureReport.expect(format.map { ($0.format, $0.path) })
    }

    /// Whether standard output is for people.
    var isForPeople: Bool {
        format.allSatisfy { $0.format == .text || $0.path != nil }
    }

    /// Writes what was asked for, text on standard output when nothing was.
    ///
    /// - Parameters:
    ///   - inputs: what the command reads, whose place no report takes.
    ///   - isVerbatim: whether text is for programs, too, as a patch is.
    ///   - render: writes the report.
    /// - Throws: `CommandFailure` for a file that cannot be written.
    func deliver(
        sparing inputs: @autoclosure () -> InputFiles,
        isVerbatim: Bool = false,
        _ render: (ReportFormat) -> String
    ) throws {
        do {
            try deliver(to: places(sparing: inputs), isVerbatim, render)
        } catch {
            throw FinishedWork.added(to: CommandFailure(error))
        }
    }

    private func deliver(
        to places: [(OutputRequest<Formats>, OutputPlace?)],
        _ isVerbatim: Bool,
        _ render: (ReportFormat) -> String
    ) throws {
        FailureReport.settle()
        func rendered(as format: ReportFormat) -> String { reportingPaths { render(format) } }
        for (request, place) in places {
            if let place {
                let text = StandardStreams.named(rendered(as: request.format))
                try write(Data((text + "\n").utf8), to: place)
                continue
            }
            let form = PrintedForm(request.format)
            let width = form.isForPeople ? Console.width(of: STDOUT_FILENO) : nil
            let text = TextTable.$width.withValue(width) {
                TextTable.$isQuiet.withValue(Console.isQuiet) { rendered(as: request.format) }
            }
            if !text.isEmpty {
                Console.print(text, as: form.isForPeople && isVerbatim ? .verbatim : form)
            }
        }
    }

    /// Tries the places that reports go to; commands that write something else do so before they begin.
    ///
    /// - Parameters:
    ///   - inputs: what the command reads, and where it writes its results.
    ///   - other: a further file that the command writes; `nil` for none.
    /// - Throws: `CommandFailure` when a report could not be delivered.
    func check(
        sparing inputs: @autoclosure () -> InputFiles,
        apartFrom other: String? = nil
    ) throws {
        guard !format.isEmpty else { return }
        let places = try places(sparing: inputs)
        try requireDistinct((places.map { $0.1?.file } + [other]).compactMap(\.self))
        for (_, place) in places { try (place ?? .standardOutput).requireWritable() }
    }

    /// Begins what was asked for, for reports that are written while they are made.
    ///
    /// - Throws: `CommandFailure` for a file that cannot be written.
    func streams(sparing inputs: @autoclosure () -> InputFiles) throws -> [ReportStream] {
        let places = try places(sparing: inputs)
        FailureReport.settle()
        return try places.map { try ReportStream($0.0.format, at: $0.1) }
    }

    /// Looks for the inputs only where a file is written: there may be thousands of them.
    private func places(
        sparing inputs: () -> InputFiles
    ) throws -> [(OutputRequest<Formats>, OutputPlace?)] {
        let requests = format.isEmpty ? [OutputRequest(format: .text)] : format
        let paths = requests.map(\.path)
        let spared = paths.contains { $0 != nil } ? inputs() : InputFiles([])
        return Array(zip(requests, try outputPlaces(of: paths, sparing: spared)))
    }
}

extension OutputOptions {
    /// Writes what a command did, with what was noticed on the way; people who want quiet are shown patches alone.
    ///
    /// - Throws: `CommandFailure` for a file that cannot be written.
    func deliver(_ work: WorkReport, sparing inputs: [String] = []) throws {
        var work = work
        work.diagnostics = FailureReport.takeNoticed()
        let isPatch = work.patch != nil
        try deliver(sparing: InputFiles(inputs), isVerbatim: isPatch) { format in
            format == .text && Console.isQuiet && !isPatch ? "" : work.rendered(as: format)
        }
    }
}

extension WorkReport {
    /// Begins the report of the command that this process was called for, as `model add`.
    init() {
        let words = RunWords.current.prefix(2)
        let isGroup = ["accept", "cloudkit", "model"].contains(words.first)
        self.init(words.prefix(isGroup ? 2 : 1).joined(separator: " "))
    }
}
