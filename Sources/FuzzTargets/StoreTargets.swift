import Diagnostics
import Foundation
import MigrationPlanning
import MigrationTesting
import ModelCompiling
import ModelLoading
import ObjectModel
import RowExchange
import StoreFormat
import StoreMigration

extension FuzzTarget {
    static let metadata = FuzzTarget(
        "store-metadata",
        "the Z_PLIST of a store",
        tokens: ModelTokens.archive + [
            "NSStoreModelVersionHashes", "NSPersistenceFrameworkVersion",
        ],
        samples: { sampleCell("SELECT Z_PLIST FROM Z_METADATA") },
        run: { bytes in
            storeVerdict { () throws(StoreError) in
                let connection = try SQLiteConnection(path: ":memory:", mode: .create)
                try createSystemTables(on: connection)
                try connection.execute(
                    "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, 'u', ?)",
                    [.blob(bytes)]
                )
                let metadata = try StoreMetadata(connection)
                _ = (metadata.hashes, metadata.digest, metadata.versionIdentifiers)
                try writeMetadata(metadata, on: connection)
            }
        }
    )

    static let modelCache = FuzzTarget(
        "model-cache",
        "the Z_MODELCACHE of a store, with the model in it",
        tokens: ModelTokens.archive,
        samples: { sampleCell("SELECT Z_CONTENT FROM Z_MODELCACHE") },
        run: { bytes in
            storeVerdict { () throws(StoreError) in
                let connection = try SQLiteConnection(path: ":memory:", mode: .create)
                try createSystemTables(on: connection)
                try connection.execute(
                    "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
                    [.blob(bytes)]
                )
                guard let archive = try StoreFile(on: connection).modelArchive() else { return }
                exercise(readCompiledModel(archive, path: "cache").value)
            }
        }
    )

    static let store = FuzzTarget(
        "store",
        "a whole store: inspected, verified, exported and migrated",
        tokens: [
            "CREATE TABLE ", "ZBOOK", "Z_PK", "Z_METADATA", "CREATE TRIGGER ", "WITHOUT ROWID",
        ],
        samples: { [sampleStore] },
        run: { bytes in
            inScratchFolder { folder in
                let path = folder.appending(path: "Store.sqlite").path
                try? bytes.write(to: URL(fileURLWithPath: path))
                return storeVerdict { () throws(StoreError) in
                    let file = try StoreFile(path: path)
                    _ = try StoreSnapshot(of: file)
                    if let archive = try file.modelArchive() {
                        _ = readCompiledModel(archive, path: "cache")
                    }
                    _ = try verify(file, against: SampleModel.old)
                    _ = try? exportedRows(of: file, model: SampleModel.old)
                    let migration = try? StoreMigration(
                        of: file,
                        from: SampleModel.old,
                        to: SampleModel.new
                    )
                    let new = folder.appending(path: "New.sqlite").path
                    try? migration?.run(from: file, toNewFile: new)
                }
            }
        }
    )

    static let rows = FuzzTarget(
        "rows",
        "rows as JSON, written to a new store",
        tokens: [
            "\"@id\": \"p1\"", "\"Book/p1\"", "null", "[", "]", "{", "}", ",", ":", "\"", "\\u0000",
            "\\ud800", "1e999", "\"Book\": [", "true", "\"Person/p99999999999999999999\"",
        ],
        takes: { $0.hasSuffix("before.json") },
        samples: {
            [
                Data(
                    """
                    {"Book": [{"@id": "p1", "title": "A", "pages": 3, "author": "Person/p1"}],
                    "Person": [{"@id": "p1", "name": "Ada", "born": "1815-12-10T00:00:00Z",
                    "books": ["Book/p1"], "friends": ["Person/p2"]}, {"@id": "p2"}]}
                    """.utf8
                )
            ]
        },
        run: { bytes in
            inScratchFolder { folder in
                let source = RowSource(bytes: [UInt8](bytes), path: "rows.json")
                let path = folder.appending(path: "New.sqlite").path
                do throws(RowExchangeError) {
                    try RowExchange.createStore(at: path, model: SampleModel.old, rows: source)
                    return .accepted
                } catch {
                    return .refused("\(error)")
                }
            }
        }
    )

    static let script = FuzzTarget(
        "script",
        "the SQL of a custom stage",
        tokens: [
            "SELECT ", "FROM Book",
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) ",
            "INSERT INTO Book ", "UPDATE ", "DELETE FROM ", "Person_friends", "uuid()",
            "zeroblob(1e9)",
            "date(", "ATTACH 'x' AS y", "PRAGMA writable_schema = 1", "--", "/*", "*/", ";", "'",
            "\"",
            "randomblob(", "printf('%.*c', 100000000, 'x')", "replace(", "regexp", "group_concat(",
            "CREATE TABLE ", "DROP VIEW Book", "Z_METADATA", "(SELECT ", ")", "x'00'", "json(",
        ],
        takes: { $0.hasSuffix(".sql") },
        samples: {
            [
                "UPDATE Book SET title = upper(title) WHERE pages > 3;\n-- a comment\nDELETE FROM Person",
                "INSERT INTO Person (name, born) SELECT title, now() FROM Book;",
                "INSERT INTO Person_friends (source, destination) SELECT a.objectID, b.objectID "
                    + "FROM Person a, Person b WHERE a.name < b.name;",
                "UPDATE Person SET name = replace(name, 'a', 'b') WHERE name REGEXP '^A.*';",
            ].map { Data($0.utf8) }
        },
        run: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                let connection = try scriptStore()
                try runStageWork(
                    .script(text, path: "a.sql"),
                    on: connection,
                    at: ManagedObjectModelReference(model: SampleModel.old, name: "Old"),
                    timeout: .milliseconds(500)
                )
                return .accepted
            } catch {
                return .refused("\(error)")
            }
        }
    )

    private static let sampleStore: Data = inScratchFolder { folder in
        let path = folder.appending(path: "Sample.sqlite")
        try? makeSampleStore(at: path.path, model: SampleModel.old)
        return (try? Data(contentsOf: path)) ?? Data()
    }

    /// Returns the first value of a query to the sample store.
    private static func sampleCell(_ sql: String) -> [Data] {
        inScratchFolder { folder in
            let path = folder.appending(path: "Sample.sqlite").path
            try? sampleStore.write(to: URL(fileURLWithPath: path))
            let connection = try? SQLiteConnection(path: path, mode: .immutable)
            let cell = try? connection?.value(sql)?.blob
            return cell.map { [$0] } ?? []
        }
    }

    /// Makes a copy of the sample store in memory.
    private static func scriptStore() throws -> SQLiteConnection {
        try inScratchFolder { folder in
            let path = folder.appending(path: "Sample.sqlite")
            try sampleStore.write(to: path)
            let sample = try SQLiteConnection(path: path.path, mode: .immutable)
            let connection = try SQLiteConnection(path: ":memory:", mode: .create)
            try sample.copy(into: connection)
            return connection
        }
    }
}

private func storeVerdict(_ work: () throws(StoreError) -> Void) -> FuzzVerdict {
    do throws(StoreError) {
        try work()
        return .accepted
    } catch {
        return .refused(error.description)
    }
}

private func inScratchFolder<Result>(_ body: (URL) throws -> Result) rethrows -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "momtool-fuzz-\(UUID().uuidString)"
    )
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
