import Foundation
import MigrationPlanning
import SQLiteAccess
import StoreFormat
import StoreMigration
import Testing
import TestSupport

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
