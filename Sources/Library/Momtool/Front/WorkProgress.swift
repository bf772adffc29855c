import Diagnostics
package import StoreMigration

/// How far long work has come; every kind of it tells with this value.
///
/// ```swift
/// try await migrator.migrate(store, to: "New.sqlite") { progress in print(progress.title, progress.done) }
/// ```
public struct WorkProgress: Sendable, Hashable {
    /// What is being done, such as `lightweight V1 → V2` or `verify`.
    public var title: String
    /// How much of it is done: rows that were written, or checks that were made.
    public var done: Int
    /// About what part of the whole is done, from 0 to 1; `nil` while nothing speaks for it.
    ///
    /// It never falls. Of a migration it is 1 in the last call alone, when the result is on disk under its name.
    public var fraction: Double?
    /// About the time that the whole still takes; `nil` while nothing speaks for it.
    public var timeLeft: Duration?

    init(title: String, done: Int, of total: Int) {
        (self.title, self.done) = (title, done)
        fraction = total > 0 ? min(1, Double(done) / Double(total)) : nil
    }

    init(_ progress: MigrationProgress) {
        (title, done) = (progress.title, progress.rows)
        guard progress.count > 0 else { return }
        let part = (Double(progress.place) + progress.stepFraction) / Double(progress.count)
        fraction = part * Self.shareOfSteps
    }

    /// What part of a migration its steps are; after them the result is checked and brought to disk.
    private static let shareOfSteps = 0.9

    /// The progress with the time that is left if the rest takes as long as what is done.
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

/// Is told how far long work has come, on the thread that does it.
///
/// A migration tells before and after each step of its route, about ten times a second meanwhile, and when it is done.
public typealias ProgressHandler = @Sendable (WorkProgress) -> Void

/// Passes on what a migration tells of itself, without every change of the schema, and never backward.
package final class MigrationTeller: Sendable {
    private let handler: ProgressHandler
    private let start = ContinuousClock.now
    private let last = Locked(WorkProgress(title: "nothing to do", done: 0, of: 1))

    package init(_ handler: @escaping ProgressHandler) { self.handler = handler }

    /// What a migration tells.
    package var report: @Sendable (MigrationProgress) -> Void { { self.tell($0) } }

    private func tell(_ progress: MigrationProgress) {
        // A change of a small store takes less time than telling of it.
        guard progress.change == nil else { return }
        var told = WorkProgress(progress)
        last.withLock { last in
            told.fraction = max(last.fraction ?? 0, told.fraction ?? 0)
            last = told
        }
        handler(told.timed(ContinuousClock.now - start))
    }

    /// Says that all is done.
    func finish() {
        var told = last.withLock { $0 }
        told.fraction = 1
        handler(told)
    }
}

extension Optional where Wrapped == ProgressHandler {
    /// What work tells that counts what is done.
    func counting(_ title: String) -> ((_ done: Int, _ total: Int) -> Void)? {
        guard let handler = self else { return nil }
        let start = ContinuousClock.now
        return { done, total in
            let progress = WorkProgress(title: title, done: done, of: total)
            handler(progress.timed(ContinuousClock.now - start))
        }
    }
}
