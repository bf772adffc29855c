import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct AdversityTests {
    private static let model = StoreFixture.modelPath

    /// Makes the store `Store.sqlite` of the first version, with external files.
    private func withStore(_ body: (URL, String) throws -> Void) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .closedLog)
            let work = folder.appending(path: "Work")
            try body(work, try fixture.fresh(in: work))
        }
    }

    private func shell(_ script: String, in folder: URL) throws -> CommandResult {
        try result(
            of: URL(fileURLWithPath: "/bin/bash"),
            ["-c", script],
            in: folder,
            environment: ["M": commandURL.path, "MODEL": Self.model]
        )
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `a folder whose name is a tilde is not taken for the home folder`() throws {
        try withStore { work, _ in
            let script = """
                mkdir '~' && mv Store.sqlite .Store_SUPPORT '~' && \
                $M migrate '~/Store.sqlite' --model "$MODEL" -o '~/New.sqlite' && \
                $M verify '~/New.sqlite' --model "$MODEL"
                """
            let result = try shell(script, in: work)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            let expected = [".New_SUPPORT", ".Store_SUPPORT", "New.sqlite", "Store.sqlite"]
            #expect(try names(in: work.appending(path: "~")) == expected)
        }
    }

    @Test func `a path that begins with two slashes names no host`() throws {
        try withStore { work, store in
            let new = "/" + work.appending(path: "New.sqlite").path
            try expectRun("migrate /\(store) --allow-data-loss --model \(Self.model) -o \(new)", 0)
            #expect(try momtool("verify", new, "--model", Self.model).status == 0)
        }
    }

    @Test func `a path that SQLite cannot open is said to be too long`() throws {
        try withStore { work, store in
            let deep = (0..<3).reduce(work) { folder, _ in
                folder.appending(path: String(repeating: "d", count: 200))
            }
            try makeFolder(deep)
            let new = deep.appending(path: "New.sqlite").path
            let result = try momtool(
                "migrate \(store) --allow-data-loss --model \(Self.model) -o \(new)"
            )
            #expect(result.status == 74)
            #expect(result.errors.contains("504 bytes"), "\(result.errors)")
            #expect(try names(in: deep) == [])
        }
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `a pipe in the place of a part of the store is refused`(suffix: String) throws {
        try withStore { work, store in
            try #require(mkfifo(store + suffix, 0o600) == 0)
            for arguments in [["--in-place"], ["-o", work.appending(path: "N.sqlite").path]] {
                let result = try momtool(
                    ["migrate", store, "--allow-data-loss", "--model", Self.model] + arguments
                )
                #expect(result.status == 74)
                #expect(result.errors.contains("\(suffix): error: "), "\(result.errors)")
            }
            #expect(try momtool("inspect", store).status == 74)
        }
    }

    @Test(arguments: ["m.mom", "m.xcdatamodel/contents", "m.momd/VersionInfo.plist"])
    func `a pipe that nobody writes to is no model`(path: String) throws {
        try withFolder { folder in
            let file = folder.appending(path: path)
            try makeFolder(file.deletingLastPathComponent())
            try #require(mkfifo(file.path, 0o600) == 0)
            let model = folder.appending(path: path.split(separator: "/")[0].description).path
            #expect([65, 66].contains(try momtool("hash", model).status))
        }
    }

    @Test func `folders of others in the temporary folder stay`() throws {
        try withStore { work, store in
            let temporary = work.appending(path: "Temporary")
            let theirs = temporary.appending(path: "momtool-store-backups/mine")
            try makeFolder(theirs)
            let left = temporary.appending(path: "momtool-store-\(UUID().uuidString)")
            try makeFolder(left)
            let result = try result(
                of: commandURL,
                ["inspect", store],
                environment: ["TMPDIR": temporary.path]
            )
            #expect(result.status == 0, "\(result.errors)")
            #expect(try names(in: temporary) == ["momtool-store-backups"])
        }
    }

    @Test func `values behind a symbolic link are not left out of a copy`() throws {
        try withStore { work, store in
            let script = """
                mkdir Far && mv .Store_SUPPORT/_EXTERNAL_DATA Far && \
                ln -s ../Far/_EXTERNAL_DATA .Store_SUPPORT/_EXTERNAL_DATA
                """
            #expect(try shell(script, in: work).status == 0)
            let refused = try momtool(
                "migrate Store.sqlite --allow-data-loss --model \(Self.model) -o New.sqlite",
                in: work
            )
            #expect(refused.status == 74)
            #expect(try names(in: work) == [".Store_SUPPORT", "Far", "Store.sqlite"])
        }
    }

    @Test func `a store by force leaves the files of one that is called alike`() throws {
        try withStore { work, store in
            let other = work.appending(path: "Store.db").path
            #expect(try momtool("create", other, "--model", Self.model).status == 0)
            #expect(try momtool("create", other, "--model", Self.model, "--force").status == 0)
            try expectRun(["verify", store, "--model", Self.model], 0)
        }
    }

    @Test func `stores that are kept after each stage have the values beside them`() throws {
        try withStore { work, store in
            let stages = """
                model: \(Self.model)
                stages:
                  - lightweight: [V1, V2, V3, V4, V5, V6]
                """
            try write(stages, "Stages.yml", in: work)
            let result = try momtool(
                "migrate \(store) --allow-data-loss --stages Stages.yml -o New.sqlite "
                    + "--semantics stepwise --keep-stages Kept --quiet --allow-outside",
                in: work
            )
            #expect(result.status == 0, "\(result.errors)")
            let kept = try names(in: work.appending(path: "Kept")).filter { !$0.hasPrefix(".") }
            #expect(!kept.isEmpty)
            for name in kept {
                let path = work.appending(path: "Kept/\(name)").path
                try expectRun(["verify", path, "--model", Self.model], 0)
            }
        }
    }

    @Test func `a refused migration in place takes its backup away, so that it can be tried again`()
        throws
    {
        try withStore { work, store in
            let connection = try SQLiteConnection(path: store, mode: .readWrite)
            try connection.execute("UPDATE ZBOOK SET ZISBN = '1'")
            let backup = work.appending(path: "Backup")
            let arguments = [
                "migrate", store, "--allow-data-loss", "--model", Self.model, "--in-place",
                "--backup", backup.path,
            ]
            try withExtendedLifetime(connection) {
                try connection.execute("PRAGMA journal_mode = DELETE")
            }
            try expectRun(arguments, 3)
            // The folder goes too, as the command made it.
            #expect(!FileManager.default.fileExists(atPath: backup.path))
            try connection.execute("UPDATE ZBOOK SET ZISBN = Z_PK")
            try expectRun(arguments, 0)
            #expect(try names(in: backup) == [".Store_SUPPORT", "Store.sqlite"])
        }
    }

    @Test func `a reader that goes away ends nothing`() throws {
        try withStore { work, _ in
            let script = """
                "$M" migrate Store.sqlite --model "$MODEL" -o New.sqlite --verbose 2>&1 | true
                exit ${PIPESTATUS[0]}
                """
            let result = try shell(script, in: work)
            #expect(result.status == 0, "\(result.status)")
            #expect(
                try names(in: work) == [
                    ".New_SUPPORT", ".Store_SUPPORT", "New.sqlite", "Store.sqlite",
                ]
            )
        }
    }

    @Test(.disabled(if: hasThreadSanitizer))
    func `a file that may grow no more is an error like another`() throws {
        try withStore { work, _ in
            let result = try shell(
                #"ulimit -f 8; "$M" migrate Store.sqlite --model "$MODEL" -o New.sqlite"#,
                in: work
            )
            #expect(result.status == 74 && !result.wasKilled, "\(result.status) \(result.errors)")
            #expect(try names(in: work) == [".Store_SUPPORT", "Store.sqlite"])
        }
    }

    @Test func `names that are no text, and empty ones, are refused`() throws {
        try withStore { work, store in
            let script = #"exec "$M" migrate Store.sqlite --model "$MODEL" -o $'New\xff.sqlite'"#
            let result = try shell(script, in: work)
            #expect(result.status == 64)
            #expect(result.errors.contains("[unreadable-argument]"), "\(result.errors)")
            let empty = [
                "migrate", store, "--allow-data-loss", "--model", Self.model, "--in-place",
                "--backup", "",
            ]
            #expect(try momtool(empty).status == 64)
            #expect(try names(in: work) == [".Store_SUPPORT", "Store.sqlite"])
        }
    }
}
