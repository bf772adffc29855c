import Foundation
import TestSupport
import Testing

struct FailureReportTests {
    static let forms = [
        ("json", #""rule" : "unreadable-file""#), ("sarif", #""ruleId" : "unreadable-file""#),
        ("github", "::error file=Missing.xcdatamodeld,title=unreadable-file::no such file"),
        ("gitlab", #""check_name" : "unreadable-file""#),
        ("junit", "<failure type=\"error\" message=\"no such file or folder\">"),
        ("markdown", "| error | `unreadable-file` | `Missing.xcdatamodeld` |"),
    ]

    @Test(arguments: forms)
    func `a missing model is in the report`(format: String, words: String) throws {
        try withFolder { folder in
            let missing = try momtool("lint Missing.xcdatamodeld --format \(format)", in: folder)
            #expect(missing.status == 66)
            #expect(missing.output.contains(words), "\(missing.output)")
            #expect(missing.errors.contains("Missing.xcdatamodeld: error: no such file"))
            let toFile = [
                "lock", "Missing.xcdatamodeld", "--check", "--format", "\(format)=report",
            ]
            #expect(try momtool(toFile, in: folder).status == 66)
            let report = folder.appending(path: "report")
            #expect(try fileText(report).contains(words))
        }
    }

    @Test(arguments: forms.map(\.0))
    func `a broken configuration is in the report, with its line`(format: String) throws {
        try withFolder { folder in
            let text = "<model><entity name='A'/></model>"
            try writeBundle(["M": text], "M.xcdatamodeld", in: folder)
            let settings = folder.appending(path: ".momtool.yml")
            try Data("lint:\n  rules: {missing-inverse: loud}\n".utf8).write(to: settings)
            let lint = ["lint", "M.xcdatamodeld", "--format", format]
            try expectRun(lint, in: folder, 65, ".momtool.yml")
            try FileManager.default.removeItem(at: settings)
            try expectRun(lint + ["Missing.xcdatamodeld"], in: folder, 66, "Missing.xcdatamodeld")
        }
    }

    @Test func `commands with JSON alone say it as findings, and nothing twice`() throws {
        try withFolder { folder in
            let commands = [
                ["hash", "Missing.mom"], ["plan", "Missing.xcdatamodeld", "--from", "A"],
                ["inspect", "Missing.sqlite"], ["diff", "Missing.xcdatamodeld"],
            ]
            for command in commands {
                let failed = try expectRun(command + ["--format", "json"], in: folder, 66)
                let bytes = Data(failed.output.utf8)
                let report = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
                #expect(report?["command"] as? String == command[0])
                #expect((report?["findings"] as? [Any])?.count == 1, "\(failed.output)")
            }
            #expect(try momtool("hash Missing.mom", in: folder).output.isEmpty)
        }
    }

    @Test(arguments: [
        ["plan", model, "--from", "V9", "--format", "json=e.json"],
        ["plan", model, "--from", "V9", "-o", "e.json"],
        ["diff", model, "--from", "V9", "-o", "e.json"],
        ["rules", "nope", "--format", "json=e.json"],
        ["rules", "--frob", "--format=json=e.json"],
        ["test", "--stores", "S.sqlite", "--model", model + "#V9", "--format", "json=e.json"],
    ])
    func `what is wrong with the arguments takes the place of an older report`(
        words: [String]
    ) throws {
        try withFolder { folder in
            let file = folder.appending(path: "e.json")
            try write("{\"old\": true}\n", "e.json", in: folder)
            try expectRun(words, in: folder, 64)
            let bytes = try Data(contentsOf: file)
            let report = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
            #expect((report?["findings"] as? [Any])?.count == 1, "\(words)")
        }
    }

    @Test(arguments: [
        (["--entity", "Nope"], "unknown-row-entity"), (["--by", "Nope.a"], "unknown-row-entity"),
        (["--by", "Book.nope"], "unknown-row-property"),
    ])
    func `names that stores do not have are in the report of their comparison`(
        words: [String],
        rule: String
    ) throws {
        let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
        try withFolder { folder in
            for place in ["json", "json=e.json"] {
                let diff = ["diff", store, store, "--format", place] + words
                let failed = try expectRun(diff, in: folder, 64)
                let bytes =
                    place == "json"
                    ? Data(failed.output.utf8)
                    : try Data(contentsOf: folder.appending(path: "e.json"))
                let report = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
                let findings = report?["findings"] as? [[String: Any]]
                #expect(findings?.map { $0["rule"] as? String } == [rule], "\(failed.output)")
            }
        }
    }

    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    @Test(arguments: [
        ["test", "Cases", "--new", "a/b", "--model", "B.xcdatamodeld", "--format", "json"],
        ["hash", "--format=json"], ["lint", "M.xcdatamodeld", "--format", "json", "--fromat", "x"],
        ["lint", "M.xcdatamodeld", "--fail-on", "nope", "--format", "json"],
        ["model", "nope", "--format", "json"], ["nope", "--format", "json"],
        ["rules", "nope", "--format", "json"],
        ["export", "S.sqlite", "--format", "json"],
    ])
    func `what is wrong with the arguments is in the report`(words: [String]) throws {
        try withFolder { folder in
            let failed = try expectRun(words, in: folder, 64)
            let bytes = Data(failed.output.utf8)
            let report = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
            #expect(report?["command"] as? String == words[0])
            let findings = report?["findings"] as? [[String: Any]]
            #expect(findings?.map { $0["rule"] as? String } == ["usage"], "\(failed.output)")
            let message = try #require(findings?.first?["message"] as? String)
            #expect(failed.errors.contains("error: \(message) [usage]"), "\(message)")
            let text = try momtool(
                words.filter { !$0.contains("json") && $0 != "--format" },
                in: folder
            )
            #expect(text.output.isEmpty)
        }
    }
}
