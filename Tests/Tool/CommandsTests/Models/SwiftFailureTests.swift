import Foundation
import TestSupport
import Testing

/// The failures that developers report most, each found before the app ships: `Fixtures/SwiftDataFailures`.
///
struct SwiftFailureTests {
    private static let folder = Corpus.package.appending(path: "Fixtures/SwiftDataFailures")
    static let failures =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .sorted() ?? []

    @Test func `there are more than twenty`() {
        #expect(Self.failures.count >= 20)
    }

    @Test(arguments: failures)
    func `a failure is found before it ships`(name: String) throws {
        let source = Self.folder.appending(path: name)
        try withFolder { folder in
            // Entitlements are searched up to the root of the repository.
            #expect(try git("init", "-q", in: folder).status == 0)
            let app = folder.appending(path: "App")
            try makeFolder(app)
            func copy(_ file: String, as copy: String) throws -> Bool {
                guard let bytes = try? Data(contentsOf: source.appending(path: file)) else {
                    return false
                }
                try bytes.write(to: app.appending(path: copy))
                return true
            }
            if try copy("Shipped.swift", as: "App.swift") {
                try expectRun("lock App", in: folder, 0)
            }
            #expect(try copy("App.swift", as: "App.swift"))
            _ = try copy("Shop.entitlements", as: "Shop.entitlements")
            let expected = try fileText(source.appending(path: "expected.txt"))
            var count = 0
            for line in expected.split(separator: "\n") where !line.hasPrefix("#") {
                try check(line, source, in: folder)
                count += 1
            }
            #expect(count > 0)
        }
    }

    private func check(_ line: Substring, _ source: URL, in folder: URL) throws {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.first == "plan" else {
            let found = try momtool("lint App", in: folder)
            let isFound = found.output.split(separator: "\n").contains { line in
                line.hasSuffix("[\(words[1])]")
                    && (line.contains(": error: ") || line.contains(": warning: "))
            }
            #expect(isFound, "\(words[1]):\n\(found.output)")
            #expect(found.status == 1)
            return
        }
        let rows = source.appending(path: "rows.json").path
        let create = [
            "create", "s.sqlite", "--model", "App", "--version", words[1], "--rows", rows,
        ]
        try expectRun(create, in: folder, 0)
        let plan = try momtool("plan App --store s.sqlite", in: folder)
        #expect(plan.output.contains(words[2]), "\(plan.output)\(plan.errors)")
    }

    @Test func `rows whose values no case has are counted by plan and verify`() throws {
        try withFolder { folder in
            let app = folder.appending(path: "App.swift")
            func write(_ cases: String, _ kinds: String) throws {
                let text = """
                    enum Mood: String, Codable { case \(cases) }
                    enum Kind: Int, Codable { case \(kinds) }
                    struct Place: Codable { var kind: Kind; var town: String }
                    @Model class Item { var mood: Mood = Mood.good; var place: Place? }
                    """
                try Data(text.utf8).write(to: app)
            }
            try write("good, fair, bad", "a, b")
            let rows = """
                {"Item": [{"mood": {"mood": "fair"}, "place": {"kind": 1, "town": "x"}},
                {"mood": {"mood": "fair"}, "place": null}, {"mood": {"mood": "bad"}}]}
                """
            try Data(rows.utf8).write(to: folder.appending(path: "rows.json"))
            try expectRun("create s.sqlite --model App.swift --rows rows.json", in: folder, 0)
            let verify = ["verify", "s.sqlite", "--model", "App.swift"]
            #expect(try momtool(verify, in: folder).status == 0)
            try write("good, bad", "a")
            let found = try expectRun(verify, in: folder, 1)
            let words = "no case of the enum has the value: the app stops when it reads one"
            #expect(found.output.contains("Item.mood: 2 rows: \(words)"), "\(found.output)")
            #expect(found.output.contains("Item.place.kind: 1 row: \(words)"), "\(found.output)")
            #expect(found.output.contains("[enum-value-unknown]"))
            let plan = try momtool("plan App.swift --store s.sqlite", in: folder)
            #expect(plan.output.contains("when the app reads them\n"), "\(plan.output)")
            #expect(plan.output.contains("Item.mood: 2 rows"), "\(plan.output)")
        }
    }

