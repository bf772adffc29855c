import Foundation
import TestSupport
import Testing

struct CheckRoadTests {
    private static let block = """
        model: Stops.xcdatamodeld
        stages:
          - custom: {from: Stops, to: Stops 2}
            didMigrate: after.sql

        """

    @Test(arguments: [
        block, block.replacing("\n", with: "\r\n"),
        "model: Stops.xcdatamodeld\n"
            + "stages: [{custom: {from: Stops, to: Stops 2}, didMigrate: after.sql}]\n",
    ])
    func `the stages that were found are run with generated objects`(stages: String) throws {
        try withFolder { folder in
            try ModelEdit.harmless[0].write(in: folder)
            func check(_ script: String) throws -> CommandResult {
                try write(script, "after.sql", in: folder)
                try write(stages, "Stages.yml", in: folder)
                return try momtool("check", in: folder)
            }
            let good = try check("UPDATE Stop SET label = 'x' WHERE label IS NULL;\n")
            #expect(good.status == 0, "\(good.output)\(good.errors)")
            let bad = try check("UPDATE Nothing SET label = 'x';\n")
            #expect(bad.status == 1, "\(bad.output)\(bad.errors)")
            #expect(bad.output.contains("[migration-test-failed]"), "\(bad.output)")
        }
    }

    @Test func `Swift sources are checked beside the models of a folder`() throws {
        try withFolder { folder in
            try ModelEdit.harmless[0].write(in: folder)
            try expectRun("check", in: folder, nil, "1 model, 2 versions")
            try write("// what @Model would do\nlet text = \"@Model\"\n", "Words.swift", in: folder)
            try expectRun("check", in: folder, nil, "1 model, 2 versions")
            let source = "import SwiftData\n@Model class Item { var a: Int?; var b: Unknown? }\n"
            try write(source, "Sources/Item.swift", in: folder)
            let both = try momtool("check", in: folder)
            // What sources cannot show is no fault of the team.
            #expect(both.status == 0, "\(both.output)\(both.errors)")
            #expect(both.output.contains("2 models, 3 versions"), "\(both.output)")
            #expect(both.output.contains("Sources/Item.swift:2"), "\(both.output)")
        }
    }

    @Test func `targets of a package with versions of their own are models of their own`() throws {
        try withFolder { folder in
            let source = """
                import SwiftData
                enum SchemaV1: VersionedSchema {
                    static let versionIdentifier = Schema.Version(1, 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model class Item { var a: Int? }
                }
                """
            try write(source, "Sources/Shop/Schema.swift", in: folder)
            try write(
                source.replacing("Item", with: "Note"),
                "Sources/App/Schema.swift",
                in: folder
            )
            try expectRun("check", in: folder, 0, "2 models, 2 versions")
        }
    }

