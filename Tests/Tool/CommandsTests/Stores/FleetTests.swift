import Foundation
import TestSupport
import Testing

struct FleetTests {
    private static let migrate = "migrate --model MODEL --to V2 -o New --from-list list"

    @Test(arguments: ["\n", "\0", "\r\n", "\u{FEFF}"])
    func `stores come from a list, by lines or separated by NUL, with a mark before it or not`(
        sign: String
    ) throws {
        let names = [sign == "\0" ? "a\nb.sqlite" : "a b.sqlite", "c.sqlite"]
        try FleetStores.with(names) { stores in
            let lines = names.map { $0 + (sign == "\u{FEFF}" ? "\n" : sign) }
            try stores.write((sign == "\u{FEFF}" ? sign : "") + lines.joined(), to: "list")
            let run = try stores.run(Self.migrate)
            #expect(run.status == 0, "\(run.errors)")
            #expect(stores.files(below: "New") == names)
            #expect(try stores.run("verify --from-list list").status == 0)
        }
    }

    @Test func `a listed path that is not UTF-8 is told as such`() throws {
        try FleetStores.with([]) { stores in
            try stores.write(Data(Array("caf".utf8) + [0xE9] + Array(".sqlite\n".utf8)), to: "list")
            let run = try stores.run("verify --from-list list")
            #expect(run.output.contains("UTF-8"), "\(run)")
        }
    }

    @Test func `a journal that was cut off goes on with a line of its own`() throws {
        try FleetStores.with(["a.sqlite"]) { stores in
            for start in ["{", "{\"formatVersion\":1,\"sta"] {
                try stores.write(start, to: "j.jsonl")
                for _ in 0..<2 {
                    #expect(try stores.run(Self.migrate + " --journal j.jsonl").status == 0)
                }
                let lines = try stores.text("j.jsonl").split(separator: "\n")
                #expect(lines.count == 3 && lines[0] == start, "\(lines)")
                #expect(lines.dropFirst().allSatisfy { $0.contains("\"store\":\"a.sqlite\"") })
            }
        }
    }

    @Test(arguments: ["json", "junit"])
    func `reports of verify say why a store cannot be verified`(format: String) throws {
        try FleetStores.with(["a.sqlite", "b.sqlite", "c.sqlite"]) { stores in
            try stores.cut("a.sqlite")
            try stores.write("this is text", to: "b.sqlite")
            try FileManager.default.removeItem(at: stores.folder.appending(path: "c.sqlite"))
            let said = try stores.run("verify --from-list list --format \(format)=report")
            #expect((said.output + said.errors).contains("[truncated-store]"), "\(said)")
            let report = try stores.text("report")
            for name in ["a.sqlite", "b.sqlite", "c.sqlite"] {
                #expect(report.contains(name), "\(report)")
            }
        }
    }

    /// Once each skipped store had a line, none of which named the interrupt, and a damaged store set the status.
    @Test func `an interrupted run says so once, and how it goes on`() throws {
        try FleetStores.with((0..<200).map { "In/\($0).sqlite" }) { stores in
            try stores.cut("In/0.sqlite")
            let migrate = "migrate --from-list list --model MODEL -o Out --allow-data-loss"
            let line =
                "momtool \(migrate.replacing("MODEL", with: "'\(FleetStores.model)'")) "
                + "--jobs 2 --journal j.jsonl > said 2> told & p=$!; "
                + "until [ -s j.jsonl ] && [ $(wc -l < j.jsonl) -ge 5 ]; do sleep 0.02; done; "
                + "kill -TERM $p; wait $p"
            let ended = try shell(line, in: stores.folder)
            #expect(ended.status == 4, "\(ended.output)\(ended.errors)")
            let told = try stores.text("told").split(separator: "\n")
            let lines = told.filter { $0.contains("[interrupted]") }
            #expect(lines.count == 1, "\(lines)")
            #expect(lines.first?.contains(" of 200 ") == true, "\(lines)")
            try stores.put("In/0.sqlite")
            let again = try stores.run(migrate)
            #expect(again.status == 0, "\(again.errors)")
            #expect(stores.files(below: "Out").count { $0.hasSuffix(".sqlite") } == 200)
        }
    }
}
