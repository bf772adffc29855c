import SQLiteAccess
import ObjectModel
import StoreFormat

/// What a store actually contains: its tables with their columns, its indexes and triggers.
///
/// Migrated stores have traces of their past (SQLiteStores, "Traces of migration"), so a layout alone is not enough to
/// change one. The schema is read once; the effect of a program is computed.
struct StoreSchema: Sendable, Hashable {
    /// The columns of each table, in order.
    var columns: [String: [String]] = [:]
    var indexes: [SchemaObject] = []
    var triggers: [SchemaObject] = []
    /// The tables without a primary key, unlike Core Data's: they may hold the same row twice.
    private(set) var tablesWithoutKey: Set<String> = []
    /// What was read, in order of creation; empty for a computed schema.
    private(set) var objects: [SchemaObject] = []

    var columnSets: [String: Set<String>] { columns.mapValues { Set($0) } }

    func hasTable(_ name: String) -> Bool { columns[name] != nil }

    /// Whether it was read, and has neither views nor triggers, which may name columns.
    var holdsTablesAlone: Bool {
        !objects.isEmpty && objects.allSatisfy { [.table, .index].contains($0.kind) }
    }

    private static let objectRows =
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"

    /// Returns the text of a schema, which determines all the rest: equal bytes mean equal schemas.
    static func bytes(of connection: SQLiteConnection) throws(StoreError) -> RowBytes {
        try RowBytes(of: objectRows, on: connection)
    }

    init(_ connection: SQLiteConnection) throws(StoreError) {
        for var object in try StoreFile(on: connection).schema() {
            switch object.kind {
            case .table:
                columns[object.name] = []
                if !object.sql.hasPrimaryKey { tablesWithoutKey.insert(object.name) }
            case .index: indexes.append(object)
            case .trigger: triggers.append(object)
            case .view:
                let question = "SELECT 1 FROM \(quotedIdentifier(object.name)) LIMIT 0"
                object.isBroken = (try? connection.rows(question)) == nil
            }
            objects.append(object)
        }
        for column in try connection.columns() { columns[column.table]?.append(column.name) }
        let indexColumns = try connection.rows(
            "SELECT m.name, c.name FROM sqlite_master AS m, pragma_index_info(m.name) AS c "
                + "WHERE m.type = 'index' AND m.sql IS NOT NULL"
        )
        let columnsByIndex = Dictionary(grouping: indexColumns) { $0[0].text ?? "" }
        for place in indexes.indices {
            let rows = columnsByIndex[indexes[place].name] ?? []
            indexes[place].columns = rows.compactMap { $0[1].text }
        }
    }

    init(_ layout: StoreLayout) {
        columns = Dictionary(firstOf: layout.columnsOfTables)
        indexes = layout.indexes.map(\.object)
        triggers = layout.triggers.map(\.object)
    }

    /// The columns of a table that its layout lacks, under any name: Core Data leaves none.
    func foreignColumns(of table: String, in layout: StoreLayout) -> [String] {
        let own =
            layout.tables.first { $0.name == table }?.columns.map(\.name)
            ?? layout.joinTables.first { $0.name == table }?.columnNames ?? []
        let names = Set(own.map { $0.uppercased() })
        return (columns[table] ?? []).filter { !names.contains($0.uppercased()) }
    }

    func applying(_ program: MigrationProgram) -> StoreSchema {
        var schema = self
        schema.objects = []
        for step in program.steps {
            if case .schema(let change) = step.action { schema.apply(change) }
        }
        return schema
    }

    private mutating func apply(_ change: SchemaChange) {
        switch change {
        case .createTable(let table): columns[table.name] = table.columns.map(\.name)
        case .createJoinTable(let table): columns[table.name] = table.columnNames
        case .dropTable(let name):
            columns[name] = nil
            tablesWithoutKey.remove(name)
            indexes.removeAll { $0.table == name }
            triggers.removeAll { $0.table == name }
        case .renameTable(let old, let new):
            columns[new] = columns.removeValue(forKey: old)
            if tablesWithoutKey.remove(old) != nil { tablesWithoutKey.insert(new) }
            for place in indexes.indices where indexes[place].table == old {
                indexes[place].table = new
            }
        case .addColumn(let column, let table): columns[table]?.append(column.name)
        case .renameColumn(let old, let new, let table):
            if let place = columns[table]?.firstIndex(of: old) { columns[table]?[place] = new }
        case .dropColumn(let column, let table): columns[table]?.removeAll { $0 == column }
        case .addTombstone(let column): columns["ACHANGE"]?.append(column)
        case .createIndex(let index): indexes.append(index.object)
        case .dropIndex(let name, _): indexes.removeAll { $0.name == name }
        case .createTrigger(let trigger): triggers.append(trigger.object)
        case .dropTrigger(let name, _): triggers.removeAll { $0.name == name }
        case .createSpatial(let index): columns[index.name] = []
        case .dropSpatial(let index):
            for name in columns.keys where name == index.name || name.hasPrefix(index.name + "_") {
                columns[name] = nil
            }
        case .restore(let name, let table, let sql):
            func object(_ kind: SchemaObject.Kind) -> SchemaObject {
                SchemaObject(kind: kind, name: name, table: table, sql: sql)
            }
            if sql.isTriggerStatement {
                triggers.append(object(.trigger))
            } else {
                indexes.append(object(.index))
            }
        case .createTemporary, .indexTemporary, .fillSpatial, .rebuildIndex: break
        }
    }
}
