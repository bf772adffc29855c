import Foundation
import TestSupport
import Testing

struct FleetOutputTests {
    private static let migrate = "migrate --model MODEL --to V2"
    private static let list = migrate + " --from-list list -o Out"

    private func withRuns(_ body: (FleetStores) throws -> Void) throws {
        try FleetStores.with(["a.sqlite", "u/b.sqlite"]) { stores in
            try stores.cut("u/b.sqlite")
            let first = "verify --from-list list --journal j.jsonl --format json=report.json"
            #expect(try stores.run(first).status == 65)
            for name in ["Folder", ".New_SUPPORT/_EXTERNAL_DATA"] {
                try FileManager.default.createDirectory(
                    at: stores.folder.appending(path: name),
                    withIntermediateDirectories: true
                )
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
