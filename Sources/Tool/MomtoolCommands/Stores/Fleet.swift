import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import Momtool
import MomtoolReporting

/// What commands that go through many stores are told.
struct FleetOptions: ParsableArguments, Sendable {
    @Option(
        help:
            "How many stores to work on at the same time; twice the number of processors when left out."
    )
    var jobs: Int?

    @Option(
        help:
            "A file to which the outcome of each store is appended as a line of JSON when it ends."
    )
    var journal: String?

    func validate() throws {
        guard jobs.map({ (1...1024).contains($0) }) ?? true else {
            throw ValidationError("--jobs is a number from 1 to 1024")
        }
    }

    /// Looks at the places of reports and journal before anything is written, and opens the journal.
    ///
    /// - Parameters:
    ///   - command: the name of the command.
    ///   - files: what it reads and writes.
    ///   - reports: the reports.
    /// - Returns: the journal; `nil` for none.
    /// - Throws: `CommandFailure` when one is no place for it.
    func openJournal(
        of command: String,
        among files: FleetFiles,
        besides reports: some PlacedReports
    ) throws -> AppendedFile? {
        try reports.check(sparing: files.spared, apartFrom: journal)
        guard let journal else { return nil }
        let place = try OutputPlace(journal, sparing: files.spared)
        if let file = place.file, let start = fileStart(file, 4096) {
            guard mayBeginJournal(start) else {
                let message =
                    "there is a file at this path that is no journal; it is not appended to"
                throw cannotCreate(journal, message)
            }
            if let other = journalCommand(start), other != command {
                let message =
                    "the journal is one of momtool \(other), and takes no outcomes of momtool \(command)"
                throw cannotCreate(journal, message)
            }
        }
        do throws(FileError) {
            return try AppendedFile(journal)
        } catch {
            throw cannotCreate(journal, error.reason)
        }
    }
}

/// What a command for stores reads, and writes besides its reports and its journal.
struct FleetFiles {
    /// The paths of stores and models.
    var inputs: [String]
    /// The lists of stores.
    var lists: StoreLists
    /// Where the results of the stores go.
    var results: [ResultPlaces] = []

    /// What no report may replace.
    var spared: InputFiles {
        InputFiles(inputs + [lists.fromList].compactMap(\.self), besides: results)
    }
}

/// Whether a file may be a journal by its first bytes: a line of one begins so, and no report that is written for people
/// to read; a first line may have been cut off behind its first sign.
private func mayBeginJournal(_ start: [UInt8]) -> Bool {
    var rest = start[...]
    while rest.starts(with: "{\n".utf8) { rest = rest.dropFirst(2) }
    return Array("{\"".utf8).starts(with: rest.prefix(2))
}

/// The command whose journal begins so; `nil` where it is not said, as in older ones.
private func journalCommand(_ start: [UInt8]) -> String? {
    let key = Array("{\"command\":\"".utf8)
    return start.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }.map { line in
        String(
            decoding: line.dropFirst(key.count).prefix { $0 != UInt8(ascii: "\"") },
            as: UTF8.self
        )
    }
}

extension ResultPlaces {
    /// The places of the results of stores, and of the backups.
    static func all(
        of targets: [MigrationTarget],
        output: String?,
        backup: String? = nil
    ) -> [ResultPlaces] {
        [
            output.map { ResultPlaces(targets.compactMap(\.output), below: $0) },
            backup.map { ResultPlaces(targets.compactMap(\.backup), below: $0) },
        ].compactMap(\.self)
    }
}

/// What came of one store.
struct StoreResult<Report: Sendable>: Sendable {
    /// How it ended, for journals and counts.
    var outcome: MigrationOutcome
    /// What the report of all stores says of it.
    var report: Report
    /// Why the command does not end with 0; without messages where the report says it.
    var failure: CommandFailure?
}

extension MigrationOutcome {
    /// Why the work on the store failed, without the path of the store.
    var reasons: String {
        messages.compactMap(Diagnostic.init(said:)).map(\.worded.message).joined(separator: "; ")
    }
}

extension CommandFailure {
    /// Whether a signal, and nothing else, kept a store from being done.
    fileprivate var isInterruption: Bool {
        Interruptions.hasHappened && diagnostics.contains { $0.rule == "interrupted" }
    }
}

extension StoreResult {
    /// Does something to one store; a failure becomes what came of it.
    ///
    /// - Parameters:
    ///   - store: the path of the store.
    ///   - isRefusalTold: whether a refusal is an outcome of its own.
    ///   - failing: makes the report of a failure, from what came of the store.
    ///   - work: does it.
    /// - Returns: what came of the store.
    static func of(
        _ store: String,
        tellingRefusals isRefusalTold: Bool = false,
        failing: (_ outcome: MigrationOutcome) -> Report,
        _ work: () throws -> StoreResult
    ) -> StoreResult {
        do {
            try Interruptions.requireNone(before: store)
            return try work()
        } catch {
            let failure = CommandFailure(error)
            let outcome = MigrationOutcome(
                isRefusalTold && failure.status == .refused ? "refused" : "failed",
                of: store,
                summary: failure.messages.first ?? "",
                messages: failure.messages
            )
            return StoreResult(outcome: outcome, report: failing(outcome), failure: failure)
        }
    }
}

