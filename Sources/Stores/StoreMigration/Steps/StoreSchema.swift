import ObjectModel
import SQLiteAccess
package import StoreFormat

/// What a store actually contains: its tables with their columns, its indexes and triggers.
///
/// Migrated stores have traces of their past (SQLiteStores, "Traces of migration"), so a layout alone is not enough to
/// change one. The schema is read once; the effect of a program is computed.
struct StoreSchema: Sendable, Hashable {
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
        indexes = layout.indexes
        triggers = layout.triggers
    }

    /// The columns of a table that its layout lacks, under any name: Core Data leaves none.
    func foreignColumns(of table: String, in layout: StoreLayout) -> [String] {
        let names = Set(layout.columnNames(of: table).map { $0.uppercased() })
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
        case .addHistoryColumn(let column): columns[column.table]?.append(column.name)
        case .createIndex(let index): indexes.append(index)
        case .dropIndex(let name, _): indexes.removeAll { $0.name == name }
        case .createTrigger(let trigger): triggers.append(trigger)
        case .dropTrigger(let name, _): triggers.removeAll { $0.name == name }
        case .createSpatial(let index): columns[index.name] = []
        case .dropSpatial(let index):
            for name in columns.keys where name == index.name || name.hasPrefix(index.name + "_") {
                columns[name] = nil
            }
        case .restore(var object):
            object.columns = []
            if object.kind == .trigger { triggers.append(object) } else { indexes.append(object) }
        case .createTemporary, .indexTemporary, .fillSpatial, .rebuildIndex: break
        }
    }
}

