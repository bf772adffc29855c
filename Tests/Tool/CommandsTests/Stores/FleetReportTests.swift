import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct FleetReportTests {
    private static let migrate = "migrate --model MODEL --to V2 -o New"

    private static let commands = [
        "migrate --model MODEL --to V2 -o New", "export -o Rows", "verify",
        "identify --model MODEL", "repair", "doctor",
    ]

    @Test func `a journal is of one command, and proves nothing of another`() throws {
        try FleetStores.with(["a.sqlite"]) { stores in
            try stores.cut("a.sqlite")
            let migrate = "migrate --model MODEL --to V2 -o New --from-list list"
            #expect(try stores.run("\(migrate) --journal first").status != 0)
            let journal = try stores.text("first")
            let other = try stores.run("verify --from-list list --journal first")
            #expect(other.status == 73, "\(other.errors)")
            #expect(other.errors.contains("is one of momtool migrate"), "\(other.errors)")
            #expect(try stores.text("first") == journal)
            try stores.put("a.sqlite")
            #expect(try stores.run("verify --from-list list --journal second").status == 0)
            #expect(try stores.run("\(migrate) --journal first").status == 0)
        }
    }

    @Test func `a journal that was cut off goes on with a line of its own`() throws {
        try FleetStores.with(["a.sqlite"]) { stores in
            let line = Self.migrate + " --from-list list --journal "
            for start in ["{", "{\"formatVersion\":1,\"sta"] {
                try stores.write(start, to: "j.jsonl")
                for _ in 0..<2 {
                    let run = try stores.run(line + "j.jsonl")
                    #expect(run.status == 0, "\(run.errors)")
                }
                let lines = try stores.text("j.jsonl").split(separator: "\n")
                #expect(lines.count == 3 && lines[0] == start, "\(lines)")
                #expect(lines.dropFirst().allSatisfy { $0.contains("\"store\":\"a.sqlite\"") })
            }
            try stores.write("{\n  \"a\" : 1\n}\n", to: "other")
            #expect(try stores.run(line + "other").status == 73)
        }
    }

    @Test(arguments: commands)
    func `a list without stores is no success`(command: String) throws {
        try FleetStores.with([]) { stores in
            let run = try stores.run("\(command) --from-list list")
            #expect(run.status == 66, "\(run.output)\(run.errors)")
            #expect(run.errors.contains("list: error: the list names no store [no-stores]"))
        }
    }

    @Test func `an export removes what killed runs left, however many stores are at work`() throws {
        let names = (0..<8).map { "s\($0).sqlite" }
        try FleetStores.with(names) { stores in
            #expect(try stores.run("export --from-list list -o Rows").status == 0)
            let drafts = names.map { "Rows/.\($0).json.momtool-draft-\(UUID().uuidString)" }
            for draft in drafts { try stores.write("{", to: draft) }
            let line = "export --from-list list -o Rows --skip-done --jobs 8"
            #expect(try stores.run(line).status == 0)
            let left = try FileManager.default.contentsOfDirectory(
                atPath: stores.folder.appending(path: "Rows").path
            )
            #expect(left.sorted() == names.map { "\($0).json" })
        }
    }

    @Test func `reports of verify say why a store cannot be verified`() throws {
        try FleetStores.with(["a.sqlite", "b.sqlite", "c.sqlite"]) { stores in
            try stores.cut("a.sqlite")
            try stores.write("this is text", to: "b.sqlite")
            try FileManager.default.removeItem(at: stores.folder.appending(path: "c.sqlite"))
            for format in ["json", "junit"] {
                _ = try stores.run("verify --from-list list --format \(format)=report")
                let report = try stores.text("report")
                for reason in [
                    "cannot be verified: cut off; 5000 of ", "cannot be verified: this is a text",
                    "cannot be verified: no such file",
                ] { #expect(report.contains(reason), "\(format): \(report)") }
            }
        }
    }

    @Test func `a mark before the first path of a list is no part of it`() throws {
        try FleetStores.with(["a.sqlite"]) { stores in
            try stores.write("\u{FEFF}a.sqlite\r\n", to: "list")
            let run = try stores.run("identify --model MODEL --from-list list")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.hasPrefix("a.sqlite: V1"))
        }
    }

    @Test func `a listed path that is not UTF-8 is told as such`() throws {
        try FleetStores.with([]) { stores in
            try stores.write(
                Data("caf\u{e9}.sqlite\n".unicodeScalars.map { UInt8($0.value) }),
                to: "list"
            )
            let run = try stores.run("verify --from-list list")
            #expect(run.errors.contains("no such file; the path is not UTF-8"), "\(run.errors)")
            #expect(!run.errors.contains("did you mean"))
        }
    }

    @Test func `export leaves alone what is whole and new, and makes the rest again`() throws {
        let names = ["a.sqlite", "b.sqlite", "c.sqlite"]
        try FleetStores.with(names) { stores in
            let line = "export --from-list list -o Rows --skip-done"
            #expect(try stores.run(line).status == 0)
            let whole = try stores.text("Rows/a.sqlite.json")
            try stores.write(String(whole.dropLast(10)), to: "Rows/a.sqlite.json")
            try stores.put("b.sqlite", title: "changed since")
            let second = try stores.run(line)
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.output.contains("2 of 3 stores exported, 1 done before"))
            #expect(try stores.text("Rows/a.sqlite.json") == whole)
            #expect(try stores.text("Rows/b.sqlite.json").contains("changed since"))
        }
    }
}

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
                try FileManager.default.removeItem(at: stores.folder.appending(path: "New/\(name)"))
            }
            #expect(try stores.run(line).status == 0)
        }
    }
}