    @Test func `a case that went since a revision is said by diff and check`() throws {
        try withFolder { folder in
            let app = folder.appending(path: "App/Model.swift")
            try makeFolder(app.deletingLastPathComponent())
            func write(_ cases: String) throws {
                let text = """
                    import SwiftData
                    enum Mood: String, Codable { case \(cases) }
                    @Model class Item { var mood: Mood = Mood.good }
                    """
                try Data(text.utf8).write(to: app)
            }
            try write("good, fair")
            #expect(try git("init", "-q", in: folder).status == 0)
            #expect(try git("add", "App", in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "one", in: folder).status == 0)
            try write("good, okay")
            let words = "no case has the raw value 'fair' of 'fair' any more"
            try expectRun("diff App --against HEAD", in: folder, nil, words)
            for format in ["json", "markdown"] {
                let arguments = ["diff", "App", "--against", "HEAD", "--format", format]
                #expect(try momtool(arguments, in: folder).output.contains("fair"), "\(format)")
            }
        }
    }
}

struct EncodedValueTests {
    private static let sources = """
        @Model final class Party {
            var members: [Guest] = []
            var seats: [String: Seat] = [:]
            var moods: [Mood] = []
            var place: Place = Place(rooms: [])
        }
        struct Place: Codable { var rooms: [Room] }
        struct Room: Codable { var number: Int }
        struct Guest: Codable {
            var name: String
            var nick: String?
            var diet: Diet
            var home: Home
        }
        struct Home: Codable { var town: String }
        struct Seat: Codable { var row: Int }
        enum Diet: String, Codable { case meat, plants }
        enum Mood: Int, Codable { case low = 1, high = 2 }
        """

    typealias Edit = (old: String, new: String, message: String)

    private static let edits: [Edit] = [
        ("var name: String", "var name: String\nvar must: Int", "Party.members[].must: it is new"),
        ("var town: String", "", "Party.members[].home.town: it is gone"),
        ("var town: String", "var town: Int", "Party.members[].home.town: its type was String"),
        ("var row: Int", "var row: String", "Party.seats[].row: its type was Int and is String"),
        (
            "var number: Int", "var number: Int\nvar size: Int",
            "Party.place.rooms[].size: it is new"
        ),
        ("var nick: String?", "var nick: String", "Party.members[].nick: its type was String?"),
        (
            "case meat, plants", "case plants",
            "Party.members[].diet: no case has the raw value 'meat'"
        ),
        ("case low = 1, high = 2", "case high = 2", "Party.moods[]: no case has the raw value '1'"),
    ]

    private static let harmless: [Edit] = [
        ("var name: String", "var name: String\nvar more: Int?", "an optional member"),
        ("var nick: String?", "var nick: String?\nstatic let all = 1", "a static one"),
        ("var nick: String?", "var nick: String?\nlet kind = 1", "a constant"),
        ("var town: String", "var town: String?", "one that becomes optional"),
        (
            "struct Home: Codable { var town: String }",
            """
            struct Home: Codable {
                var city: String
                enum CodingKeys: String, CodingKey { case city = "town" }
            }
            """,
            "another name with the old key"
        ),
    ]

    private func write(_ text: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: "Models.swift"))
    }

    private func withLock(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try write(Self.sources, in: folder)
            #expect(try momtool("lock .", in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            try body(folder)
        }
    }

    @Test(arguments: edits)
    func `what old rows do not decode to is a warning on every road`(edit: Edit) throws {
        try withLock { folder in
            try write(Self.sources.replacing(edit.old, with: edit.new), in: folder)
            for words in [
                ["check"], ["lint", "."], ["lock", ".", "--check"],
                ["check", "--against", "base"], ["diff", ".", "--against", "base"],
            ] {
                let run = try momtool(words, in: folder)
                #expect(run.output.contains(edit.message), "\(words): \(run.output)\(run.errors)")
            }
            #expect(try momtool("check", in: folder).status == 1)
        }
    }

    @Test(arguments: harmless)
    func `what old rows decode to is none`(edit: Edit) throws {
        try withLock { folder in
            try write(Self.sources.replacing(edit.old, with: edit.new), in: folder)
            try expectRun("check --against base", in: folder, 0)
        }
    }

    @Test func `a lock of an older release takes in what it did not have`() throws {
        try withLock { folder in
            let file = folder.appending(path: "SwiftData.lock")
            let text = try fileText(file)
            let lines = text.components(separatedBy: "\n")
            #expect(lines.contains("holds Party members[].home.town String"), "\(text)")
            let old = lines.filter { !$0.hasPrefix("holds ") && !$0.hasPrefix("case ") }
            try Data(old.joined(separator: "\n").utf8).write(to: file)
            #expect(try momtool("check", in: folder).status == 0)
            #expect(try momtool("lock .", in: folder).status == 0)
            #expect(try fileText(file) == text)
        }
    }
}
