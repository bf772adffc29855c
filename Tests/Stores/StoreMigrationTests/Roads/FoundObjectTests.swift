import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct FoundObjectTests {
    @Test func `texts that look the same and have other bytes are two keys`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try StageModels.makeStore(at: path)
            let names = ["Zo\u{EB}", "Zoe\u{308}", "Zo\u{EB}"]
            let work = CustomStageWork(
                didMigrate: .handler { store in
                    let ids = try names.map {
                        try store.findOrCreate("Member", ["city": .text($0)])
                    }
                    #expect(ids[0] == ids[2] && ids[0] != ids[1])
                }
            )
            try StageModels.migrate(path, from: StageModels.v1, to: StageModels.v2, by: work)
            let count = "SELECT count(*) FROM ZMEMBER WHERE ZCITY LIKE 'Zo%'"
            #expect(try StoreFile(path: path).connection.value(count) == .integer(2))
        }
    }
}
