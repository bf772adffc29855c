import ArgumentParser
import Diagnostics
import Essentials
import Reporting

/// `momtool join-reports`: the reports of shards as one.
struct JoinReportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join-reports",
        abstract: "Join reports of several processes into one of the same format.",
        discussion: """
            Takes reports of lint, verify, test, migrate, identify and other commands. All
            must have the same format: JSON, SARIF, GitLab, JUnit or Checkstyle. Ends with
            status 1 when a report contains a failure.

            EXAMPLE
              momtool join-reports verify-*.sarif -o verify.sarif
              momtool join-reports migrate-1.json migrate-2.json migrate-3.json
            """
    )

    @Argument(help: "The reports.", completion: .file())
    var reports: [String]

    @Option(name: .shortAndLong, help: "The joined report; standard output when left out.")
    var output: String?

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        try Commands.run {
            let place = try OutputPlace(output ?? "-", sparing: InputFiles(reports))
            let files = try reports.map { path in
                (path: path, data: Data(try readText(path, limit: 256 << 20).utf8))
            }
            let joined = JoinedReport.joining(files)
            Console.show(joined.diagnostics)
            guard let report = joined.value else { throw CommandFailure(.badData, []) }
            try write(Data((report.text + "\n").utf8), to: place)
            guard !report.hasFailures else { throw CommandFailure(.findings, []) }
        }
    }
}
