import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat

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
    try restoreStore(at: copy, from: path)
    return copy
}

extension ManagedObjectModel {
    static let before = peopleModel(["age", "city", "name", "note"])
}

/// Returns a model of people with some attributes.
func peopleModel(_ names: [String]) -> ManagedObjectModel {
    let attributes = names.map { name in
        Attribute(name: name, type: name == "age" ? .integer32 : .string)
    }
    return ManagedObjectModel(entities: [Entity(name: "Person", attributes: attributes)])
}
