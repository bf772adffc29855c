import CFileSystem
import Foundation
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct CarefulToolTests {
    private func withStore(
        _ condition: StoreCondition = .closedLog,
        _ body: (StoreFixture, URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, condition)
            let work = folder.appending(path: "Work")
            _ = try fixture.fresh(in: work)
            try body(fixture, work)
        }
    }

    private func migrate(_ path: String, _ more: String...) throws -> CommandResult {
        try momtool(
            ["migrate", path, "--allow-data-loss", "--model", StoreFixture.modelPath] + more
        )
    }

    private func status(of path: String) throws -> stat {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        return status
    }

    private func date(of path: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    @Test func `the store that a symbolic link leads to is migrated, and the link stays`() throws {
        try withStore { fixture, work in
            let store = work.appending(path: "Store.sqlite")
            let link = work.appending(path: "Link.sqlite")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store)
            let result = try migrate(link.path, "--in-place")
            #expect(result.status == 0, "\(result.errors)")
            #expect(try status(of: link.path).st_mode & S_IFMT == S_IFLNK)
            try expectRun(["verify", link.path, "--model", StoreFixture.modelPath], 0)
            #expect(try migrate(store.path, "--in-place").output.contains("done before"))
            let names = try FileManager.default.contentsOfDirectory(atPath: work.path).sorted()
            #expect(names == [".Store_SUPPORT", "Link.sqlite", "Store.sqlite"])
            let copy = work.appending(path: "New.sqlite").path
            #expect(try migrate(link.path, "-o", copy).status == 0)
            try expectRun(["verify", copy, "--model", StoreFixture.modelPath], 0)
        }
    }

    @Test func `other names of the same file are spoken of, and get the new version too`() throws {
        try withStore { fixture, work in
            let store = work.appending(path: "Store.sqlite").path
            let other = work.appending(path: "Other.sqlite").path
            try FileManager.default.linkItem(atPath: store, toPath: other)
            let result = try migrate(store, "--in-place")
            #expect(result.status == 0)
            #expect(result.errors.contains("has 2 names"), "\(result.errors)")
            #expect(result.errors.contains("[hard-linked-store]"))
            #expect(try StoreFile(path: other).metadata() == StoreFile(path: store).metadata())
        }
    }

    @Test func `a new file has the rights, the owner and the extended attributes of the old one`()
        throws
    {
        try withStore { fixture, work in
            let store = work.appending(path: "Store.sqlite").path
            let blobs = work.appending(path: ".Store_SUPPORT").path
            #expect(chmod(store, 0o640) == 0 && chmod(blobs, 0o750) == 0)
            if geteuid() == 0 { #expect(chown(store, 1234, 2345) == 0) }
            let descriptor = open(store, O_RDONLY)
            let hasAttributes = file_set_attribute(descriptor, "user.momtool", "kept", 4) == 0
            close(descriptor)
            let old = try status(of: store)
            let before = try date(of: store)
            let new = work.appending(path: "New.sqlite").path
            #expect(try migrate(store, "-o", new).status == 0)
            let backups = work.appending(path: "Backups").path
            #expect(try migrate(store, "--in-place", "--backup", backups).status == 0)
            for path in [new, backups + "/Store.sqlite", store] {
                let found = try status(of: path)
                #expect(found.st_mode == old.st_mode, "\(path)")
                #expect(found.st_uid == old.st_uid && found.st_gid == old.st_gid, "\(path)")
                guard hasAttributes else { continue }
                var value = [UInt8](repeating: 0, count: 8)
                #expect(file_get_attribute(path, "user.momtool", &value, 8) == 4, "\(path)")
            }
            #expect(
                try status(of: work.appending(path: ".New_SUPPORT").path).st_mode & 0o777 == 0o750
            )
            #expect(try date(of: backups + "/Store.sqlite") == before)
        }
    }

    @Test func `a backup is never overwritten`() throws {
        try withStore { fixture, work in
            let store = work.appending(path: "Store.sqlite").path
            let backups = work.appending(path: "Backups").path
            #expect(try migrate(store, "--in-place", "--backup", backups, "--to", "V3").status == 0)
            let copy = URL(fileURLWithPath: backups + "/Store.sqlite")
            let before = try Data(contentsOf: copy)
            let again = try migrate(store, "--in-place", "--backup", backups)
            #expect(again.status == 73, "\(again.errors)")
            #expect(again.errors.contains("already exists"))
            #expect(try Data(contentsOf: copy) == before)
            #expect(
                try momtool("identify", store, "--model", StoreFixture.modelPath).output.contains(
                    ": V3"
                )
            )
            #expect(try StoreFixture.rows(of: copy.path, 0) == fixture.old)
        }
    }

    /// The file passed for the backup of an interrupted run, and the original was lost.
    @Test(arguments: ["folder", "link", "hard link"])
    func `a backup in the place of the store is refused`(place: String) throws {
        try withStore { _, work in
            let store = work.appending(path: "Store.sqlite").path
            let backups = place == "folder" ? work.path : work.appending(path: "Backups").path
            switch place {
            case "folder": break
            case "link":
                try FileManager.default.createSymbolicLink(
                    atPath: backups,
                    withDestinationPath: work.path
                )
            default:
                try FileManager.default.createDirectory(
                    atPath: backups,
                    withIntermediateDirectories: true
                )
                try FileManager.default.linkItem(atPath: store, toPath: backups + "/Store.sqlite")
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            let repaired = try momtool("repair", store, "--compact", "--backup", backups)
            for result in [try migrate(store, "--in-place", "--backup", backups), repaired] {
                #expect(result.status == 73, "\(result.output)\(result.errors)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
            }
        }
    }

    @Test func `a store by force keeps the file, its rights and the link to it`() throws {
        try withStore(.openLog) { fixture, work in
            let store = work.appending(path: "Store.sqlite").path
            let link = work.appending(path: "Link.sqlite").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
            #expect(chmod(store, 0o600) == 0)
            let old = try status(of: store)
            let model = StoreFixture.modelPath
            try expectRun(["create", link, "--model", model, "--force"], 0)
            let new = try status(of: store)
            #expect(new.st_mode == old.st_mode && new.st_ino == old.st_ino)
            #expect(try status(of: link).st_mode & S_IFMT == S_IFLNK)
            let verified = try momtool("verify", link, "--model", model)
            #expect(verified.status == 0 && verified.errors == "", "\(verified.output)")
            let names = try FileManager.default.contentsOfDirectory(atPath: work.path).sorted()
            #expect(names == ["Link.sqlite", "Store.sqlite"])
        }
    }

    /// Runs the command as a user with limited rights, unlike the superuser.
    private func migrateAsNobody(_ arguments: [String]) throws -> CommandResult {
        let arguments = arguments + ["--allow-data-loss"]
        guard geteuid() == 0 else { return try momtool(["migrate"] + arguments) }
        return try result(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            [
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", commandURL.path,
                "migrate",
            ] + arguments
        )
    }

    private static let nobodyCanRun: Bool = {
        let program = commandURL.path
        let arguments = [
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "--version",
        ]
        return geteuid() != 0
            || (try? result(of: URL(fileURLWithPath: "/usr/bin/env"), arguments))?.status == 0
    }()

    @Test(arguments: ["file", "folder", "output folder", "file of another"])
    func `what may not be written is refused before anything is`(place: String) throws {
        try #require(Self.nobodyCanRun)
        try withStore { fixture, work in
            let store = work.appending(path: "Store.sqlite").path
            let output = work.appending(path: "Output")
            try makeFolder(output)
            for path in [work.path, store, output.path] where geteuid() == 0 {
                #expect(chown(path, 65534, 65534) == 0)
            }
            switch place {
            case "file": #expect(chmod(store, 0o444) == 0)
            case "folder": #expect(chmod(work.path, 0o555) == 0)
            case "output folder": #expect(chmod(output.path, 0o555) == 0)
            default: #expect(chmod(store, 0o000) == 0)
            }
            let before = try? Data(contentsOf: URL(fileURLWithPath: store))
            let target =
                place == "output folder" ? ["-o", output.path + "/New.sqlite"] : ["--in-place"]
            let result = try migrateAsNobody([store, "--model", StoreFixture.modelPath] + target)
            let expected: Int32 =
                place == "output folder" ? 73 : place == "file of another" ? 74 : 3
            #expect(result.status == expected, "\(result.errors)")
            #expect(result.errors.contains("ermission denied") || expected == 74)
            let after = try? Data(contentsOf: URL(fileURLWithPath: store))
            #expect(after == before)
            #expect(chmod(work.path, 0o755) == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: work.path).sorted()
            #expect(names == [".Store_SUPPORT", "Output", "Store.sqlite"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == [])
        }
    }
}
