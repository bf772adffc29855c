import Foundation
import TestSupport
import Testing

struct PartialSourcesTests {
    @Test func `what is understood is locked, compared, drawn and generated`() throws {
        try withFolder { folder in
            func version(_ number: Int, _ type: String) -> String {
                """
                enum V\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self, Seat.self] }
                    @Model final class Item { var name: \(type) = 1 }
                    @Model final class Seat { var numbers: Set<\(type)> = [] }
                }

                """
            }
            let file = folder.appending(path: "Models.swift")
            try Data((version(1, "Int16") + version(2, "Int32")).utf8).write(to: file)
            let gap = "Seat.numbers: type Set<Int32> is not understood [swift-not-understood]"
            try expectRun(["lock", file.path], 0, errors: [gap])
            let text = try fileText(folder.appending(path: "Models.swift.lock"))
            #expect(text.contains("\nunknown Seat\n"))
            #expect(try momtool("lock", file.path, "--check").status == 0)
            let diff = try expectRun(["diff", file.path], 1, "Item.name")
            let rest = "not compared, as they are not understood: Seat\n"
            #expect(diff.output.hasSuffix(rest), "\(diff.output)")
            #expect(!diff.output.dropLast(rest.count).contains("Seat"), "\(diff.output)")
            #expect(try momtool("graph", file.path).output.contains("Item"))
            let classes = folder.appending(path: "Classes").path
            #expect(try momtool("generate", file.path, "--all", "-o", classes).status == 0)
            #expect(try momtool("compile", file.path, "-o", folder.path).status == 65)
            try Data((version(1, "Int64") + version(2, "Int32")).utf8).write(to: file)
            try expectRun(["lock", file.path, "--check"], 1, "[locked-version-edited]")
        }
    }

    @Test func `versions that are understood are used without the others`() throws {
        try withFolder { folder in
            let text = """
                enum V1: VersionedSchema {
                    static let versionIdentifier = Schema.Version(1, 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model final class Item { var seats: Set<Int> = [] }
                }
                enum V2: VersionedSchema {
                    static let versionIdentifier = Schema.Version(2, 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    @Model final class Item { var seats: [Int] = [] }
                }
                """
            let file = folder.appending(path: "Models.swift")
            try Data(text.utf8).write(to: file)
            let store = folder.appending(path: "New.sqlite").path
            let made = try momtool("create", store, "--model", file.path)
            #expect(made.status == 0)
            #expect(made.errors.contains("note: Item.seats: type Set<Int> is not understood"))
            let old = folder.appending(path: "Old.sqlite").path
            let refused = try momtool("create", old, "--model", file.path + "#V1")
            #expect(refused.status == 65)
            #expect(refused.errors.contains("Models.swift:4:"))
        }
    }

    @Test func `test targets and what is excluded do not belong to the app`() throws {
        try withFolder { folder in
            let files = [
                "App/Item.swift":
                    "@Model class Item { var kind: Kind }\nenum Kind: String { case a }",
                "App/Mocks/Item.swift": "@Model class Item { var x: Int }",
                "App/Item+Preview.swift": "@Model class Preview { var x: Int }",
                "AppTests/Kind.swift":
                    "enum Kind: Int { case a }\n@Model class Double { var x: Int }",
                "Checks/Check.swift": "import Testing\n@Model class Check { var x: Int }",
                "Kit/Tag.swift": "@Model class Tag { var x: Int }",
                ".momtool.yml": "swift:\n  exclude: [App/Mocks, '*+Preview.swift']\n",
            ]
            for (path, text) in files {
                let url = folder.appending(path: path)
                try makeFolder(url.deletingLastPathComponent())
                try Data(text.utf8).write(to: url)
            }
            func names(_ path: String) throws -> [String] {
                let result = try momtool("hash", folder.path + path, "--format", "json")
                let data = Data(result.output.utf8)
                let report = try JSONDecoder().decode(HashCommandTests.Report.self, from: data)
                return report.versions.flatMap { $0.entities.keys.sorted() }
            }
            #expect(try names("") == ["Item", "Tag"])
            #expect(try names("/AppTests") == ["Double"])
            let settings = "swift:\n  sources: [App/Item.swift, AppTests]\n"
            try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
            #expect(try names("") == ["Double", "Item"])
        }
    }