/// Goes through stores, several at a time, and takes down what came of each.
///
/// One that fails stops no other. Only what a report asks for is kept, so that a list may be as long as it likes.
struct Fleet<Report: Sendable>: Sendable {
    /// What is done, for the display of progress.
    let command: String
    /// What the command is told.
    let options: FleetOptions
    /// Whether there may be several stores, so that progress is counted in stores.
    let isOneOfSeveral: Bool
    /// Whether nothing is shown.
    var isQuiet = false
    /// Whether the reports of all stores are kept.
    let keepsReports: Bool
    /// Whether a signal cancels the work on each store, so that all of it ends by itself and what was done is told.
    var isCancellable = false

    /// What came of all stores.
    struct All: Sendable {
        /// The reports, in the order of the stores; empty where they are not kept.
        var reports: [Report] = []
        /// How many stores ended in each way.
        var counts = OutcomeCounts()
        /// The statuses of all that did not go well.
        var statuses: Set<ExitStatus> = []
        /// How many stores a signal kept from being done.
        var interruptedCount = 0
        /// The greatest status, or that of an interruption; `nil` when all went well.
        var worst: ExitStatus? {
            interruptedCount > 0 ? .failed : statuses.max { $0.rawValue < $1.rawValue }
        }
    }

    /// Does something to each store.
    ///
    /// - Parameters:
    ///   - targets: the stores.
    ///   - journal: where each outcome goes at once; `nil` for nowhere.
    ///   - work: does it to one store, on any thread.
    ///   - tell: says what came of a store, in the order of the stores.
    /// - Returns: what came of all.
    func run(
        _ targets: [MigrationTarget],
        journal: AppendedFile?,
        _ work: @escaping @Sendable (MigrationTarget) -> StoreResult<Report>,
        tell: @escaping @Sendable (StoreResult<Report>) -> Void
    ) -> All {
        guard isOneOfSeveral, isCancellable else {
            return runAll(targets, journal: journal, work, tell: tell)
        }
        let all = Interruptions.cancelling { _ in
            runAll(targets, journal: journal, work, tell: tell)
        }
        tellOfInterruption(all, count: targets.count)
        return all
    }

    /// Says once that a signal ended the run, and how it goes on.
    private func tellOfInterruption(_ all: All, count: Int) {
        guard all.interruptedCount > 0 else { return }
        Console.complain(
            "error: interrupted: \(all.interruptedCount) of \(count.counted("store")) are not done, and are as they were; "
                + "go on with the same command [interrupted]"
        )
    }

    private func runAll(
        _ targets: [MigrationTarget],
        journal: AppendedFile?,
        _ work: @escaping @Sendable (MigrationTarget) -> StoreResult<Report>,
        tell: @escaping @Sendable (StoreResult<Report>) -> Void
    ) -> All {
        let display = WorkDisplay(command, unit: "stores", isWanted: isOneOfSeveral && !isQuiet)
        defer { display.clear() }
        // A small store waits for the disk for as long as it takes of a processor.
        let jobs = options.jobs ?? 2 * ProcessInfo.processInfo.activeProcessorCount
        let all = Locked(All())
        inParallel(targets.count, jobs: jobs) { place in
            noted(work(targets[place]), in: journal)
        } tell: { result in
            display.clear()
            let isInterrupted =
                isOneOfSeveral && isCancellable && result.failure?.isInterruption == true
            if let failure = result.failure {
                // One line for all of them is enough.
                if !isInterrupted { Console.complain(once: failure.messages) }
                FailureReport.note(failure.diagnostics)
            }
            tell(result)
            all.withLock { all in
                if keepsReports { all.reports.append(result.report) }
                all.counts.add(result.outcome)
                if isInterrupted { all.interruptedCount += 1 }
                if let status = result.failure?.status { all.statuses.insert(status) }
            }
            display.showNext(of: targets.count)
        }
        return all.withLock(\.self)
    }

    /// Appends an outcome to the journal; where that fails, the store is as the outcome says, and the command fails.
    private func noted(
        _ result: StoreResult<Report>,
        in journal: AppendedFile?
    ) -> StoreResult<Report> {
        guard let journal else { return result }
        do throws(FileError) {
            var outcome = result.outcome
            outcome.command = command
            try journal.append(outcome.line)
            return result
        } catch {
            var result = result
            var failure = result.failure ?? CommandFailure(.ioFailed, [])
            failure.messages.append(
                "\(options.journal ?? ""): error: the outcome cannot be appended: \(result.outcome.summary) [unwritable-file]"
            )
            result.failure = failure
            return result
        }
    }
}
