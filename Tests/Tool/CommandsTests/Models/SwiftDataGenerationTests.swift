import Foundation
import TestSupport
import Testing

struct SwiftDataGenerationTests {
    @Test func `a version of the sources is frozen, and checked ever after`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "SchemaV2.swift")
            let made = try momtool(
                ["generate", "--swiftdata", "--frozen", "SchemaV2", "--from", "Models/Journal"]
                    + ["-o", file.path]
            )
            #expect(made.errors == "")
            #expect(made.output.contains("written, 2 of 2 entity hashes equal"))
            let text = try fileText(file)
            #expect(text.contains("enum Mood: String, Codable {\n        case good\n"))
            #expect(text.contains("Schema.Version(2, 0, 0)"))
            let check = [
                "generate", "--swiftdata", "--frozen", "SchemaV2", "-o", file.path, "--check",
            ]
            #expect(try momtool(check + ["--from", "Models/Journal"]).status == 0)
            let edited = text.replacing("var town: String", with: "var village: String")
            try Data(edited.utf8).write(to: file)
            let drifted = try expectRun(check + ["--from", "Models/Journal"], 1)
            #expect(
                drifted.output.contains("Entry: another hash, by place [swiftdata-hash-differs]")
                    || drifted.errors.contains(
                        "Entry: another hash, by place [swiftdata-hash-differs]"
                    )
            )
        }
    }

    @Test func `a frozen version keeps its defaults, and is found by its whole name`() throws {
        try withFolder { folder in
            let source = """
                import SwiftData
                enum Kind: String { case user, other }
                struct App {
                    enum SchemaV1: VersionedSchema {
                        static let versionIdentifier = Schema.Version(1, 0, 0)
                        static var models: [any PersistentModel.Type] { [Nap.self] }
                        @Model final class Nap {
                            var start: Date = Date.distantPast
                            var end: Date = Date(timeIntervalSince1970: 978_307_205)
                            var kind: String = Kind.user.rawValue
                            var made: Date = Date(timeIntervalSinceNow: 5)
                            init() {}
                        }
                    }
                }
                """
            try write(source, "App.swift", in: folder)
            let run = try momtool(
                "generate --swiftdata App.swift --frozen App.SchemaV1 -o F.swift",
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("1 of 1 entity hash equal, 1 default differs: Nap.made"))
            let text = try fileText(folder.appending(path: "F.swift"))
            #expect(text.contains("enum SchemaV1: VersionedSchema"))
            #expect(text.contains("var start: Date = Date.distantPast"))
            #expect(text.contains("var end: Date = Date(timeIntervalSinceReferenceDate: 5.0)"))
            #expect(text.contains("var kind: String = \"user\""))
        }
    }

    @Test func `a default that is code is a default`() throws {
        try withFolder { folder in
            func source(_ number: Int, _ more: String) -> String {
                """
                enum SchemaV\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Nap.self] }
                    @Model final class Nap { var a: Int = 1; \(more) }
                }
                """
            }
            let plan = """
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
                    static var stages: [MigrationStage] {
                        [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
                    }
                }
                """
            let code = "var made: Date = Date(timeIntervalSinceNow: 5)"
            let texts = ["import SwiftData", source(1, ""), source(2, code), plan]
            try write(texts.joined(separator: "\n"), "App.swift", in: folder)
            let diff = try momtool("diff App.swift#SchemaV1 App.swift#SchemaV2", in: folder)
            #expect(diff.output.contains("the default, which is not understood"), "\(diff.output)")
            #expect(!diff.output.contains("134110"), "\(diff.output)")
            try expectRun("check", in: folder, nil, not: ["new-required-without-default"])
        }
    }

    @Test func `a store's model is frozen`() throws {
        try withFolder { folder in
            let file = folder.path + "/V1.swift"
            let made = try momtool(
                ["generate", "--swiftdata", "--frozen", "SchemaV1", "-o", file]
                    + ["--from", "Fixtures/Journal-V1.sqlite"]
            )
            #expect(made.status == 0)
            let identity = try momtool("identify", "Fixtures/Journal-V1.sqlite", "--model", file)
            #expect(identity.output.contains("SchemaV1"))
            let diff = try momtool("diff", "Models/Journal#SchemaV1", file)
            #expect(diff.output.contains("one store: both open it, 1 of 1 entity hash equal"))
            let other = try momtool("diff", "Models/Journal#SchemaV2", file, "--format", "json")
            #expect(other.output.contains("\"opens\" : false"))
        }
    }

    @Test func `what SwiftData cannot say is named, and never frozen`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "Shop.xcdatamodel")
            try makeFolder(model)
            let text = """
                <model>
                  <entity name="Order">
                    <attribute name="total" attributeType="Decimal" defaultValueString="1.5"/>
                    <attribute name="note" optional="YES" attributeType="String" elementID="text"/>
                    <attribute name="photo" optional="YES" attributeType="Binary" \
                allowsExternalBinaryDataStorage="YES"/>
                    <attribute name="class" attributeType="Integer 16" minValueString="1"/>
                    <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" \
                derivationExpression="lines.@count"/>
                    <relationship name="lines" optional="YES" toMany="YES" ordered="YES" \
                deletionRule="Cascade" destinationEntity="Line" inverseName="order" inverseEntity="Order"/>
                  </entity>
                  <entity name="Line">
                    <relationship name="order" maxCount="1" destinationEntity="Order" \
                inverseName="lines" inverseEntity="Order"/>
                    <uniquenessConstraints><uniquenessConstraint><constraint value="order"/>\
                </uniquenessConstraint></uniquenessConstraints>
                  </entity>
                  <entity name="Child" parentEntity="Line"/>
                </model>
                """
            try write(text, "contents", in: model)
            let file = folder.appending(path: "Models.swift")
            let made = try expectRun(["generate", "--swiftdata", model.path, "-o", file.path], 1)
            for message in [
                "Order.count: SwiftData has no derived attributes",
                "Order.lines: SwiftData keeps no order of related objects",
                "Order.class: SwiftData checks no limits of values",
                "Child: unproven, as no store has shown it: a class that inherits from another",
            ] {
                #expect(made.errors.contains(message))
            }
            #expect(!made.errors.contains("another hash"))
            #expect(made.output.contains("2 of 3 entity hashes equal"))
            let classes = try fileText(file)
            for line in [
                "var total: Decimal = 1.5", "@Attribute(originalName: \"text\") var note: String?",
                "@Attribute(.externalStorage) var photo: Data?", "var `class`: Int16",
                "@Relationship(deleteRule: .cascade, inverse: \\Line.order) var lines: [Line]?",
                "class Child: Line {", "#Unique<Line>([\\.order])", "init(`class`: Int16) {",
                "self.order = order",
            ] {
                #expect(classes.contains(line), "\(line)")
            }
            let frozen = try expectRun(
                ["generate", "--swiftdata", model.path, "--frozen", "V1"],
                3
            )
            #expect(frozen.output == "")
        }
    }

    @Test func `classes, conditions and the system may be said by flags`() throws {
        try withFolder { folder in
            let file = folder.path + "/Model.swift"
            let text = """
                @Model class Spot {
                    var name = ""
                    #if FULL
                    var size: Double
                    #endif
                    #if os(macOS)
                    var window: String?
                    #endif
                }
                @Model class Draft { var x: Set<Int> }
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let plain = try momtool("hash", file, "--model-types", "Spot", "--explain", "Spot")
            #expect(plain.status == 0)
            #expect(!plain.output.contains("size") && !plain.output.contains("window"))
            #expect(plain.errors.contains("the model is different with FULL: Spot"))
            #expect(plain.errors.contains("the model is different with os(macOS): Spot"))
            let full = try momtool(
                ["hash", file, "--model-types", "Spot", "--explain", "Spot"]
                    + ["--define", "FULL", "--platform", "macOS"]
            )
            #expect(full.status == 0)
            #expect(full.output.contains("size") && full.output.contains("window"))
            #expect(try momtool("hash", file).status == 1)
        }
    }
}

struct SwiftDataStoreTests {
    private func expectNothing(in store: String) throws {
        for words in [["verify", store], ["verify", store, "--model", "Models/Journal"]] {
            let verified = try momtool(words)
            #expect(verified.output.hasSuffix(": nothing found\n"), "\(verified.output)")
            #expect(verified.status == 0)
        }
    }

    @Test func `values of enums, structs and arrays are written readably, and come back`() throws {
        try withFolder { folder in
            let rows = """
                {"Entry": [
                  {"@id": "p1", "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "title": "x", "tags": ["a", "\\u00e9", ""],
                   "written": "2025-01-01T00:00:00Z", "mood": {"mood": "good"}, "notebook": "Notebook/p1",
                   "place": {"town": "Bern", "latitude": 1.5}},
                  {"@id": "p2", "id": "7F9619FF-8B86-D011-B42D-00C04FC964FF", "tags": [],
                   "written": "2025-01-01T00:00:00Z"}
                ], "Notebook": [{"@id": "p1", "name": "n", "entries": ["Entry/p1"]}]}
                """
            let file = folder.appending(path: "rows.json")
            try Data(rows.utf8).write(to: file)
            let (one, two) = (folder.path + "/one.sqlite", folder.path + "/two.sqlite")
            let made = try momtool("create \(one) --model Models/Journal --rows \(file.path)")
            #expect(made.errors == "")
            let exported = try momtool("export", one)
            #expect(exported.errors == "")
            #expect(exported.output.contains(#""tags": ["a", "é", ""]"#))
            #expect(exported.output.contains(#""tags": []"#))
            #expect(exported.output.contains(#""mood": {"mood": "good"}"#))
            let copy = folder.appending(path: "copy.json")
            try Data(exported.output.utf8).write(to: copy)
            let again = try momtool("create \(two) --model Models/Journal --rows \(copy.path)")
            #expect(again.errors == "")
            #expect(try momtool("export", two).output == exported.output)
            for store in [one, two] {
                try expectNothing(in: store)
                #expect(try momtool("inspect", store).errors == "")
            }
            try Data(rows.replacing(#""a","#, with: "1,").utf8).write(to: file)
            let wrong = try momtool(
                "create \(folder.path)/three.sqlite --model Models/Journal --rows \(file.path)"
            )
            #expect(wrong.errors.contains("write a list of strings, or bytes as base64"))
        }
    }

    @Test func `a store of the first version is migrated to the last one`() throws {
        try withFolder { folder in
            let new = folder.path + "/new.sqlite"
            let run = try momtool(
                ["migrate", "Fixtures/Journal-V1.sqlite", "--model", "Models/Journal", "-o", new]
            )
            #expect(run.status == 0)
            #expect(run.errors == "")
            let verified = try expectRun(["verify", new], 0)
            #expect(!verified.output.contains("error: ") && !verified.output.contains("warning: "))
            #expect(try momtool("identify", new, "--model", "Models/Journal").status == 0)
            #expect(try momtool("export", new).errors == "")
            let sources = folder.path + "/Decompiled"
            let decompiled = try expectRun(["decompile", new, "-o", sources], 0)
            #expect(decompiled.errors == "")
            try expectRun(
                ["lint", sources + "/new.xcdatamodel"],
                nil,
                not: ["error", "user info"]
            )
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a real store has no finding, and its rows come back`() throws {
        let store = Corpus.path(
            "Karim-ezzedine+CartKit/Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite"
        )
        try withFolder { folder in
            #expect(try momtool("verify", store).output.contains("nothing found"))
            #expect(try momtool("inspect", store).errors == "")
            let rows = folder.appending(path: "rows.json")
            let exported = try momtool("export", store)
            #expect(exported.errors == "")
            try Data(exported.output.utf8).write(to: rows)
            let copy = folder.path + "/copy.sqlite"
            #expect(try momtool("create", copy, "--model", store, "--rows", rows.path).errors == "")
            #expect(try momtool("export", copy).output == exported.output)
            #expect(try momtool("verify", copy).output.contains("nothing found"))
            #expect(try momtool("decompile", store, "-o", folder.path + "/Model").errors == "")
        }
    }
}
