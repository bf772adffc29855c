import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct FleetTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let migrate = ["migrate", "--model", model, "--to", "V2", "-o", "New"]

    private func withStores(_ names: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
            for name in names {
                let place = folder.appending(path: name)
                try makeFolder(place.deletingLastPathComponent())
                try copyFile(store, to: place)
            }
            try body(folder)
        }
    }

    @Test(arguments: ["\n", "\0", "\r\n"])
    func `stores come from a list, by lines or separated by NUL`(separator: String) throws {
        let names = separator == "\0" ? ["a\nb.sqlite", "c.sqlite"] : ["a b.sqlite", "c.sqlite"]
        try withStores(names) { folder in
            let list = names.map { $0 + separator }.joined()
            try write(list, "list", in: folder)
            try expectRun(Self.migrate + ["--from-list", "list"], in: folder, 0)
            for name in names {
                #expect(FileManager.default.fileExists(atPath: "\(folder.path)/New/\(name)"))
            }
            try expectRun("verify --from-list list", in: folder, 0)
        }
    }

    @Test func `a list with one store still means a folder of results`() throws {
        try withStores(["a.sqlite"]) { folder in
            try write("a.sqlite\n", "list", in: folder)
            try expectRun(Self.migrate + ["--from-list", "list"], in: folder, 0)
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/New/a.sqlite"))
        }
    }

    @Test func `nothing named is a mistake of usage`() throws {
        #expect(try momtool("verify").status == 64)
        #expect(try momtool("verify", "--from-list", "/nonexistent").status == 66)
    }

    @Test func `a repeated run leaves what is done byte for byte, and does the rest`() throws {
        try withStores(["a.sqlite", "b.sqlite"]) { folder in
            try expectRun(Self.migrate + ["a.sqlite", "b.sqlite"], in: folder, 0)
            let kept = folder.appending(path: "New/a.sqlite")
            let bytes = try Data(contentsOf: kept)
            try FileManager.default.removeItem(at: folder.appending(path: "New/b.sqlite"))
            let second = try momtool(
                Self.migrate + ["a.sqlite", "b.sqlite", "--format", "json=report.json"],
                in: folder
            )
            #expect(second.status == 0, "\(second.errors)")
            #expect(try Data(contentsOf: kept) == bytes)
            let report = try fileText(folder.appending(path: "report.json"))
            #expect(report.components(separatedBy: "\"status\" : \"done\"").count == 2)
            #expect(report.components(separatedBy: "\"status\" : \"migrated\"").count == 2)
            try expectRun(
                Self.migrate + ["a.sqlite", "b.sqlite", "--no-skip-done"],
                in: folder,
                73
            )
        }
    }

    @Test func `a result that is another store's, damaged or of another version is not taken`()
        throws
    {
        for damage in ["other", "bytes", "version"] {
            try withStores(["a.sqlite", "b.sqlite"]) { folder in
                try expectRun(Self.migrate + ["a.sqlite", "b.sqlite"], in: folder, 0)
                let result = folder.appending(path: "New/a.sqlite")
                switch damage {
                case "other":
                    try SQLiteConnection(path: result.path, mode: .readWrite)
                        .execute("UPDATE Z_METADATA SET Z_UUID = 'another'")
                case "bytes":
                    var bytes = try Data(contentsOf: result)
                    bytes.replaceSubrange(4096..<min(12288, bytes.count), with: Data(count: 8192))
                    try bytes.write(to: result)
                default:
                    try FileManager.default.removeItem(at: result)
                    try copyFile(folder.appending(path: "a.sqlite"), to: result)
                }
                let before = try Data(contentsOf: result)
                try expectRun(Self.migrate + ["a.sqlite", "b.sqlite"], in: folder, 73)
                #expect(try Data(contentsOf: result) == before)
            }
        }
    }

    @Test func `in place a store of the new version is done, and not a byte changes`() throws {
        try withStores(["a.sqlite", "b.sqlite"]) { folder in
            let command = ["migrate", "a.sqlite", "b.sqlite", "--model", Self.model, "--to", "V2"]
            try expectRun(command + ["--in-place"], in: folder, 0)
            let bytes = try Data(contentsOf: folder.appending(path: "a.sqlite"))
            try expectRun(command + ["--in-place"], in: folder, 0, "2 done before")
            #expect(try Data(contentsOf: folder.appending(path: "a.sqlite")) == bytes)
        }
    }

    private struct Outcome: Decodable {
        var store: String
        var status: String
    }

    @Test func `a store that is refused leaves no empty folder`() throws {
        try withStores(["a/a.sqlite", "b/b.sqlite"]) { folder in
            try write("no store", "b/b.sqlite", in: folder)
            for command in ["migrate --model \(Self.model) --to V2", "repair", "export"] {
                let words = command.split(separator: " ").map(String.init)
                try expectRun(words + ["a/a.sqlite", "b/b.sqlite", "-o", "New"], in: folder, 65)
                let new = folder.appending(path: "New")
                let names = try FileManager.default.contentsOfDirectory(atPath: new.path)
                #expect(names == ["a"], "\(command)")
                try FileManager.default.removeItem(at: new)
            }
        }
    }

    private func withMixedStores(_ body: (URL) throws -> Void) throws {
        try withStores(["a.sqlite", "b.sqlite", "c.sqlite"]) { folder in
            let connection = try SQLiteConnection(
                path: folder.appending(path: "b.sqlite").path,
                mode: .readWrite
            )
            let sql = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL LIMIT 1"
            let index = try #require(try connection.value(sql)?.text)
            try connection.execute("DROP INDEX \"\(index)\"")
            try write("no store", "c.sqlite", in: folder)
            try write("a.sqlite\nb.sqlite\nc.sqlite\n", "list", in: folder)
            try body(folder)
        }
    }

    private func statuses(_ journal: String, in folder: URL) throws -> [String: String] {
        let text = try fileText(folder.appending(path: journal))
        let stores = try text.split(separator: "\n").map {
            try JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
        }
        try #require(Set(stores.map(\.store)).count == stores.count)
        return Dictionary(stores.map { ($0.store, $0.status) }) { _, last in last }
    }

    private static let commands: [(command: String, ends: [String], status: Int32)] = [
        ("doctor --model \(model) --version V1", ["healthy", "healthy", "ill"], 1),
        ("repair", ["sound", "ill", "failed"], 65),
        ("repair -o New", ["sound", "repaired", "failed"], 65),
        ("export -o New", ["exported", "exported", "failed"], 65),
    ]

    @Test(arguments: commands)
    func `doctor, repair and export go through a list, and a journal has every store once`(
        command: String,
        ends: [String],
        status: Int32
    ) throws {
        try withMixedStores { folder in
            let words = command.split(separator: " ").map(String.init)
            let result = try momtool(
                words + ["--from-list", "list", "--journal", "j.jsonl"],
                in: folder
            )
            #expect(result.status == status, "\(result.errors)")
            let names = ["a.sqlite", "b.sqlite", "c.sqlite"]
            #expect(
                try statuses("j.jsonl", in: folder)
                    == Dictionary(uniqueKeysWithValues: zip(names, ends))
            )
        }
    }

    @Test func `repair and export leave alone what an earlier run made, and try again what failed`()
        throws
    {
        try withMixedStores { folder in
            for command in [["repair"], ["export", "--skip-done"]] {
                let words = command + ["-o", "New"]
                _ = try momtool(
                    words + ["--from-list", "list", "--journal", "j.jsonl"],
                    in: folder
                )
                let file = folder.appending(
                    path: command[0] == "export" ? "New/a.sqlite.json" : "New/a.sqlite"
                )
                let bytes = try Data(contentsOf: file)
                let whole = try momtool(words + ["--from-list", "list"], in: folder)
                #expect(whole.status == 65 && whole.errors.contains("c.sqlite"))
                #expect(whole.output.contains("2 done before"), "\(whole.output)")
                #expect(try Data(contentsOf: file) == bytes)
                try FileManager.default.removeItem(at: folder.appending(path: "New"))
                try FileManager.default.removeItem(at: folder.appending(path: "j.jsonl"))
            }
        }
    }

    @Test func `each store is a test of its own in JUnit`() throws {
        let names = (1...5).map { "\($0).sqlite" }
        try withStores(names) { folder in
            let result = try momtool(["verify", "--format", "junit"] + names, in: folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("tests=\"5\""))
            for name in names { #expect(result.output.contains("<testcase classname=\"\(name)\"")) }
        }
    }
}
