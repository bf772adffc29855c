import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct RoomTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func withStore(megabytes: Int, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try expectRun("create Store.sqlite --model \(Self.model)#V1", in: folder, 0)
            try fill(folder.appending(path: "Store.sqlite"), count: megabytes * 256)
            try body(folder)
        }
    }

    private func fill(_ store: URL, count: Int) throws {
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        for statement in [
            "PRAGMA journal_mode = DELETE",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
                + "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, Z_ENT, 1, "
                + "hex(randomblob(1900)) FROM n, Z_PRIMARYKEY WHERE Z_NAME = 'Book'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(count)",
        ] { try connection.execute(statement) }
    }

    private struct Plan: Decodable {
        struct Room: Decodable {
            var copyBytes: Int
            var inPlaceBytes: Int
            var freeBytes: Int?
            var copySeconds: Double
        }
        var room: Room
    }

    @Test func `a plan says what the migration takes, and what is free`() throws {
        try withStore(megabytes: 2) { folder in
            let plan = "plan \(Self.model) --store Store.sqlite"
            try expectRun(plan, in: folder, nil, errors: [" are free"])
            let json = try momtool(plan + " --format json", in: folder)
            let room = try JSONDecoder().decode(Plan.self, from: Data(json.output.utf8)).room
            let store = folder.appending(path: "Store.sqlite")
            let size = try Data(contentsOf: store).count
            #expect(room.copyBytes >= size && room.copyBytes <= 2 * size, "\(room)")
            #expect(room.inPlaceBytes > 0 && room.inPlaceBytes <= 3 * size, "\(room)")
            #expect((room.freeBytes ?? 0) > 0)
            #expect(room.copySeconds > 0)
        }
    }

    /// Runs on a file system of 8 MB with a copy of the store, which only root can make.
    private func onSmallFileSystem(_ folder: URL, _ script: String) throws -> CommandResult? {
        try makeFolder(folder.appending(path: "disk"))
        let mount = "mount -t tmpfs -o size=8m tmpfs disk || exit 77; cd disk || exit 77"
        let run = try shell(
            "command -v unshare > /dev/null || exit 77\n"
                + "exec unshare -m sh -c '\(mount); cp ../Store.sqlite .; \(script)' 2>&1",
            in: folder
        )
        return run.status == 77 ? nil : run
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make a small file system"))
    func `on a full file system nothing is written, and both numbers are said`() throws {
        try withStore(megabytes: 5) { folder in
            let migrate = "$m migrate Store.sqlite --model \(Self.model)"
            let copied = try onSmallFileSystem(
                folder,
                "\(migrate) -o New.sqlite; status=$?; ls; exit $status"
            )
            guard let copied else { return }
            #expect(copied.status == 3, "\(copied)")
            for words in ["[no-room]", " are free"] { #expect(copied.output.contains(words)) }
            #expect(copied.output.hasSuffix("\nStore.sqlite\n"), "\(copied)")
            let changed = try #require(
                try onSmallFileSystem(
                    folder,
                    "head -c 3000000 /dev/zero > Full; \(migrate) --in-place --backup Old; status=$?; "
                        + "cmp Store.sqlite ../Store.sqlite || status=9; ls; exit $status"
                )
            )
            #expect(changed.status == 3 && changed.output.contains("[no-room]"), "\(changed)")
            #expect(changed.output.hasSuffix("\nFull\nStore.sqlite\n"), "\(changed)")
            let fits = try onSmallFileSystem(
                folder,
                "rm Store.sqlite; $m create Store.sqlite --model \(Self.model)#V1 && "
                    + "\(migrate) -o New.sqlite --allow-data-loss"
            )
            #expect(fits?.status == 0, "\(String(describing: fits))")
        }
    }
}
