package import ObjectModel

/// The tables of persistent history, where tracking is on (SQLiteStores, "Persistent history").
package struct HistoryLayout: Sendable, Hashable {
    /// The entities of history, with their fixed numbers.
    package var entities: [NumberedEntity]
    package var tables: [SchemaObject]
    package var indexes: [SchemaObject]

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
        tables = [Self.change(tombstones: Self.tombstones(of: model).map(\.name))]
        tables.append(Self.transaction(hasStrings: hasStrings))
        if hasStrings { tables.append(Self.strings) }
        indexes = Self.indexes(hasStrings: hasStrings)
    }

    /// A column of a table of history, with what is lost with it; `nil` where no change can be read without it.
    package struct Column: Sendable, Hashable {
        package var name: String
        package var table: String
        package var declaredType: String
        package var content: String?
    }

    /// Returns the columns that keep values of deleted objects, in the order of their numbers.
    package static func tombstones(of model: ManagedObjectModel) -> [Column] {
        (0..<tombstoneCount(of: model)).map { number in
            let content = "the values of deleted objects in it"
            return Column("ZTOMBSTONE\(number)", of: "ACHANGE", "BLOB", losing: content)
        }
    }

    /// Returns the columns that history has on all systems, without which it says less, or nothing.
    package static func columns(of model: ManagedObjectModel) -> [Column] {
        ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]
            .map { Column($0, of: "ACHANGE", "INTEGER") } + [
                Column("ZCOLUMNS", of: "ACHANGE", "BLOB", losing: "which properties changed"),
                Column("ZTIMESTAMP", of: "ATRANSACTION", "FLOAT"),
                Column("ZNAME", of: "ATRANSACTIONSTRING", "VARCHAR", losing: "names of authors"),
            ] + tombstones(of: model)
    }

    package static let firstNumber = 16001

    /// Returns the greatest number of values that any entity, with inherited ones, keeps on deletion.
    static func tombstoneCount(of model: ManagedObjectModel) -> Int {
        let numbered = NumberedModel(ModelGraph(model))
        var counts: [Int] = []
        for (position, definition) in numbered.definitions.enumerated() {
            let own = definition.entity.attributes.count(where: \.preservesValueInHistoryOnDeletion)
            counts.append(own + (numbered.parent(of: position).map { counts[$0] } ?? 0))
        }
        return counts.max() ?? 0
    }

    private static let head = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

    private static func change(tombstones: [String]) -> SchemaObject {
        let values = tombstones.map { ", \($0) BLOB" }.joined()
        return SchemaObject(
            table: "ACHANGE",
            "( \(head), ZCHANGETYPE INTEGER, ZENTITY INTEGER, "
                + "ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(values) )"
        )
    }

    private static let stringColumns = [
        "ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS",
    ]

    private static func transaction(hasStrings: Bool) -> SchemaObject {
        let keys = hasStrings ? stringColumns.map { ", \($0) INTEGER" }.joined() : ""
        return SchemaObject(
            table: "ATRANSACTION",
            "( \(head)\(keys), ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
                + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )"
        )
    }

    private static let strings = SchemaObject(
        table: "ATRANSACTIONSTRING",
        "( \(head), ZNAME VARCHAR )"
    )

    private static func indexes(hasStrings: Bool) -> [SchemaObject] {
        func index(
            _ name: String,
            _ table: String,
            _ columns: String,
            _ kind: String = "INDEX"
        ) -> SchemaObject {
            let sql = "CREATE \(kind) \(name) ON \(table) (\(columns))"
            return SchemaObject(kind: .index, name: name, table: table, sql: sql)
        }
        func plain(_ table: String, _ column: String) -> SchemaObject {
            index("\(table)_\(column)_INDEX", table, column)
        }
        func fetch(_ name: String, _ column: String) -> SchemaObject {
            index(name, "ATRANSACTION", column + " COLLATE BINARY ASC")
        }
        let keys = hasStrings ? stringColumns.map { plain("ATRANSACTION", $0) } : []
        let (name, table) = ("Z_TRANSACTIONSTRING_UNIQUE_NAME", "ATRANSACTIONSTRING")
        let unique = index(name, table, "ZNAME COLLATE BINARY ASC", "UNIQUE INDEX")
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
    /// The greatest keys used, by entity, and the metadata.
    package static let all = [
        SchemaObject(
            table: "Z_PRIMARYKEY",
            "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
        ),
        SchemaObject(
            table: "Z_METADATA",
            "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
        ),
    ]
    /// The compiled model that the store was made with; old stores have none.
    package static let modelCache = SchemaObject(table: "Z_MODELCACHE", "(Z_CONTENT BLOB)")
}

extension HistoryLayout.Column {
    fileprivate init(
        _ name: String,
        of table: String,
        _ declaredType: String,
        losing content: String? = nil
    ) {
        (self.name, self.table) = (name, table)
        (self.declaredType, self.content) = (declaredType, content)
    }
}
