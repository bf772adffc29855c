import Momtool
import ArgumentParser
import Diagnostics
import Essentials
import MomtoolReporting

/// `momtool join-reports`: the reports of shards as one.
struct JoinReportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join-reports",
        abstract: "Join reports of several processes into one of the same format.",
        discussion: """
            Takes reports of lint, verify, test, migrate, identify and other commands. All
            must have the same format: JSON, SARIF, GitLab or JUnit; or they
            are journals, in which the last outcome of each store counts. Of several
            reports, one in which a store is done counts before one in which it is not.
            Ends with status 1 when the joined report contains a failure, or when an
            input of --expect is missing or was done twice. With -o it says in a line
            what the joined report holds, and names what is not done.

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
        try MomtoolCommands.run {
            let place = try OutputPlace(
                output ?? "-",
                sparing: InputFiles(reports + [expect].compactMap(\.self))
            )
            let files = ReportFiles(reports)
            let isWhole =
                try files.areJournals() ? joinJournals(files, at: place) : join(files, at: place)
            guard isWhole else { throw CommandFailure(.findings, []) }
        }
    }

    /// Joins reports that are read in one piece.
    ///
    /// - Returns: whether nothing failed, and the inputs are those that are expected.
    private func join(_ files: ReportFiles, at place: OutputPlace) throws -> Bool {
        let contents = try reports.enumerated().map { index, path in
            (path: path, data: try files.data(index))
        }
        let joined = JoinedReport.joining(contents)
        Console.show(joined.diagnostics)
        guard let report = joined.value else { throw CommandFailure(.badData, []) }
        var isComplete = true
        if let expect {
            guard var inputs = report.inputs else {
                let message =
                    "reports of this format do not name their inputs; --expect takes JSON of commands"
                    + " for stores or tests, JUnit, and journals"
                throw CommandFailure(.usage, reports[0], message, "not-a-report")
            }
            // Names in JUnit's reports have no line breaks.
            isComplete = try compare(list: expect) { inputs.list($0) ?? inputs.list($0.onOneLine) }
            let unlisted = report.names.indices.filter { !inputs.isListed($0) }
            tellUnlisted(unlisted.map { report.names[$0] })
        }
        try write(report.format, to: place) { try $0.write(report.text + "\n") }
        if place.file != nil { tell(report) }
        return !report.hasFailures && isComplete
    }

    /// Joins journals, which may be of any size: each outcome that counts is read again when it is written.
    ///
    /// - Returns: whether nothing failed, and the inputs are those that are expected.
    private func joinJournals(_ files: ReportFiles, at place: OutputPlace) throws -> Bool {
        var outcomes = try files.outcomes()
        var isWhole = true
        if let expect { isWhole = try compare(list: expect) { outcomes.list($0) } }
        var (owners, faults, unlisted) = (ResultOwners(), [Diagnostic](), [String]())
        var open = OpenStores()
        try write(.json, to: place) { stream in
            let (start, end) = JournalOutcomes.frame(of: outcomes.count)
            try stream.write(start)
            for index in 0..<outcomes.count {
                let outcome = try files.outcome(at: outcomes.position(index))
                let fault = owners.add(outcome, index) {
                    try? files.outcome(at: outcomes.position($0)).store
                }
                if let fault { faults.append(fault) }
                if !outcomes.isDone(index) { open.add(outcome) }
                if expect != nil, !outcomes.isListed(index) { unlisted.append(outcome.store) }
                try stream.write((index == 0 ? "" : ",\n") + JournalOutcomes.element(outcome))
            }
            try stream.write(end + "\n")
        }
        Console.show(faults)
        tellUnlisted(unlisted)
        if place.file != nil { open.tell(of: outcomes.count, in: output) }
        return isWhole && open.count == 0 && faults.isEmpty
    }

    /// Says what a report holds that is in a file.
    private func tell(_ report: JoinedReport) {
        let data = Data(report.text.utf8)
        guard report.format == .json, report.inputs != nil,
            let stores = MigrationOutcomes.unfinished(data, path: "").value
        else {
            let end = report.hasFailures ? "something failed or is wrong" : "nothing failed"
            let count = reports.count.counted("report")
            return Console.tell("\(count) joined: \(report.summary ?? end)")
        }
        var open = OpenStores()
        for outcome in stores { open.add(outcome) }
        open.tell(of: report.names.count, in: output)
    }

    /// Writes a report; a reader that went away is no failure.
    private func write(
        _ format: ReportFormat,
        to place: OutputPlace,
        _ body: (ReportStream) throws -> Void
    ) throws {
        let stream = try ReportStream(format, at: place)
        do {
            try writing {
                try body(stream)
                try stream.finish()
            }
        } catch {
            guard stream.isUnread else { throw error }
        }
    }

    /// Says which inputs in a list no report names, or more than one has done.
    ///
    /// - Parameters:
    ///   - list: the path of the list.
    ///   - times: how many times an input was done; `nil` where no report names it.
    /// - Returns: whether there are none.
    /// - Throws: `CommandFailure` when the list cannot be read.
    private func compare(list: String, _ times: (String) -> Int?) throws -> Bool {
        var faults: [String: Int] = [:]
        try StoreLists.forEachPath(inList: list) { path in
            let count = times(path)
            if count == nil || count ?? 0 > 1 { faults[path] = count ?? 0 }
        }
        Console.show(
            faults.sorted { $0.key < $1.key }.map { path, count in
                let message =
                    count == 0 ? "no report names this input" : "\(count) reports did this input"
                let rule: RuleID = count == 0 ? "missing-input" : "repeated-input"
                return Diagnostic(rule, message, at: FileLocation(path: path))
            }
        )
        return faults.isEmpty
    }

    /// Warns of inputs that a list lacks: it may be that of another run.
    private func tellUnlisted(_ paths: [String]) {
        Console.show(
            paths.sorted().map { path in
                let message = "the list does not name this input"
                let place = FileLocation(path: path)
                return Diagnostic("unlisted-input", message, severity: .warning, at: place)
            }
        )
    }
}

/// The stores of a joined report that are not done.
private struct OpenStores {
    /// How many there are.
    private(set) var count = 0
    /// What is said of the first of them: there may be a million.
    private var lines: [String] = []

    mutating func add(_ outcome: MigrationOutcome) {
        count += 1
        if count <= 10 { lines.append(outcome.summary) }
    }

    /// Says what they are, of how many stores, and how to go on with the report in a file.
    func tell(of all: Int, in report: String?) {
        for line in lines { Console.tell(line) }
        if count > lines.count { Console.tell("and \(count - lines.count) more") }
        guard count > 0, let report else {
            return Console.tell("\(all.counted("store")), all done")
        }
        Console.tell(
            "\(count) of \(all.counted("store")) not done; --retry-failed \(shellWord(report)) takes these"
        )
    }
}
