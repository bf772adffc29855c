import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct StagesCommandTests {
    static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private static func stages(_ script: String = "V1-V2.sql") -> String {
        """
        model: \(model)
        stages:
          - lightweight: [V1]
          - custom: {from: V2, to: V3}
            label: do it
            willMigrate: \(script)
          - lightweight: [V4, V5, V6]
        """
    }

    func withStages<Result>(script: String, _ body: (URL) throws -> Result) throws -> Result {
        try withFolder { folder in
            let file = folder.appending(path: "Stages.yml")
            try Data(Self.stages("work.sql").utf8).write(to: file)
            try write(script, "work.sql", in: folder)
            let store = folder.appending(path: "Store.sqlite").path
            try expectRun(["create", store, "--model", Self.model, "--version", "V1"], 0)
            return try body(folder)
        }
    }

    @Test func `a store is migrated by a stages file, with a line for each step`() throws {
        try withStages(script: "INSERT INTO Author DEFAULT VALUES;") { folder in
            let (old, new) = (
                folder.appending(path: "Store.sqlite").path,
                folder.appending(path: "New.sqlite").path
            )
            let stages = folder.appending(path: "Stages.yml").path
            let kept = folder.appending(path: "Kept").path
            let result = try momtool(
                "migrate \(old) --stages \(stages) -o \(new) --keep-stages \(kept) --timeout 600"
            )
            #expect(result.status == 0, "\(result.errors)")
            let lines = result.errors.split(separator: "\n").filter { !$0.contains("[no-rows]") }
            #expect(lines.count == 3)
            #expect(lines.first?.hasPrefix("stage 1 of 3: lightweight V1 → V2; ") == true)
            #expect(lines.dropFirst().first?.hasPrefix("stage 2 of 3: do it; 1 row writ") == true)
            #expect(lines.last?.hasPrefix("stage 3 of 3: lightweight V3 → V6; ") == true)
            #expect(lines.contains { $0.contains(" rows/s, ") })
            #expect(result.output.contains("3 stages to V6"), "\(result.output)")
            #expect(!lines.contains { $0.contains(" 0 rows/s") })
            let names = try FileManager.default.contentsOfDirectory(atPath: kept).sorted()
            #expect(names == ["1-V2.sqlite", "2-V2.sqlite", "3-V3.sqlite", "4-V6.sqlite"])
            try expectRun(["verify", new, "--model", Self.model], 0)
            let rows = try StoreFile(path: new).connection.rows("SELECT count(*) FROM ZAUTHOR")
            #expect(rows == [[.integer(1)]])
        }
    }

    @Test func `a script that does what it must not leaves everything as it was`() throws {
        try withStages(script: "\nPRAGMA writable_schema = 1") { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let stages = folder.appending(path: "Stages.yml").path
            let result = try momtool("migrate", path, "--stages", stages, "--in-place")
            #expect(result.status == 4)
            #expect(result.errors.contains("work.sql:2:1: error: a script may not use PRAGMA"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test func `a script that makes a table is told how values are carried over`() throws {
        try withStages(script: "CREATE TEMP TABLE kept (a)") { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let stages = folder.appending(path: "Stages.yml").path
            let result = try momtool("migrate", path, "--stages", stages, "--in-place")
            #expect(result.status == 4)
            #expect(result.errors.contains("change the schema, such as CREATE TABLE; to carry"))
            #expect(result.errors.contains("set: {new: $source.old}"), "\(result.errors)")
        }
    }

    @Test func `a plan says what the stages do by both semantics`() throws {
        try withStages(script: "SELECT 1") { folder in
            let stages = folder.appending(path: "Stages.yml").path
            let result = try momtool("plan", "--stages", stages, "--from", "V1")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("--semantics apple"))
            #expect(result.output.contains("--semantics stepwise"))
            #expect(result.output.contains("do it: willMigrate at V2"))
        }
    }

    @Test func `a plan of stages begins at the first version, says steps in one line, and in JSON`()
        throws
    {
        struct Plan: Decodable {
            struct Way: Decodable { var steps: [[String: String]] }
            var apple: Way
            var stepwise: Way
        }
        try withFolder { folder in
            let file = folder.appending(path: "Stages.yml")
            let text = "model: \(Self.model)\nstages:\n  - lightweight: [V1, V2, V3, V4, V5, V6]\n"
            try Data(text.utf8).write(to: file)
            let said = try momtool("plan", "--stages", file.path)
            #expect(said.status == 0, "\(said.errors)")
            #expect(said.output.contains("lightweight V1 → V6\n"))
            #expect(said.output.contains("lightweight V1 → V6, 5 steps, each to the next version"))
            #expect(said.output.split(separator: "\n").count == 4, "\(said.output)")
            let json = try momtool("plan", "--stages", file.path, "--format", "json")
            let plan = try JSONDecoder().decode(Plan.self, from: Data(json.output.utf8))
            #expect(plan.apple.steps.map { $0["to"] } == ["V6"])
            #expect(plan.stepwise.steps.map { $0["to"] } == ["V2", "V3", "V4", "V5", "V6"])
            #expect(plan.stepwise.steps.allSatisfy { $0["kind"] == "lightweight" })
        }
    }

    @Test func `Swift source is generated from a stages file`() throws {
        try withStages(script: "SELECT 1") { folder in
            let stages = folder.appending(path: "Stages.yml").path
            let result = try momtool("generate", "--stages", stages)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("NSCustomMigrationStage("))
            #expect(result.output.contains("// SELECT 1"))
        }
    }

    @Test func `a faulty stages file is refused at its place`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "Stages.yml")
            let text = "model: \(Self.model)\nstages:\n  - lightweight: [V1, V9]\n"
            try Data(text.utf8).write(to: file)
            let result = try momtool("plan", "--stages", file.path, "--from", "V1")
            #expect(result.status == 3)
            #expect(
                result.errors.contains("Stages.yml:3:5: error: stage 1: there is no version 'V9'")
            )
            #expect(result.errors.contains("134504"))
        }
    }
}