    @Test func `names under losses that mean nothing are notes with what may have been meant`()
        throws
    {
        try withFolder { folder in
            try ModelEdit.losing[0].write(in: folder)
            let settings = """
                losses:
                  Stops 2: [Stop.opened, Stop.lable, Stop.code]
                  Stobs 2: [Stop.label]
                  Stops: [Stop.code]
                allowDataLoss: [Notise]

                """
            try write(settings, ".momtool.yml", in: folder)
            for words in [["lint", "Stops.xcdatamodeld"], ["check"]] {
                let result = try expectRun(words, in: folder, 0)
                let expected = [
                    ":2:26: note: no version has 'Stop.lable'; did you mean 'Stop.label'",
                    ":2:38: note: the step to 'Stops 2' does not lose 'Stop.code'",
                    ":3:3: note: there is no version 'Stobs 2'; did you mean 'Stops 2'",
                    ":4:11: note: 'Stops' is the oldest version",
                    ":5:17: note: no version has 'Notise'; did you mean 'Notice'",
                ]
                for text in expected { #expect(result.output.contains(text), "\(result.output)") }
                let notes = result.output.split(separator: "\n")
                    .filter { $0.contains("[unmatched-loss]") }
                #expect(notes.count == expected.count, "\(result.output)")
            }
            // Settings for another model below the configuration are no fault of this one.
            let other = folder.appending(path: "Other/Stobs.xcdatamodeld")
            let text = try fileText(
                folder.appending(path: "Stops.xcdatamodeld/Stops.xcdatamodel/contents")
            )
            let label = "<attribute name=\"label\" optional=\"YES\" attributeType=\"String\"/>"
            try writeBundle(
                ["Stobs": text, "Stobs 2": text.replacing(label, with: "")],
                current: "Stobs 2",
                at: other
            )
            try expectRun("lint Stops.xcdatamodeld", in: folder, nil, not: ["Stobs 2"])
        }
    }

    @Test func `a name in a lock that means nothing is a note at its line`() throws {
        try withFolder { folder in
            try ModelEdit.losing[0].write(in: folder)
            try write("losses:\n  Stops 2: [Stop.opened]\n", ".momtool.yml", in: folder)
            #expect(try momtool("lock Stops.xcdatamodeld", in: folder).status == 0)
            let file = folder.appending(path: "Stops.xcdatamodeld.lock")
            let lock = try fileText(file)
            let edited = lock.replacing("loses Stop.opened\n", with: "loses Stop.openen\n")
            try Data(edited.utf8).write(to: file)
            let lines = edited.components(separatedBy: "\n")
            let line = try #require(lines.firstIndex { $0.contains("openen") }) + 1
            let result = try momtool("lint Stops.xcdatamodeld", in: folder)
            let place = "Stops.xcdatamodeld.lock:\(line): note: no version has 'Stop.openen'"
            #expect(result.output.contains(place), "\(result.output)")
            #expect(result.output.contains("did you mean 'Stop.opened'"), "\(result.output)")
        }
    }

    @Test func `init names what versions of one name lose once, and check takes it`() throws {
        try withFolder { folder in
            try ModelEdit.losing[0].write(in: folder)
            try FileManager.default.removeItem(
                at: folder.appending(path: "Stops.xcdatamodeld.lock")
            )
            try copyFile(
                folder.appending(path: "Stops.xcdatamodeld"),
                to: folder.appending(path: "Copy.xcdatamodeld")
            )
            #expect(try momtool("init", in: folder).status == 0)
            let file = folder.appending(path: ".momtool.yml")
            let settings = try fileText(file)
            #expect(settings.components(separatedBy: "Stops 2").count == 2, "\(settings)")
            #expect(try momtool("check", in: folder).status == 1)
            let named = settings.replacing("# losses:", with: "losses:")
                .replacing("#   Stops 2", with: "  Stops 2")
            try Data(named.utf8).write(to: file)
            try expectRun("check", in: folder, 0)
        }
    }

    @Test func `the lock of Swift sources stays inside of the folder that is checked`() throws {
        try withFolder { folder in
            let source = "import SwiftData\n@Model class Item { var a: Int? }\n"
            try write(source, "Sources/Item.swift", in: folder)
            try expectRun("init", in: folder, nil, "wrote SwiftData.lock\n")
            try expectRun("check", in: folder, 0, "1 model, 1 version, 1 lock")
            try expectRun("check \(folder.path)", nil, "1 model, 1 version, 1 lock")
            // The schemas of tests are no versions of the app.
            try write(
                "import SwiftData\n@Model class Probe { var b: Unknown? }\n",
                "AppTests/Probe.swift",
                in: folder
            )
            #expect(try !momtool("check", in: folder).output.contains("Probe"))
            #expect(try momtool("check AppTests", in: folder).output.contains("Probe"))
            #expect(try momtool("lock Sources", in: folder).status == 0)
            let beside = folder.appending(path: "Sources.lock").path
            #expect(FileManager.default.fileExists(atPath: beside))
        }
    }

    @Test func `a fault of a plan is an error in commands that need no plan too`() throws {
        try withFolder { folder in
            let versions = (1...3).map { number in
                """
                enum V\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model class Item { var a\(number): Int? }
                }
                """
            }
            let source = """
                import SwiftData
                \(versions.joined(separator: "\n"))
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
                    static var stages: [MigrationStage] {
                        [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
                    }
                }
                """
            try write(source, "Models.swift", in: folder)
            let lint = try momtool("lint Models.swift", in: folder)
            #expect(lint.output.contains("error: ") && lint.output.contains("[stage-missing]"))
            let hash = try expectRun("hash Models.swift", in: folder, 65)
            let told = hash.errors.split(separator: "\n").filter { $0.contains("[stage-missing]") }
            #expect(told.count == 1 && told[0].contains("error: "), "\(hash.errors)")
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `mapping models of a project are found by plan and check alike`() throws {
        try withFolder { folder in
            let source = Corpus.paths { $0.hasSuffix("Moody 5-Moody 6.xcmappingmodel") }
            let mapping = try #require(source.first)
            let root = try #require(mapping.components(separatedBy: "Moody 5-Moody 6").first)
            let bundle = try #require(
                Corpus.paths { $0.hasSuffix("Moody.xcdatamodeld") && $0.hasPrefix(root) }.first
            )
            try makeFolder(folder.appending(path: "Maps"))
            try FileManager.default.copyItem(
                atPath: Corpus.path(bundle),
                toPath: folder.appending(path: "Moody.xcdatamodeld").path
            )
            try FileManager.default.copyItem(
                atPath: Corpus.path(mapping),
                toPath: folder.appending(path: "Maps/A.xcmappingmodel").path
            )
            let words = ["plan", "Moody.xcdatamodeld", "--from", "Moody 5", "--to", "Moody 6"]
            let alone = try momtool(words, in: folder)
            #expect(!alone.errors.contains("A.xcmappingmodel"), "\(alone.errors)")
            try write("", "App.xcodeproj/project.pbxproj", in: folder)
            try expectRun(words, in: folder, nil, errors: ["A.xcmappingmodel: note: "])
            try expectRun("check", in: folder, nil, not: ["[version-cannot-open]"])
        }
    }
}
