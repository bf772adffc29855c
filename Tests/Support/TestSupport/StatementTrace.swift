import CSQLite
import Synchronization

/// The statements that SQLite runs in this process on any connection, for tests that count them.
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
