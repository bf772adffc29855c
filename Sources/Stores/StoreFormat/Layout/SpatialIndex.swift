import SQLiteAccess

/// A spatial index: a virtual table of SQLite's R-tree module, and the triggers that keep it (SQLiteStores, "Partial,
/// spatial and expression indexes").
package struct SpatialIndex: Sendable, Hashable {
    package var name: String
    package var table: String
    /// The columns that it indexes, each a dimension.
    package var columns: [StoreColumn]

    /// The statement that creates the virtual table, as Core Data writes it.
    package var createSQL: String {
        let bounds = columns.flatMap { column in
            ["_MIN", "_MAX"].map { quotedIdentifier(column.name + $0) + " " + column.declaredType }
        }
        let list = ["Z_PK INTEGER PRIMARY KEY"] + bounds
        return "CREATE VIRTUAL TABLE \(quotedIdentifier(name)) USING RTREE "
            + "(\(list.joined(separator: ", ")))"
    }

    package var fillSQL: String {
        let values = columns.flatMap { [$0.name, $0.name] }.map(quotedIdentifier)
        let list = (["Z_PK"] + values).joined(separator: ", ")
        return
            "INSERT INTO \(quotedIdentifier(name)) SELECT \(list) FROM \(quotedIdentifier(table))"
    }

    /// The triggers that keep it, in order of creation.
    package var triggers: [StoreTrigger] {
        let index = quotedIdentifier(name)
        let bounds = columns.flatMap { [$0.name + "_MIN", $0.name + "_MAX"] }.map(quotedIdentifier)
        let list = (["Z_PK"] + bounds).joined(separator: ", ")
        // The first comma is placed as Core Data places it.
        var values = ""
        for (place, column) in columns.enumerated() {
            let value = "NEW.\(quotedIdentifier(column.name))"
            values += place == 0 ? ", \(value) ,\(value)" : ", \(value), \(value)"
        }
        let insert = "INTO \(index) (\(list)) VALUES (NEW.Z_PK\(values)) ; END"
        return [
            trigger("INSERT", "INSERT OR REPLACE \(insert)"),
            trigger("UPDATE", "DELETE FROM \(index) WHERE Z_PK = NEW.Z_PK ; INSERT \(insert)"),
            trigger("DELETE", "DELETE FROM \(index) WHERE Z_PK = OLD.Z_PK ; END"),
        ]
    }

    /// The names of the tables that the R-tree module itself makes.
    var shadowTables: [String] { ["_node", "_parent", "_rowid"].map { name + $0 } }

    private func trigger(_ event: String, _ body: String) -> StoreTrigger {
        let name = "\(name)_\(event)"
        let sql =
            "CREATE TRIGGER \(quotedIdentifier(name)) AFTER \(event) ON \(quotedIdentifier(table)) "
            + "FOR EACH ROW BEGIN \(body)"
        return StoreTrigger(name: name, table: table, sql: sql)
    }
}
