import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelHashing
import Momtool
import MomtoolReporting
import ObjectModel
import StoreFormat
import StoreMigration

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

    /// Checks the paths of reports and journal before anything is written, and opens the journal, if there is one.
    func openJournal(
        of command: String,
        among files: FleetFiles,
        besides reports: some ReportTargets
    ) throws -> AppendedFile? {
        try reports.check(sparing: files.spared, apartFrom: journal)
        guard let journal else { return nil }
        let place = try OutputPlace(journal, sparing: files.spared)
        if let file = place.file, let start = fileStart(file, 4096) {
            guard mayBeginJournal(start) else {
                let message = "the file at this path is not a journal; nothing is appended to it"
                throw cannotCreate(journal, message)
            }
            if let other = journalCommand(start), other != command {
                let message =
                    "this is a journal of momtool \(other); momtool \(command) cannot append to it"
                throw cannotCreate(journal, message)
            }
        }
        do throws(FileError) { return try AppendedFile(journal) } catch {
            throw cannotCreate(journal, error.reason)
        }
    }
}

/// The files that a command for stores reads, and writes besides its reports and its journal.
struct FleetFiles {
    var inputs: [String]
    var list: String?
    var results: [ResultPlaces] = []

    var spared: InputFiles { InputFiles(inputs + [list].compactMap(\.self), besides: results) }
}

/// Whether a file may be a journal by its first bytes: a line of one begins so, and no report for people does; a first
/// line may have been cut off after its first character.
private func mayBeginJournal(_ start: [UInt8]) -> Bool {
    var rest = start[...]
    while rest.starts(with: "{\n".utf8) { rest = rest.dropFirst(2) }
    return Array("{\"".utf8).starts(with: rest.prefix(2))
}

/// The command whose journal begins so; `nil` in older ones, which do not name it, and for a line that was cut off.
private func journalCommand(_ start: [UInt8]) -> String? {
    let key = Array("{\"command\":\"".utf8)
    return start.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line in
        guard line.starts(with: key) else { return nil }
        let name = line.dropFirst(key.count)
        return name.firstIndex(of: UInt8(ascii: "\"")).map {
            String(decoding: name[..<$0], as: UTF8.self)
        }
    }.first
}

extension ResultPlaces {
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

struct StoreResult<Report: Sendable>: Sendable {
    var outcome: MigrationOutcome
    var report: Report
    /// Why the command does not end with 0; without messages where the report has them.
    var failure: CommandFailure?
}

extension MigrationOutcome {
    /// Why the work on the store failed, without the path of the store.
    var reasons: String {
        messages.compactMap(Diagnostic.init(printed:)).map(\.worded.message).joined(separator: "; ")
    }
}

extension StoreResult {
    /// Does something to one store; a failure becomes its outcome, for which `failing` makes the report.
    static func of(
        _ store: String,
        reportingRefusals isRefusalReported: Bool = false,
        failing: (_ outcome: MigrationOutcome) -> Report,
        _ work: () throws -> StoreResult
    ) -> StoreResult {
        do {
            try Interruptions.requireNone(before: store)
            return try work()
        } catch {
            let failure = CommandFailure(error)
            let outcome = MigrationOutcome(
                isRefusalReported && failure.status == .refused ? "refused" : "failed",
                of: store,
                summary: failure.messages.first ?? "",
                messages: failure.messages
            )
            return StoreResult(outcome: outcome, report: failing(outcome), failure: failure)
        }
    }
}

/// Works on stores, several at a time, and records the outcome of each.
///
/// One that fails stops no other. Only what a report asks for is kept, so that a list may be as long as it likes.
struct Fleet<Report: Sendable>: Sendable {
    let command: String
    let options: FleetOptions
    /// Whether there may be several stores, so that progress is counted in stores.
    let isOneOfSeveral: Bool
    var isQuiet = false
    let keepsReports: Bool
    /// Whether a signal cancels the work on each store, so that all of it ends in order and is reported.
    var isCancellable = false

    struct All: Sendable {
        var reports: [Report] = []
        var counts = OutcomeCounts()
        var statuses: Set<ExitStatus> = []
        /// The number of stores that a signal kept from being done.
        var interruptedCount = 0
        /// The greatest status, or that of an interruption; `nil` when all went well.
        var worst: ExitStatus? {
            interruptedCount > 0 ? .failed : statuses.max { $0.rawValue < $1.rawValue }
        }
    }

    /// Does something to each store, on any thread, and reports each outcome in the order of the stores.
    func run(
        _ targets: [MigrationTarget],
        journal: AppendedFile?,
        _ work: @escaping @Sendable (MigrationTarget) -> StoreResult<Report>,
        handle: @escaping @Sendable (StoreResult<Report>) -> Void
    ) -> All {
        guard isOneOfSeveral, isCancellable else {
            return runAll(targets, journal: journal, work, handle: handle)
        }
        let all = Interruptions.cancelling { _ in
            runAll(targets, journal: journal, work, handle: handle)
        }
        reportInterruption(all, count: targets.count)
        return all
    }

