import Diagnostics
import Foundation
import MigrationPlanning
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import Testing
import TestSupport

struct BridgingRunTests {
    private static func model(_ type: AttributeType) -> ManagedObjectModel {
        let attributes = [Attribute(name: "value", type: type)]
        return ManagedObjectModel(entities: [Entity(name: "Item", attributes: attributes)])
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
