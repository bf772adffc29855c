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

    private func withLibrary<Result>(
        _ number: Int,
        history: Bool = false,
        _ body: (TestStore, [ModelVersion]) throws -> Result
    ) throws -> Result {
        let versions = libraryVersions()
        return try withFolder { folder in
            let store = TestStore(folder: folder, model: versions[number].model)
            try makeSampleStore(at: store.path, model: store.model, keepsHistory: history)
            return try body(store, versions)
        }
    }

    @Test(arguments: steps)
    func `the library goes from each version to each later one, into a new file and in place`(
        from: Int,
        to: Int
    ) throws {
        try withLibrary(from, history: true) { store, versions in
            let title = "\(versions[from].name) → \(versions[to].name)"
            let old = try store.file()
            let migration = try Migration(of: old, from: versions[from], to: versions[to])
            let before = try store.bytes()
            let result = try store.result(of: migration).path
            try expectWhole(result, from: old, migration, title)
            #expect(try store.bytes() == before)

            let other = store.place("InPlace.sqlite")
            try FileManager.default.copyItem(atPath: store.path, toPath: other)
            try migration.runInPlace(path: other, options: .agreed)
            try expectWhole(other, from: old, migration, "in place: \(title)")
            let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
            #expect(names.sorted() == ["InPlace.sqlite", "New.sqlite", "Store.sqlite"])
        }
    }

    @Test func `the application's metadata, the store's identity and the journal mode stay`() throws
    {
        try withLibrary(0) { store, versions in
            do {
                let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
                var metadata = try StoreMetadata(connection)
                metadata.entries["com.example.syncToken"] = .data(Data([1, 2, 3]))
                metadata.entries["com.example.launches"] = .integer(7)
                try writeMetadata(metadata, on: connection)
            }
            let file = try store.file()
            let result = try store.result(of: store.migration(to: versions[3].model))
            let (old, new) = (try file.metadata(), try result.metadata())
            #expect(new.uuid == old.uuid)
            #expect(new.applicationKeys == ["com.example.launches", "com.example.syncToken"])
            #expect(new.entries["com.example.syncToken"] == .data(Data([1, 2, 3])))
            #expect(new.entries["com.example.launches"] == .integer(7))
            #expect(new.frameworkVersion == old.frameworkVersion)
            #expect(new.checksum == new.hashes.checksum)
            #expect(new.digest == new.hashes.digest)
            #expect(try result.usesWriteAheadLog == file.usesWriteAheadLog)
        }
    }
}

struct BridgingRunTests {
    @Test func `values come through a proposed version between`() throws {
        let (old, new) = (modelOf("Item: value"), modelOf("Item: value:binary"))
        let plan = MigrationPlan(
            from: ModelVersion(name: "1", model: old),
            to: ModelVersion(name: "2", model: new)
        )
        let bridge = try #require(BridgingVersion(for: plan))
        try withStore(old, inserts("Item", "ZVALUE", "'abc'")) { store in
            let first = ManagedObjectModelReference(model: old, name: "1")
            let between = ManagedObjectModelReference(model: bridge.model, name: "between")
            let last = ManagedObjectModelReference(model: bridge.next, name: "2")
            let stages = StagedMigrationManager([
                .custom(CustomMigrationStage(migratingFrom: first, to: between)),
                .lightweight(LightweightMigrationStage([last])),
            ])
            let work = CustomStageWork.after("UPDATE Item SET newValue = CAST(value AS BLOB)")
            try Migration(of: store.file(), by: stages, works: [0: work])
                .runInPlace(path: store.path, options: .agreed)
            #expect(try store.file().metadata().hashes == versionHashes(of: new))
            #expect(try store.rows("SELECT ZVALUE FROM ZITEM") == [[.blob(Data("abc".utf8))]])
            #expect(try store.findings(new).map(\.description) == [])
        }
    }
}

struct CancelledMigrationTests {
    @Test func `a request to end that meets the check of the result is told as that`() throws {
        try StageModels.with { store in
            // The check of so many rows asks several times whether to stop.
            try store.execute(
                """
                INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZTITLE)
                WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
                SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Song'), 1, 'x' || i FROM n
                """,
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 30000 WHERE Z_NAME = 'Song'"
            )
            let migration = try Migration(of: store, StageModels.custom(1, 2, "stage"))
            let cancellation = MigrationCancellation()
            let options = MigrationOptions(cancellation: cancellation) { progress in
                if progress.isFinished { cancellation.cancel() }
            }
            #expect(
                throws: StoreMigrationError.interrupted(stage: "the migration", isTimeout: false)
            ) { try store.result(of: migration, options) }
            #expect(!FileManager.default.fileExists(atPath: store.place("New.sqlite")))
        }
    }
}
