import ArgumentParser
import Essentials
import MomtoolReporting
import Momtool

/// The formats of an output that `--format` and the extension of a file choose among.
protocol FormatChoice {
    associatedtype Format: RawRepresentable<String> & Equatable & Sendable
    static var formats: [Format] { get }
}

protocol FormatList: FormatChoice where Format == ReportFormat {}

enum TextFormats: FormatList { static let formats: [ReportFormat] = [.text, .json] }

enum FindingFormats: FormatList {
    static let formats = ReportFormat.allCases.filter { $0 != .edits }
}

/// A format of output and its file, such as `json` or `json=report.json`; `-` is standard output.
struct OutputRequest<Formats: FormatChoice>: ExpressibleByArgument {
    var format: Formats.Format
    var path: String?

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard let format = parts.first.flatMap(Formats.Format.init),
            Formats.formats.contains(format)
        else { return nil }
        self.init(format: format, path: parts.count > 1 ? parts[1] : nil)
    }

    init(format: Formats.Format, path: String? = nil) {
        self.format = format
        self.path = path == "-" ? nil : path
    }

    /// For help and errors.
    static var allValueStrings: [String] { Formats.formats.map(\.rawValue) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension FormatChoice {
    /// The requests with that of `-o`: one without a path goes to its file.
    static func requests(
        _ given: [OutputRequest<Self>],
        to output: String?,
        of what: String,
        _ format: (String) throws -> Format
    ) throws -> [OutputRequest<Self>] {
        guard let output else { return given }
        var requests = given
        let open = requests.indices.filter { requests[$0].path == nil }
        guard open.count < 2 else {
            throw ValidationError("-o takes one \(what); name the others as --format FORMAT=PATH")
        }
        if let place = open.first {
            requests[place].path = output == "-" ? nil : output
        } else {
            requests.append(OutputRequest(format: try format(output), path: output))
        }
        return requests
    }
}

/// The options of a command that say where its reports go, and in which formats.
protocol ReportTargets: ParsableArguments {
    associatedtype Formats: FormatList
    var format: [OutputRequest<Formats>] { get }
}

/// The option `--format` of a command that has other output, too.
struct OutputOptions<Formats: FormatList>: ReportTargets {
    @Option(help: formatHelp) var format: [OutputRequest<Formats>] = []
    @Option(help: TerminalOptions.colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: TerminalOptions.quietHelp) var quiet = false

    static var formatHelp: ArgumentHelp {
        ArgumentHelp(
            "The output format; FORMAT=PATH writes to a file. May be repeated.",
            valueName: "format[=path]"
        )
    }

    func validate() throws { expectReports(color, quiet) }
}

extension ReportTargets {
    /// Sets how the terminal is written to, and the reports that a failure owes.
    func expectReports(_ color: ColorChoice, _ quiet: Bool) {
        (Console.color, Console.isQuiet) = (color, quiet)
        FailureReport.expect(format.map { ($0.format, $0.path) })
    }

    var isForPeople: Bool { format.allSatisfy { $0.format == .text || $0.path != nil } }

    func deliver(
        sparing inputs: @autoclosure () -> InputFiles,
        isVerbatim: Bool = false,
        _ render: (ReportFormat) -> String
    ) throws {
        do { try deliver(to: places(sparing: inputs), isVerbatim, render) } catch {
            throw UnreportedWork.added(to: CommandFailure(error))
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

    /// Checks the paths of reports; commands that write something else, such as `other`, do so before they begin.
    func check(
        sparing inputs: @autoclosure () -> InputFiles,
        apartFrom other: String? = nil
    ) throws {
        guard !format.isEmpty else { return }
        let places = try places(sparing: inputs)
        try requireDistinct((places.map { $0.1?.file } + [other]).compactMap(\.self))
        for (_, place) in places { try (place ?? .standardOutput).requireWritable() }
    }

    /// Begins the requested reports, for those that are written while they are made.
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

    /// Writes what a command did, with what was noticed; with `--quiet` people see only patches.
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
    /// Begins the report of the command of this process, as `model add`.
    init() {
        let words = RunWords.current.prefix(2)
        let isGroup = ["accept", "cloudkit", "model"].contains(words.first)
        self.init(words.prefix(isGroup ? 2 : 1).joined(separator: " "))
    }
}
