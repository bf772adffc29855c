package import MigrationPlanning
import Synchronization

package struct MigrationOptions: Sendable {
    /// What may be lost: rows, values and links without a counterpart in the new version.
    package var acceptsLosses: LossAgreement
    /// Whether SQLite checks all of the result, including that its indexes match its tables.
    ///
    /// That time grows with the store. A new file is always checked except for its indexes, which takes a tenth of the
    /// time.
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
