import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MigrationTesting
import Momtool
import MomtoolReporting

struct AcceptReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Compare what Core Data did on a Mac with momtool's predictions, rule by rule.",
        discussion: """
            Reads the report that the program of a kit wrote. Ends with status 1 when Core
            Data differs from momtool's prediction. What momtool could not tell is
            listed with the answer.

            EXAMPLE
              momtool accept report Report.json
              momtool accept report Report.json --format markdown=Rulings.md
            """
    )

    @Argument(help: "The report, as JSON.", completion: .file(extensions: ["json"]))
    var report: String

    @Option(
        help: "A newer kit of the same items; the report's own kit when left out.",
        completion: .directory
    )
    var kit: String?

    @OptionGroup var output: ReportOptions<AcceptanceFormats>

    func run() throws {
        let file = try read(report, AcceptanceReport.read)
        let newer = try kit.map { folder in
            let path = fileURL(folder).appending(path: AcceptanceKit.fileName).path
            return try read(path, AcceptanceKit.read)
        }
        let comparison = AcceptanceComparison(of: file, with: newer)
        let words = AcceptanceWords(comparison)
        let inputs = [report] + [kit].compactMap(\.self)
        try output.deliver(sparing: InputFiles(inputs)) { words.text(as: $0) }
        guard comparison.hasAnswers else {
            let message = "Core Data ran no check; the report confirms nothing"
            throw CommandFailure(.noInput, report, message, "nothing-asked")
        }
        guard !comparison.hasDifferences else { throw CommandFailure(.findings, []) }
    }

    private func read<Value>(
        _ path: String,
        _ decode: (Data) throws(AcceptanceFileError) -> Value
    ) throws -> Value {
        let text = try readText(path, limit: 256 << 20)
        do throws(AcceptanceFileError) { return try decode(Data(text.utf8)) } catch {
            throw CommandFailure(.badData, path, error.wording.commandWords, "not-a-report")
        }
    }
}

enum AcceptanceFormats: FormatList {
    static let formats: [ReportFormat] = [.text, .json, .markdown]
}
