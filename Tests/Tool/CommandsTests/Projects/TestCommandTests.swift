import Foundation
import TestSupport
import Testing

struct TestCommandTests {
    private static let cases = Corpus.package.appending(path: "Fixtures/Cases").path

    private static let count: Int = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cases)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(cases)/\($0)/case.yml") }
            .count
    }()

    @Test func `the repository's own cases pass`() throws {
        let all = try Self.all.get()
        let (cases, failed) = try Self.counts(all.result)
        #expect(all.result.status == 0 && failed == 0, "\(all.result.output)")
        #expect(cases == Self.count && cases > 100)
        #expect(all.result.output.contains("\n\(cases) passed, 0 failed in "))
        #expect(all.report.components(separatedBy: "<testcase ").count == Self.count + 1)
        let sums = "tests=\"\(Self.count)\" failures=\"0\" errors=\"0\" skipped=\"0\""
        #expect(all.report.contains(sums))
    }

    private static let all = Result {
        try withFolder { folder in
            let report = folder.appending(path: "report.xml")
            let format = ["--format", "text", "--format", "junit=\(report.path)"]
            let result = try momtool(["test", cases, "--jobs", "4"] + format)
            return (result: result, report: try fileText(report))
        }
    }

    @Test(arguments: ["text", "github", "markdown", "junit"])
    func `the name of a case ends no line, cell or annotation`(_ format: String) throws {
        try withFolder { folder in
            let text = """
                model: \(Corpus.package.path)/Models/Library.xcdatamodeld
                from: V1
                cases:
                  "a, b::x | <b>\\n::stop-commands::x":
                    before: {}
                    after: {Nothing: []}

                """
            try write(text, "one/case.yml", in: folder)
            let run = try expectRun(["test", folder.path, "--format", format], 1)
            let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
            #expect(lines.allSatisfy { !$0.hasPrefix("::stop") }, "\(run.output)")
            if format == "github" { #expect(run.output.contains("%2C b%3A%3Ax"), "\(run.output)") }
            if format == "markdown" {
                #expect(!run.output.contains("<b>"), "\(run.output)")
                let cells = run.output.replacing("\\|", with: "").split(separator: "\n")
                    .filter { $0.hasPrefix("|") && $0.contains("failed |") }
                #expect(cells.map { $0.count { $0 == "|" } } == [7, 4], "\(run.output)")
            }
        }
    }

    @Test func `failed cases of one file are one annotation with their lines`() throws {
        try withFolder { folder in
            let text = """
                model: \(Corpus.package.path)/Models/Library.xcdatamodeld
                from: V1
                cases:
                  one: {before: {}, after: {Nothing: []}}
                  two: {before: {}, after: {Nothing: []}}

                """
            try write(text, "case/case.yml", in: folder)
            for command in [["test", "case"], ["check", "case"]] {
                let run = try expectRun(
                    command + ["--format", "github", "--allow-outside"],
                    in: folder,
                    1
                )
                let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("::error") }
                #expect(lines.count == 1, "\(run.output)")
                #expect(lines.first?.contains("one") == true && lines[0].contains("two"))
                #expect(lines[0].contains("2 cases"), "\(run.output)")
            }
        }
    }

    private static func counts(_ result: CommandResult) throws -> (cases: Int, failed: Int) {
        let line = try #require(result.output.split(separator: "\n").dropLast().last)
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 4)
        return (numbers[0], numbers[2])
    }

    private func changed(
        _ name: String,
        _ file: String,
        _ old: String,
        _ new: String,
        _ arguments: [String] = [],
        _ body: (CommandResult, URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let copy = folder.appending(path: name)
            let original = URL(fileURLWithPath: Self.cases).appending(path: name)
            try copyFile(original, to: copy)
            let path = copy.appending(path: file)
            let text = try fileText(path)
            #expect(text.contains(old))
            try Data(text.replacing(old, with: new).utf8).write(to: path)
            try body(try momtool(["test", copy.path] + arguments), folder)
        }
    }

    @Test(arguments: [
        (
            "attribute-renamed", "after.json", "\"Ada\"", "\"Eve\"",
            "Person/p1 \"Ada\": fullName is \"Ada\", expected \"Eve\""
        ),
        (
            "inverse-removed", "after.json", "\"employer\": \"Company/p1\", \"name\": \"Ada\"",
            "\"name\": \"Ada\"",
            "Person/p1 \"Ada\": employer is Company/p1 \"Engines\", expected none"
        ),
        (
            "attribute-added-mandatory-without-default", "case.yml", "134110", "134190",
            "refused with 134110, expected 134190"
        ),
        ("attribute-renamed", "case.yml", "from: V1", "from: V7", "there are: V1, V2"),
        (
            "attribute-renamed", "case.yml", "expect: migrated", "expect: refused",
            "the store was migrated, though that is not expected"
        ),
    ])
    func `what is not as expected is told as a person would say it`(
        name: String,
        file: String,
        old: String,
        new: String,
        message: String
    ) throws {
        try changed(name, file, old, new) { result, _ in
            #expect(result.status == 1)
            #expect(result.output.contains(message), "\(result.output)")
            #expect(result.output.contains("1 failed"))
        }
    }

    @Test func `a difference is told at the line of what is expected`() throws {
        let formats = [
            "--format", "github", "--format", "junit=cases.xml", "--format", "json=c.json",
        ]
        try withFolder { folder in
            let original = URL(fileURLWithPath: Self.cases).appending(path: "attribute-renamed")
            let copy = folder.appending(path: "Cases/attribute-renamed")
            try makeFolder(copy.deletingLastPathComponent())
            try copyFile(original, to: copy)
            let after = copy.appending(path: "after.json")
            let text = try fileText(after)
                .replacing("\"Ada\"", with: "\"Eve\"")
            try Data(text.utf8).write(to: after)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let line = try #require(lines.firstIndex { $0.contains("\"Eve\"") }) + 1
            let place = "Cases/attribute-renamed/after.json"
            let run = try expectRun(["test", "Cases"] + formats, in: folder, 1)
            let annotation = "::error file=\(place),line=\(line),title=attribute-renamed::"
            #expect(run.output.contains(annotation), "\(run.output)")
            let said = try momtool("test Cases", in: folder).output
            #expect(said.contains("\(place):\(line): Person/p1 \"Ada\": fullName is"), "\(said)")
            let junit = try fileText(folder.appending(path: "cases.xml"))
            #expect(junit.contains("file=\"\(place)\" line=\"\(line)\""), "\(junit)")
            let json = try fileText(folder.appending(path: "c.json"))
            #expect(json.contains("\"line\" : \(line)"), "\(json)")
        }
    }

    @Test func `keys do not matter, links do`() throws {
        let (old, new) = ("\"p1\", \"follow", "\"p9\", \"follow")
        try changed("self-many-to-many-kept", "after.json", old, new) { result, _ in
            // Others still name p1, and lead nowhere now.
            #expect(result.status == 1)
        }
        try withFolder { folder in
            let copy = folder.appending(path: "case")
            let original = URL(fileURLWithPath: Self.cases).appending(
                path: "to-one-becomes-to-many"
            )
            try copyFile(original, to: copy)
            let path = copy.appending(path: "after.json")
            let text = try fileText(path)
            let renamed = text.replacing("Person/p1", with: "Person/p77")
                .replacing(
                    "\"@id\": \"p1\", \"employers\"",
                    with: "\"@id\": \"p77\", \"employers\""
                )
            #expect(renamed != text)
            try Data(renamed.utf8).write(to: path)
            try expectRun(["test", copy.path], 0)
        }
    }

    @Test func `what is no artifact of an earlier run is never replaced by one`() throws {
        try withFolder { folder in
            let copy = folder.appending(path: "case")
            let original = URL(fileURLWithPath: Self.cases).appending(path: "attribute-renamed")
            try copyFile(original, to: copy)
            let after = copy.appending(path: "after.json")
            try Data("{}".utf8).write(to: after)
            let names = try FileManager.default.contentsOfDirectory(atPath: copy.path)
            #expect(try momtool("test", folder.path, "--artifacts", folder.path).status == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path) == names)
            let artifacts = folder.appending(path: "artifacts").path
            for _ in 0..<2 {
                #expect(try momtool("test", copy.path, "--artifacts", artifacts).status == 1)
                let difference = artifacts + "/case/difference.txt"
                #expect(FileManager.default.fileExists(atPath: difference))
                try FileManager.default.removeItem(atPath: artifacts + "/case/plan.txt")
            }
            let report = "junit=\(after.path)"
            #expect(try momtool("test", folder.path, "--record", "--format", report).status == 64)
            #expect(try fileText(after) == "{}")
        }
    }

    @Test func `an expectation is recorded only when asked for`() throws {
        try withFolder { folder in
            let copy = folder.appending(path: "case")
            let original = URL(fileURLWithPath: Self.cases).appending(path: "attribute-renamed")
            try copyFile(original, to: copy)
            let after = copy.appending(path: "after.json")
            try FileManager.default.removeItem(at: after)
            let artifacts = folder.appending(path: "artifacts").path
            #expect(try momtool("test", copy.path, "--artifacts", artifacts).status == 1)
            #expect(!FileManager.default.fileExists(atPath: after.path))
            let kept = try FileManager.default.contentsOfDirectory(atPath: artifacts + "/case")
            let wanted = [
                "after.json", "after.sqlite", "before.json", "before.sqlite", "difference.txt",
                "plan.txt",
            ]
            #expect(kept.sorted() == wanted)
            #expect(try momtool("test", copy.path, "--record").output.contains("1 recorded"))
            #expect(try momtool("test", copy.path).status == 0)
            let text = try fileText(after)
            try Data(text.replacing("\"Ada\"", with: "\"Eve\"").utf8).write(to: after)
            let again = try momtool("test", copy.path, "--record").output
            #expect(again.contains("rewrote \(after.path):"))
            #expect(again.contains("fullName is \"Ada\", expected \"Eve\""))
        }
    }

    @Test func `a store of another version than its case says is an error`() throws {
        let name = "locks-and-greatest-keys-are-kept"
        try changed(name, "case.yml", "from: V1", "from: V2", ["--record"]) { result, _ in
            #expect(result.status == 1)
            let message = "before.sqlite is not of version 'V2', but of 'V1'; say so behind 'from'"
            #expect(result.output.contains(message), "\(result.output)")
        }
    }

    static let faults: [(old: String, new: String, message: String)] = [
        ("expect: migrated", "expct: migrated", "case.yml:4:1: error: 'expct' is unknown here"),
        ("from: V1", "", "case.yml:1:1: error: 'from' is missing"),
        (
            "expect: migrated", "expect: migrated\nthen: [save]",
            "case.yml:5:1: error: 'then' was removed: a case compares rows after the migration; take it out"
        ),
        (
            "expect: migrated", "expect: passed",
            "case.yml:4:9: error: 'passed' is no expectation; write migrated, contains, refused or failed"
        ),
        (
            "expect: migrated", "expect: migrated\nlimits: {}",
            "case.yml:5:1: error: 'limits' was removed: take it out"
        ),
        ("to: V2", "to: [V2", "case.yml:4:7: error: the file is no YAML: "),
    ]

    @Test(arguments: faults.indices)
    func `what is wrong with a case is said before any is run`(index: Int) throws {
        let (old, new, message) = Self.faults[index]
        try changed("attribute-renamed", "case.yml", old, new) { result, _ in
            #expect(result.status == 1)
            #expect(result.output.contains(message), "\(result.output)\(result.errors)")
        }
    }

    static let stageFaults: [(stages: String, message: String)] = [
        ("[{lightweight: [V1, V9]}]", "there is no version 'V9'"),
        ("[{custom: {from: V1, to: V2}, didMigrate: no.sql}]", "no.sql: error: no such file"),
        ("No.yml", "No.yml: error: no such file"),
        ("\n  - lightweight: [V1, V2]\n    labl: x", "case.yml:7:5: error: "),
    ]

    @Test(arguments: stageFaults.indices)
    func `what is wrong with the stages of a case is said at its place`(index: Int) throws {
        let (stages, message) = Self.stageFaults[index]
        let (old, new) = ("expect: migrated", "expect: migrated\nstages: \(stages)\n")
        try changed("attribute-renamed", "case.yml", old, new) { result, _ in
            #expect(result.status == 1)
            #expect(result.output.contains(message), "\(result.output)")
        }
    }

    @Test func `a fact that does not hold is told with its query`() throws {
        let name = "locks-and-greatest-keys-are-kept"
        try changed(name, "case.yml", "2|Person|0|41", "2|Person|0|2") { result, _ in
            #expect(result.status == 1)
            #expect(result.output.contains("expected [\"1|Aardvark|0|0\", \"2|Person|0|2\"]"))
        }
    }

    static let misuses: [(arguments: [String], status: Int32)] = [
        (["test", "/nonexistent"], 66), (["test", "Sources"], 66),
        (["test", "--stores", "x"], 64),
        (["test", "Fixtures/Cases", "-o", "a.docx"], 64),
        (["test", "--matrix", "Models/Library.xcdatamodeld", "--locked"], 66),
        (
            ["test", "--stores", "/nonexistent*.sqlite", "--model", "Models/Library.xcdatamodeld"],
            66
        ),
    ]

    @Test(arguments: misuses)
    func `what cannot be run is said by the status`(arguments: [String], status: Int32) throws {
        #expect(try momtool(arguments).status == status)
    }
}
