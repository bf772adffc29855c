import Foundation
import TestSupport
import Testing

/// One bad input stops no other: each gets its line, reports are written, the status is the worst.
@Suite(.timeLimit(.minutes(30)))
struct BatchTests {
    private func prepared(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let names = ["V1": "", "V2": "V2", "V10": "V10"]
            try writeBundle(
                names.mapValues { name in
                    let extra =
                        name.isEmpty
                        ? "" : "<attribute name='\(name)' attributeType='Date' optional='YES'/>"
                    return
                        "<model><entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\(extra)</entity></model>"
                },
                current: "V10",
                at: folder.appending(path: "M.xcdatamodeld")
            )
            #expect(
                try momtool(["create", "good.sqlite", "--model", "M.xcdatamodeld#V1"], in: folder)
                    .status == 0
            )
            try write("this is no store", to: folder.appending(path: "bad.sqlite"))
            try body(folder)
        }
    }

    private func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    @Test(arguments: ["identify", "inspect", "verify"])
    func `one bad store stops no other`(command: String) throws {
        try prepared { folder in
            let model = command == "inspect" ? [] : ["--model", "M.xcdatamodeld"]
            let arguments =
                [command, "bad.sqlite", "missing.sqlite", "good.sqlite"] + model
                + ["--format", "json=out.json"]
            let result = try momtool(arguments, in: folder)
            #expect(result.status == 65)
            #expect(result.errors.contains("bad.sqlite"))
            #expect(result.errors.contains("missing.sqlite"))
            let file = folder.appending(path: "out.json")
            let report = try String(contentsOf: file, encoding: .utf8)
            #expect(report.contains(command == "verify" ? "bad.sqlite" : "good.sqlite"))
        }
    }

    @Test func `one bad case stops no other, and the report is written`() throws {
        try prepared { folder in
            try write("nonsense: [", to: folder.appending(path: "Cases/bad/case.yml"))
            try write(
                "model: ../../M.xcdatamodeld\nfrom: V1\nto: V2\n",
                to: folder.appending(path: "Cases/good/case.yml")
            )
            try write(
                #"{"A": [{"@id": "p1", "a": "x"}]}"#,
                to: folder.appending(path: "Cases/good/before.json")
            )
            try write(
                #"{"A": [{"@id": "p1", "a": "x"}]}"#,
                to: folder.appending(path: "Cases/good/after.json")
            )
            let result = try momtool(["test", "Cases", "--format", "junit=out.xml"], in: folder)
            #expect(result.status == 1)
            let report = try String(contentsOf: folder.appending(path: "out.xml"), encoding: .utf8)
            #expect(report.contains("tests=\"2\""))
            #expect(report.contains("failures=\"1\""))
        }
    }

    @Test func `a version that cannot be read stands aside`() throws {
        try prepared { folder in
            try write(
                "<model><entity",
                to: folder.appending(path: "M.xcdatamodeld/V2.xcdatamodel/contents")
            )
            try FileManager.default.createDirectory(
                at: folder.appending(path: "M.xcdatamodeld/V3.xcdatamodel"),
                withIntermediateDirectories: true
            )
            try write("old", to: folder.appending(path: "M.xcdatamodeld/V3.xcdatamodel/elements"))
            let identity = try momtool(
                ["identify", "good.sqlite", "--model", "M.xcdatamodeld"],
                in: folder
            )
            #expect(identity.status == 0)
            #expect(identity.errors.contains("warning"))
            let migration = try momtool(
                [
                    "migrate", "good.sqlite", "--allow-data-loss", "--model", "M.xcdatamodeld",
                    "-o", "new.sqlite",
                ],
                in: folder
            )
            #expect(migration.status == 0)
            #expect(try momtool(["lint", "M.xcdatamodeld"], in: folder).status == 1)
            #expect(try momtool(["compile", "M.xcdatamodeld", "-o", "."], in: folder).status != 0)
            let asked = try momtool(["hash", "M.xcdatamodeld#V2"], in: folder)
            #expect(asked.status == 65)
            #expect(asked.errors.contains("V2.xcdatamodel/contents"))
            let lock = try momtool(["lock", "M.xcdatamodeld"], in: folder)
            #expect(lock.output.contains("left out: V2 (cannot be read), V3 (cannot be read)"))
        }
    }

    @Test func `a lock covers every version but those that are named`() throws {
        try prepared { folder in
            try write(
                "<plist version=\"1.0\"><dict/></plist>",
                to: folder.appending(path: "M.xcdatamodeld/.xccurrentversion")
            )
            let lock = try momtool(["lock", "M.xcdatamodeld", "--unshipped", "V10"], in: folder)
            #expect(lock.status == 0)
            #expect(lock.output.contains("2 versions locked"))
            #expect(lock.output.contains("left out: V10"))
            let all = try momtool(["lock", "M.xcdatamodeld"], in: folder)
            #expect(all.output.contains("3 versions locked, 1 of them new"))
            #expect(!all.output.contains("left out"))
        }
    }

    @Test func `the order of versions may be said`() throws {
        try prepared { folder in
            func names() throws -> [String] {
                let output = try momtool(["hash", "M.xcdatamodeld"], in: folder).output
                return ["V1", "V2", "V10"].compactMap { name in
                    output.range(of: "\(name)\n").map { ($0.lowerBound, name) }
                        ?? output.range(of: "\(name) ").map { ($0.lowerBound, name) }
                }.sorted { $0.0 < $1.0 }.map(\.1)
            }
            #expect(try names() == ["V1", "V2", "V10"])
            try write("order: [V10, V1]\n", to: folder.appending(path: ".momtool.yml"))
            #expect(try names() == ["V10", "V1", "V2"])
        }
    }
}
