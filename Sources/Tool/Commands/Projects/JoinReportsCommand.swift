import Momtool
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
            must have the same format: JSON, SARIF, GitLab, JUnit or Checkstyle; or they
            are journals, in which the last outcome of each store counts. Ends
            with status 1 when a report contains a failure, or when an input of --expect
            is missing or was done twice.

            EXAMPLE
              momtool join-reports verify-*.sarif -o verify.sarif
              momtool join-reports migrate-1.json migrate-2.json migrate-3.json
              momtool join-reports journal-*.jsonl --expect stores.txt -o migrate.json
            """
    )

    @Argument(help: "The reports.", completion: .file())
    var reports: [String]

    @Option(
        help: ArgumentHelp(
            "A list of the inputs that the reports must name once each, one per line or separated by NUL.",
            valueName: "file"
        ),
        completion: .file()
    )
    var expect: String?

    @Option(name: .shortAndLong, help: "The joined report; standard output when left out.")
    var output: String?

    @OptionGroup var terminal: TerminalOptions

    func run() throws {
        try Commands.run {
            let place = try OutputPlace(
                output ?? "-",
                sparing: InputFiles(reports + [expect].compactMap(\.self))
            )
            let files = try reports.map { path in
                (path: path, data: Data(try readText(path, limit: 256 << 20).utf8))
            }
            let joined = JoinedReport.joining(files)
            Console.show(joined.diagnostics)
            guard let report = joined.value else { throw CommandFailure(.badData, []) }
            let isComplete = try expect.map { try names(inList: $0, report) } ?? true
            try write(Data((report.text + "\n").utf8), to: place)
            guard !report.hasFailures, isComplete else { throw CommandFailure(.findings, []) }
        }
    }

    /// Whether a report names every input of a list once; says which it does not.
    private func names(inList list: String, _ report: JoinedReport) throws -> Bool {
        guard let subjects = report.subjects else {
            let message = "reports of this format do not name their inputs"
            let cure = "; --expect takes JSON of commands for stores or tests, JUnit, and journals"
            throw CommandFailure(.usage, reports[0], message + cure, "not-a-report")
        }
        var counts: [String: Int] = [:]
        for subject in subjects { counts[subject, default: 0] += 1 }
        let faults = Set(try StoreLists.paths(inList: list)).sorted().compactMap { path in
            let count = counts[path, default: 0]
            // A test of JUnit belongs to a store, which may have several.
            let isTwice = count > 1 && !report.countsFindings
            guard count == 0 || isTwice else { return nil as Diagnostic? }
            let message =
                count == 0 ? "no report names this input" : "\(count) reports name this input"
            let rule: RuleID = count == 0 ? "missing-input" : "repeated-input"
            return Diagnostic(rule, message, at: SourceLocation(path: path))
        }
        Console.show(faults)
        return faults.isEmpty
    }
}
