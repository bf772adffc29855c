import Diagnostics

/// The time limit of a script.
final class ScriptDeadline: Sendable {
    private let end = Locked<ContinuousClock.Instant?>(nil)
    private let cancellation: MigrationCancellation?

    init(_ cancellation: MigrationCancellation?) { self.cancellation = cancellation }

    /// Starts the time limit of a script; `nil` means no limit.
    func start(_ duration: Duration?) {
        end.withLock { $0 = duration.map { ContinuousClock.now + $0 } }
    }

    /// Whether the time is over, cancellation apart.
    var isOver: Bool { end.withLock { end in end.map { ContinuousClock.now >= $0 } ?? false } }

    var hasPassed: Bool { cancellation?.isCancelled == true || isOver }

    /// Throws for a run that was cancelled, or whose time is over.
    func check(_ stage: String) throws(StoreMigrationError) {
        guard hasPassed else { return }
        throw .interrupted(stage: stage, isTimeout: isOver)
    }

    /// Does some work; for a run that was cancelled, whatever the work ends with, throws that instead.
    func during<Result>(
        _ stage: String,
        _ work: () throws(StoreMigrationError) -> Result
    ) throws(StoreMigrationError) -> Result {
        do throws(StoreMigrationError) {
            let result = try work()
            // A short statement may end before SQLite's progress handler runs.
            try check(stage)
            return result
        } catch {
            try check(stage)
            throw error
        }
    }
}
