package import ObjectModel

/// The tables of persistent history, where tracking is on (SQLiteStores, "Persistent history").
package struct HistoryLayout: Sendable, Hashable {
    /// The entities of history, with their fixed numbers.
    package var entities: [NumberedEntity]
    package var tables: [HistoryTable]
    package var indexes: [StoreIndex]

    package struct HistoryTable: Sendable, Hashable {
        package var name: String
        /// The statement that creates it, as Core Data writes it.
        package var sql: String
    }

    /// Computes the history tables of a model, with columns for the values that each entity keeps on deletion.
    package init(model: ManagedObjectModel, options: LayoutOptions = LayoutOptions()) {
        let hasStrings = options.frameworkVersion >= FrameworkVersion.historyStrings
        entities = ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"].prefix(hasStrings ? 3 : 2)
            .enumerated().map { offset, name in
                NumberedEntity(
                    number: Self.firstNumber + offset,
                    name: name,
                    superNumber: 0,
                    rootName: name,
                    isAbstract: false
                )
            }
        tables = [Self.change(tombstones: Self.tombstoneColumns(of: model))]
        tables.append(Self.transaction(hasStrings: hasStrings))
        if hasStrings { tables.append(Self.strings) }
        indexes = Self.indexes(hasStrings: hasStrings)
    }

    /// Returns the names of the columns that keep values of deleted objects, in the order of their numbers.
    package static func tombstoneColumns(of model: ManagedObjectModel) -> [String] {
        (0..<tombstoneCount(of: model)).map { "ZTOMBSTONE\($0)" }
    }

    package static let firstNumber = 16001

    /// Returns the greatest number of values that any entity, with inherited ones, keeps on deletion.
    static func tombstoneCount(of model: ManagedObjectModel) -> Int {
        let numbered = NumberedModel(model)
        var counts: [Int] = []
        for (position, definition) in numbered.definitions.enumerated() {
            let own = definition.entity.attributes.count(where: \.preservesValueInHistoryOnDeletion)
            counts.append(own + (numbered.parent(of: position).map { counts[$0] } ?? 0))
        }
        return counts.max() ?? 0
    }

    private static let head = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

    private static func change(tombstones: [String]) -> HistoryTable {
        let values = tombstones.map { ", \($0) BLOB" }.joined()
        return HistoryTable(
            name: "ACHANGE",
            sql: "CREATE TABLE ACHANGE ( \(head), ZCHANGETYPE INTEGER, ZENTITY INTEGER, "
                + "ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(values) )"
        )
    }

    private static let stringColumns = [
        "ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS",
    ]

    private static func transaction(hasStrings: Bool) -> HistoryTable {
        let keys = hasStrings ? stringColumns.map { ", \($0) INTEGER" }.joined() : ""
        return HistoryTable(
            name: "ATRANSACTION",
            sql: "CREATE TABLE ATRANSACTION ( \(head)\(keys), ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
                + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )"
        )
    }

    private static let strings = HistoryTable(
        name: "ATRANSACTIONSTRING",
        sql: "CREATE TABLE ATRANSACTIONSTRING ( \(head), ZNAME VARCHAR )"
    )

    private static func indexes(hasStrings: Bool) -> [StoreIndex] {
        func plain(_ table: String, _ column: String) -> StoreIndex {
            let name = "\(table)_\(column)_INDEX"
            return StoreIndex(
                name: name,
                table: table,
                sql: "CREATE INDEX \(name) ON \(table) (\(column))"
            )
        }
        func fetch(_ name: String, _ column: String) -> StoreIndex {
            let sql = "CREATE INDEX \(name) ON ATRANSACTION (\(column) COLLATE BINARY ASC)"
            return StoreIndex(name: name, table: "ATRANSACTION", sql: sql)
        }
        let keys = hasStrings ? stringColumns.map { plain("ATRANSACTION", $0) } : []
        let unique = StoreIndex(
            name: "Z_TRANSACTIONSTRING_UNIQUE_NAME",
            table: "ATRANSACTIONSTRING",
            isUnique: true,
            sql: "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING "
                + "(ZNAME COLLATE BINARY ASC)"
        )
        return [plain("ACHANGE", "ZTRANSACTIONID")] + keys + [
            fetch("Z_TRANSACTION_TransactionAuthorIndex", "ZAUTHOR"),
            fetch("Z_TRANSACTION_TransactionTimestampIndex", "ZTIMESTAMP"),
        ] + (hasStrings ? [unique] : [])
    }

    /// Returns the rows of `Z_PRIMARYKEY` whose tables of history or mirroring are not among `present`.
    package static func lost(_ rows: [PrimaryKeyRow], _ present: Set<String>) -> [LostTable] {
        let groups = [["ACHANGE", "ATRANSACTION"], present.filter { $0.hasPrefix("ANSCK") }]
        return rows.filter { $0.number >= firstNumber }.compactMap { row in
            let table = "A" + row.name.uppercased()
            guard !present.contains(table) else { return nil }
            let group = groups[table.hasPrefix("ANSCK") ? 1 : 0]
            return LostTable(
                table: table,
                name: row.name,
                maximumKey: row.maximumKey,
                isAlone: !present.isDisjoint(with: group)
            )
        }
    }

    /// A missing table of history or mirroring whose rows the store still counts.
    package struct LostTable: Sendable, Hashable {
        package var table: String
        package var name: String
        /// The number of rows that it may have had.
        package var maximumKey: Int64
        /// Whether others of its kind exist: if all are missing, history or mirroring may have been switched off.
        package var isAlone: Bool
    }

    /// The condition that a row of `ACHANGE` names a transaction that does not exist.
    package static let hasNoTransaction =
        "ZTRANSACTIONID IS NOT NULL AND ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)"
}

/// The tables that every store has (SQLiteStores, "System tables").
package enum SystemTable {
    /// The greatest keys used, by entity.
    package static let primaryKey =
        "CREATE TABLE Z_PRIMARYKEY "
        + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
    package static let metadata =
        "CREATE TABLE Z_METADATA "
        + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
    /// The compiled model that the store was made with.
    package static let modelCache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"
}
