import Diagnostics
import Foundation
import MigrationPlanning
import MigrationTesting
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct LibraryMigrationTests {
    static let steps = (0..<5).flatMap { from in ((from + 1)..<6).map { (from, $0) } }

    @Test(arguments: steps)
    func `the library goes from each version to each later one, into a new file and in place`(
        from: Int,
        to: Int
    ) throws {
        let versions = libraryVersions()
        let (source, target) = (versions[from], versions[to])
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeSampleStore(at: path, model: source.model, keepsHistory: true)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: source, to: target)
            let result = folder.appending(path: "New.sqlite").path
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            try migration.run(from: store, toNewFile: result, options: .agreed)
            try expectWhole(result, from: store, migration, "\(source.name) → \(target.name)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)

            let other = folder.appending(path: "InPlace.sqlite").path
            try FileManager.default.copyItem(atPath: path, toPath: other)
            try migration.runInPlace(path: other, options: .agreed)
            try expectWhole(
                other,
                from: store,
                migration,
                "in place: \(source.name) → \(target.name)"
            )
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["InPlace.sqlite", "New.sqlite", "Old.sqlite"])
        }
    }

    @Test func `history follows the entity numbers, and loses what is gone`() throws {
        let versions = libraryVersions()
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeSampleStore(at: path, model: versions[0].model, keepsHistory: true)
            let migration = try Migration(
                of: StoreFile(path: path),
                from: versions[0],
                to: versions[5]
            )
            try migration.runInPlace(path: path, options: .agreed)
            let rows = try StoreFile(path: path).connection.rows(
                "SELECT Z_NAME FROM ACHANGE JOIN Z_PRIMARYKEY ON ZENTITY = Z_PRIMARYKEY.Z_ENT ORDER BY 1"
            )
            #expect(rows.map { $0[0].text } == ["Author", "Book", "Loan", "Patron"])
        }
    }

    @Test func `derived attributes of existing rows are computed`() throws {
        let versions = libraryVersions()
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeSampleStore(at: path, model: versions[4].model)
            let migration = try Migration(
                of: StoreFile(path: path),
                from: versions[4],
                to: versions[5]
            )
            try migration.runInPlace(path: path, options: .agreed)
            let connection = try StoreFile(path: path).connection
            let wrong = try connection.value(
                """
                SELECT (SELECT count(*) FROM ZITEM AS b WHERE ZLOANCOUNT IS NOT
                    (SELECT count(*) FROM ZLOAN WHERE ZBOOK = b.Z_PK) AND ZLOANCOUNT IS NOT NULL)
                + (SELECT count(*) FROM ZLOAN AS l WHERE ZPATRONNAME IS NOT
                    (SELECT ZFULLNAME FROM ZPATRON WHERE Z_PK = l.ZPATRON))
                """
            )
            #expect(wrong?.integer == 0)
            let counted = try connection.value("SELECT sum(ZLOANCOUNT) FROM ZITEM")
            #expect(try counted == connection.value("SELECT count(ZBOOK) FROM ZLOAN"))
        }
    }

    @Test func `the application's metadata, the store's identity and the journal mode stay`() throws
    {
        let versions = libraryVersions()
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeSampleStore(at: path, model: versions[0].model)
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                var metadata = try StoreMetadata(connection)
                metadata.entries["com.example.syncToken"] = .data(Data([1, 2, 3]))
                metadata.entries["com.example.launches"] = .integer(7)
                try writeMetadata(metadata, on: connection)
            }
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: versions[0], to: versions[3])
            let result = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: result, options: .agreed)
            let (old, new) = (try store.metadata(), try StoreFile(path: result).metadata())
            #expect(new.uuid == old.uuid)
            #expect(new.applicationKeys == ["com.example.launches", "com.example.syncToken"])
            #expect(new.entries["com.example.syncToken"] == .data(Data([1, 2, 3])))
            #expect(new.entries["com.example.launches"] == .integer(7))
            #expect(new.frameworkVersion == old.frameworkVersion)
            #expect(new.checksum == new.hashes.checksum)
            #expect(new.digest == new.hashes.digest)
            #expect(try StoreFile(path: result).usesWriteAheadLog == store.usesWriteAheadLog)
        }
    }
}

struct BridgingRunTests {
    private static func model(_ type: AttributeType) -> ManagedObjectModel {
        let attributes = [Attribute("value", type)]
        return ManagedObjectModel([Entity("Item", attributes)])
    }

    @Test func `values come through a proposed version between`() throws {
        let (old, new) = (Self.model(.string), Self.model(.binary))
        let plan = MigrationPlan(
            from: ModelVersion(name: "1", model: old),
            to: ModelVersion(name: "2", model: new)
        )
        let bridge = try #require(BridgingVersion(for: plan))
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: old) { connection, layout throws(StoreError) in
                let number = layout.number(of: "Item") ?? 0
                try connection.execute(
                    "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZVALUE) VALUES (1, \(number), 1, 'abc')"
                )
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
            }
            let first = ManagedObjectModelReference(model: old, name: "1")
            let between = ManagedObjectModelReference(model: bridge.model, name: "between")
            let last = ManagedObjectModelReference(model: bridge.next, name: "2")
            let script = "UPDATE Item SET newValue = CAST(value AS BLOB)"
            let stages = StagedMigrationManager([
                .custom(CustomMigrationStage(migratingFrom: first, to: between)),
                .lightweight(LightweightMigrationStage([last])),
            ])
            try Migration(
                of: StoreFile(path: path),
                by: stages,
                works: [0: CustomStageWork(didMigrate: .script(script, path: "move.sql"))]
            ).runInPlace(path: path, options: .agreed)
            let store = try StoreFile(path: path)
            #expect(try store.metadata().hashes == versionHashes(of: new))
            let rows = try store.connection.rows("SELECT ZVALUE FROM ZITEM")
            #expect(rows == [[.blob(Data("abc".utf8))]])
            #expect(try verify(store, against: new).map(\.description) == [])
        }
    }
}

struct CancelledMigrationTests {
    /// The check of so many rows asks several times whether to stop.
    private func fill(_ path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute(
            """
            INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZTITLE)
            WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Song'), 1, 'x' || i FROM n
            """
        )
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 30000 WHERE Z_NAME = 'Song'")
    }

    @Test func `a request to end that meets the check of the result is told as that`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let new = folder.appending(path: "New.sqlite").path
            try StageModels.makeStore(at: path)
            try fill(path)
            let stages = StagedMigrationManager([StageModels.custom(1, 2, "stage")])
            let migration = try Migration(of: StoreFile(path: path), by: stages)
            let cancellation = MigrationCancellation()
            let options = MigrationOptions(cancellation: cancellation) { progress in
                if progress.isFinished { cancellation.cancel() }
            }
            let error = #expect(throws: StoreMigrationError.self) {
                try migration.run(from: StoreFile(path: path), toNewFile: new, options: options)
            }
            #expect(error == .interrupted(stage: "the migration", isTimeout: false))
            #expect(!FileManager.default.fileExists(atPath: new))
        }
    }
}
