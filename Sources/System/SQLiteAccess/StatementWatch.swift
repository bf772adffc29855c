import CSQLite
import Essentials
import Synchronization

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

/// The statements that SQLite runs in this process on any connection, for benchmarks that count them.
package enum StatementTrace {
    private static let running = Mutex<[String]?>(nil)

    package static func statements(of work: () throws -> Void) rethrows -> [String] {
        running.withLock { $0 = [] }
        _ = install
        try work()
        return running.withLock { log in
            defer { log = nil }
            return log ?? []
        }
    }

    private static let install: Void = {
        typealias Opened =
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
            ) -> Int32
        let opened: Opened = { connection, _, _ in
            sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_STMT), noted, nil)
        }
        sqlite3_auto_extension(unsafeBitCast(opened, to: (@convention(c) () -> Void).self))
    }()

    /// Notes each statement that begins; those of triggers come as comments and are left out.
    private static let noted:
        @convention(c) (
            UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> Int32 = { _, _, _, text in
            guard let text else { return 0 }
            let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
            guard !sql.hasPrefix("--") else { return 0 }
            running.withLock { $0?.append(sql) }
            return 0
        }
}
