import Diagnostics
import Foundation
import SQLiteAccess
import TestSupport
import Testing

@Suite(.enabled(if: canInjectSystemFaults, "a sanitizer has the C library's place"))
struct InterruptTests {
    /// A command that writes, with `@` for its folder.
    typealias Writing = (name: String, arguments: [String])

    private static let model = StoreFixture.modelPath

    static let commands: [Writing] = [
        (
            "repair in place",
            ["repair", "@Store.sqlite", "--model", model + "#V1", "--backup", "@Backups"]
        ),
        (
            "repair to a copy",
            ["repair", "@Store.sqlite", "--model", model + "#V1", "-o", "@New.sqlite"]
        ),
        ("create", ["create", "@New.sqlite", "--model", model, "--rows", "@rows.json"]),
        ("compile", ["compile", model, "-o", "@New.momd"]),
        ("export", ["export", "@Store.sqlite", "--model", model + "#V1", "-o", "@Rows.json"]),
    ]

    static let modelCommands: [Writing] = [
        ("lint --fix", ["lint", "@Faulty.xcdatamodel", "--fix"]),
        ("lock", ["lock", "@Shop.xcdatamodeld", "--unshipped", "V6"]), ("init", ["init", "@"]),
        ("model add", ["model", "add", "@Shop.xcdatamodeld", "entity", "Shelf"]),
        ("model new-version", ["model", "new-version", "@Shop.xcdatamodeld", "V7"]),
        (
            "merge",
            [
                "model", "merge", "@Shop.xcdatamodeld/V1.xcdatamodel/contents",
                "@Shop.xcdatamodeld/V2.xcdatamodel/contents",
                "@Shop.xcdatamodeld/V1.xcdatamodel/contents", "-o", "@Merged",
            ]
        ),
        ("generate", ["generate", "@Shop.xcdatamodeld", "--all", "-o", "@New/Classes"]),
        ("decompile", ["decompile", "@Store.sqlite", "-o", "@New"]),
    ]

    /// Eighths of the calls; on every push some of them, with the early ones, behind which most is left to do.
    private static let moments = Sweep.isWhole ? Array(0..<8) : [0, 1, 3, 6]

    @Test(arguments: MigrationWay.allCases)
    func `a migration that is interrupted leaves nothing, and goes on when it is run again`(
        way: MigrationWay
    ) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .plain)
            try check(way.rawValue, in: folder.appending(path: "Work")) { work in
                _ = try fixture.fresh(in: work)
                return try way.arguments(in: work)
            }
        }
    }

    @Test(arguments: commands)
    func `a command that is interrupted leaves nothing, and goes on when it is run again`(
        command: Writing
    ) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .plain)
            try check(command.name, in: folder.appending(path: "Work")) { work in
                let store = try fixture.fresh(in: work)
                try damage(store)
                try Data(#"{"Author": [{"name": "Ada"}]}"#.utf8)
                    .write(to: work.appending(path: "rows.json"))
                return command.arguments.map {
                    $0.hasPrefix("@") ? work.appending(path: String($0.dropFirst())).path : $0
                }
            }
        }
    }

    @Test(arguments: modelCommands)
    func
        `a command for models that is interrupted changes no file, and goes on when it is run again`(
            command: Writing
        ) throws
    {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .plain)
            try check(command.name, in: folder.appending(path: "Work")) { work in
                _ = try fixture.fresh(in: work)
                let model = work.appending(path: "Shop.xcdatamodeld")
                try copyFile(URL(fileURLWithPath: Self.model), to: model)
                try write(fixableModel, "Faulty.xcdatamodel/contents", in: work)
                return command.arguments.map {
                    $0.hasPrefix("@") ? work.appending(path: String($0.dropFirst())).path : $0
                }
            }
        }
    }

    /// Drops an index, which repair restores.
    private func damage(_ store: String) throws {
        let connection = try SQLiteConnection(path: store, mode: .readWrite)
        let sql = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL LIMIT 1"
        let index = try #require(try connection.value(sql)?.text)
        try connection.execute("DROP INDEX \"\(index)\"")
    }

    private func check(_ name: String, in work: URL, _ prepare: (URL) throws -> [String]) throws {
        let log = work.deletingLastPathComponent().appending(path: "calls.log")
        let sound = try runFaulty(try prepare(work), in: work, ["MOMTOOL_FAULT_LOG": log.path])
        // The model that init locks loses an entity.
        #expect(sound.status == (name == "init" ? 1 : 0), "\(name): \(sound.errors)")
        let count = try fileText(log).split(separator: "\n").count
        var interrupted = 0
        for moment in Self.moments {
            let call = 1 + moment * count / 8
            let arguments = try prepare(work)
            let before = try contents(of: work)
            let result = try runFaulty(arguments, in: work, ["MOMTOOL_FAULT": "stop:\(call)"])
            let title = "\(name), call \(call) of \(count): \(result.status) \(result.errors)"
            #expect([sound.status, 4].contains(result.status), "\(title)")
            guard result.status == 4 else { continue }
            interrupted += 1
            #expect(result.errors.split(separator: "\n").count == 1, "\(title)")
            #expect(result.errors.contains("[interrupted]"), "\(title)")
            let after = try contents(of: work)
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            #expect(changed.sorted() == [], "\(title)")
            let again = try momtool(arguments, in: work)
            #expect(again.status == sound.status, "\(title), then \(again.status) \(again.errors)")
        }
        #expect(interrupted > 0, "\(name) is never interrupted")
    }

    /// The bytes of files below a folder, nothing for folders; stores, which are rolled back with other bytes, only
    /// exist.
    private func contents(of work: URL) throws -> [String: Data] {
        let all = FileManager.default.enumerator(atPath: work.path)?.allObjects ?? []
        let paths = all.compactMap { $0 as? String }.filter { !$0.hasPrefix("Temporary") }
        return Dictionary(
            uniqueKeysWithValues: paths.map { path in
                let file = work.appending(path: path)
                let isStore = path.contains(".sqlite")
                return (path, isStore ? Data() : (try? Data(contentsOf: file)) ?? Data())
            }
        )
    }
}
