import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct RoomTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func filled(_ path: String, megabytes: Int) throws {
        try expectRun(["create", path, "--model", Self.model, "--version", "V1"], 0)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let number = try connection.value(
            "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'"
        )?.integer
        try connection.execute("PRAGMA journal_mode = DELETE")
        try connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(megabytes * 256)) "
                + "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, \(number ?? 0), 1, hex(randomblob(1900)) FROM n"
        )
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(megabytes * 256)")
    }

    @Test func `a plan says what the migration takes, and what is free`() throws {
        struct Plan: Decodable {
            struct Room: Decodable {
                var copyBytes: Int
                var inPlaceBytes: Int
                var freeBytes: Int?
                var copySeconds: Double
            }
            var room: Room?
        }
        try withFolder { folder in
            let store = folder.appending(path: "Store.sqlite").path
            try filled(store, megabytes: 2)
            let said = try momtool("plan", Self.model, "--store", store)
            #expect(said.errors.contains("as a new file"), "\(said.errors)")
            #expect(said.errors.contains(" are free"))
            let result = try momtool("plan", Self.model, "--store", store, "--format", "json")
            let plan = try JSONDecoder().decode(Plan.self, from: Data(result.output.utf8))
            let room = try #require(plan.room)
            let size = try #require(
                try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int
            )
            #expect(room.copyBytes >= size && room.copyBytes <= 2 * size, "\(room)")
            #expect(room.inPlaceBytes > 0 && room.inPlaceBytes <= 3 * size, "\(room)")
            #expect((room.freeBytes ?? 0) > 0)
            #expect(room.copySeconds > 0)
        }
    }

    /// Runs on a file system of 8 MB, which only root can make.
    private func onSmallFileSystem(_ folder: URL, _ script: String) throws -> (Int32, String)? {
        let disk = folder.appending(path: "disk")
        try makeFolder(disk)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            "command -v unshare >/dev/null || exit 77\n"
                + "exec unshare -m sh -c 'mount -t tmpfs -o size=8m tmpfs \"$1\" || exit 77; cd \"$1\" || exit 77; \(script)' sh '\(disk.path)'",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        return process.terminationStatus == 77 ? nil : (process.terminationStatus, text)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make a small file system"))
    func `on a full file system nothing is written, and both numbers are said`() throws {
        try withFolder { folder in
            let store = folder.appending(path: "Store.sqlite").path
            try filled(store, megabytes: 5)
            let tool = commandURL.path
            let ending = "; status=$?; ls; exit $status"
            let migrate = "\(tool) migrate Store.sqlite --model \(Self.model)"
            let copied = "cp \(store) . && "
            guard
                let new = try onSmallFileSystem(
                    folder,
                    copied + migrate + " -o New.sqlite" + ending
                )
            else { return }
            #expect(new.0 == 3, "\(new.1)")
            #expect(new.1.contains("[no-room]") && new.1.contains(" are free"), "\(new.1)")
            #expect(new.1.hasSuffix("\nStore.sqlite\n"), "\(new.1)")
            let full = "head -c 3000000 /dev/zero > Full; cksum < Store.sqlite > ../before; "
            let changed = try onSmallFileSystem(
                folder,
                copied + full + migrate
                    + " --in-place --backup Old; status=$?; cksum < Store.sqlite | cmp - ../before || status=9; ls; exit $status"
            )
            #expect(changed?.0 == 3, "\(changed?.1 ?? "")")
            #expect(changed?.1.contains("[no-room]") == true)
            #expect(changed?.1.hasSuffix("\nFull\nStore.sqlite\n") == true, "\(changed?.1 ?? "")")
            let fits = try onSmallFileSystem(
                folder,
                "\(tool) create Store.sqlite --model \(Self.model) --version V1 && \(migrate) -o New.sqlite --allow-data-loss"
            )
            #expect(fits?.0 == 0, "\(fits?.1 ?? "")")
        }
    }
}
