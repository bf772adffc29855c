package import MigrationPlanning
import SQLiteAccess
import Synchronization

package struct MigrationOptions: Sendable {
    /// What may be lost: rows, values and links without a counterpart in the new version.
    package var acceptsLosses: LossAgreement
    /// Whether SQLite checks all of the result, including that its indexes match its tables.
    ///
    /// That time grows with the store. A new file is always checked but for its indexes, in a tenth of the time.
    package var checksWholeFile: Bool
    /// The time limit of each script, map or handler of a stage; `nil` means no limit.
    ///
    /// It is checked while SQLite works and whenever a handler or policy calls its context. Swift code that computes
    /// without calling the context is stopped only at its next call.
    package var timeout: Duration?
    /// A folder that gets the store as it is after each step; `nil` for none.
    package var stagesFolder: String?
    /// Whether stages may run the programs that they name.
    package var allowsPrograms = false
    /// Whether the result is thrown away; the code of stages can see this.
    var isRehearsal = false
    /// Stops the run from elsewhere; `nil` when nothing does.
    package var cancellation: MigrationCancellation?
    /// Called before and after each step, before each change of the store, and about ten times a second meanwhile.
    package var progress: (@Sendable (MigrationProgress) -> Void)?

    package init(
        acceptsLosses: LossAgreement = .none,
        checksWholeFile: Bool = false,
        timeout: Duration? = nil,
        stagesFolder: String? = nil,
        cancellation: MigrationCancellation? = nil,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) {
        self.acceptsLosses = acceptsLosses
        self.checksWholeFile = checksWholeFile
        self.timeout = timeout
        self.stagesFolder = stagesFolder
        self.cancellation = cancellation
        self.progress = progress
    }
}

/// Asks a migration from elsewhere to stop; the store is then as it was.
package final class MigrationCancellation: Sendable {
    /// That of the work on this thread; `nil` where nothing cancels it.
    @TaskLocal package static var current: MigrationCancellation?

    private let flag = Atomic<Bool>(false)

    package init() {}

    /// Stops the migration at the next opportunity; may be called from a signal handler's queue.
    package func cancel() { flag.store(true, ordering: .relaxed) }

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// How far a migration has come.
///
/// A stage has several steps when it has work before or after its lightweight one.
package struct MigrationProgress: Sendable, Hashable {
    package struct Change: Sendable, Hashable {
        package var step: ProgramStep
        package var index: Int
        package var count: Int
    }

    /// The index of the step among all steps.
    package var place = 0
    package var count: Int
    /// What the step does, such as `Split names: before the step`.
    package var title = ""
    /// The change of the store that is about to be made; `nil` between changes.
    package var change: Change?
    /// The index of the stage among those that run.
    package var stage = -1
    package var stageCount: Int
    package var label = ""
    /// The rows written so far, in all steps.
    package var rows = 0
    package var stageRows = 0
    package var stepRows = 0
    /// About how many rows the step writes if it writes every row of the tables that it changes once, with the rows that
    /// are read to drop a column or make an index.
    package var knownRows = 0
    /// How many of the step's changes that read or write rows are done.
    package var changesMade = 0
    /// How many changes of the step read or write rows; 0 for code.
    package var changeCount = 0
    /// Whether only the checks of a step are left, and writing to disk.
    package var isChecking: Bool { changeCount > 0 && changesMade == changeCount }
    package var stageTime = Duration.zero
    package var stepTime = Duration.zero
    package var isFinished = true
    package var isStageFinished = true

    /// The rows per second in the stage.
    package var rate: Double { Double(stageRows) / max(stageTime / .seconds(1), 0.001) }

    /// The approximate part of the step that is done; less than 1 until it ends.
    ///
    /// Half of it counts the changes, which take different times; half counts the rows, each of which may be written
    /// more than once.
    package var stepFraction: Double {
        guard !isFinished else { return 1 }
        let rows = min(1, Double(stepRows) / Double(max(knownRows, 1)))
        guard changeCount > 0 else { return rows * 0.9 }
        // The checks after the changes count as one more.
        let changes = min(1, Double(changesMade) / Double(changeCount + 1))
        return knownRows > 0 ? (rows + changes) / 2 : changes
    }

    /// The time that the step still takes if it writes every row once; `nil` when nothing indicates it.
    package var timeLeft: Duration? {
        let seconds = stepTime / .seconds(1)
        guard stepRows > 0, stepRows < knownRows, seconds > 0, !isFinished else { return nil }
        return .seconds(seconds * Double(knownRows - stepRows) / Double(stepRows))
    }
}

final class ProgressReporter {
    private let connection: SQLiteConnection
    private let report: @Sendable (MigrationProgress) -> Void
    private let clock = ContinuousClock()
    private var progress: MigrationProgress
    private var stageStart: (time: ContinuousClock.Instant, rows: Int)
    private var stepStart: (time: ContinuousClock.Instant, rows: Int)
    private var last: ContinuousClock.Instant
    /// The rows of the passes that no written row counts.
    private var passed = 0

    private static let pause = Duration.milliseconds(100)

    init(
        _ connection: SQLiteConnection,
        steps: Int,
        stages: Int,
        _ report: @escaping @Sendable (MigrationProgress) -> Void
    ) {
        self.connection = connection
        self.report = report
        let now = clock.now
        (stageStart, stepStart, last) = ((now, 0), (now, 0), now)
        progress = MigrationProgress(count: steps, stageCount: stages)
        connection.countWrittenRows()
    }

    /// Begins a step; a step after a finished stage begins the next one.
    func begin(place: Int, title: String, label: String, knownRows: Int) {
        (stepStart, passed) = ((clock.now, connection.writtenRowCount), 0)
        if progress.isStageFinished {
            stageStart = stepStart
            progress.stage += 1
        }
        (progress.place, progress.title, progress.label) = (place, title, label)
        (progress.knownRows, progress.isFinished, progress.isStageFinished) =
            (knownRows, false, false)
        (progress.changesMade, progress.changeCount) = (0, 0)
        send(clock.now)
    }

    func expect(changes: Int) { (progress.changesMade, progress.changeCount) = (0, changes) }

    func endChange(passing table: String?) {
        progress.changesMade += 1
        guard let table, progress.knownRows > 0 else { return }
        passed += (try? connection.mostRows(of: table)) ?? 0
    }

    func begin(_ change: MigrationProgress.Change) {
        progress.change = change
        send(clock.now)
        progress.change = nil
    }

    /// Reports the progress unless it did so a moment ago.
    func tick() {
        let now = clock.now
        if now - last >= Self.pause { send(now) }
    }

    func end(isLastOfStage: Bool) {
        (progress.isFinished, progress.isStageFinished) = (true, isLastOfStage)
        send(clock.now)
    }

    private func send(_ now: ContinuousClock.Instant) {
        last = now
        progress.rows = connection.writtenRowCount
        progress.stageRows = progress.rows - stageStart.rows
        progress.stepRows = progress.rows - stepStart.rows + passed
        progress.stageTime = now - stageStart.time
        progress.stepTime = now - stepStart.time
        report(progress)
    }
}
