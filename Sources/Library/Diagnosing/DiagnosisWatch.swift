import SQLiteAccess
import StoreFormat
import StoreMigration

/// Who is told how far a diagnosis has come, and who ends it.
struct DiagnosisWatch {
    /// Is told how much is done of what is under way, and of how much; `nil` disables progress reporting.
    var progress: ((_ done: Int, _ total: Int) -> Void)?
    /// Ends the work from elsewhere; `nil` when nothing does.
    var cancellation: MigrationCancellation?

    /// What work on a store tells its progress, which interrupts its statement when somebody ends the work.
    func progress(of store: StoreFile) -> ((_ done: Int, _ total: Int) -> Void)? {
        guard let cancellation else { return progress }
        return { done, total in
            progress?(done, total)
            if cancellation.isCancelled { store.connection.interrupt() }
        }
    }

    /// Ends work that was cancelled.
    func check(_ path: String) throws(StoreError) {
        guard cancellation?.isCancelled != true else { throw .cancelled(path) }
    }
}