struct FleetOutputTests {
    private static let migrate = "migrate --model MODEL --to V2"
    private static let list = migrate + " --from-list list -o Out"

    private func withRuns(_ body: (FleetStores) throws -> Void) throws {
        try FleetStores.with(["a.sqlite", "u/b.sqlite"]) { stores in
            try stores.cut("u/b.sqlite")
            let first = "verify --from-list list --journal j.jsonl --format json=report.json"
            #expect(try stores.run(first).status == 65)
            for name in ["Folder", ".New_SUPPORT/_EXTERNAL_DATA"] {
                try makeFolder(stores.folder.appending(path: name))
            }
            try stores.write("notes\n", to: "notes.txt")
            try body(stores)
        }
    }

    private func state(_ stores: FleetStores) throws -> [String: Data] {
        let files = stores.files(below: ".")
        return try Dictionary(
            uniqueKeysWithValues: files.map {
                ($0, try Data(contentsOf: stores.folder.appending(path: $0)))
            }
        )
    }

    @Test(
        arguments: [
            ("\(list) --format json=list", "output-is-input"),
            ("\(list) --journal list", "output-is-input"),
            ("doctor --from-list list --journal list", "output-is-input"),
            ("verify --from-list list -o list", "output-is-input"),
            ("identify --model MODEL --from-list list --format json=list", "output-is-input"),
            ("repair --from-list list --format json=list", "output-is-input"),
            ("export --from-list list -o Out --format json=list", "output-is-input"),
            ("\(list) --journal z --format json=z", "repeated-output"),
            ("verify --from-list list --journal z --format json=./z", "repeated-output"),
            ("doctor --from-list list --journal z --format json=z", "repeated-output"),
            ("\(list) --journal Out/a.sqlite", "repeated-output"),
            ("\(migrate) --from-list list -o Folder --journal Folder/a.sqlite", "repeated-output"),
            ("\(list) --format json=Out", "repeated-output"),
            ("\(list) --format json=Out/u", "repeated-output"),
            ("\(list) --format json=Out/u/b.sqlite-wal", "repeated-output"),
            ("export --from-list list -o Folder --journal Folder/a.sqlite.json", "repeated-output"),
            ("export a.sqlite -o Rows --journal Rows", "repeated-output"),
            (
                "\(migrate) a.sqlite -o New.sqlite --format json=.New_SUPPORT/_EXTERNAL_DATA/r",
                "repeated-output"
            ),
            ("repair a.sqlite -o New.sqlite --format json=.New_SUPPORT/r", "repeated-output"),
            ("create New.sqlite --model MODEL --format json=.New_SUPPORT/r", "repeated-output"),
            ("create New.sqlite --model MODEL --format json=New.sqlite", "repeated-output"),
            (
                "\(migrate) a.sqlite --in-place --backup Folder --format json=Folder/a.sqlite",
                "repeated-output"
            ),
        ]
    )
    func `an output where something is read or written is refused before anything is`(
        line: String,
        rule: String
    ) throws {
        try withRuns { stores in
            let before = try state(stores)
            let run = try stores.run(line)
            #expect(run.status == 64, "\(run.output)\(run.errors)")
            #expect(run.errors.hasSuffix(" [\(rule)]\n"), "\(run.errors)")
            #expect(try state(stores) == before)
        }
    }

    @Test(arguments: ["notes.txt", "report.json"])
    func `what is no journal is not appended to`(name: String) throws {
        try withRuns { stores in
            let before = try state(stores)
            let run = try stores.run("verify a.sqlite --journal \(name)")
            #expect(run.status == 73)
            #expect(run.errors.contains("that is no journal"), "\(run.errors)")
            #expect(try state(stores) == before)
        }
    }

    @Test func `reports and journals may lie beside results, and a run goes on with its journal`()
        throws
    {
        try withRuns { stores in
            try stores.put("u/b.sqlite")
            let line = "\(Self.list) --format json=Folder/report.json --journal Folder/j.jsonl"
            let run = try stores.run(line.replacingOccurrences(of: "-o Out", with: "-o Folder"))
            #expect(run.status == 0, "\(run.errors)")
            let again = try stores.run("verify --from-list list --journal j.jsonl")
            #expect(again.status == 0, "\(again.errors)")
        }
    }

    /// Once each skipped store had a line, none of which named the interrupt, and a damaged store set the status.
    @Test func `an interrupted run says so once, and how it goes on`() throws {
        try FleetStores.with((0..<200).map { "In/\($0).sqlite" }) { stores in
            try stores.cut("In/0.sqlite")
            let line =
                "momtool migrate --from-list list --model '\(FleetStores.model)' -o Out --allow-data-loss "
                + "--jobs 2 --journal j.jsonl > said 2> told & p=$!; "
                + "until [ -s j.jsonl ] && [ $(wc -l < j.jsonl) -ge 5 ]; do sleep 0.02; done; "
                + "kill -TERM $p; wait $p"
            let ended = try shell(line, in: stores.folder)
            #expect(ended.status == 4, "\(ended.output)\(ended.errors)")
            let told = try stores.text("told").split(separator: "\n")
            let lines = told.filter { $0.contains("[interrupted]") }
            #expect(lines.count == 1, "\(lines)")
            #expect(lines.first?.contains("of 200 stores are not done") == true, "\(lines)")
            #expect(lines.first?.contains("go on with the same command [") == true, "\(lines)")
            try stores.put("In/0.sqlite")
            let again = try stores.run(
                "migrate --from-list list --model MODEL -o Out --allow-data-loss"
            )
            #expect(again.status == 0, "\(again.errors)")
            #expect(stores.files(below: "Out").filter { $0.hasSuffix(".sqlite") }.count == 200)
        }
    }
}
