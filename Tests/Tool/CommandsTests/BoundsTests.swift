import Foundation
import TestSupport
import Testing

struct BoundsTests {
    struct Bound: Sendable, CustomTestStringConvertible {
        var input: String
        var limit: String
        var beyond: String
        /// Makes an input in a folder that exceeds the bound by so much, or is at it.
        var make: @Sendable (_ folder: URL, _ excess: Int) throws -> Void
        var arguments: [String]
        var status: Int32
        var message: String
        var isQuick = true

        var testDescription: String { input }

        var row: String { "| \(input) | \(limit) | \(beyond) |" }
    }

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
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
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
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
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

    private static let files = [
        Bound(
            input: "the source of a model",
            limit: "16 MB",
            beyond: "refused, 65",
            make: hollow("Big.xcdatamodel/contents", 16),
            arguments: ["hash", "Big.xcdatamodel"],
            status: 65,
            message: "the model is larger than 16 MB, and more is not read [not-a-model]"
        ),
        Bound(
            input: "a compiled model",
            limit: "64 MB",
            beyond: "refused, 65",
            make: hollow("Big.mom", 64, start: "bplist00"),
            arguments: ["hash", "Big.mom"],
            status: 65,
            message: "the model is larger than 64 MB, and more is not read [not-a-model]",
            isQuick: false
        ),
        Bound(
            input: "a mapping model",
            limit: "64 MB",
            beyond: "refused, 65",
            make: hollow("Big.xcmappingmodel/xcmapping.xml", 64),
            arguments: ["compile", "Big.xcmappingmodel", "-o", "Big.cdm"],
            status: 65,
            message: "the mapping model is larger than 64 MB, and more is not read",
            isQuick: false
        ),
        Bound(
            input: "a Swift file",
            limit: "512 KB",
            beyond: "left out with a warning",
            make: text("Big.swift") { excess in
                let start = "@Model class A {}\n//"
                return start + String(repeating: "x", count: 524_288 - start.utf8.count + excess)
            },
            arguments: ["hash", "Big.swift"],
            status: 65,
            message: "the file is larger than 524288 bytes and left out [swift-syntax]"
        ),
        Bound(
            input: "a configuration, a case or a stages file",
            limit: "1 MB",
            beyond: "refused, 65",
            make: hollow("Stages.yml", 1),
            arguments: ["migrate", store, "--stages", "Stages.yml", "-o", "New.sqlite"],
            status: 65,
            message: "the file is larger than a megabyte [invalid-stages-file]"
        ),
        Bound(
            input: "a lock",
            limit: "256 MB",
            beyond: "refused, 65",
            make: hollow("Big.lock", 256),
            arguments: ["lock", model, "--check", "--lock", "Big.lock"],
            status: 65,
            message: "the file is larger than 268435456 bytes [unreadable-file]",
            isQuick: false
        ),
        Bound(
            input: "a CloudKit schema",
            limit: "64 MB",
            beyond: "refused, 65",
            make: hollow("Big.ckdb", 64),
            arguments: ["cloudkit", "check", model, "Big.ckdb"],
            status: 65,
            message: "the file is larger than 67108864 bytes [unreadable-file]",
            isQuick: false
        ),
        Bound(
            input: "a log",
            limit: "64 MB",
            beyond: "refused, 65",
            make: { folder, _ in
                let file = folder.appending(path: "Big.log")
                let line = String(repeating: "x", count: 1023) + "\n"
                try Data(String(repeating: line, count: (64 << 10) + 1).utf8).write(to: file)
            },
            arguments: ["doctor", "Big.log"],
            status: 65,
            message: "the file is larger than 67108864 bytes [unreadable-file]",
            isQuick: false
        ),
        Bound(
            input: "a side of a merge",
            limit: "16 MB",
            beyond: "refused, 65",
            make: hollow("Side", 16),
            arguments: ["model", "merge", "Side", "Side", "Side", "-o", "Merged"],
            status: 65,
            message: "the file is larger than 16 MB, and more is not read [unreadable-file]"
        ),
        Bound(
            input: "a list of edits",
            limit: "16 MB",
            beyond: "refused, 65",
            make: hollow("Edits.json", 16),
            arguments: ["model", "apply", model, "Edits.json", "--dry-run"],
            status: 65,
            message: "the file is larger than 16777216 bytes [unreadable-file]"
        ),
        Bound(
            input: "a list of stores (`--from-list`)",
            limit: "1 GB",
            beyond: "refused, 65",
            make: hollow("list", 1024),
            arguments: ["verify", "--from-list", "list"],
            status: 65,
            message: "the file is larger than 1073741824 bytes [unreadable-file]",
            isQuick: false
        ),
    ]

