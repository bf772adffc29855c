import Foundation
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
