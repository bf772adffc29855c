import Diagnostics
import Foundation
import MigrationPlanning
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

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

struct ManyStoresTests {
    private static let model = StoreFixture.modelPath

    private func makeStores(_ count: Int, in folder: URL) throws -> [String] {
        try (0..<count).map { number in
            let device = folder.appending(path: "Devices/\(number)")
            try makeFolder(device)
            let path = device.appending(path: "Shop.sqlite").path
            let version = StoreFixture.versions[number % 3]
            try createStore(at: path, model: version.model)
            return path
        }
    }

    @Test func `every store gets its place below the folder, and each is spoken of`() throws {
        try withFolder { folder in
            let stores = try makeStores(12, in: folder)
            let output = folder.appending(path: "New").path
            let result = try momtool(
                ["migrate"] + stores + [
                    "--allow-data-loss", "--model", Self.model, "-o", output, "--jobs", "4",
                ]
            )
            #expect(result.status == 0, "\(result.errors)")
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 13)
            for (store, line) in zip(stores, lines) { #expect(line.hasPrefix(store + ": ")) }
            #expect(lines.last == "12 of 12 stores migrated")
            for number in 0..<12 {
                let new = "\(output)/\(number)/Shop.sqlite"
                #expect(try StoreFixture.rows(of: new, 5).isEmpty == false)
            }
        }
    }

    @Test func `a store that fails stops no other, and the status is the worst`() throws {
        try withFolder { folder in
            let stores = try makeStores(6, in: folder)
            try Data("no store".utf8).write(to: URL(fileURLWithPath: stores[2]))
            let writer = try SQLiteConnection(path: stores[4], mode: .readWrite)
            try writer.execute("BEGIN IMMEDIATE")
            let backups = folder.appending(path: "Backups").path
            let result = try momtool(
                ["migrate"] + stores
                    + [
                        "--allow-data-loss", "--model", Self.model, "--in-place", "--backup",
                        backups,
                    ]
                    + ["--jobs", "3"]
            )
            #expect(result.status == 65)
            #expect(result.output.hasSuffix("4 of 6 stores migrated\n"), "\(result.output)")
            #expect(result.errors.contains("\(stores[2]): error: "))
            #expect(result.errors.contains("\(stores[4]): error: "))
            for number in [0, 1, 3, 5] {
                let versions = try [stores[number], "\(backups)/\(number)/Shop.sqlite"].map {
                    try momtool("identify", $0, "--model", Self.model).output.suffix(3)
                }
                #expect(versions == ["V6\n", "V\(number % 3 + 1)\n"])
            }
        }
    }

    @Test func `a store that is named twice is a mistake`() throws {
        try withFolder { folder in
            let store = try makeStores(1, in: folder)[0]
            let link = folder.appending(path: "Link.sqlite").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
            let result = try momtool(
                "migrate \(store) \(link) --allow-data-loss --model \(Self.model) --in-place"
            )
            #expect(result.status == 64)
            #expect(result.errors.contains("[repeated-store]"))
        }
    }
}
