import Foundation
import TestSupport
import Testing

struct ReportPlaceTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    @Test func `the extension of a file says the format of a report`() throws {
        try withFolder { folder in
            func report(_ arguments: String...) throws -> String {
                let file = try #require(arguments.last)
                let run = try momtool(arguments, in: folder)
                #expect(run.status == 1 || run.status == 0, "\(run.errors)")
                #expect(run.output == "", "\(arguments): \(run.output)")
                return try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            }
            let lint = ["lint", Self.model, "-o"]
            #expect(try report(lint[0], lint[1], lint[2], "a.json").hasPrefix("{"))
            #expect(try report(lint[0], lint[1], lint[2], "a.sarif").contains("sarif-2.1.0.json"))
            #expect(try report(lint[0], lint[1], lint[2], "a.md").hasPrefix("### momtool"))
            #expect(try report(lint[0], lint[1], lint[2], "a.txt").hasSuffix("cures 1\n"))
            let named = try report("lint", Self.model, "--format", "markdown", "-o", "b.txt")
            #expect(named.hasPrefix("### momtool lint: "))
            let cases = Corpus.package.appending(path: "Fixtures/Cases/entity-added")
            #expect(try report("test", cases.path, "-o", "t.xml").contains("<testsuite"))
            #expect(try report("skill", "-o", "s.md").hasPrefix("---\n"))
            #expect(try report("schema", "check", "-o", "s.json").hasPrefix("{"))
            #expect(try report("graph", Self.model, "-o", "a.mmd").hasPrefix("classDiagram"))
            #expect(try report("graph", Self.model, "-o", "a.dot").hasPrefix("digraph"))
            let old = try report("graph", Self.model, "--format", "dot", "-o", "a.page")
            #expect(old.hasPrefix("digraph"))
        }
    }

    @Test(
        arguments: [
            (["lint", model, "--format", "json", "--format", "sarif", "-o", "a"], "one report"),
            (["hash", model, "-o", "a.sarif"], "there is no report as sarif"),
            (["graph", model, "-o", "a.png"], "is none of .mmd"),
            (["verify", store, "-o", "a.docx"], "none of .json, .md, .sarif, .txt"),
            (["check", "-o", "a.docx"], "'a.docx' is none of "),
            (["test", "-o", "a.docx"], "'a.docx' is none of "),
            (["export", store, "--format", "json"], "name a file with -o"),
            (["lock", model, "--format", "sarif"], "--check has more formats"),
        ]
    )
    func `a place that fits no format is asked for`(arguments: [String], words: String) throws {
        try withFolder { folder in
            let run = try momtool(arguments, in: folder)
            #expect(run.status == 64)
            #expect(run.errors.contains(words), "\(run.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.isEmpty, "\(left)")
        }
    }

    @Test func `quiet leaves out what is neither asked for nor wrong`() throws {
        try withFolder { folder in
            let silent = [
                ["lint", Self.model + "#V2"], ["verify", Self.store],
                ["compile", Self.model, "-o", "Out"],
                ["create", "New.sqlite", "--model", Self.model],
                ["export", Self.store, "-o", "Rows.json"],
                ["migrate", Self.store, "--model", Self.model + "#V2", "-o", "V2.sqlite"],
                ["test", Corpus.package.path + "/Fixtures/Cases/attribute-renamed"],
            ]
            for arguments in silent {
                let loud = try momtool(arguments, in: folder)
                #expect(loud.status == 0 && loud.output != "", "\(arguments): \(loud.errors)")
            }
            for name in ["New.sqlite", "V2.sqlite"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            for arguments in silent {
                let run = try momtool(arguments + ["--quiet"], in: folder)
                #expect((run.status, run.output, run.errors) == (0, "", ""), "\(arguments)")
            }
            let found = try momtool("lint", Self.model, "-q")
            #expect(found.status == 1)
            #expect(found.output.contains("[data-loss]") && !found.output.contains("cures"))
            #expect(try momtool("hash", Self.model, "-q").output.contains("checksum"))
        }
    }

    @Test func `what was checked is said where nothing was found`() throws {
        let clean = try momtool("lint", Self.model + "#V2").output
        #expect(clean.contains(/: 1 of 1 version, \d+ rules: nothing found\n$/), "\(clean)")
        let sound = try momtool("verify", Self.store).output
        #expect(sound.contains(/: \d+ rows of \d entities: nothing found\n$/), "\(sound)")
    }
}
