import Foundation
import MigrationPlanning
import MigrationTesting
import ModelHashing
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

struct AlikeStoresTests {
    private static let old = ModelVersion(
        name: "1",
        model: model([Attribute("kept", .string), Attribute("a", .string)])
    )
    private static let new = ModelVersion(
        name: "2",
        model: model([Attribute("kept", .string), Attribute("b", .string, renamingIdentifier: "x")])
    )
    private static let options = MigrationOptions(acceptsLosses: true)

    private static func model(_ attributes: [Attribute]) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: [Entity("Thing", attributes)],
            versionIdentifiers: ["\(attributes.count)"]
        )
    }

    private static let differences: [[String]] = [
        [], ["UPDATE Z_METADATA SET Z_UUID = 'F00'"], ["UPDATE Z_METADATA SET Z_UUID = NULL"],
        ["DROP TABLE Z_MODELCACHE"], ["UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'"],
        ["CREATE INDEX mine ON ZTHING (ZKEPT)"], ["CREATE INDEX theirs ON ZTHING (ZA)"],
        ["ALTER TABLE ZTHING ADD COLUMN ZOLD"], ["CREATE TABLE caf\u{E9} (x)"],
        ["CREATE TABLE cafe\u{301} (x)"], [],
    ]

    /// The application has given the store keys of its own.
    private func with(_ number: Int, _ body: (TestStore) throws -> Void) throws {
        try withFolder { folder in
            let store = TestStore(folder: folder, model: Self.old.model)
            try makeSampleStore(at: store.path, model: store.model, seed: 1)
            do {
                let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
                for statement in Self.differences[number] { try connection.execute(statement) }
                var metadata = try StoreMetadata(connection)
                metadata.entries["com.example.launches"] = launches(number)
                if number % 4 == 0 { metadata.digest = nil }
                try writeMetadata(metadata, on: connection)
            }
            try body(store)
        }
    }

    private func launches(_ number: Int) -> PropertyList? {
        number % 3 == 0 ? nil : .integer(Int64(number))
    }

    @Test func `each store comes out as if it were migrated alone, to the byte`() throws {
        let plans = MigrationMemo(to: Self.new)
        for number in Self.differences.indices {
            try with(number) { store in
                let alone = store.path + ".alone"
                try FileManager.default.copyItem(atPath: store.path, toPath: alone)
                try plans.migration(of: store.file(), from: Self.old)
                    .runInPlace(path: store.path, options: Self.options)
                try Migration(of: StoreFile(path: alone), from: Self.old, to: Self.new)
                    .runInPlace(path: alone, options: Self.options)
                let bytes = try Data(contentsOf: URL(filePath: alone))
                #expect(try store.bytes() == bytes, "\(Self.differences[number])")
                let metadata = try store.file().metadata()
                #expect(metadata.versionIdentifiers == Self.new.model.versionIdentifiers)
                #expect(metadata.hashes == Self.new.hashes)
                #expect(metadata.entries["com.example.launches"] == launches(number))
            }
        }
    }

    @Test func `a version of the same name and hashes has a migration of its own`() throws {
        try with(0) { store in
            var attributes = Self.old.model.entities[0].attributes
            attributes[1].renamingIdentifier = "x"
            let renaming = ModelVersion(name: "1", model: Self.model(attributes))
            #expect(renaming.hashes == Self.old.hashes)
            let plans = MigrationMemo(to: Self.new)
            let texts = try [Self.old, renaming, Self.old].map { version in
                try plans.migration(of: store.file(), from: version).program.steps.map(\.sql)
            }
            #expect(texts[0].contains("UPDATE ZTHING SET ZA = NULL"), "\(texts[0])")
            #expect(texts[1] == ["ALTER TABLE ZTHING RENAME COLUMN ZA TO ZB"])
            #expect(texts[2] == texts[0])
        }
    }

    @Test func `a layout that lacks something is noticed behind a store that is whole`() throws {
        try with(0) { store in
            let migration = try Migration(of: store.file(), from: Self.old, to: Self.new)
            try migration.runInPlace(path: store.path, options: Self.options)
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            let execution = MigrationExecution(connection, Self.options)
            try execution.requireWholeLayout(of: #require(migration.directStep))
            try connection.execute("ALTER TABLE ZTHING DROP COLUMN ZB")
            for _ in 0..<2 {
                #expect(throws: StoreMigrationError.self) {
                    try execution.requireWholeLayout(of: #require(migration.directStep))
                }
            }
        }
    }

    @Test func `metadata that cannot be read are refused behind some that can`() throws {
        try with(0) { store in
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            let good = try StoreMetadata(connection)
            for list in ["x'00'", "x''", "'text'"] {
                try connection.execute("UPDATE Z_METADATA SET Z_PLIST = \(list)")
                for _ in 0..<2 {
                    #expect(throws: StoreError.self) { try StoreMetadata(connection) }
                }
            }
            try connection.execute("UPDATE Z_METADATA SET Z_PLIST = NULL")
            #expect(try StoreMetadata(connection).entries.isEmpty)
            try writeMetadata(good, on: connection)
            #expect(try StoreMetadata(connection) == good)
        }
    }

    @Test func `more lists than are remembered are still read right`() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try createSystemTables(on: connection)
        try connection.execute("INSERT INTO Z_METADATA VALUES (1, 'u', NULL)")
        let record = StepRecord(of: Self.new)
        for round in 0..<2 {
            for number in 0..<40 {
                let key = "key\(number)"
                try writeMetadata(
                    StoreMetadata(uuid: "u\(round)", entries: [key: .integer(1)]),
                    on: connection
                )
                let row = try MetadataRow(connection)
                #expect(try StoreMetadata(connection).entries == [key: .integer(1)])
                let new = try StoreMetadata(record.metadata(after: row, path: "p"), path: "p")
                #expect(new.uuid == "u\(round)")
                #expect(new.hashes == Self.new.hashes)
                #expect(new.applicationKeys == [key])
            }
        }
    }

    @Test func `rows that differ in one value differ in their bytes`() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        let rows = [
            "NULL", "''", "x''", "0", "0.0", "1", "1.0", "'1'", "x'31'", "'a', 'bc'", "'ab', 'c'",
            "NULL, NULL", "'caf\u{E9}'", "'cafe\u{301}'", "'\u{FFFD}'", "CAST(x'FF' AS TEXT)",
            "'a' UNION ALL SELECT 'b'", "'b' UNION ALL SELECT 'a'", "1 WHERE 0",
        ]
        let bytes = try rows.map { try RowBytes(of: "SELECT \($0)", on: connection) }
        #expect(Set(bytes).count == rows.count)
        #expect(try bytes == rows.map { try RowBytes(of: "SELECT \($0)", on: connection) })
    }
}
