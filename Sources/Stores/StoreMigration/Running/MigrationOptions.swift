import MappingInference
package import MigrationPlanning
import Synchronization

/// What a run of a migration is told.
package struct MigrationOptions: Sendable {
    /// What may be lost: rows, values and links that have no place in the new version.
    package var acceptsLosses: LossAgreement
    /// Whether SQLite checks all of the result, including that its indexes match its tables.
    ///
    /// The time of that grows with the store. A new file is always checked but for its indexes, which takes a
    /// tenth of the time.
    package var checksWholeFile: Bool
    /// The time limit of each script, map or handler of a stage; `nil` means no limit.
    ///
    /// It is looked at while SQLite works and whenever a handler or policy calls its context. Swift code that computes
    /// on its own, without calling the context, is stopped only when it does.
    package var timeout: Duration?
    /// A folder that gets the store as it is after each step; `nil` for none.
    package var stagesFolder: String?
    /// Whether stages may run the programs that they name.
    package var allowsPrograms = false
    /// Whether the result is thrown away, as code of stages is told.
    var isRehearsal = false
    /// Stops the run from elsewhere; `nil` when nothing does.
    package var cancellation: MigrationCancellation?
    /// Is called before and after each step, before each change of the store, and about ten times a second meanwhile;
    /// `nil` disables progress reporting.
    package var progress: (@Sendable (MigrationProgress) -> Void)?

    /// Creates options.
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

/// Says from elsewhere that a migration shall stop; the store is then as it was.
package final class MigrationCancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Creates a cancellation that has not happened.
    package init() {}

    /// Stops the migration at the next opportunity; may be called from a signal handler's queue.
    package func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether the migration shall stop.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