package enum SchemaChange: Sendable, Hashable {
    case createTable(EntityTable)
    case createJoinTable(JoinTable)
    /// A temporary table is made, with columns, some of them unique together.
    case createTemporary(String, columns: [String], unique: [String])
    case indexTemporary(String, column: String)
    case dropTable(String)
    case renameTable(String, to: String)
    /// A table gets an empty column.
    case addColumn(StoreColumn, of: String)
    case renameColumn(String, to: String, of: String)
    /// A column is dropped, in a pass over the rows.
    case dropColumn(String, of: String)
    case addHistoryColumn(HistoryLayout.Column)
    /// An index is made, in a pass over the rows.
    case createIndex(SchemaObject)
    /// An index that differs from its table is rebuilt, in a pass over the rows.
    case rebuildIndex(String, of: String)
    case dropIndex(String, of: String)
    case createTrigger(SchemaObject)
    case dropTrigger(String, of: String)
    case createSpatial(SpatialIndex)
    case dropSpatial(SpatialIndex)
    case fillSpatial(SpatialIndex)
    /// An index or a trigger that is not Core Data's comes back as it was.
    case restore(SchemaObject)

    var effort: ProgramStep.Effort {
        switch self {
        case .createIndex, .dropColumn, .dropTable, .indexTemporary, .fillSpatial,
            .rebuildIndex, .restore:
            .rows
        case .createTable, .createJoinTable, .createTemporary, .renameTable, .addColumn,
            .renameColumn, .addHistoryColumn, .dropIndex, .createTrigger, .dropTrigger,
            .createSpatial,
            .dropSpatial:
            .schema
        }
    }

    /// What the change does, such as `add ZCITY to ZPERSON`.
    var purpose: String {
        switch self {
        case .createTable(let table): "create \(table.name)"
        case .createJoinTable(let table): "create \(table.name)"
        case .createTemporary(let name, _, _): "create the temporary table \(name)"
        case .indexTemporary(let name, let column): "index \(name) by \(column)"
        case .dropTable(let name): "drop \(name)"
        case .renameTable(let old, let new): "rename \(old) to \(new)"
        case .addColumn(let column, let table): "add \(column.name) to \(table)"
        case .renameColumn(let old, let new, let table): "rename \(old) of \(table) to \(new)"
        case .dropColumn(let column, let table): "drop \(column) from \(table)"
        case .addHistoryColumn(let column): "add \(column.name) to \(column.table)"
        case .createIndex(let index): "create index \(index.name)"
        case .rebuildIndex(let name, let table):
            "rebuild index \(name), which differs from \(table)"
        case .dropIndex(let name, _): "drop index \(name)"
        case .createTrigger(let trigger): "create trigger \(trigger.name)"
        case .dropTrigger(let name, _): "drop trigger \(name)"
        case .createSpatial(let index): "create spatial index \(index.name)"
        case .dropSpatial(let index): "drop spatial index \(index.name)"
        case .fillSpatial(let index): "fill spatial index \(index.name)"
        case .restore(let object): "restore \(object.name)"
        }
    }

    var sql: String {
        switch self {
        case .createTable(let table): return table.createSQL
        case .createJoinTable(let table): return table.createSQL
        case .createTemporary(let name, let columns, let unique):
            let constraint = unique.isEmpty ? "" : ", UNIQUE (\(unique.joined(separator: ", ")))"
            return "CREATE TEMP TABLE \(name) (\(columns.joined(separator: ", "))\(constraint))"
        case .indexTemporary(let name, let column):
            return "CREATE INDEX temp.\(name)_\(column) ON \(name) (\(column))"
        case .dropTable(let name): return "DROP TABLE \(quotedIdentifier(name))"
        case .renameTable(let old, let new):
            return "ALTER TABLE \(quotedIdentifier(old)) RENAME TO \(quotedIdentifier(new))"
        case .addColumn(let column, let table):
            return "ALTER TABLE \(quotedIdentifier(table)) " + "ADD COLUMN \(column.definition)"
        case .renameColumn(let old, let new, let table):
            return "ALTER TABLE \(quotedIdentifier(table)) "
                + "RENAME COLUMN \(quotedIdentifier(old)) TO \(quotedIdentifier(new))"
        case .dropColumn(let column, let table):
            return "ALTER TABLE \(quotedIdentifier(table)) DROP COLUMN \(quotedIdentifier(column))"
        case .addHistoryColumn(let column):
            return "ALTER TABLE \(column.table) ADD COLUMN \(column.name) \(column.declaredType)"
        case .createIndex(let index): return index.sql
        case .rebuildIndex(let name, _): return "REINDEX \(quotedIdentifier(name))"
        case .dropIndex(let name, _): return "DROP INDEX \(quotedIdentifier(name))"
        case .createTrigger(let trigger): return trigger.sql
        case .dropTrigger(let name, _): return "DROP TRIGGER \(quotedIdentifier(name))"
        case .createSpatial(let index): return index.createSQL
        case .dropSpatial(let index): return "DROP TABLE \(quotedIdentifier(index.name))"
        case .fillSpatial(let index): return index.fillSQL
        case .restore(let object): return object.sql
        }
    }
}

extension StoreColumn { var definition: String { "\(quotedIdentifier(name)) \(declaredType)" } }

extension ProgramStep {
    var changesSchemaText: Bool {
        switch action {
        case .schema(.addColumn), .schema(.renameTable): true
        default: false
        }
    }

    package var effort: Effort {
        switch action {
        case .schema(let change): change.effort
        case .rows(let change): change.effort
        case .policies: .rows
        }
    }

    /// What the step does, such as `add ZCITY to ZPERSON`.
    package var purpose: String {
        switch action {
        case .schema(let change): change.purpose
        case .rows(let change): change.purpose
        case .policies(let names, .instances):
            "create objects with \(names.joined(separator: ", "))"
        case .policies(let names, .relationships):
            "create links with \(names.joined(separator: ", "))"
        }
    }

    /// The step as SQL; for Swift code a comment.
    package var sql: String {
        switch action {
        case .schema(let change): change.sql
        case .rows(let change): change.sql
        case .policies: "-- Swift code: \(purpose)"
        }
    }
}
