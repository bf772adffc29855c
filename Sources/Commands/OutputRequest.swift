import ArgumentParser
import Essentials
package import Reporting

extension ReportFormat: ExpressibleByArgument {}

/// A form of output and the file that it goes to, as `json` or `json=report.json`.
struct OutputRequest: ExpressibleByArgument {
    var format: ReportFormat
    var path: String?

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard let format = parts.first.flatMap(ReportFormat.init) else { return nil }
        self.format = format
        path = parts.count > 1 ? parts[1] : nil
    }
}

/// The option `--format`, which every command that reports something has.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The form of the output, to a file with FORMAT=PATH; may be repeated.",
            valueName: "format[=path]"
        )
    )
    var format: [OutputRequest] = []

    /// Whether standard output is for people.
    var isForPeople: Bool {
        format.allSatisfy { $0.format == .text || $0.path != nil }
    }

    /// Writes what was asked for, text on standard output when nothing was.
    ///
    /// - Parameters:
    ///   - supported: the formats that the command has; another one is a usage error.
    ///   - inputs: what the command reads, whose place no report takes.
    ///   - render: writes the report.
    /// - Throws: `CommandFailure` for a format that is not supported and a file that cannot be written.
    func deliver(
        in supported: [ReportFormat] = [.text, .json],
        sparing inputs: InputFiles,
        _ render: (ReportFormat) -> String
    ) throws {
        for (request, place) in try places(in: supported, sparing: inputs) {
            let text = render(request.format)
            if let place {
                try write(Data((text + "\n").utf8), to: place)
            } else if !text.isEmpty {
                Console.say(text)
            }
        }
    }

    /// Looks at the places that reports go to; commands that write something else do so before they begin.
    ///
    /// - Throws: `CommandFailure` when a report could not be delivered.
    func check(in supported: [ReportFormat], sparing inputs: InputFiles) throws {
        _ = try places(in: supported, sparing: inputs)
    }

    private func places(
        in supported: [ReportFormat],
        sparing inputs: InputFiles
    ) throws -> [(OutputRequest, OutputPlace?)] {
        let requests = format.isEmpty ? [.text] : format
        if let other = requests.first(where: { !supported.contains($0.format) })?.format {
            let names = supported.map(\.rawValue).joined(separator: ", ")
            let message = "error: there is no format '\(other.rawValue)' here; there are: \(names)"
            throw CommandFailure(.usage, [message])
        }
        return Array(zip(requests, try outputPlaces(of: requests.map(\.path), sparing: inputs)))
    }
}

extension OutputRequest {
    fileprivate static let text = OutputRequest(format: .text)

    private init(format: ReportFormat) {
        self.format = format
    }
}
