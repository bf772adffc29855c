import Diagnostics
import FileSystem
import Foundation
import MigrationPlanning
import MigrationTesting
import ModelCompiling
import ModelLoading
import ObjectModel
import RowExchange
import SQLiteAccess
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
            storeVerdict {
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
            storeVerdict {
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
            storeVerdict {
                try inFolder { folder in
                    let path = folder.appending(path: "Store.sqlite")
                    try bytes.write(to: path)
                    let file = try StoreFile(path: path.path)
                    _ = try StoreSnapshot(of: file)
                    if let archive = try file.modelArchive() {
                        _ = readCompiledModel(archive, path: "cache")
                    }
                    _ = try verify(file, against: SampleModel.old)
                    _ = try? exportedRows(of: file, model: SampleModel.old)
                    let migration = try? Migration(
                        of: file,
                        from: ModelVersion(model: SampleModel.old),
                        to: ModelVersion(model: SampleModel.new)
                    )
                    let new = folder.appending(path: "New.sqlite").path
                    _ = try? migration?.run(
                        from: file,
                        toNewFile: new,
                        options: MigrationOptions(acceptsLosses: true)
                    )
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
            storeVerdict {
                let source = RowSource(bytes: [UInt8](bytes), path: "rows.json")
                _ = try inFolder { folder in
                    let path = folder.appending(path: "New.sqlite").path
                    return try RowExchange.createStore(
                        at: path,
                        model: SampleModel.old,
                        rows: source
                    )
                }
            }
        }
    )

    static let script = FuzzTarget(
        "script",
        "the SQL of a custom stage",
        tokens: [
            "SELECT ", "FROM Book",
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) ", "INSERT INTO Book ",
            "UPDATE ", "DELETE FROM ", "Person_friends", "uuid()", "zeroblob(1e9)", "date(",
            "ATTACH 'x' AS y", "PRAGMA writable_schema = 1", "--", "/*", "*/", ";", "'", "\"",
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
            storeVerdict {
                let connection = try SQLiteConnection(path: ":memory:", mode: .create)
                try withSampleStore { try $0.copy(into: connection) }
                try runStageWork(
                    .script(String(decoding: bytes, as: UTF8.self), path: "a.sql"),
                    on: connection,
                    at: ModelVersion(name: "Old", model: SampleModel.old),
                    timeout: .milliseconds(500)
                )
            }
        }
    )

    private static let sampleStore: Data = {
        let bytes = try? inFolder { folder in
            let path = folder.appending(path: "Sample.sqlite")
            try makeSampleStore(at: path.path, model: SampleModel.old)
            return try Data(contentsOf: path)
        }
        return bytes ?? Data()
    }()

    private static func withSampleStore<Result>(
        _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        try inFolder { folder in
            let path = folder.appending(path: "Sample.sqlite")
            try sampleStore.write(to: path)
            return try body(SQLiteConnection(path: path.path, mode: .immutable))
        }
    }

    private static func sampleCell(_ sql: String) -> [Data] {
        let cell = try? withSampleStore { try $0.value(sql)?.blob }
        return [cell].compactMap(\.self)
    }
}

private func storeVerdict(_ work: () throws -> Void) -> FuzzVerdict {
    do {
        try work()
        return .accepted
    } catch { return .refused("\(error)") }
}

private func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.url) }
}
