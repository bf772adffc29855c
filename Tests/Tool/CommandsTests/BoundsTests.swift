import Foundation
import TestSupport
import Testing

struct BoundsTests {
    /// The bound of one kind of input; `make` makes an input in a folder that is beyond it by so much, or at it, and `isQuick`
    /// says whether that can be read in the time of a test.
    typealias Bound = (
        input: String, limit: String, beyond: String,
        make: @Sendable (_ folder: URL, _ excess: Int) throws -> Void, arguments: [String],
        status: Int32, sign: String, isQuick: Bool
    )

    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    /// A sparse file of a size.
    private static func hollow(
        _ path: String,
        _ megabytes: Int,
        start: String = ""
    ) -> @Sendable (URL, Int) throws -> Void {
        { folder, excess in
            let file = folder.appending(path: path)
            try makeFolder(file.deletingLastPathComponent())
            try Data(start.utf8).write(to: file)
            try #require(truncate(file.path, off_t((megabytes << 20) + excess)) == 0)
        }
    }

    private static func text(
        _ path: String,
        _ text: @escaping @Sendable (_ excess: Int) -> String
    ) -> @Sendable (URL, Int) throws -> Void {
        { folder, excess in
            let file = folder.appending(path: path)
            try makeFolder(file.deletingLastPathComponent())
            try Data(text(excess).utf8).write(to: file)
        }
    }

    private static func nested(_ count: Int, _ inner: String, _ ends: (String, String)) -> String {
        String(repeating: ends.0, count: count) + inner + String(repeating: ends.1, count: count)
    }

    @Sendable private static func chain(_ excess: Int) -> String {
        "<model>"
            + (0..<(64 + excess)).map { level in
                let parent = level == 0 ? "" : " parentEntity=\"E\(level - 1)\""
                return "<entity name=\"E\(level)\"\(parent)/>"
            }.joined() + "</model>"
    }

    private static let bounds = files + depths

    private static let files: [Bound] = [
        (
            "the source of a model", "16 MB", "refused, 65", hollow("Big.xcdatamodel/contents", 16),
            ["hash", "Big.xcdatamodel"], 65,
            " 16 MB, ", true
        ),
        (
            "a compiled model", "64 MB", "refused, 65", hollow("Big.mom", 64, start: "bplist00"),
            ["hash", "Big.mom"], 65,
            " 64 MB, ", false
        ),
        (
            "a mapping model", "64 MB", "refused, 65",
            hollow("Big.xcmappingmodel/xcmapping.xml", 64),
            ["compile", "Big.xcmappingmodel", "-o", "Big.cdm"], 65,
            " 64 MB, ", false
        ),
        (
            "a Swift file", "512 KB", "left out with a warning",
            text("Big.swift") { excess in
                let start = "@Model class A {}\n//"
                return start + String(repeating: "x", count: 524_288 - start.utf8.count + excess)
            },
            ["hash", "Big.swift"], 65,
            " 524288 ", true
        ),
        (
            "a configuration, a case or a stages file", "1 MB", "refused, 65",
            hollow("Stages.yml", 1),
            ["migrate", store, "--stages", "Stages.yml", "-o", "New.sqlite"], 65,
            "megabyte", true
        ),
        (
            "a lock", "256 MB", "refused, 65", hollow("Big.lock", 256),
            ["lock", model, "--check", "--lock", "Big.lock"], 65,
            " 268435456 ", false
        ),
        (
            "a CloudKit schema", "64 MB", "refused, 65", hollow("Big.ckdb", 64),
            ["cloudkit", "check", model, "Big.ckdb"], 65,
            " 67108864 ", false
        ),
        (
            "a log", "64 MB", "refused, 65",
            { folder, _ in
                let file = folder.appending(path: "Big.log")
                let line = String(repeating: "x", count: 1023) + "\n"
                try Data(String(repeating: line, count: (64 << 10) + 1).utf8).write(to: file)
            },
            ["doctor", "Big.log"], 65, " 67108864 ",
            false
        ),
        (
            "a side of a merge", "16 MB", "refused, 65", hollow("Side", 16),
            ["model", "merge", "Side", "Side", "Side", "-o", "Merged"], 65,
            " 16 MB, ", true
        ),
        (
            "a list of edits", "16 MB", "refused, 65", hollow("Edits.json", 16),
            ["model", "apply", model, "Edits.json", "--dry-run"], 65,
            " 16777216 ", true
        ),
        (
            "a list of stores (`--from-list`)", "1 GB", "refused, 65", hollow("list", 1024),
            ["verify", "--from-list", "list"], 65,
            " 1073741824 ", false
        ),
    ]

