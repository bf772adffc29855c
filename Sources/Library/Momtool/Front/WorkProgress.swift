import StoreMigration

/// How far long work has come; every kind of it tells with this value.
///
/// ```swift
/// try await migrator.migrate(store, to: "New.sqlite") { progress in print(progress.title, progress.done) }
/// ```
public struct WorkProgress: Sendable, Hashable {
    /// What is being done, such as `V1 → V2` or `verify`.
    public var title: String
    /// How much of it is done: rows that were written, or checks that were made.
    public var done: Int
    /// The part of the whole that is done, from 0 to 1; `nil` while nothing speaks for it.
    public var fraction: Double?
    /// The time that is left for what ``title`` names; `nil` while nothing speaks for it.
    public var timeLeft: Duration?

    init(title: String, done: Int, of total: Int) {
        (self.title, self.done) = (title, done)
        fraction = total > 0 ? min(1, Double(done) / Double(total)) : nil
    }

    init(_ progress: MigrationProgress) {
        title = progress.title
        done = progress.rows
        timeLeft = progress.timeLeft
        guard progress.count > 0 else { return }
        let part =
            progress.isFinished
            ? 1 : min(1, Double(progress.stepRows) / Double(max(progress.knownRows, 1)))
        fraction = (Double(progress.place) + part) / Double(progress.count)
    }
}

/// Is told how far long work has come, before and after each step of it and about ten times a second, on the thread that
/// does it.
public typealias ProgressHandler = @Sendable (WorkProgress) -> Void

extension Optional where Wrapped == ProgressHandler {
    /// What a migration tells.
    var migrating: (@Sendable (MigrationProgress) -> Void)? {
        guard let handler = self else { return nil }
        return { handler(WorkProgress($0)) }
    }

    /// What work tells that counts what is done.
    func counting(_ title: String) -> ((_ done: Int, _ total: Int) -> Void)? {
        guard let handler = self else { return nil }
        return { done, total in handler(WorkProgress(title: title, done: done, of: total)) }
    }
}
