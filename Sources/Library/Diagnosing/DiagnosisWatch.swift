import SQLiteAccess
import StoreFormat
import StoreMigration

/// The progress and cancellation of a diagnosis.
struct DiagnosisWatch {
    var progress: ((_ done: Int, _ total: Int) -> Void)?
    var cancellation: MigrationCancellation?

    /// Progress for work on a store, which interrupts its statement when it is cancelled.
    func progress(of store: StoreFile) -> ((_ done: Int, _ total: Int) -> Void)? {
        guard let cancellation else { return progress }
        return { done, total in
            progress?(done, total)
            if cancellation.isCancelled { store.connection.interrupt() }
        }
    }

    func check(_ path: String) throws(StoreError) {
        guard cancellation?.isCancelled != true else { throw .cancelled(path) }
    }
}
