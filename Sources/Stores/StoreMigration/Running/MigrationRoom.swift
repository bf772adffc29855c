import Essentials
import FileSystem
import SQLiteAccess
package import StoreFormat

/// The space and time that a migration needs, as far as they can be predicted.
///
/// File sizes are known; how much is rewritten is estimated by the kinds of steps and the share of rows in the changed
/// tables. `Benchmarks table --predictions` prints predictions beside measurements, from 10,000 rows to a million, and
/// counts how many are within a factor of two.
package struct MigrationRoom: Sendable, Hashable {
    /// The bytes of the store, including its log.
    package var store: Int
    /// The bytes of the external files of large values.
    package var external: Int
    /// About how many bytes all steps write.
    package var written: Int
    /// About how many bytes the file grows by meanwhile; free pages are used first.
    package var growth: Int
    /// About how many bytes they write once more; the rows that are counted before take as long as some bytes.
    package var repeated: Int
    /// About how many entries all steps add to indexes and join tables, each in a different page.
    package var entries: Int

    package var ofCopy: Int { store + external + growth }
    /// What a change in place takes: the log or journal of the transaction, and the growth.
    package var inPlace: Int { written + growth }
    package var ofBackup: Int { store + external }

    /// About how many seconds of processor time a migration takes: a process's start, and a part that grows with the
    /// bytes written.
    package func seconds(ofCopy isCopy: Bool) -> Double {
        let megabytes = Double(written + repeated) / 1_048_576
        let copied = isCopy ? Double(ofBackup) / 1_048_576 : 0
        return 0.024 + megabytes * 0.0065 + Double(entries) * 0.5e-6 + copied * 0.002
    }

    /// About how many bytes of memory a migrating process takes: itself, its models, and SQLite's page cache.
    ///
    /// Rows stay in the file, so their number does not matter.
    package var memory: Int { (26 << 20) + min(written, 8 << 20) }

    /// Refuses what does not fit, before anything is written, with both numbers.
    ///
    /// `needs` are the bytes at each path; paths on one file system share its room.
    static func require(_ needs: [(path: String, bytes: Int)]) throws(StoreMigrationError) {
        var sums: [UInt64: (path: String, bytes: Int, free: Int)] = [:]
        for (path, bytes) in needs where bytes > 0 {
            guard let room = FileSystemRoom(at: path) else { continue }
            let known = sums[room.device]
            sums[room.device] = (known?.path ?? path, (known?.bytes ?? 0) + bytes, room.free)
        }
        for place in sums.values.sorted(by: { $0.path < $1.path }) where place.bytes > place.free {
            throw .noRoom(path: place.path, needed: place.bytes, free: place.free)
        }
    }
}

extension Migration {
    package func room(for store: StoreFile) throws(StoreMigrationError) -> MigrationRoom {
        try room(on: store.connection, of: store.path)
    }

    func room(
        on connection: SQLiteConnection,
        of path: String
    ) throws(StoreMigrationError) -> MigrationRoom {
        try storeErrors { () throws(StoreError) in
            func pragma(_ name: String) throws(StoreError) -> Int {
                Int(clamping: try connection.value("PRAGMA \(name)")?.integer ?? 0)
            }
            let pageSize = try pragma("page_size")
            let bytes = try pragma("page_count") * pageSize
            let free = try pragma("freelist_count") * pageSize
            let rows = try mostRows(on: connection, bytes: bytes)
            let sum = rows.values.reduce(0, +)
            let shares = sum > 0 ? rows.mapValues { $0 / sum } : [:]
            var (written, repeated, greatest, entries) = (0.0, 0.0, 0.0, 0.0)
            for program in programs {
                let (once, again) = program.rewrittenShares(shares)
                let step = once * Double(bytes - free)
                written += step
                repeated += again * Double(bytes - free)
                entries += program.entries(rows)
                greatest = Swift.max(greatest, step)
            }
            for case let step? in steps.map(\.stepProgram) {
                let counted = step.questions.compactMap(\.rows).filter { $0.known == nil }
                for table in Set(counted.map(\.table)) { repeated += 24 * (rows[table] ?? 0) }
            }
            let external = bytesOfFiles(in: externalDataFolder(of: path).path)
            // Which of the files these are is known when their values are read.
            let taken = external > 0 && programs.contains(where: \.takesFilesIn) ? external : 0
            return MigrationRoom(
                store: bytes,
                external: external,
                written: Int(written) + taken,
                growth: Swift.max(0, Int(greatest) + taken - free),
                repeated: Int(repeated),
                entries: Int(entries)
            )
        }
    }

    /// The fewest bytes that a row takes, which has a key, an entity and a number of saves.
    private static let leastRow = 8

    /// The approximate number of rows of each table: its greatest key, which needs no pass, but no more than fit.
    private func mostRows(
        on connection: SQLiteConnection,
        bytes: Int
    ) throws(StoreError) -> [String: Double] {
        var rows: [String: Double] = [:]
        for table in try StoreFile(on: connection).schema() where table.isEntityTable {
            let greatest = try connection.mostRows(of: table.name)
            rows[table.name] = Double(Swift.min(greatest, bytes / Self.leastRow))
        }
        return rows
    }
}

extension MigrationProgram {
    fileprivate var takesFilesIn: Bool { steps.contains { $0.sql.contains(ExternalForm.removing) } }

    /// The entries that the steps add to indexes and join tables, by the rows of the tables.
    ///
    /// A link is counted twice: a join table has an index of its other side. Links are not counted; their number is
    /// assumed to be that of the rows of the largest table.
    fileprivate func entries(_ rows: [String: Double]) -> Double {
        let largest = rows.values.max() ?? 0
        return steps.reduce(0) { sum, step in
            switch step.action {
            case .schema(.createIndex(let index)): sum + (rows[index.table] ?? 0)
            case .rows(.fillJoinTable), .rows(.writeJoinTable): sum + 2 * largest
            default: sum
            }
        }
    }

    /// The shares of a store that the steps write, and that they write once more, by the shares of its tables.
    fileprivate func rewrittenShares(
        _ shares: [String: Double]
    ) -> (once: Double, again: Double) {
        let changed = changes.filter { [.update, .rebuild].contains($0.treatment) }.map(\.table)
        // SQLite rewrites every row of a table that loses a column.
        let narrowed = steps.compactMap { step in
            if case .schema(.dropColumn(_, let table)) = step.action { table } else { nil }
        }
        let passes = narrowed + updatedTables
        func sum(_ tables: some Sequence<String>) -> Double {
            tables.reduce(0) { $0 + (shares[$1] ?? 0) }
        }
        let tables = Set(changed + passes)
        var share = sum(tables)
        let again = sum(passes) - sum(Set(passes))
        // A new table takes the rows of others: all may move.
        if tables.contains(where: { shares[$0] == nil }) { share = 1 }
        for step in steps {
            guard case .schema(.createIndex(let index)) = step.action, !tables.contains(index.table)
            else { continue }
            share += 0.4 * (shares[index.table] ?? 0)
        }
        return (share, again)
    }
}
