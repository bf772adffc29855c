import Foundation
import TestSupport
import Testing

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

    struct Edit: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        var message: String
        var testDescription: String { message }

        init(_ old: String, _ new: String, _ message: String) {
            (self.old, self.new, self.message) = (old, new, message)
        }
    }

    private static let edits = [
        Edit(
            "var name: String",
            "var name: String\nvar must: Int",
            "Party.members[].must: it is new"
        ),
        Edit("var town: String", "", "Party.members[].home.town: it is gone"),
        Edit("var town: String", "var town: Int", "Party.members[].home.town: its type was String"),
        Edit(
            "var row: Int",
            "var row: String",
            "Party.seats[].row: its type was Int and is String"
        ),
        Edit(
            "var number: Int",
            "var number: Int\nvar size: Int",
            "Party.place.rooms[].size: it is new"
        ),
        Edit("var nick: String?", "var nick: String", "Party.members[].nick: its type was String?"),
        Edit(
            "case meat, plants",
            "case plants",
            "Party.members[].diet: no case has the raw value 'meat'"
        ),
        Edit(
            "case low = 1, high = 2",
            "case high = 2",
            "Party.moods[]: no case has the raw value '1'"
        ),
    ]

    private static let harmless = [
        Edit("var name: String", "var name: String\nvar more: Int?", "an optional member"),
        Edit("var nick: String?", "var nick: String?\nstatic let all = 1", "a static one"),
        Edit("var nick: String?", "var nick: String?\nlet kind = 1", "a constant"),
        Edit("var town: String", "var town: String?", "one that becomes optional"),
        Edit(
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
            #expect(try momtool(["lock", "."], in: folder).status == 0)
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
            #expect(try momtool(["check"], in: folder).status == 1)
        }
    }

    @Test(arguments: harmless)
    func `what old rows decode to is none`(edit: Edit) throws {
        try withLock { folder in
            try write(Self.sources.replacing(edit.old, with: edit.new), in: folder)
            let run = try momtool(["check", "--against", "base"], in: folder)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
    }

    @Test func `a lock of an older release takes in what it did not have`() throws {
        try withLock { folder in
            let file = folder.appending(path: "SwiftData.lock")
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.components(separatedBy: "\n")
            #expect(lines.contains("holds Party members[].home.town String"), "\(text)")
            let old = lines.filter { !$0.hasPrefix("holds ") && !$0.hasPrefix("case ") }
            try Data(old.joined(separator: "\n").utf8).write(to: file)
            #expect(try momtool(["check"], in: folder).status == 0)
            #expect(try momtool(["lock", "."], in: folder).status == 0)
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }
}
