import Foundation
import TestSupport
import Testing

struct SwiftSourcesTests {
    private static let first = """
        import SwiftData
        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self] }
            @Model final class Trip {
                var name: String = ""
                var mood: Mood?
                init() {}
            }
        }
        """

    private static let second = """
        enum Mood: String, Codable { case good, bad }
        enum SchemaV2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
        }
        extension SchemaV2 {
            @Model final class Trip {
                @Attribute(originalName: "name") var title: String = ""
                var mood: Mood?
                @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
                init() {}
            }
            @Model final class Stop {
                #Index<Stop>([\\.town])
                #Unique<Stop>([\\.town])
                var town: String = ""
                var id: UUID = UUID()
                var trip: Trip?
                init() {}
            }
        }
        """

    private func withSources(_ body: (URL, String) throws -> Void) throws {
        try withFolder { folder in
            let sources = folder.appending(path: "Sources")
            for (path, text) in [
                ("V1.swift", Self.first), ("Deep/V2.swift", Self.second),
                (".build/Other.swift", "@Model class Trip { var x = 1 }"),
                (".hidden/Other.swift", "@Model class Trip { var x = 1 }"),
                ("Notes.txt", "@Model"),
            ] {
                let url = sources.appending(path: path)
                let parent = url.deletingLastPathComponent()
                try makeFolder(parent)
                try Data(text.utf8).write(to: url)
            }
            let loop = sources.appending(path: "Deep/Loop")
            try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: sources)
            try body(folder, sources.path)
        }
    }

    @Test func `a folder of sources has versions with hashes`() throws {
        try withSources { _, sources in
            let result = try momtool("hash", sources, "--format", "json")
            #expect(result.errors == "")
            #expect(result.status == 0)
            let data = Data(result.output.utf8)
            let report = try JSONDecoder().decode(HashCommandTests.Report.self, from: data)
            #expect(report.versions.map(\.name) == ["SchemaV1", "SchemaV2"])
            #expect(report.versions.map(\.current) == [false, true])
            #expect(report.versions.last.map { $0.entities.keys.sorted() } == ["Stop", "Trip"])
            let one = try momtool("hash", sources + "#SchemaV1", "--explain", "Trip")
            #expect(one.output.contains("element 'mood'"))
        }
    }

    @Test func `what is not understood spoils its own entity`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "Model.swift")
            let text =
                "@Model class Visit {\n  var range: Set<Int>\n}\n@Model class Other { var x: UInt = 1 }\n"
            try Data(text.utf8).write(to: file)
            let result = try expectRun(["hash", file.path], 1)
            #expect(
                result.errors.contains(
                    "Model.swift:2:7: note: Visit.range: type Set<Int> is not understood "
                        + "[swift-not-understood]"
                )
            )
            #expect(result.output.contains("Visit     not understood\n"))
            #expect(result.output.contains(" unproven\n"))
            #expect(try momtool("hash", file.path, "--explain", "Visit").status == 1)
        }
    }

    @Test func `a table of types and conditions stand in the configuration`() throws {
        try withFolder { folder in
            let text = """
                @Model class Spot {
                    var size: CGFloat
                    var at: Coordinate?
                    #if FULL
                    var currency: Money.Currency
                    #endif
                }
                @Model class Draft { var x: Set<Int> }
                """
            try Data(text.utf8).write(to: folder.appending(path: "Model.swift"))
            let settings = """
                swift:
                  define: [FULL]
                  models: [Spot]
                types:
                  CGFloat: Double
                  Money.Currency: { enum: String }
                  Coordinate: { latitude: Double, longitude: Double }
                """
            try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
            try expectRun(["hash", folder.path], 0, " unproven", not: ["Draft"])
            let explained = try momtool("hash", folder.path, "--explain", "Spot")
            for name in ["latitude", "currency", "size"] {
                #expect(explained.output.contains(name))
            }
        }
    }

    @Test func `stores are made, identified, migrated and checked by sources`() throws {
        try withSources { folder, sources in
            let rows = folder.appending(path: "rows.json")
            let old = folder.appending(path: "old.sqlite").path
            let new = folder.appending(path: "new.sqlite").path
            try Data(#"{"Trip": [{"name": "Alps", "mood": {"mood": "good"}}]}"#.utf8).write(
                to: rows
            )
            let made = try momtool("create \(old) --model \(sources)#SchemaV1 --rows \(rows.path)")
            #expect(made.errors == "")
            #expect(try momtool("identify", old, "--model", sources).output.contains("SchemaV1"))
            let migrated = try momtool("migrate", old, "--model", sources, "-o", new)
            #expect(migrated.errors == "")
            #expect(migrated.status == 0)
            #expect(try momtool("verify", new, "--model", sources).status == 0)
            #expect(try momtool("export", new).output.contains("Alps"))
            try expectRun(["diff", sources, "--from", "SchemaV1", "--to", "SchemaV2"], nil, "Stop")
            #expect(
                try momtool("plan", sources, "--from", "SchemaV1", "--to", "SchemaV2").status == 0
            )
            #expect(try momtool("graph", sources).output.contains("Stop"))
            #expect(try momtool("lock", sources).status == 0)
            #expect(try momtool("lock", sources, "--check").status == 0)
        }
    }

    @Test func `defaults of the moment fill all rows with one value, and are no change`() throws {
        try withFolder { folder in
            let source = folder.appending(path: "Model.swift")
            func write(_ second: String) throws {
                let text = ["var a = 1", second].enumerated().map { number, members in
                    """
                    enum V\(number + 1): VersionedSchema {
                        static let versionIdentifier = Schema.Version(\(number + 1), 0, 0)
                        static var models: [any PersistentModel.Type] { [Item.self] }
                        @Model class Item { \(members) }
                    }
                    """
                }
                try Data(text.joined(separator: "\n").utf8).write(to: source)
            }
            try write("var a = 1; var id: UUID = UUID(); var made: Date = Date.now")
            let (old, new) = (folder.path + "/old.sqlite", folder.path + "/new.sqlite")
            let rows = folder.appending(path: "rows.json")
            try Data(#"{"Item": [{"a": 1}, {"a": 2}]}"#.utf8).write(to: rows)
            let made = try momtool("create \(old) --model \(source.path)#V1 --rows \(rows.path)")
            #expect(made.errors == "")
            let difference = try momtool("diff", source.path, "--from", "V1", "--to", "V2")
            #expect(
                difference.output.contains(
                    "all existing rows get one value of UUID(), the same one"
                )
            )
            #expect(try momtool("migrate", old, "--model", source.path, "-o", new).status == 0)
            let values = try momtool("export", new).output.matches(of: /"id": *"([^"]+)"/).map(\.1)
            #expect(values.count == 2)
            #expect(Set(values).count == 1)
            #expect(try momtool("identify", new, "--model", source.path).output.contains("V2"))
            // The archived value in the store is another one than that of a fresh reading.
            #expect(try !momtool("diff", new, source.path + "#V2").output.contains("default"))
        }
    }

    @Test func `the sample project is locked, and its store is of its first version`() throws {
        #expect(try momtool("lock", "Models/Journal", "--check").status == 0)
        try expectRun(["lint", "Models/Journal"], 0)
        try expectRun("identify Fixtures/Journal-V1.sqlite --model Models/Journal", 0, "SchemaV1")
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a real store is of its sources`() throws {
        let root = "Karim-ezzedine+CartKit/"
        let sources = Corpus.path(root + "Sources/CartKitStorageSwiftData/Models")
        let store = Corpus.path(
            root + "Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite"
        )
        try expectRun(["identify", store, "--model", sources], 0, "unversioned")
        #expect(try momtool("verify", store, "--model", sources).output.contains("error") == false)
    }

    @Test func `sources of a git revision are a model`() throws {
        try withSources { folder, _ in
            try git("init", "-q", in: folder)
            try git("add", "Sources/V1.swift", "Sources/Deep/V2.swift", in: folder)
            try git("commit", "-qm", "a", in: folder)
            let result = try momtool("hash HEAD:Sources#SchemaV1", in: folder)
            #expect(result.errors == "")
            #expect(result.output.hasPrefix("SchemaV1"))
        }
    }
}