    private static let depths = [
        Bound(
            input: "levels of a hierarchy of entities",
            limit: "64",
            beyond: "refused, 65",
            make: text("Deep.xcdatamodel/contents", chain),
            arguments: ["hash", "Deep.xcdatamodel"],
            status: 65,
            message: "entity 'E64' is on level 65 of its hierarchy; the limit is 64"
        ),
        Bound(
            input: "elements of XML in each other",
            limit: "256",
            beyond: "refused, 65",
            make: text("Deep.xcdatamodel/contents") { nested(256 + $0, "", ("<a>", "</a>")) },
            arguments: ["hash", "Deep.xcdatamodel"],
            status: 65,
            message: "elements are nested more deeply than 256 levels [malformed-xml]"
        ),
        Bound(
            input: "lists of YAML in each other",
            limit: "64",
            beyond: "refused, 65",
            make: text("Stages.yml") { "a: " + nested(64 + $0, "", ("[", "]")) },
            arguments: ["migrate", store, "--stages", "Stages.yml", "-o", "New.sqlite"],
            status: 65,
            message: "the file nests deeper than 64 levels [invalid-stages-file]"
        ),
        Bound(
            input: "brackets of Swift in each other",
            limit: "200",
            beyond: "left out with an error",
            make: text("Deep.swift") {
                "@Model class A { var x = \(nested(200 + $0, "1", ("(", ")"))) }"
            },
            arguments: ["hash", "Deep.swift"],
            status: 65,
            message: "brackets are nested too deeply; the file is left out [swift-syntax]"
        ),
        Bound(
            input: "words and signs of Swift in a row that declare nothing",
            limit: "5,000",
            beyond: "left out with an error",
            make: text("Idle.swift") {
                "@Model class A { " + String(repeating: "o ", count: 4_999 + $0)
            },
            arguments: ["hash", "Idle.swift"],
            status: 65,
            message:
                "thousands of words and signs in a row declare nothing; the file is left out [swift-syntax]"
        ),
        Bound(
            input: "what is behind each word of Swift that declares nothing, summed",
            limit: "30 MB",
            beyond: "left out with an error",
            make: text("Words.swift") { _ in
                "@Model class A {"
                    + String(repeating: "a, b {\n  let c: Int\n  let d: Bool\n}\n", count: 1_000)
            },
            arguments: ["hash", "Words.swift"],
            status: 65,
            message:
                "thousands of words and signs in a row declare nothing; the file is left out [swift-syntax]",
            isQuick: false
        ),
        Bound(
            input: "what is behind each `switch` of Swift that has no case, summed",
            limit: "20 MB",
            beyond: "left out with an error",
            make: text("Switches.swift") { _ in
                "@Model class A {"
                    + nested(1100, "}", ("var a: Int { switch self n(1) case b: 1 } }\n", ""))
            },
            arguments: ["hash", "Switches.swift"],
            status: 65,
            message: "hundreds of switches have no case; the file is left out [swift-syntax]",
            isQuick: false
        ),
        Bound(
            input: "what stands in the brackets of each attribute of Swift, summed",
            limit: "4 MB",
            beyond: "left out with an error",
            make: text("Attributes.swift") { _ in
                "@Model class A {"
                    + String(repeating: "@Relationship(a: b\nvar c: Int { 1) }\n", count: 600)
            },
            arguments: ["hash", "Attributes.swift"],
            status: 65,
            message:
                "brackets of attributes do not end, again and again; the file is left out [swift-syntax]",
            isQuick: false
        ),
        Bound(
            input: "what stands behind each bracket of Swift that closes nothing, summed",
            limit: "4 MB",
            beyond: "left out with an error",
            make: text("Strays.swift") { _ in
                "@Model class A {"
                    + String(
                        repeating: "b, c: Int\n) {\n// \(String(repeating: "-", count: 100))\n}\n",
                        count: 400
                    ) + "}"
            },
            arguments: ["hash", "Strays.swift"],
            status: 65,
            message:
                "brackets end that did not begin, again and again; the file is left out [swift-syntax]",
            isQuick: false
        ),
        Bound(
            input: "parts of a predicate in each other",
            limit: "64",
            beyond: "refused, 64",
            make: { _, _ in },
            arguments: [
                "export", store, "--entity", "Author", "--where",
                nested(65, "name == 'a'", ("(", ")")),
            ],
            status: 64,
            message: "the text is nested too deeply",
            isQuick: false
        ),
        Bound(
            input: "symbolic links to an output",
            limit: "40",
            beyond: "refused, 73",
            make: { folder, excess in
                for number in 0..<(40 + excess) {
                    try FileManager.default.createSymbolicLink(
                        atPath: folder.appending(path: "L\(number)").path,
                        withDestinationPath: "L\(number + 1)"
                    )
                }
            },
            arguments: ["export", store, "-o", "L0"],
            status: 73,
            message: "Too many levels of symbolic links [unwritable-output]"
        ),
        Bound(
            input: "files and folders of a place in a revision of git",
            limit: "1,000,000",
            beyond: "refused, 66",
            make: { folder, _ in try makeTreeBomb(in: folder) },
            arguments: ["hash", "v0:M.xcdatamodeld"],
            status: 66,
            message: "there are more than 1000000 files and folders",
            isQuick: false
        ),
    ]

    @Test(arguments: files + depths)
    func `what is beyond a bound is refused in a line`(bound: Bound) throws {
        try withFolder { folder in
            try bound.make(folder, 1)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let result = try momtool(bound.arguments, in: folder)
            #expect(result.status == bound.status, "\(result.errors)")
            #expect(!result.wasKilled)
            let said = result.output + result.errors
            #expect(said.contains(bound.message), "\(said.prefix(500))")
            let after = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(after.sorted() == before.sorted())
        }
    }

    @Test(arguments: (files + depths).filter(\.isQuick))
    func `what is at a bound is not beyond it`(bound: Bound) throws {
        try withFolder { folder in
            try bound.make(folder, 0)
            let result = try momtool(bound.arguments, in: folder)
            #expect(!result.wasKilled)
            let said = result.output + result.errors
            #expect(!said.contains(bound.message), "\(said.prefix(500))")
        }
    }

    @Test func `the page of hostile input lists every bound`() throws {
        let page = Corpus.package.appending(
            path: "Sources/Library/Momtool/Momtool.docc/HostileInput.md"
        )
        let text = try String(contentsOf: page, encoding: .utf8)
        let rows = (Self.files + Self.depths).map(\.row)
        #expect(text.contains(rows.joined(separator: "\n")), "\(rows.joined(separator: "\n"))")
    }
}