extension StagesCommandTests {
    @Test func `versions may be models of their own, and be pinned`() throws {
        try withStages(script: "SELECT 1") { folder in
            let library = Self.model
            let compiled = try momtool(
                "compile",
                library + "/V1.xcdatamodel",
                "-o",
                folder.appending(path: "Old").path
            )
            #expect(compiled.status == 0, "\(compiled.errors)")
            let second = folder.appending(path: "Second.xcdatamodel")
            try copyFile(URL(fileURLWithPath: library + "/V2.xcdatamodel"), to: second)
            let hash = try momtool("hash", second.path)
            let pattern = /[A-Za-z0-9+\/]{43}=/
            let checksum = try #require(hash.output.firstMatch(of: pattern)).output
            func stages(pinnedTo checksum: Substring) throws -> String {
                let file = folder.appending(path: "Own.yml")
                let text = """
                    stages:
                      - custom: {from: Old/V1.mom, to: {Second.xcdatamodel: \(checksum)}}
                        willMigrate: work.sql
                      - lightweight: ["\(library)#V6"]
                    """
                try Data(text.utf8).write(to: file)
                return file.path
            }
            let store = folder.appending(path: "Store.sqlite").path
            let new = folder.appending(path: "New.sqlite").path
            let stale = try stages(pinnedTo: "stale")
            let refused = try momtool("migrate", store, "--stages", stale, "-o", new)
            #expect(refused.status == 3)
            #expect(refused.errors.contains("Own.yml:2:5: error: stage 1: the checksum of"))
            #expect(refused.errors.contains("134504"))
            #expect(!FileManager.default.fileExists(atPath: new))
            let file = try stages(pinnedTo: checksum)
            try expectRun(["migrate", store, "--stages", file, "-o", new], 0)
            try expectRun(["verify", new, "--model", library], 0)
            let source = try momtool("generate", "--stages", file)
            #expect(source.output.contains("reference(\"V1\", "))
            #expect(source.output.contains("reference(\"Second\", \"\(checksum)\""))
        }
    }

    @Test func `a terminal gets a line that changes`() throws {
        let script =
            "UPDATE Author SET name = 'x' WHERE EXISTS (WITH RECURSIVE n(i) AS "
            + "(SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT max(i) FROM n)"
        try withStages(script: "INSERT INTO Author DEFAULT VALUES;\n" + script) { folder in
            let command = [
                commandURL.path, "migrate", folder.appending(path: "Store.sqlite").path,
                "--stages", folder.appending(path: "Stages.yml").path, "--in-place",
            ].map { "'\($0)'" }.joined(separator: " ")
            let terminal = Process()
            let pipe = Pipe()
            terminal.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            terminal.arguments = ["TERM=xterm", "script", "-qec", command, "/dev/null"]
            terminal.standardInput = FileHandle.nullDevice
            terminal.standardOutput = pipe
            try terminal.run()
            let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
            terminal.waitUntilExit()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(terminal.terminationStatus == 0, "\(text)")
            let changing = text.components(separatedBy: "\r\u{1B}[K").filter { !$0.contains("\n") }
            #expect(changing.contains { $0.hasPrefix("stage 2 of 3: do it: before the step; ") })
            #expect(changing.contains { $0.contains(" of 0 rows, ") })
            #expect(text.contains("stage 3 of 3: lightweight V3 → V6; "))
        }
    }

    private static let endless =
        "INSERT INTO Author (name) VALUES ('x');\n"
        + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test func `an interrupt ends the migration of several stores`() throws {
        try withStages(script: Self.endless) { folder in
            let first = folder.appending(path: "Store.sqlite")
            let second = folder.appending(path: "Second.sqlite")
            try copyFile(first, to: second)
            let stages = folder.appending(path: "Stages.yml").path
            let rows = try momtool("export", first.path, "--model", Self.model + "#V1").output
            let process = try startedCommand([
                "migrate", first.path, second.path, "--stages", stages, "--in-place", "--jobs", "1",
                "--timeout", "600",
            ])
            Thread.sleep(forTimeInterval: 2)
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 4)
            for store in [first, second] {
                let exported = try momtool("export", store.path, "--model", Self.model + "#V1")
                #expect(exported.output == rows)
            }
        }
    }

    @Test(arguments: [true, false])
    func `an interrupt leaves the store as it was`(isInPlace: Bool) throws {
        try withStages(script: Self.endless) { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let stages = folder.appending(path: "Stages.yml").path
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let rows = try momtool("export", path, "--model", Self.model + "#V1").output
            let end =
                isInPlace ? ["--in-place"] : ["-o", folder.appending(path: "New.sqlite").path]
            let process = try startedCommand(["migrate", path, "--stages", stages] + end)
            // However far it has come by then, the store must be unchanged.
            Thread.sleep(forTimeInterval: 2)
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 4)
            try expectRun(["verify", path, "--model", Self.model + "#V1"], 0)
            #expect(try momtool("export", path, "--model", Self.model + "#V1").output == rows)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.sorted() == names.sorted())
        }
    }
}
