import Diagnostics
import Foundation
import MigrationPlanning
import ModelLoading
import SQLiteAccess
import StoreFormat
import StoreMigration
import Testing
import TestSupport

private final class Others: Sendable {
    let results = Locked<[CommandResult]>([])
}

struct OtherProcessTests {
    /// Migrates in a process of its own, as locks hold between processes.
    private func migrate(_ path: String, _ more: [String]) throws -> CommandResult {
        let words = ["migrate", path, "--allow-data-loss", "--model", StoreFixture.modelPath]
        return try result(of: commandURL, words + more)
    }

    private func expectInUse(_ result: CommandResult) {
        #expect(result.status == 3, "\(result.errors)")
        #expect(result.errors.contains("in use"), "\(result.errors)")
        #expect(result.errors.contains("[store-in-use]"))
    }

    @Test(arguments: [StoreCondition.plain, .closedLog], ["--in-place", "-o"])
    func `a store with an open transaction is refused`(
        condition: StoreCondition,
        way: String
    ) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, condition)
            let store = try fixture.fresh(in: folder.appending(path: "Work"))
            let target = way == "-o" ? [way, folder.path + "/New.sqlite"] : [way]
            let writer = try SQLiteConnection(path: store, mode: .readWrite)
            try writer.execute("BEGIN IMMEDIATE")
            try writer.execute("UPDATE ZBOOK SET ZPAGES = 7")
            expectInUse(try migrate(store, target))
            try writer.execute("COMMIT")
            #expect(try writer.value("SELECT count(*) FROM ZBOOK WHERE ZPAGES = 7")?.integer == 2)
        }
    }

    @Test func `a store that an application has open with its log is not changed under it`() throws
    {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .closedLog)
            let store = try fixture.fresh(in: folder.appending(path: "Work"))
            let reader = try SQLiteConnection(path: store, mode: .readWrite)
            #expect(try reader.value("SELECT count(*) FROM ZBOOK")?.integer == 2)
            expectInUse(try migrate(store, ["--in-place"]))
            // A copy takes nothing from the reader.
            let copy = folder.appending(path: "New.sqlite").path
            let copied = try migrate(store, ["-o", copy])
            #expect(copied.status == 0, "\(copied.errors)")
            #expect(try reader.value("SELECT count(*) FROM ZBOOK")?.integer == 2)
        }
    }

    @Test(arguments: [StoreCondition.plain, .closedLog, .openLog], [false, true])
    func `nobody can write a store while it is migrated where it is`(
        condition: StoreCondition,
        hasBackup: Bool
    ) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, condition)
            let path = try fixture.fresh(in: folder.appending(path: "Work"))
            let migration = try migration(of: StoreFile(path: path))
            let others = Others()
            let options = MigrationOptions(acceptsLosses: true) { progress in
                guard let change = progress.change, change.index == change.count / 2 else { return }
                if let result = try? migrate(path, ["--in-place"]) {
                    others.results.withLock { $0.append(result) }
                }
            }
            let backup = hasBackup ? folder.appending(path: "Backup.sqlite").path : nil
            try migration.runInPlace(path: path, backup: backup, options: options)
            let results = others.results.withLock { $0 }
            #expect(results.count == 1)
            for result in results { expectInUse(result) }
            _ = try StoreFixture.rows(of: path, StoreFixture.versions.count - 1)
        }
    }

    @Test(arguments: [StoreCondition.plain, .closedLog, .openLog])
    func `a store that is written while it is copied gives no new file`(
        condition: StoreCondition
    ) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, condition)
            let path = try fixture.fresh(in: folder.appending(path: "Work"))
            let store = try StoreFile(path: path)
            let options = MigrationOptions(acceptsLosses: true) { progress in
                guard progress.change?.index == 0 else { return }
                let writer = try? SQLiteConnection(path: path, mode: .readWrite)
                try? writer?.execute("UPDATE ZBOOK SET ZPAGES = 8")
            }
            let new = folder.appending(path: "New.sqlite").path
            #expect(throws: StoreMigrationError.store(.inUse(path: path))) {
                try migration(of: store).run(from: store, toNewFile: new, options: options)
            }
            #expect(!FileManager.default.fileExists(atPath: new))
        }
    }

    private func migration(of store: StoreFile) throws -> Migration {
        let versions = StoreFixture.versions
        return try Migration(of: store, from: versions[0], to: versions[versions.count - 1])
    }
}
