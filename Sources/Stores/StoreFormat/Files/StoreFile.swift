import ObjectModel
import FileSystem
package import Essentials
package import SQLiteAccess

/// A store that is open for reading, as it was when it was opened.
///
/// Opening changes nothing: no file beside the store is created, changed or locked. A store with a write-ahead log or a
/// journal is copied with it to the temporary folder, where the copy lives as long as the value. In a process that
/// writes the same store at the same time, opening it here would end that writer's locks, as POSIX specifies.
package final class StoreFile {
    /// The greatest size of an unpacked model, in bytes.
    package static let modelCacheLimit = 64 << 20

    package let path: String
    package let connection: SQLiteConnection
    private let temporaryFolder: TemporaryFolder?
    /// The files and their state when the store was opened; `nil` on another owner's connection.
    private let opened: (files: StoreFiles, state: [[Int64]])?

    /// Opens a store; throws when the file is missing, no SQLite database, no store, damaged or in use.
    ///
    /// `isWhole` requires the tables that every store has; repair restores them. `passesLog` ignores a write-ahead log
    /// beside the store.
    package init(
        path: String,
        requiringSystemTables isWhole: Bool = true,
        passingLog passesLog: Bool = false
    ) throws(StoreError) {
        self.path = path
        let files = StoreFiles(path: path, passingLog: passesLog)
        opened = (files, files.state)
        TemporaryFolder.removeLeftoversOnce()
        try files.check()
        if files.sidecars.isEmpty {
            temporaryFolder = nil
            connection = try SQLiteConnection(
                path: files.realPath,
                mode: .immutable,
                reportedPath: path
            )
        } else {
            let folder = try files.copyAside()
            temporaryFolder = folder
            connection = try SQLiteConnection(
                path: folder.url.appendingPathComponent(StoreFiles.copyName).path,
                mode: .readWrite,
                reportedPath: path
            )
        }
        if temporaryFolder != nil, lacksReadableMetadata, Self.isWholeWithoutLog(path) {
            // SQLITE_CORRUPT
            throw .sqlite(path: path, code: 11, message: strayLogWords(path), sql: nil)
        }
        do throws(StoreError) { try requireSystemTables(isWhole) } catch {
            try requireUnchanged()
            throw error
        }
    }

    /// Whether there is no metadata, in a file that has other faults or no tables of a store.
    private var lacksReadableMetadata: Bool {
        let rows = try? connection.rows("SELECT Z_PLIST FROM Z_METADATA")
        guard rows?.isEmpty != false else { return false }
        let isOther = rows == nil && (try? schema().contains(where: \.isEntityTable)) != true
        return isOther || (try? integrityFaults(limit: 1)) != []
    }

    /// Reads a store through another owner's connection, perhaps in the middle of a transaction.
    package init(on connection: SQLiteConnection) {
        path = connection.path
        self.connection = connection
        temporaryFolder = nil
        opened = nil
    }

    /// Makes the empty database at `target` a copy of the store, sharing blocks where the file system can, and returns
    /// a connection to it.
    ///
    /// The copy is written without a journal and not synchronized to disk: a fault discards all of it. No process may
    /// have `target` open; errors name `reportedPath`. `shallStop` is called now and then, and `true` ends the copying
    /// with an error.
    package func copy(
        to target: String,
        reportedPath: String,
        stoppingWhen shallStop: () -> Bool = { false }
    ) throws(StoreError) -> SQLiteConnection {
        // A copy made for reading consists of several files, which only SQLite can copy as one.
        let isShared =
            temporaryFolder == nil
            && opened.map { shareBlocks(from: $0.files.realPath, to: target) } ?? false
        let copy = try SQLiteConnection(path: target, mode: .create, reportedPath: reportedPath)
        try copy.execute("PRAGMA locking_mode = EXCLUSIVE")
        try copy.execute("PRAGMA synchronous = OFF")
        if !isShared {
            try copy.setJournal("off")
            try connection.copy(into: copy, stoppingWhen: shallStop)
        }
        // The copy's header may name a write-ahead log, whose faults SQLite does not report at the end.
        try copy.setJournal("off")
        return copy
    }

    /// Checks that the store was not written since it was opened.
    package func requireUnchanged() throws(StoreError) {
        guard let opened else { return }
        guard opened.files.state == opened.state, !opened.files.isBeingWritten else {
            throw .inUse(path: path)
        }
    }

    /// Whether the file's header says that writers keep a write-ahead log (sqlite.org/fileformat2.html, 1.3.3).
    package var usesWriteAheadLog: Bool { fileStart(path, 20)?.last == 2 }

    /// Whether writers keep a write-ahead log, and none was there when the store was opened.
    ///
    /// An app that closes the store leaves none; a copy of an open store without its log lacks the last saves, or all.
    package var lacksLog: Bool { opened?.files.sidecars.isEmpty == true && usesWriteAheadLog }

    /// The question where the log may hold missing rows; `nil` where no log is missing.
    var lostLogQuestion: String? {
        guard lacksLog else { return nil }
        return ", and no \(fileURL(path).lastPathComponent)-wal beside it (was the log copied too?)"
    }

    func hasRows(_ table: String) throws(StoreError) -> Bool {
        try connection.value("SELECT 1 FROM \(quotedIdentifier(table)) LIMIT 1") != nil
    }

    /// Returns all tables, indexes, triggers and views, in order of creation.
    ///
    /// Objects that SQLite makes automatically, such as the index of a primary key, have no text and are left out.
    package func schema() throws(StoreError) -> [SchemaObject] {
        var objects: [SchemaObject] = []
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        for row in try connection.rows(sql + " ORDER BY rowid") where row.count == 4 {
            guard let kind = row[0].text.flatMap(SchemaObject.Kind.init), let name = row[1].text,
                let table = row[2].text, let text = row[3].text
            else { continue }
            objects.append(SchemaObject(kind: kind, name: name, table: table, sql: text))
        }
        return objects
    }

    package func primaryKeys() throws(StoreError) -> [PrimaryKeyRow] {
        // A view of this name may have rows without end.
        let table = try connection.value(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Z_PRIMARYKEY'"
        )
        guard table != nil else { throw .notAStore(path: path, missing: "Z_PRIMARYKEY") }
        return try connection.rows(
            "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
        ).compactMap { row in
            guard let number = row[0].integer, let name = row[1].text else { return nil }
            return PrimaryKeyRow(
                number: number,
                name: name,
                superNumber: row[2].integer ?? 0,
                maximumKey: row[3].integer ?? 0
            )
        }
    }

    /// Returns the keyed archive of the model that the store was made with; `nil` when the store is older than model
    /// caches, or its cache is empty.
    package func modelArchive() throws(StoreError) -> Data? {
        let exists = try connection.value(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'"
        )
        guard exists != nil,
            let packed = try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")?.blob,
            !packed.isEmpty
        else { return nil }
        do { return try inflate(packed, limit: Self.modelCacheLimit) } catch {
            throw .damagedModelCache(path: path, reason: error.reason)
        }
    }

    /// Counts the rows of each entity in the tables of a schema, by entity number.
    ///
    /// Entities without rows are left out, and rows with the number of another table's entity have none.
    package func rowCounts(of schema: [SchemaObject]) throws(StoreError) -> [Int64: Int] {
        var counts: [Int64: Int] = [:]
        let tables = schema.filter(\.isEntityTable)
        let homes = try homeTables(among: Set(tables.map(\.name)))
        for table in tables {
            let name = quotedIdentifier(table.name)
            let sql = "SELECT Z_ENT, COUNT(*) FROM \(name) GROUP BY Z_ENT"
            for row in try connection.rows(sql) {
                guard let number = row[0].integer, let count = row[1].integer,
                    homes[number].map({ $0 == table.name }) ?? true
                else { continue }
                counts[number, default: 0] += Int(clamping: count)
            }
        }
        return counts
    }

    /// The tables of entities by number, where the name of the topmost entity identifies one.
    private func homeTables(among tables: Set<String>) throws(StoreError) -> [Int64: String] {
        let rows = try primaryKeys()
        let known = Dictionary(firstOf: rows.map { ($0.number, $0) })
        var homes: [Int64: String] = [:]
        for row in rows {
            var root = row
            var seen: Set<Int64> = []
            while let parent = known[root.superNumber], seen.insert(root.number).inserted {
                root = parent
            }
            let table = "Z" + root.name.uppercased()
            if tables.contains(table) { homes[row.number] = table }
        }
        return homes
    }

    /// Returns the faults that SQLite's own check of the file finds.
    package func integrityFaults(limit: Int = 100) throws(StoreError) -> [String] {
        do throws(StoreError) {
            // Faults of pages come as one text of several lines, below a heading.
            return try connection.rows("PRAGMA integrity_check(\(limit))").compactMap(\.first?.text)
                .flatMap { $0.split(separator: "\n").map(String.init) }
                .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
        } catch .sqlite(_, let code, let message, _) where code & 0xFF == 1 {
            // SQLITE_ERROR: the schema needs an unknown function or collation.
            return [message]
        }
    }

    /// Checks the columns of the tables that every store has; `isWhole` requires the tables, too.
    private func requireSystemTables(_ isWhole: Bool) throws(StoreError) {
        let sql =
            "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE "
            + "m.type = 'table' AND m.rootpage > 0 AND m.name IN ('Z_METADATA', 'Z_PRIMARYKEY')"
        guard let rows = try isWhole ? connection.rows(sql) : (try? connection.rows(sql)) else {
            return
        }
        let found = Dictionary(grouping: rows) { $0[0].text }
        for (table, columns) in Self.systemColumns {
            guard let present = found[table] else {
                guard isWhole else { continue }
                throw .notAStore(path: path, missing: table, lacksLog: lacksLog)
            }
            let names = present.map { $0[1].text }
            guard let missing = columns.first(where: { !names.contains($0) }) else { continue }
            let reason = "the table \(table) has no column \(missing)"
            throw .damagedMetadata(path: path, reason: reason)
        }
    }

    private static let systemColumns = [
        (table: "Z_METADATA", columns: ["Z_VERSION", "Z_UUID", "Z_PLIST"]),
        (table: "Z_PRIMARYKEY", columns: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
    ]
}

/// A table, index, trigger or view in a store.
package struct SchemaObject: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case table
        case index
        case trigger
        /// A view; Core Data makes none.
        case view
    }

    package var kind: Kind
    package var name: String
    /// The table that it belongs to; a table belongs to itself.
    package var table: String
    /// The statement that creates it; of a layout, as Core Data writes it.
    package var sql: String
    /// Whether it is a view that SQLite cannot read: then no column of any table can be renamed or removed.
    package var isBroken = false
    /// The columns of an index; empty for anything else, and if an index has expressions.
    package var columns: [String] = []

    package init(kind: Kind, name: String, table: String, sql: String) {
        (self.kind, self.name, self.table, self.sql) = (kind, name, table, sql)
    }

    init(table name: String, _ columns: String) {
        self.init(kind: .table, name: name, table: name, sql: "CREATE TABLE \(name) \(columns)")
    }

    package var isUnique: Bool { sql.hasPrefix("CREATE UNIQUE ") }

    /// Whether it is a table of entities' rows, including those of history.
    ///
    /// All of them start with the same three columns (SQLiteStores, "Tables and columns").
    package var isEntityTable: Bool {
        guard kind == .table, let list = sql.firstIndex(of: "(") else { return false }
        let columns = sql[sql.index(after: list)...].drop { $0 == " " }
        return columns.hasPrefix("Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ")
    }

    package var isHistoryTable: Bool { kind == .table && Self.historyTables.contains(name) }

    fileprivate static let historyTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    /// Whether it is one of the tables that mirroring to CloudKit adds.
    package var isCloudKitTable: Bool { kind == .table && name.hasPrefix("ANSCK") }
}

/// The tables that change with a store: those of a layout, and Core Data's own.
///
/// A trigger on one of them may fire.
package struct ChangingTables {
    private let names: Set<String>

    package init(_ layout: StoreLayout) {
        let names = layout.tableNames.union(SchemaObject.historyTables)
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Whether a table is one of them; SQLite keeps the name of a trigger's table as it was written, in any case.
    package func contains(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("z_") || name.hasPrefix("ansck") || names.contains(name)
    }
}

package struct PrimaryKeyRow: Sendable, Hashable {
    package var number: Int64
    /// The name of the entity; its old name when a migration renamed it.
    package var name: String
    /// The number of the parent; 0 for none.
    package var superNumber: Int64
    /// The greatest key ever used; kept only in the row of the root entity.
    package var maximumKey: Int64
}
