import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct FleetPlaceTests {
    private static let migrate = "migrate --model MODEL --to V2 -o New --journal j.jsonl"
    private static let names = ["u/1.sqlite", "u/a/x/1.sqlite"]

    @Test func `a repeated run writes where the first would have, and takes no other result`()
        throws
    {
        try FleetStores.with(Self.names) { stores in
            try stores.cut("u/a/x/1.sqlite")
            #expect(try stores.run(Self.migrate + " --from-list list").status == 65)
            try stores.put("u/a/x/1.sqlite", title: "MINE ALONE")
            let second = try stores.run(Self.migrate + " --from-list list")
            #expect(second.status == 0, "\(second.errors)")
            #expect(stores.files(below: "New") == Self.names)
            let made = stores.folder.appending(path: "New/u/a/x/1.sqlite").path
            let title = try SQLiteConnection(path: made, mode: .readWrite)
                .value("SELECT ZTITLE FROM ZBOOK LIMIT 1")?.text
            #expect(title == "MINE ALONE")
        }
    }

    @Test func `a longer list finds what is done where it is`() throws {
        try FleetStores.with(["u/a/x/1.sqlite", "u/a/x/2.sqlite"]) { stores in
            #expect(try stores.run(Self.migrate + " --from-list list").status == 0)
            try stores.put("u/1.sqlite", title: "another")
            try stores.write("u/a/x/1.sqlite\nu/1.sqlite\nu/a/x/2.sqlite\n", to: "grown")
            let second = try stores.run(Self.migrate + " --from-list grown")
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.output.contains("1 of 3 stores migrated, 2 done before"))
            #expect(
                stores.files(below: "New") == ["u/1.sqlite", "u/a/x/1.sqlite", "u/a/x/2.sqlite"]
            )
        }
    }

    @Test(arguments: ["repair", "export"])
    func `repair and export go by the path, too`(command: String) throws {
        try FleetStores.with(Self.names) { stores in
            try stores.cut("u/a/x/1.sqlite")
            let line = "\(command) -o New --journal j.jsonl"
            #expect(try stores.run(line + " --from-list list").status == 65)
            try stores.put("u/a/x/1.sqlite")
            let second = try stores.run(line + " --from-list list")
            #expect(second.status == 0, "\(second.errors)")
            let end = command == "export" ? ".json" : ""
            #expect(stores.files(below: "New") == Self.names.map { $0 + end })
        }
    }

    @Test func `backups of a list have the path of their store`() throws {
        try FleetStores.with(Self.names) { stores in
            let line = "migrate --from-list list --model MODEL --to V2 --in-place --backup Old"
            let run = try stores.run(line)
            #expect(run.status == 0, "\(run.errors)")
            #expect(stores.files(below: "Old") == Self.names)
        }
    }

    @Test(arguments: ["migrate --model MODEL --to V2", "repair"])
    func `what is older than its store, or no whole result, is refused with what to do`(
        command: String
    ) throws {
        try FleetStores.with(["a.sqlite", "b.sqlite"]) { stores in
            let line = command + " --from-list list -o New"
            #expect(try stores.run(line).status == 0)
            #expect(try stores.run(line).output.contains("2 done before"))
            try stores.put("a.sqlite", title: "changed since")
            try stores.write("no store", to: "New/b.sqlite")
            let second = try stores.run(line)
            #expect(second.status == 73)
            #expect(
                second.errors.contains(
                    "New/a.sqlite: error: exists already, and is older than the last change of a.sqlite; remove it"
                ),
                "\(second.errors)"
            )
            #expect(
                second.errors.contains(
                    "exists already, and is no whole result of b.sqlite; remove"
                ),
                "\(second.errors)"
            )
            for name in ["a.sqlite", "b.sqlite"] {
                try FileManager.default.removeItem(
                    at: stores.folder.appending(path: "New/\(name)")
                )
            }
            #expect(try stores.run(line).status == 0)
        }
    }
}
