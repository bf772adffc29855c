import Foundation
import MappingInference
import ObjectModel
import StoreFormat
import StoreMigration

extension Scenario {
    /// Adding an optional attribute must not depend on the number of rows.
    static let additive = Scenario(
        name: "migrate-add",
        summary:
            "one optional attribute added in place; time at all rows to time at a hundredth of them"
    ) { rows in
        let few = try migrationSeconds(rows: rows / 100, from: .before, to: .added)
        let many = try migrationSeconds(rows: rows, from: .before, to: .added)
        return [
            "\(rows / 100) rows: \(few.milliseconds)", "\(rows) rows: \(many.milliseconds)",
            "ratio \((many / few).ratio)",
        ]
    }

    /// Removing an attribute is measured against the best statements that a person would write.
    static let removal = Scenario(
        name: "migrate-remove",
        summary: "one attribute removed in place; time to that of the best hand-written SQL"
    ) { rows in
        let ours = try migrationSeconds(rows: rows, from: .before, to: .removed)
        let drop = try statementSeconds(rows: rows, "ALTER TABLE ZPERSON DROP COLUMN ZNOTE")
        let copy = try statementSeconds(
            rows: rows,
            """
            ALTER TABLE ZPERSON RENAME TO OLD; \(StoreLayout(model: .removed).tables[0].createSQL); \
            INSERT INTO ZPERSON SELECT Z_PK, Z_ENT, Z_OPT, ZAGE, ZCITY, ZNAME FROM OLD; DROP TABLE OLD
            """
        )
        return [
            "momtool: \(ours.milliseconds)", "DROP COLUMN: \(drop.milliseconds)",
            "copy: \(copy.milliseconds)", "ratio to the best \((ours / min(drop, copy)).ratio)",
        ]
    }
}

/// Measures the migration of a store in place, opening and planning included.
private func migrationSeconds(
    rows: Int,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
) throws -> Double {
    try withStore(rows: rows, model: source) { original in
        try leastSeconds {
            try copy(of: original)
        } _: { path in
            let migration = try StoreMigration(
                of: StoreFile(path: path),
                from: source,
                to: destination
            )
            try migration.runInPlace(path: path)
        }
    }
}

/// Measures statements on the same store in one transaction.
func statementSeconds(rows: Int, _ statements: String) throws -> Double {
    try withStore(rows: rows, model: .before) { original in
        try leastSeconds {
            try copy(of: original)
        } _: { path in
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("PRAGMA cache_size = -16384")
            try connection.execute("BEGIN IMMEDIATE")
            for statement in statements.split(separator: "; ") {
                try connection.execute(String(statement))
            }
            try connection.execute("COMMIT")
        }
    }
}

/// Makes a store with a number of people for the time of a measurement.
func withStore<Result>(
    rows: Int,
    model: ManagedObjectModel,
    _ body: (String) throws -> Result
) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "Store.sqlite").path
    try createStore(at: path, model: model) { connection, _ throws(StoreError) in
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZAGE, ZCITY, ZNAME, ZNOTE)
            SELECT i, 1, 1, i % 90, 'City ' || (i % 500), 'Person ' || i, 'A note about ' || i FROM n
            """
        )
    }
    return try body(path)
}

func copy(of path: String) throws -> String {
    let copy = path + ".copy"
    for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: copy + suffix)
    }
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    // Otherwise the first commit of what is measured would bring the whole copy to disk.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
    try file.synchronize()
    try file.close()
    return copy
}

extension ManagedObjectModel {
    static let before = peopleModel(["age", "city", "name", "note"])
    fileprivate static let added = peopleModel(["age", "city", "email", "name", "note"])
    fileprivate static let removed = peopleModel(["age", "city", "name"])

}

/// Returns a model of people with some attributes.
func peopleModel(_ names: [String]) -> ManagedObjectModel {
    let attributes = names.map { name in
        Attribute(name: name, type: name == "age" ? .integer32 : .string)
    }
    return ManagedObjectModel(entities: [Entity(name: "Person", attributes: attributes)])
}
