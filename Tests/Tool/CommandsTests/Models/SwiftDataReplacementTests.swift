import Foundation
import TestSupport
import Testing

struct SwiftDataReplacementTests {
    private static func source(_ code: String) -> String {
        """
        import SwiftData

        enum SchemaV1: VersionedSchema {
            static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
            static var models: [any PersistentModel.Type] { [Item.self] }

            @Model
            final class Item {
                var name: String = ""
                var mood: Mood = Mood.good
        \(code)
            }
        }

        """
    }

    private static func version(_ number: Int, _ row: String) -> String {
        """
        import SwiftData

        enum SchemaV\(number): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(number), 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model final class Item {
                var mood: Mood?
                \(row)
                init() {}
            }
        }

        """
    }

    private static let plan = """
        import SwiftData

        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
            static var stages: [MigrationStage] {
                [
                    .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self),
                    .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self),
                ]
            }
        }

        """

    @Test func `code that people wrote is named, and not replaced without being asked`() throws {
        try withFolder { folder in
            let mood = "enum Mood: String, Codable {\n    case good\n}\n"
            let plain = Self.source(
                "        init(name: String) {\n            self.name = name\n        }"
            )
            let code = """
                        init() { name = "x" }
                        func apply(text: String, _ count: Int) {}
                        var shown: String { name }
                        @Transient var cache = 0
                """
            let command = ["generate", "--swiftdata", "--frozen", "SchemaV1", "--from", "."]
            func run(_ words: String...) throws -> CommandResult {
                try momtool(command + ["-o", "V1.swift"] + words, in: folder)
            }
            try write(mood, "Mood.swift", in: folder)
            try write(
                Self.source(code) + "\nextension SchemaV1.Item: Tagged {}\n\nstruct Other {}\n",
                "V1.swift",
                in: folder
            )
            let before = try fileText(folder.appending(path: "V1.swift"))
            let refused = try run()
            #expect(refused.status == 3, "\(refused)")
            let names = [
                "Other", "SchemaV1.Item.init()", "SchemaV1.Item.apply(text:_:)",
                "SchemaV1.Item.shown", "SchemaV1.Item.cache", "extension SchemaV1.Item: Tagged",
            ].joined(separator: ", ")
            #expect(refused.errors.contains("not written anew: \(names); -o can"))
            #expect(refused.errors.contains("--force would write it [file-exists]"))
            #expect(try fileText(folder.appending(path: "V1.swift")) == before)
            #expect(try run("--force").status == 0)
            let made = try fileText(folder.appending(path: "V1.swift"))
            #expect(made.hasPrefix("// Written by momtool from the sources of this folder.\n"))
            #expect(try run().status == 0)
            try write(plain, "V1.swift", in: folder)
            #expect(try run().status == 0)
            try write("let notes = 1\n", "V1.swift", in: folder)
            let other = try momtool(
                ["generate", "--swiftdata", "Models/Journal", "-o"]
                    + [folder.appending(path: "V1.swift").path]
            )
            #expect(other.status == 3, "\(other)")
        }
    }

    @Test func `the command that gives versions their own copies can be run as it is printed`()
        throws
    {
        try withFolder { folder in
            try write(
                "struct Mood: Codable {\n    var text: String\n}\n",
                "App/Mood.swift",
                in: folder
            )
            try write(Self.version(1, ""), "App/Schemas/V1.swift", in: folder)
            try write(Self.version(2, "var a: Int = 0"), "App/Schemas/V 2.swift", in: folder)
            try write(
                Self.version(3, "var a: Int = 0\n        var b: Int = 0"),
                "App/Schemas/V3.swift",
                in: folder
            )
            try write(Self.plan, "App/Plan.swift", in: folder)
            let found = try momtool("lint App", in: folder)
            let lines = (found.output + found.errors).split(separator: "\n")
            let commands = lines.filter { $0.hasPrefix("note: momtool generate ") }
            #expect(
                commands == [
                    "note: momtool generate --swiftdata --frozen SchemaV1 --from App#SchemaV1 -o App/Schemas/V1.swift",
                    "note: momtool generate --swiftdata --frozen SchemaV2 --from App#SchemaV2 -o 'App/Schemas/V 2.swift'",
                ],
                "\(found)"
            )
            for (name, file) in [("SchemaV1", "V1"), ("SchemaV2", "V 2")] {
                let words = [
                    "--frozen", name, "--from", "App#\(name)", "-o", "App/Schemas/\(file).swift",
                ]
                try expectRun(["generate", "--swiftdata"] + words, in: folder, 0)
            }
            let after = try momtool("lint App", in: folder)
            #expect(!(after.output + after.errors).contains("frozen-version-reaches-live-type"))
            #expect(after.status == 0, "\(after)")
        }
    }
}
