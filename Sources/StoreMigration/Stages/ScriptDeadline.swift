import Diagnostics
import Synchronization

/// Says from elsewhere that a migration shall stop; the store is then as it was.
public final class MigrationCancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Creates a cancellation that has not happened.
    public init() {}

    /// Stops the migration at the next opportunity; may be called from a signal handler's queue.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether the migration shall stop.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// The end of the time that a script has.
final class ScriptDeadline: Sendable {
    private let end = Locked<ContinuousClock.Instant?>(nil)
    private let cancellation: MigrationCancellation?

    init(_ cancellation: MigrationCancellation?) {
        self.cancellation = cancellation
    }

    /// Gives a script its time; `nil` gives all the time of the world.
    func start(_ duration: Duration?) {
        end.withLock { $0 = duration.map { ContinuousClock.now + $0 } }
    }

    /// Whether the time is over, cancellation apart.
    var isOver: Bool { end.withLock { end in end.map { ContinuousClock.now >= $0 } ?? false } }

    /// Whether to stop.
    var hasPassed: Bool { cancellation?.isCancelled == true || isOver }
}