    private func reportInterruption(_ all: All, count: Int) {
        guard all.interruptedCount > 0 else { return }
        Console.complain(
            "error: interrupted: \(all.interruptedCount) of \(count.counted("store")) are not done and unchanged; "
                + "continue with the same command [interrupted]"
        )
    }

    private func runAll(
        _ targets: [MigrationTarget],
        journal: AppendedFile?,
        _ work: @escaping @Sendable (MigrationTarget) -> StoreResult<Report>,
        handle: @escaping @Sendable (StoreResult<Report>) -> Void
    ) -> All {
        let display = WorkDisplay(command, unit: "stores", isWanted: isOneOfSeveral && !isQuiet)
        defer { display.clear() }
        // A small store waits for the disk for as long as it takes of a processor.
        let jobs = options.jobs ?? 2 * ProcessInfo.processInfo.activeProcessorCount
        let all = Locked(All())
        inParallel(targets.count, jobs: jobs) { place in
            noted(work(targets[place]), in: journal)
        } handle: { result in
            display.clear()
            let isInterrupted =
                isOneOfSeveral && isCancellable && Interruptions.hasHappened
                && result.failure?.diagnostics.contains { $0.rule == "interrupted" } == true
            if let failure = result.failure {
                if !isInterrupted { Console.complain(once: failure.messages) }
                FailureReport.note(failure.diagnostics)
            }
            handle(result)
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

/// Continues an earlier run, using its existing results.
extension MigrateCommand {
    /// Returns the outcome of a store whose result an earlier run completed; `nil` when there is work to do.
    ///
    /// A result counts if it is not older than the store, has its identifier and the hashes of the new version, and no
    /// more errors than the store: copied stores share an identifier. Leftovers of that run beside it are removed.
    func outcomeOfEarlierRun(
        _ migration: Migration,
        _ store: StoreFile,
        _ target: MigrationTarget
    ) throws -> MigrationOutcome? {
        guard skipDone ?? (list.isList || inPlace), let version = migration.destination else {
            return nil
        }
        let done = MigrationOutcome(
            done: target.store,
            in: target.output,
            from: migration.source?.name,
            to: version.name
        )
        for path in [target.output ?? target.store, target.backup].compactMap(\.self) {
            WorkFile.removeLeftovers(of: path)
        }
        guard let path = target.output else { return migration.route.steps.isEmpty ? done : nil }
        guard exists(path) else { return nil }
        guard let result = try? StoreFile(path: path),
            let metadata = try? result.metadata(), metadata.hashes == version.hashes,
            metadata.uuid == (try store.metadata().uuid),
            let errors = Self.errors(in: result, version), target.isCurrent(path),
            errors == 0 || errors <= migration.source.flatMap({ Self.errors(in: store, $0) }) ?? 0
        else { throw CommandFailure(leftover: path, of: target) }
        return done
    }

    private static func errors(in store: StoreFile, _ version: ModelVersion) -> Int? {
        let findings = try? StoreFormat.verify(store, against: version.model)
        return findings?.count { $0.severity == .error }
    }
}

extension CommandFailure {
    /// Refuses to replace a file at the path of a result, with advice.
    init(leftover path: String, of target: MigrationTarget) {
        let isStale = exists(path) && !target.isCurrent(path)
        let message =
            isStale
            ? "already exists, and is older than the last change of \(target.store)"
            : "already exists, and is not a complete result of \(target.store)"
        self.init(.cannotCreate, path, message + "; remove it to create it again", "file-exists")
    }
}

/// Continues an earlier run, using its existing repaired stores.
extension RepairCommand {
    /// The result of an earlier run, which is not touched; `nil` if there is work to do.
    func resultOfEarlierRun(
        _ target: MigrationTarget,
        _ store: StoreFile,
        _ model: ManagedObjectModel
    ) throws -> StoreResult<RepairReport>? {
        guard skipDone ?? list.isList, let path = target.output else { return nil }
        WorkFile.removeLeftovers(of: path)
        guard target.isCurrent(path), let made = try? StoreFile(path: path),
            let metadata = try? made.metadata(),
            // Repair may have restored the store's own metadata.
            (try? store.metadata().uuid).map({ $0 == metadata.uuid }) ?? true,
            let findings = try? StoreFormat.verify(made, against: model),
            findings.allSatisfy({ $0.severity == .note })
        else { return nil }
        let outcome = MigrationOutcome(done: target.store, in: path, from: nil, to: nil)
        let report = RepairReport(doneBefore: target.store, in: path)
        return StoreResult(outcome: outcome, report: report)
    }

    /// Refuses to replace a file of an earlier run that is not a repaired copy of the store.
    func requireNoLeftover(of target: MigrationTarget) throws {
        guard let path = target.output, skipDone ?? list.isList, exists(path) else { return }
        throw CommandFailure(leftover: path, of: target)
    }
}
