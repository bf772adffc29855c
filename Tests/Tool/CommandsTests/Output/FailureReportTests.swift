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
            let missing = try momtool(
                ["lint", "Missing.xcdatamodeld", "--format", format],
                in: folder
            )
            #expect(missing.status == 66)
            #expect(missing.output.contains(words), "\(missing.output)")
            #expect(missing.errors.contains("Missing.xcdatamodeld: error: no such file"))
            let toFile = [
                "lock", "Missing.xcdatamodeld", "--check", "--format", "\(format)=report",
            ]
            #expect(try momtool(toFile, in: folder).status == 66)
            let report = folder.appending(path: "report")
            #expect(try String(contentsOf: report, encoding: .utf8).contains(words))
        }
    }

    @Test(arguments: forms.map(\.0))
    func `a broken configuration is in the report, with its line`(format: String) throws {
        try withFolder { folder in
            let text = "<model><entity name='A'/></model>"
            try writeBundle(["M": text], current: "M", at: folder.appending(path: "M.xcdatamodeld"))
            let settings = folder.appending(path: ".momtool.yml")
            try Data("lint:\n  rules: {missing-inverse: loud}\n".utf8).write(to: settings)
            let lint = ["lint", "M.xcdatamodeld", "--format", format]
            let broken = try momtool(lint, in: folder)
            #expect(broken.status == 65, "\(broken.errors)")
            #expect(broken.output.contains(".momtool.yml"), "\(broken.output)")
            try FileManager.default.removeItem(at: settings)
            let both = try momtool(lint + ["Missing.xcdatamodeld"], in: folder)
            #expect(both.status == 66)
            #expect(both.output.contains("Missing.xcdatamodeld"), "\(both.output)")
        }
    }

    @Test func `commands with JSON alone say it as findings, and nothing twice`() throws {
        try withFolder { folder in
            let commands = [
                ["hash", "Missing.mom"], ["plan", "Missing.xcdatamodeld", "--from", "A"],
                ["inspect", "Missing.sqlite"], ["diff", "Missing.xcdatamodeld"],
            ]
            for command in commands {
                let failed = try momtool(command + ["--format", "json"], in: folder)
                #expect(failed.status == 66, "\(command)")
                let bytes = Data(failed.output.utf8)
                let report = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
                #expect(report?["command"] as? String == command[0])
                #expect((report?["findings"] as? [Any])?.count == 1, "\(failed.output)")
            }
            let text = try momtool(["hash", "Missing.mom"], in: folder)
            #expect(text.output.isEmpty)
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
            let failed = try momtool(words, in: folder)
            #expect(failed.status == 64, "\(failed.errors)")
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
                let failed = try momtool(diff, in: folder)
                #expect(failed.status == 64, "\(failed.errors)")
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
            let failed = try momtool(words, in: folder)
            #expect(failed.status == 64, "\(failed.errors)")
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
