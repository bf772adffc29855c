import FileSystem
package import Essentials
package import SQLiteAccess

/// A store that is open for reading; what is read is as it was when the store was opened.
///
/// Opening changes nothing: no file is created, changed or locked beside the store. A store with a
/// write-ahead log or a journal is copied with it to the temporary folder, where the copy lives as
/// long as the value. In a process that writes the same store at the same time, opening it here
/// would end that writer's locks, as POSIX has it.
package final class StoreFile {
    /// The greatest size of a model that is unpacked, in bytes.
    package static let modelCacheLimit = 64 << 20

    /// The path as the caller gave it.
    package let path: String
    /// The connection to the file, or to its copy.
    package let connection: SQLiteConnection
    private let temporaryFolder: TemporaryFolder?
    /// The files and what they were like when the store was opened; `nil` on somebody else's connection.
    private let opened: (files: StoreFiles, state: [[Int64]])?

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - path: the path of the store's main file.
    ///   - isWhole: whether the tables that every store has must be there; repair brings them back.
    ///   - passesLog: whether a write-ahead log beside the store is passed over, as if it were not there.
    /// - Throws: `StoreError` when there is no such file, when it is no SQLite database, no
    ///   store, damaged or in use.
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
        if isWhole { try requireSystemTables() }
    }

    /// Reads a store through a connection that somebody else opened, in the middle of a transaction perhaps.
    package init(on connection: SQLiteConnection) {
        path = connection.path
        self.connection = connection
        temporaryFolder = nil
        opened = nil
    }

    /// Makes an empty database a copy of the store, by sharing blocks where the file system can.
    ///
    /// The copy is written without a journal and not brought to disk: a fault throws it away whole.
    ///
    /// - Parameters:
    ///   - target: the path of an empty file that no process has open as a database.
    ///   - reportedPath: the path that errors name.
    ///   - shallStop: is asked now and then; `true` ends the copying with an error.
    /// - Returns: a connection to the copy.
    /// - Throws: `StoreError`.
    package func copy(
        to target: String,
        reportedPath: String,
        stoppingWhen shallStop: () -> Bool = { false }
    ) throws(StoreError) -> SQLiteConnection {
        // What was copied aside for reading is not one file, but all is in SQLite's hands.
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
        // The copy's header may name a write-ahead log, whose faults SQLite keeps to itself at the end.
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
    package var usesWriteAheadLog: Bool {
        fileStart(path, 20)?.last == 2
    }

    /// Whether writers keep a write-ahead log, and none was there when the store was opened.
    ///
    /// An app that closed the store leaves none; whoever copies the file of one that is open, and not its log, leaves out the
    /// last saves, or all of them.
    package var lacksLog: Bool {
        opened?.files.sidecars.isEmpty == true && usesWriteAheadLog
    }

    /// What is asked where rows are missing that the log may hold; `nil` where no log is missing.
    var lostLogQuestion: String? {
        guard lacksLog else { return nil }
        return ", and no \(fileURL(path).lastPathComponent)-wal beside it (was the log copied too?)"
    }

    /// Whether a table has rows.
    func hasRows(_ table: String) throws(StoreError) -> Bool {
        try connection.value("SELECT 1 FROM \(quotedIdentifier(table)) LIMIT 1") != nil
    }

    /// Returns all tables, indexes, triggers and views, in order of creation.
    ///
    /// Objects that SQLite makes by itself, as the index of a primary key, have no text and are
    /// left out.
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

    /// Returns the rows of `Z_PRIMARYKEY`, by entity number.
    package func primaryKeys() throws(StoreError) -> [PrimaryKeyRow] {
        try connection.rows(
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

    /// Returns the bytes of the keyed archive of the model that the store was made with.
    ///
    /// - Returns: `nil` when the store is older than model caches, or its cache is empty.
    package func modelArchive() throws(StoreError) -> Data? {
        let exists = try connection.value(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'"
        )
        guard exists != nil,
            let packed = try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")?.blob,
            !packed.isEmpty
        else { return nil }
        do {
            return try inflate(packed, limit: Self.modelCacheLimit)
        } catch {
            throw .damagedModelCache(path: path, reason: error.reason)
        }
    }

    /// Counts the rows of each entity in the tables of a schema.
    ///
    /// - Returns: the counts by entity number; entities without rows are left out, and rows with the number of an entity
    ///   that has another table belong to no entity.
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

    /// The tables of entities by their numbers, where the name of the topmost entity tells which it is.
    private func homeTables(among tables: Set<String>) throws(StoreError) -> [Int64: String] {
        let rows = try primaryKeys()
        let known = Dictionary(
            rows.map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
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

    /// Returns the result of SQLite's own check of the file: nothing when all is well.
    package func integrityFaults(limit: Int = 100) throws(StoreError) -> [String] {
        do throws(StoreError) {
            // What is wrong with pages comes as one text of several lines, below a heading.
            return try connection.rows("PRAGMA integrity_check(\(limit))").compactMap(\.first?.text)
                .flatMap { $0.split(separator: "\n").map(String.init) }
                .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
        } catch .sqlite(_, let code, let message, _) where code & 0xFF == 1 {
            // SQLITE_ERROR: the schema needs an unknown function or collation.
            return [message]
        }
    }

    private func requireSystemTables() throws(StoreError) {
        let tables = ["Z_METADATA", "Z_PRIMARYKEY"]
        var found: Set<String> = []
        try connection.query(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name IN (?, ?)",
            tables.map { .text($0) }
        ) { row throws(StoreError) in
            if let name = row[0].text { found.insert(name) }
        }
        for table in tables where !found.contains(table) {
            throw .notAStore(path: path, missing: table, lacksLog: lacksLog)
        }
    }
}

/// A table, index, trigger or view as a store has it.
package struct SchemaObject: Sendable, Hashable {
    /// What kind of object it is; raw values are SQLite's.
    package enum Kind: String, Sendable, Hashable {
        /// A table.
        case table
        /// An index.
        case index
        /// A trigger.
        case trigger
        /// A view; Core Data makes none.
        case view
    }

    /// What kind of object it is.
    package var kind: Kind
    package var name: String
    /// The table that it belongs to; a table belongs to itself.
    package var table: String
    /// The statement that created it.
    package var sql: String

    package init(kind: Kind, name: String, table: String, sql: String) {
        self.kind = kind
        self.name = name
        self.table = table
        self.sql = sql
    }

    /// Whether it is a table that rows of entities live in, those of history included.
    ///
    /// All of them start with the same three columns (SQLiteStores, "Tables and columns").
    package var isEntityTable: Bool {
        guard kind == .table, let list = sql.firstIndex(of: "(") else { return false }
        let columns = sql[sql.index(after: list)...].drop { $0 == " " }
        return columns.hasPrefix("Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ")
    }

    /// Whether it is one of the tables that keep history.
    package var isHistoryTable: Bool {
        kind == .table && Self.historyTables.contains(name)
    }

    fileprivate static let historyTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    /// Whether it is one of the tables that mirroring to CloudKit adds.
    package var isCloudKitTable: Bool {
        kind == .table && name.hasPrefix("ANSCK")
    }
}

/// The tables that change with a store: those of a layout, and those that Core Data keeps for itself.
///
/// A trigger on one of them may fire.
package struct ChangingTables {
    private let names: Set<String>

    package init(_ layout: StoreLayout) {
        let names = layout.tableNames.union(SchemaObject.historyTables)
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Whether a table is one of them; SQLite notes the name of a trigger's table as it was written, whatever its case.
    package func contains(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("z_") || name.hasPrefix("ansck") || names.contains(name)
    }
}

/// A row of `Z_PRIMARYKEY`.
package struct PrimaryKeyRow: Sendable, Hashable {
    /// The number of the entity.
    package var number: Int64
    /// The name of the entity; its old name when a migration renamed it.
    package var name: String
    /// The number of the parent; 0 for none.
    package var superNumber: Int64
    /// The greatest key ever handed out; kept on the row of the root entity alone.
    package var maximumKey: Int64

    package init(number: Int64, name: String, superNumber: Int64, maximumKey: Int64) {
        self.number = number
        self.name = name
        self.superNumber = superNumber
        self.maximumKey = maximumKey
    }
}
