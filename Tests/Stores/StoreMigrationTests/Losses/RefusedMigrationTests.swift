import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RefusedMigrationTests {
    @Test func `a migration in place that is refused leaves the store and its log as they were`()
        throws
    {
        let (old, new) = (modelOf("Item: name note"), modelOf("Item: name"))
        try withStore(old, inserts("Item", "ZNAME, ZNOTE", "'a', 'x'; 'b', 'y'")) { store in
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            try connection.setJournal("wal")
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            try connection.execute("UPDATE ZITEM SET ZNOTE = 'z'")
            // As an app that was killed leaves it.
            let paths = ["", "-wal"].map { store.place("Left.sqlite") + $0 }
            for (path, suffix) in zip(paths, ["", "-wal"]) {
                try copyFile(URL(filePath: store.path + suffix), to: URL(filePath: path))
            }
            withExtendedLifetime(connection) {}
            func bytes() throws -> [Data] {
                try paths.map { try Data(contentsOf: URL(filePath: $0)) }
            }
            let before = try bytes()
            #expect(before.allSatisfy { !$0.isEmpty })
            let migration = try Migration(of: StoreFile(path: paths[0]), from: old, to: new)
            #expect(throws: (any Error).self) {
                try migration.runInPlace(path: paths[0], options: MigrationOptions())
            }
            #expect(try bytes() == before)
            try migration.runInPlace(path: paths[0], options: .agreed)
            let names = try StoreFile(path: paths[0]).texts("SELECT ZNAME FROM ZITEM ORDER BY 1")
            #expect(names == ["a", "b"])
            #expect(!FileManager.default.fileExists(atPath: paths[1]))
        }
    }
}