    @Test func `a target of an Xcode project is named, by its files and synchronized folders`()
        throws
    {
        try withFolder { folder in
            func write(_ text: String, _ path: String) throws {
                let file = folder.appending(path: path)
                try makeFolder(file.deletingLastPathComponent())
                try Data(text.utf8).write(to: file)
            }
            try write("@Model class Item { var a = 1 }", "App/Sources/Item.swift")
            try write("@Model class Item { var mock = 1 }", "App/Sources/Mocks/Item.swift")
            try write("@Model class Tag { var a = 1 }", "App/Kit/Tag.swift")
            try write("@Model class Other { var a = 1 }", "App/Kit/Other.swift")
            try write(
                """
                // !$*UTF8*$!
                {
                    archiveVersion = 1;
                    objects = {
                        G0 = { isa = PBXGroup; children = (G1, S1); sourceTree = "<group>"; };
                        G1 = { isa = PBXGroup; children = (F1, F2); path = Kit; sourceTree = "<group>"; };
                        F1 = { isa = PBXFileReference; path = Tag.swift; sourceTree = "<group>"; };
                        F2 = { isa = PBXFileReference; path = Other.swift; sourceTree = "<group>"; };
                        B1 = { isa = PBXBuildFile; fileRef = F1; };
                        P1 = { isa = PBXSourcesBuildPhase; files = (B1); };
                        S1 = { isa = PBXFileSystemSynchronizedRootGroup; exceptions = (E1); path = Sources;
                            sourceTree = "<group>"; };
                        E1 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T1;
                            membershipExceptions = (Mocks/Item.swift); };
                        T1 = { isa = PBXNativeTarget; name = Shop; buildPhases = (P1);
                            fileSystemSynchronizedGroups = (S1); };
                    };
                    rootObject = R;
                }
                """,
                "App/Shop.xcodeproj/project.pbxproj"
            )
            let found = try expectRun("hash App/Shop.xcodeproj/Shop", in: folder, 0)
            #expect(found.output.contains("Item") && found.output.contains("Tag"))
            #expect(!found.output.contains("Other"), "\(found.output)")
            #expect(try momtool("hash App/Shop.xcodeproj/None", in: folder).status == 66)
        }
    }

    @Test func `a store decides what the sources leave open`() throws {
        try withFolder { folder in
            let text = """
                struct History: Codable { var days: [Date: Int]; var count: Int }
                @Model class Yard {
                    @Relationship(inverse: \\Plant.yard) var front: [Plant] = []
                    @Relationship(inverse: \\Plant.yard) var back: [Plant] = []
                    var history: History?
                }
                @Model class Plant { var yard: Yard?; var seats: Set<Int> }
                enum Shade: Codable { case dark, tinted(Int) }
                @Model class Pin { @Attribute(.codable) var place: Spot?; var shade: Shade = Shade.dark }
                @Model class Code { #Unique<Code>([\\.text]); @Attribute(.unique) var text: String = "" }
                """
            let file = folder.appending(path: "Models.swift")
            try Data(text.utf8).write(to: file)
            let lines = """
                swift:
                  inverses:
                    Plant.yard: Yard.back
                    Yard.back: Plant.yard
                    Yard.front: none
                types:
                  History.days: Data
                  Plant.seats: Transformable
                  Pin.place: Transformable
                  Pin.shade: { dark: String?, tinted: Data? }

                """
            let settings = folder.appending(path: ".momtool.yml")
            try Data(lines.utf8).write(to: settings)
            let store = folder.appending(path: "App.store").path
            #expect(try momtool("create", store, "--model", file.path).status == 0)
            #expect(try momtool("hash", file.path, "--fit", store).status == 0)
            try FileManager.default.removeItem(at: settings)
            let fit = try expectRun(["hash", file.path, "--fit", store], 0)
            for line in lines.split(separator: "\n") + [Substring("# Code.text is unique twice")] {
                #expect(fit.output.contains(line), "\(fit.output)")
            }
            try Data((text + "\n@Model class Other { var x: Int }").utf8).write(to: file)
            try expectRun(["hash", file.path, "--fit", store], 1, "is of another version: Other")
        }
    }

    @Test func `cloudKit's rules hold where the sources open it, and every default counts`() throws
    {
        try withFolder { folder in
            let text = """
                let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.shop"))
                enum Kind: String, Codable { case a }
                @Model class Item {
                    var id: String = UUID().uuidString
                    var kind: Kind = Kind.a
                    var names: [String] = []
                    var bare: Int
                }
                """
            let file = folder.appending(path: "Models.swift")
            try Data(text.utf8).write(to: file)
            let lint = try expectRun(["lint", file.path], nil, "'bare' optional")
            for name in ["id", "kind", "names"] {
                #expect(!lint.output.contains("'\(name)' optional"))
            }
            let settings = folder.appending(path: ".momtool.yml")
            try Data("swift:\n  cloudkit: false\n".utf8).write(to: settings)
            #expect(try !momtool("lint", file.path).output.contains("'bare' optional"))
        }
    }
}
