import Foundation
import TestSupport
import Testing

struct StagesCommandTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func withStages(script: String, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let stages = """
                model: \(Self.model)
                stages:
                  - lightweight: [V1]
                  - custom: {from: V2, to: V3}
                    label: do it
                    willMigrate: work.sql
                  - lightweight: [V4, V5, V6]
                """
            try write(stages, "Stages.yml", in: folder)
            try write("INSERT INTO Author (name) VALUES ('x');\n" + script, "work.sql", in: folder)
            try expectRun("create Store.sqlite --model \(Self.model)#V1", in: folder, 0)
            try body(folder)
        }
    }

    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test func `a terminal gets a line that changes`() throws {
        let count = Self.endless.replacing("FROM n)", with: "FROM n LIMIT 3000000)")
        let script = "UPDATE Author SET name = 'x' WHERE EXISTS (\(count))"
        try withStages(script: script) { folder in
            let migrate = "$m migrate Store.sqlite --stages Stages.yml --in-place --allow-outside"
            let script = "TERM=xterm script -qec '\(migrate)' /dev/null < /dev/null"
            let run = try shell(script, in: folder)
            let text = run.output
            #expect(run.status == 0, "\(text)")
            let changing = text.components(separatedBy: "\r\u{1B}[K").filter { !$0.contains("\n") }
            #expect(changing.contains { $0.hasPrefix("stage 2 of 3: do it: ") })
            #expect(changing.contains { $0.contains(" of 0 rows, ") })
            #expect(text.contains("stage 3 of 3: lightweight V3 → V6; "))
        }
    }

    @Test(arguments: [
        ["Store.sqlite", "--in-place"], ["Store.sqlite", "-o", "New.sqlite"],
        ["Store.sqlite", "Second.sqlite", "--in-place", "--jobs", "1", "--timeout", "600"],
    ])
    func `an interrupt leaves the stores as they were`(words: [String]) throws {
        try withStages(script: Self.endless) { folder in
            let stores = ["Store.sqlite", "Second.sqlite"].map { folder.appending(path: $0).path }
            try FileManager.default.copyItem(atPath: stores[0], toPath: stores[1])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            let rows = try momtool("export", stores[0], "--model", Self.model + "#V1").output
            let places = words.map {
                $0.hasSuffix(".sqlite") ? folder.appending(path: $0).path : $0
            }
            let stages = ["--stages", folder.appending(path: "Stages.yml").path]
            let process = try startedCommand(["migrate"] + places + stages)
            // However far it has come by then, the stores must be unchanged.
            Thread.sleep(forTimeInterval: 2)
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 4)
            for store in stores {
                try expectRun(["verify", store, "--model", Self.model + "#V1"], 0)
                let exported = try momtool("export", store, "--model", Self.model + "#V1")
                #expect(exported.output == rows)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(left == names)
        }
    }
}
