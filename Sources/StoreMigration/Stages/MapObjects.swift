import ObjectModel
import SQLiteAccess
import StoreFormat

/// Makes the objects of a step by value expressions: first which becomes which, then their rows.
struct MapObjects {
    let migration: MapMigration
    let connection: SQLiteConnection

    func run() throws(StoreError) {
        for target in migration.targets {
            try connection.execute(
                "CREATE TEMP TABLE momtool_objects_\(target.place) "
                    + "(source INTEGER PRIMARY KEY, destination INTEGER NOT NULL, isFirst INTEGER)"
            )
            if target.keys.isEmpty { try number(target) } else { try find(target) }
            try connection.execute(
                "CREATE INDEX temp.momtool_destinations_\(target.place) "
                    + "ON momtool_objects_\(target.place) (destination)"
            )
        }
        for target in migration.targets { try insert(target) }
    }

    private func table(_ target: MapTarget) -> String {
        migration.source.table(target.sourceTable.name)
    }

    /// The greatest key that objects of a table have so far.
    private func greatestKey(of target: MapTarget) throws(StoreError) -> Int64 {
        var greatest: Int64 = 0
        for other in migration.targets
        where other.table.name == target.table.name && other.place != target.place {
            let exists = try connection.value(
                "SELECT 1 FROM temp.sqlite_master WHERE name = 'momtool_objects_\(other.place)'"
            )
            guard exists != nil else { continue }
            let key = try connection.value("SELECT max(destination) FROM \(other.objects)")?.integer
            greatest = max(greatest, key ?? 0)
        }
        return greatest
    }

    private func number(_ target: MapTarget) throws(StoreError) {
        let key =
            target.keepsKeys
            ? "s.Z_PK" : "\(try greatestKey(of: target)) + row_number() OVER (ORDER BY s.Z_PK)"
        try connection.execute(
            "INSERT INTO \(target.objects) SELECT s.Z_PK, \(key), 1 FROM \(table(target)) AS s "
                + "WHERE \(target.condition)"
        )
    }

    /// Finds objects by their keys, and makes those that are not there; objects without a key come to nothing.
    private func find(_ target: MapTarget) throws(StoreError) {
        let found = "momtool_found_\(target.number)"
        let names = target.keys.indices.map { "k\($0)" }
        let list = names.joined(separator: ", ")
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS \(found) (\(list), destination INTEGER, UNIQUE (\(list)))"
        )
        let columns = target.keys.map(\.column)
        for other in migration.targets
        where other.number == target.number && other.keys.isEmpty {
            let values = columns.map { column in
                other.cells.first { $0.column == column }?.value ?? "NULL"
            }
            try connection.execute(
                "INSERT OR IGNORE INTO \(found) SELECT \(values.joined(separator: ", ")), "
                    + "o.destination FROM \(table(other)) AS s JOIN \(other.objects) AS o "
                    + "ON o.source = s.Z_PK ORDER BY o.destination"
            )
        }
        let values = zip(target.keys, names).map { "\($0.value) AS \($1)" }
        let rows =
            "SELECT s.Z_PK AS source, \(values.joined(separator: ", ")) FROM \(table(target)) AS s "
            + "WHERE \(target.condition)"
        let present = names.map { "r.\($0) NOT NULL" }.joined(separator: " AND ")
        let same = names.map { "f.\($0) = r.\($0)" }.joined(separator: " AND ")
        let base = try greatestKey(of: target)
        let own = names.map { "r.\($0)" }.joined(separator: ", ")
        try connection.execute(
            "INSERT INTO \(found) SELECT \(own), \(base) + row_number() OVER (ORDER BY min(r.source)) "
                + "FROM (\(rows)) AS r WHERE \(present) AND NOT EXISTS "
                + "(SELECT 1 FROM \(found) AS f WHERE \(same)) GROUP BY \(own)"
        )
        try connection.execute(
            "INSERT INTO \(target.objects) SELECT r.source, f.destination, 0 FROM (\(rows)) AS r "
                + "JOIN \(found) AS f ON \(same)"
        )
        try connection.execute(
            "UPDATE \(target.objects) SET isFirst = 1 WHERE source IN (SELECT min(source) FROM "
                + "\(target.objects) WHERE destination > \(base) GROUP BY destination)"
        )
    }

    private func insert(_ target: MapTarget) throws(StoreError) {
        let count = target.keepsKeys ? "s.Z_OPT" : "1"
        let cells =
            [("Z_PK", "o.destination"), ("Z_ENT", String(target.number)), ("Z_OPT", count)]
            + target.cells.map { ($0.column, $0.value) }
        try connection.execute(
            "INSERT INTO \(quotedIdentifier(target.table.name)) (\(columnList(cells.map(\.0)))) "
                + "SELECT \(cells.map(\.1).joined(separator: ", ")) FROM \(table(target)) AS s "
                + "JOIN \(target.objects) AS o ON o.source = s.Z_PK WHERE o.isFirst = 1"
        )
    }
}
