import CSQLite
import Essentials

/// Interrupts running statements when their time is over: SQLite's own handler is too rare where a row takes long.
package final class StatementWatch: Sendable {
    /// The connection as long as it may be interrupted; only accessed under the lock.
    private final class Watched: @unchecked Sendable {
        let lock = Lock()
        var handle: OpaquePointer?

        init(_ handle: OpaquePointer) { self.handle = handle }

        /// Interrupts once; `false` when no statement is watched any more.
        func interrupt(_ isDue: Bool) -> Bool {
            lock.lock()
            defer { lock.unlock() }
            guard let handle else { return false }
            if isDue { sqlite3_interrupt(handle) }
            return true
        }
    }

    private let watched: Watched

    package init(_ connection: SQLiteConnection, for duration: Duration) {
        let watched = Watched(connection.handle)
        self.watched = watched
        let end = ContinuousClock.now + duration
        // Without memory for a thread, statements are not limited.
        _ = hasStartedThread(stackSize: 1 << 18) {
            while watched.interrupt(ContinuousClock.now >= end) { usleep(20_000) }
        }
    }

    deinit { stop() }

    package func stop() {
        watched.lock.lock()
        watched.handle = nil
        watched.lock.unlock()
    }
}

extension SQLiteConnection {
    /// Sets the greatest size of one value in bytes; `nil` for what SQLite allows.
    package func limitValues(to bytes: Int32?) {
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes ?? 1_000_000_000)
    }
}
