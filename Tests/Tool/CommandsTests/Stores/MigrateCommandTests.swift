import Foundation
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct MigrateCommandTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func store(in folder: URL, books: [String] = []) throws -> URL {
        let url = folder.appending(path: "Library.sqlite")
        let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
        try copyFile(fixture, to: url)
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
        for isbn in books {
            try connection.execute(
                "INSERT INTO ZBOOK (Z_ENT, Z_OPT, ZPAGES, ZTITLE, ZISBN) VALUES (2, 1, 1, 'x', ?)",
                [.text(isbn)]
            )
        }
        return url
    }

    private func migrate(_ store: URL, _ more: [String]) throws -> CommandResult {
        try momtool(["migrate", store.path, "--allow-data-loss", "--model", Self.model] + more)
    }

    private func expectRefusal(
        _ status: Int32,
        _ message: String,
        in folder: URL,
        _ run: () throws -> CommandResult
    ) throws {
        let before = try contents(of: folder)
        let result = try run()
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.output == "")
        #expect(try contents(of: folder) == before)
    }

    private func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files = try names.filter { !$0.hasSuffix("-shm") }.map {
            ($0, try Data(contentsOf: folder.appending(path: $0)))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    @Test func `the fixture store migrates in one command and says so in one line`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            let result = folder.appending(path: "New.sqlite")
            let run = try migrate(store, ["-o", result.path])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors == "")
            #expect(run.output.split(separator: "\n").count == 1)
            #expect(run.output.contains("V1 → V6"))
            #expect(run.output.contains("; lost as agreed: Book.notes (4 values)"))
            let identity = try momtool("identify", result.path, "--model", Self.model)
            #expect(identity.output == "\(result.path): V6\n")
            let again = try migrate(result, ["--in-place"])
            #expect(again.status == 0)
            #expect(again.output.contains("\(result.path): done before"))
        }
    }

    @Test func `what is lost is agreed to by names, and told as JSON`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            let new = folder.appending(path: "New.sqlite").path
            func run(_ more: String...) throws -> CommandResult {
                let start = ["migrate", store.path, "--model", Self.model, "-o", new]
                return try momtool(start + ["--format", "json"] + more)
            }
            let refused = try run("--allow-data-loss", "Notice")
            #expect(refused.status == 3)
            #expect(refused.errors.contains("allow this with --allow-data-loss Book.notes"))
            #expect(!refused.errors.contains("Notice: "))
            #expect(refused.output.contains(#""status" : "refused""#))
            #expect(!FileManager.default.fileExists(atPath: new))
            let agreed = try run("--allow-data-loss", "Notice", "--allow-data-loss", "Book.notes")
            #expect(agreed.status == 0, "\(agreed.errors)")
            #expect(agreed.output.contains(#""name" : "Book.notes""#))
            #expect(agreed.output.contains(#""status" : "migrated""#))
        }
    }

    @Test(arguments: ["new", "in place"])
    func `duplicates under a new constraint are counted and refused`(way: String) throws {
        try withFolder { folder in
            let store = try store(in: folder, books: ["1", "1", "1", "2"])
            let output = folder.appending(path: "New.sqlite").path
            try expectRefusal(3, "2 rows at stake", in: folder) {
                try migrate(store, way == "new" ? ["-o", output] : ["--in-place"])
            }
        }
    }

    @Test func `an existing result is never overwritten`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            let output = folder.appending(path: "New.sqlite")
            try Data("precious".utf8).write(to: output)
            try expectRefusal(73, "exists already", in: folder) {
                try migrate(store, ["-o", output.path])
            }
            try expectRefusal(73, "exists already", in: folder) {
                try migrate(store, ["-o", store.path])
            }
        }
    }

    @Test func `an unknown target version is refused with the known ones`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            try expectRefusal(64, "there are: V1, V2", in: folder) {
                try migrate(store, ["--in-place", "--to", "V7"])
            }
        }
    }

    @Test func `a store that is newer than the target is refused`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            #expect(try migrate(store, ["--in-place", "--to", "V4"]).status == 0)
            try expectRefusal(3, "newer than 'V2'", in: folder) {
                try migrate(store, ["--in-place", "--to", "V2"])
            }
        }
    }

    @Test func `a store of no version is refused with the nearest one`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            do {
                let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
                var metadata = try StoreMetadata(connection)
                var hashes = metadata.hashes
                hashes.entities["Author"] = hashes.entities["Book"]
                metadata.hashes = hashes
                try writeMetadata(metadata, on: connection)
            }
            try expectRefusal(3, "nearest is 'V1', which differs in Author", in: folder) {
                try migrate(store, ["--in-place"])
            }
        }
    }

    @Test func `what is no store, and a store that is missing, are refused`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Other.sqlite").path
            try SQLiteConnection(path: path, mode: .create).execute("CREATE TABLE t (a)")
            try write("", "Empty.sqlite", in: folder)
            try write("This is no store.", "Text.sqlite", in: folder)
            for (name, status, message) in [
                ("Other", Int32(65), "no Core Data store"), ("None", 66, "no such file"),
                ("Empty", 65, "not an SQLite database"), ("Text", 65, "not an SQLite database"),
            ] {
                try expectRefusal(status, message, in: folder) {
                    try migrate(folder.appending(path: "\(name).sqlite"), ["--in-place"])
                }
            }
        }
    }

    @Test func `a truncated store is refused wherever it is cut`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            let whole = try Data(contentsOf: store)
            let output = folder.appending(path: "New.sqlite").path
            let lengths = Array(stride(from: 0, to: whole.count - 1, by: 4099))
            for length in Sweep.part(of: lengths, every: 5) {
                try whole.prefix(length).write(to: store)
                let run = try migrate(store, ["-o", output])
                #expect(run.status == 65, "cut at \(length): \(run.status) \(run.errors)")
                #expect(!FileManager.default.fileExists(atPath: output))
            }
        }
    }

    @Test func `a damaged page never comes out as a result`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            let whole = try Data(contentsOf: store)
            for page in Sweep.part(of: 1..<(whole.count / 4096), every: 3) {
                var damaged = whole
                for offset in 0..<4096 { damaged[page * 4096 + offset] = UInt8(offset & 0xFF) }
                try damaged.write(to: store)
                let output = folder.appending(path: "\(page).sqlite").path
                let run = try migrate(store, ["-o", output])
                #expect([0, 3, 4, 65].contains(run.status), "\(run.status) \(run.errors)")
                guard run.status == 0 else {
                    #expect(!FileManager.default.fileExists(atPath: output))
                    continue
                }
                let check = try SQLiteConnection(path: output, mode: .readWrite)
                #expect(try check.value("PRAGMA integrity_check")?.text == "ok")
            }
        }
    }

    @Test(arguments: [["--in-place", "-o", "x"], [], ["-o", "x", "--backup", "y"]])
    func `contradictory arguments are a usage error`(arguments: [String]) throws {
        let run = try momtool(
            ["migrate", "x.sqlite", "--allow-data-loss", "--model", Self.model] + arguments
        )
        #expect(run.status == 64)
    }
}
