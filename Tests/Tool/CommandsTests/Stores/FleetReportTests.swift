import Foundation
import TestSupport
import Testing

/// What reports and journals of many stores say, and what is read from them.
struct FleetReportTests {
    private static let migrate = "migrate --model MODEL --to V2 -o New"

    @Test func `journals of shards without stores, and one that begins torn, join`() throws {
        try FleetStores.with(["a.sqlite"]) { stores in
            for shard in 1...4 {
                let line = " --from-list list --shard \(shard)/4 --journal f\(shard).jsonl"
                #expect(try stores.run(Self.migrate + line).status == 0)
            }
            let journals = (1...4).map { "f\($0).jsonl" }
            let empty = try journals.filter { try stores.text($0).isEmpty }
            try #require(empty.count == 3)
            // Whichever of them comes first.
            for order in [journals, journals.reversed(), empty] {
                let joined = try stores.run(
                    "join-reports \(order.joined(separator: " ")) --expect list -o all.json"
                )
                #expect(joined.status == (order == empty ? 1 : 0), "\(joined.errors)")
            }
            try stores.write("{\"formatVersion\":1,\"sta", to: "torn.jsonl")
            let torn = try stores.run("join-reports torn.jsonl f1.jsonl -o all.json")
            #expect(torn.status == 0, "\(torn.errors)")
            #expect(torn.errors.contains("torn.jsonl:1: warning: "), "\(torn.errors)")
            let line = Self.migrate + " --from-list list --journal torn.jsonl"
            #expect(try stores.run(line).status == 0)
            let whole = try stores.run("join-reports torn.jsonl --expect list -o all.json")
            #expect(whole.status == 0, "\(whole.errors)")
        }
    }

    @Test(arguments: ["{\"a\":1}", "no report", "[1]", "{\n  \"a\" : 1\n}"])
    func `what is neither a report nor a journal stays refused`(text: String) throws {
        try FleetStores.with([]) { stores in
            try stores.write(text, to: "other")
            let joined = try stores.run("join-reports other -o all.json")
            #expect(joined.status == 65, "\(joined.output)\(joined.errors)")
            #expect(try stores.run("verify --retry-failed other").status == 65)
        }
    }

    @Test func `two stores with one result are told`() throws {
        try FleetStores.with(["a.sqlite", "b.sqlite"]) { stores in
            let line = Self.migrate + " --from-list list --jobs 1 --journal j.jsonl"
            #expect(try stores.run(line).status == 0)
            let text = try stores.text("j.jsonl")
                .replacingOccurrences(of: "\"result\":\"New/b", with: "\"result\":\"New/a")
            try stores.write(text, to: "j.jsonl")
            let joined = try stores.run("join-reports j.jsonl --expect list -o all.json")
            #expect(joined.status == 1)
            #expect(
                joined.errors.contains(
                    "b.sqlite: error: the reports give it the result of a.sqlite, New/a.sqlite [repeated-output]"
                ),
                "\(joined.errors)"
            )
        }
    }

    private static let commands = [
        "migrate --model MODEL --to V2 -o New", "export -o Rows", "verify",
        "identify --model MODEL", "repair", "doctor",
    ]

    @Test(arguments: commands, ["--format json=first", "--journal first"])
    func `a retry takes the reports and journals of every command that offers it`(
        command: String,
        record: String
    ) throws {
        try FleetStores.with(["a.sqlite", "b.sqlite", "c.sqlite"]) { stores in
            try stores.cut("b.sqlite")
            try stores.write("no store", to: "c.sqlite")
            let first = try stores.run("\(command) --from-list list \(record)")
            #expect(first.status != 0)
            try stores.put("b.sqlite")
            try FileManager.default.removeItem(at: stores.folder.appending(path: "c.sqlite"))
            let second = try stores.run("\(command) --retry-failed first --journal second")
            #expect(second.status == 66, "\(command): \(second.output)\(second.errors)")
            let lines = try stores.text("second").split(separator: "\n")
            #expect(lines.count == 2)
            for name in ["b.sqlite", "c.sqlite"] {
                #expect(lines.contains { $0.contains("\"store\":\"\(name)\"") }, "\(lines)")
            }
            #expect(lines.filter { $0.contains("\"status\":\"failed\"") }.count == 1, "\(lines)")
        }
    }

    @Test(arguments: commands, ["--format json=first", "--journal first"])
    func `a retry takes stores that are named from the current folder`(
        command: String,
        record: String
    ) throws {
        try FleetStores.with(["./a.sqlite", "./b.sqlite"]) { stores in
            try stores.cut("a.sqlite")
            try stores.cut("b.sqlite")
            #expect(try stores.run("\(command) ./a.sqlite ./b.sqlite \(record)").status != 0)
            try stores.put("b.sqlite")
            let second = try stores.run("\(command) --retry-failed first --format json=second")
            #expect(second.status != 0, "\(command): \(second.output)\(second.errors)")
            try stores.put("a.sqlite")
            let third = try stores.run("\(command) --retry-failed second --format json=third")
            #expect(third.status == 0, "\(command): \(third.output)\(third.errors)")
            let text = try stores.text("third")
            #expect(text.contains("./a.sqlite") && !text.contains("b.sqlite"), "\(text)")
        }
    }

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
            let joined = try stores.run("join-reports first second --expect list -o all.json")
            #expect(joined.status == 65, "\(joined.output)")
            #expect(joined.errors.contains("different commands: migrate and verify"))
            #expect(try stores.run("\(migrate) --journal first").status == 0)
            #expect(try stores.run("join-reports first --expect list -o all.json").status == 0)
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