    private static let depths: [Bound] = [
        (
            "levels of a hierarchy of entities", "64", "refused, 65",
            text("Deep.xcdatamodel/contents", chain), ["hash", "Deep.xcdatamodel"], 65,
            "[hierarchy-too-deep]", true
        ),
        (
            "elements of XML in each other", "256", "refused, 65",
            text("Deep.xcdatamodel/contents") { nested(256 + $0, "", ("<a>", "</a>")) },
            ["hash", "Deep.xcdatamodel"], 65,
            " 256 levels ", true
        ),
        (
            "lists of YAML in each other", "64", "refused, 65",
            text("Stages.yml") { "a: " + nested(64 + $0, "", ("[", "]")) },
            ["migrate", store, "--stages", "Stages.yml", "-o", "New.sqlite"], 65,
            " 64 levels ", true
        ),
        (
            "brackets of Swift in each other", "200", "left out with an error",
            text("Deep.swift") {
                "@Model class A { var x = \(nested(200 + $0, "1", ("(", ")"))) }"
            },
            ["hash", "Deep.swift"], 65,
            "brackets", true
        ),
        (
            "words and signs of Swift in a row that declare nothing", "5,000",
            "left out with an error",
            text("Idle.swift") {
                "@Model class A { " + String(repeating: "o ", count: 4_999 + $0)
            },
            ["hash", "Idle.swift"], 65,
            "thousands",
            true
        ),
        (
            "what is behind each word of Swift that declares nothing, summed", "30 MB",
            "left out with an error",
            text("Words.swift") { _ in
                "@Model class A {"
                    + String(repeating: "a, b {\n  let c: Int\n  let d: Bool\n}\n", count: 1_000)
            },
            ["hash", "Words.swift"], 65,
            "thousands",
            false
        ),
        (
            "what is behind each `switch` of Swift that has no case, summed", "20 MB",
            "left out with an error",
            text("Switches.swift") { _ in
                "@Model class A {"
                    + nested(1100, "}", ("var a: Int { switch self n(1) case b: 1 } }\n", ""))
            },
            ["hash", "Switches.swift"], 65,
            "switches", false
        ),
        (
            "what is in the brackets of each attribute of Swift, summed", "4 MB",
            "left out with an error",
            text("Attributes.swift") { _ in
                "@Model class A {"
                    + String(repeating: "@Relationship(a: b\nvar c: Int { 1) }\n", count: 600)
            },
            ["hash", "Attributes.swift"], 65,
            "attributes",
            false
        ),
        (
            "what is behind each bracket of Swift that closes nothing, summed", "4 MB",
            "left out with an error",
            text("Strays.swift") { _ in
                "@Model class A {"
                    + String(
                        repeating: "b, c: Int\n) {\n// \(String(repeating: "-", count: 100))\n}\n",
                        count: 400
                    ) + "}"
            },
            ["hash", "Strays.swift"], 65,
            "closing",
            false
        ),
        (
            "parts of a predicate in each other", "64", "refused, 64", { _, _ in },
            [
                "export", store, "--entity", "Author", "--where",
                nested(65, "name == 'a'", ("(", ")")),
            ],
            64, "nested", false
        ),
        (
            "symbolic links to an output", "40", "refused, 73",
            { folder, excess in
                for number in 0..<(40 + excess) {
                    try FileManager.default.createSymbolicLink(
                        atPath: folder.appending(path: "L\(number)").path,
                        withDestinationPath: "L\(number + 1)"
                    )
                }
            },
            ["export", store, "-o", "L0"], 73,
            "[unwritable-output]", true
        ),
        (
            "files and folders of a place in a revision of git", "1,000,000", "refused, 66",
            { folder, _ in try makeTreeBomb(in: folder) }, ["hash", "v0:M.xcdatamodeld"], 66,
            " 1000000 ", false
        ),
    ]

    @Test(arguments: bounds.indices)
    func `what is beyond a bound is refused in a line`(index: Int) throws {
        let bound = Self.bounds[index]
        try withFolder { folder in
            try bound.make(folder, 1)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let result = try expectRun(bound.arguments, in: folder, bound.status)
            #expect(!result.wasKilled)
            let said = result.output + result.errors
            #expect(said.contains(bound.sign), "\(said.prefix(500))")
            let after = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(after.sorted() == before.sorted())
        }
    }

    @Test(arguments: bounds.indices.filter { bounds[$0].isQuick })
    func `what is at a bound is not beyond it`(index: Int) throws {
        let bound = Self.bounds[index]
        try withFolder { folder in
            try bound.make(folder, 0)
            let result = try momtool(bound.arguments, in: folder)
            #expect(!result.wasKilled)
            let said = result.output + result.errors
            #expect(!said.contains(bound.sign), "\(said.prefix(500))")
        }
    }

    @Test func `the page of safety lists every bound`() throws {
        let page = Corpus.package.appending(
            path: "Sources/Library/Momtool/Momtool.docc/Safety.md"
        )
        let text = try fileText(page)
        let rows = Self.bounds.map { "| \($0.input) | \($0.limit) | \($0.beyond) |" }
        #expect(text.contains(rows.joined(separator: "\n")), "\(rows.joined(separator: "\n"))")
    }
}
