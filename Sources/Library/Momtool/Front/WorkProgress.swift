import Diagnostics
import Essentials
package import StoreMigration

/// The progress of long work of any kind.
///
/// ```swift
/// try migrator.migrate(store, to: "New.sqlite") { progress in print(progress.title, progress.done) }
/// ```
public struct WorkProgress: Sendable, Hashable {
    /// What is being done, such as `lightweight V1 → V2` or `verify`.
    public var title: String
    /// How much of it is done: rows written, or checks made.
    public var done: Int
    /// The approximate fraction that is done, from 0 to 1; `nil` while unknown.
    ///
    /// It never falls. For a migration it is 1 only in the last call, when the result is on disk under its name.
    public var fraction: Double?
    /// About the time that the rest takes; `nil` while unknown.
    public var timeLeft: Duration?

    package init(title: String, done: Int, of total: Int) {
        (self.title, self.done) = (title, done)
        fraction = total > 0 ? min(1, Double(done) / Double(total)) : nil
    }

    init(_ progress: MigrationProgress) {
        (title, done) = (progress.title, progress.rows)
        guard progress.count > 0 else { return }
        let part = (Double(progress.place) + progress.stepFraction) / Double(progress.count)
        fraction = part * Self.shareOfSteps
    }

    /// The part of a migration that its steps take; after them the result is checked and written to disk.
    private static let shareOfSteps = 0.9

    /// The progress with the time left if the rest continues at the same rate.
    func timed(_ elapsed: Duration) -> WorkProgress {
        var copy = self
        guard let fraction, fraction > 0.01, fraction < 1 else { return copy }
        copy.timeLeft = elapsed * ((1 - fraction) / fraction)
        return copy
    }
}

extension WorkProgress: CustomStringConvertible {
    /// What is done and how much of it, such as `verify: 120 (40 %)`.
    public var description: String {
        let part =
            fraction.map { " (\(Int(exactly: ($0 * 100 + 1e-9).rounded(.down)) ?? 0) %)" } ?? ""
        return "\(title): \(done)\(part)".onOneLine
    }
}

/// Receives the progress of long work, on the thread that does it.
///
/// It is called at the first progress, then at most about ten times a second, and once when the work is done. Work that
/// fails or is cancelled ends without a last call.
public typealias ProgressHandler = @Sendable (WorkProgress) -> Void

/// Calls handlers as ``ProgressHandler`` describes: all progress that the library reports goes through here.
package final class ProgressRelay: Sendable {
    private struct State {
        var called: ContinuousClock.Instant?
        /// Progress that came too soon after the last call.
        var held: WorkProgress?
    }

    private let handler: ProgressHandler
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state = Locked(State())

    private static let pause = Duration.milliseconds(100)

    package init(
        _ handler: @escaping ProgressHandler,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.handler, self.now) = (handler, now)
        start = now()
    }

    /// Reports the progress, or holds it back where a call was made a moment ago.
    package func report(_ progress: WorkProgress) {
        let time = now()
        let isDue = state.withLock { state in
            guard state.called.map({ time - $0 >= Self.pause }) ?? true else {
                state.held = progress
                return false
            }
            (state.called, state.held) = (time, nil)
            return true
        }
        if isDue { handler(progress.timed(time - start)) }
    }

    /// Ends the work with a last call; when left out, with what was held back.
    package func finish(_ progress: WorkProgress? = nil) {
        let held = state.withLock { state in
            defer { state.held = nil }
            return state.held
        }
        if let last = progress ?? held { handler(last.timed(now() - start)) }
    }
}

/// Passes on the progress of a migration, without every change of the schema, and never backward.
package final class MigrationProgressRelay: Sendable {
    private let next: ProgressRelay
    private let last = Locked(WorkProgress(title: "nothing to do", done: 0, of: 1))

    package init(_ relay: ProgressRelay) { next = relay }

    package var report: @Sendable (MigrationProgress) -> Void { { self.relay($0) } }

    private func relay(_ progress: MigrationProgress) {
        // A change of a small store takes less time than reporting it.
        guard progress.change == nil else { return }
        var progress = WorkProgress(progress)
        last.withLock { last in
            progress.fraction = max(last.fraction ?? 0, progress.fraction ?? 0)
            last = progress
        }
        next.report(progress)
    }

    func finish() {
        var progress = last.withLock { $0 }
        progress.fraction = 1
        next.finish(progress)
    }
}

extension ProgressRelay {
    convenience init?(_ handler: ProgressHandler?) {
        guard let handler else { return nil }
        self.init(handler)
    }
}

extension Optional where Wrapped == ProgressRelay {
    func counting(_ title: String) -> ((_ done: Int, _ total: Int) -> Void)? {
        guard let relay = self else { return nil }
        return { relay.report(WorkProgress(title: title, done: $0, of: $1)) }
    }
}

/// Does blocking work of the library on a thread of its own; cancelling the task stops it.
///
/// ```swift
/// let losses = try await inBackground { try migrator.losses(of: store) }
/// ```
///
/// Stopped work leaves stores and files as they were, and throws an error of the kind `cancelled`. Handlers of progress
/// are called on that thread.
public func inBackground<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let cancellation = MigrationCancellation()
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            // As much as the main thread has: models may be deep.
            startThread(stackSize: 8 << 20) {
                continuation.resume(
                    returning: MigrationCancellation.$current.withValue(cancellation) {
                        Result(catching: work)
                    }
                )
            }
        }
    } onCancel: {
        cancellation.cancel()
    }
    return try result.get()
}
