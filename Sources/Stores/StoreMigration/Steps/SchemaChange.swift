import SQLiteAccess
package import StoreFormat

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
    /// A column of persistent history is made that keeps a value of deleted objects.
    case addTombstone(String)
    /// An index is made, in a pass over the rows.
    case createIndex(StoreIndex)
    /// An index that differs from its table is rebuilt, in a pass over the rows.
    case rebuildIndex(String, of: String)
    case dropIndex(String, of: String)
    case createTrigger(StoreTrigger)
    case dropTrigger(String, of: String)
    case createSpatial(SpatialIndex)
    case dropSpatial(SpatialIndex)
    case fillSpatial(SpatialIndex)
    /// An index or a trigger that is not Core Data's comes back as it was.
    case restore(String, of: String, sql: String)

    var effort: ProgramStep.Effort {
        switch self {
        case .createIndex, .dropColumn, .dropTable, .indexTemporary, .fillSpatial,
            .rebuildIndex, .restore:
            .rows
        case .createTable, .createJoinTable, .createTemporary, .renameTable,
            .addColumn, .renameColumn, .addTombstone, .dropIndex, .createTrigger, .dropTrigger,
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
        case .addTombstone(let column): "add \(column) to ACHANGE"
        case .createIndex(let index): "create index \(index.name)"
        case .rebuildIndex(let name, let table):
            "rebuild index \(name), which differs from \(table)"
        case .dropIndex(let name, _): "drop index \(name)"
        case .createTrigger(let trigger): "create trigger \(trigger.name)"
        case .dropTrigger(let name, _): "drop trigger \(name)"
        case .createSpatial(let index): "create spatial index \(index.name)"
        case .dropSpatial(let index): "drop spatial index \(index.name)"
        case .fillSpatial(let index): "fill spatial index \(index.name)"
        case .restore(let name, _, _): "restore \(name)"
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
        case .addTombstone(let column): return "ALTER TABLE ACHANGE ADD COLUMN \(column) BLOB"
        case .createIndex(let index): return index.sql
        case .rebuildIndex(let name, _): return "REINDEX \(quotedIdentifier(name))"
        case .dropIndex(let name, _): return "DROP INDEX \(quotedIdentifier(name))"
        case .createTrigger(let trigger): return trigger.sql
        case .dropTrigger(let name, _): return "DROP TRIGGER \(quotedIdentifier(name))"
        case .createSpatial(let index): return index.createSQL
        case .dropSpatial(let index): return "DROP TABLE \(quotedIdentifier(index.name))"
        case .fillSpatial(let index): return index.fillSQL
        case .restore(_, _, let sql): return sql
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
