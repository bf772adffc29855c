import Foundation
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

/// What code and mapping models can answer of a step, and what it decides whatever they do.
struct AnsweredStepTests {
    static let functions = [
        ("willMigrate", "var b: Int?", true), ("didMigrate", "var b: Int?", false),
        ("willMigrate", "@Attribute(.unique) var a: String = \"\"", true),
        ("didMigrate", "@Attribute(.unique) var a: String = \"\"", false),
        ("didMigrate", "var a: String = \"\"; var b: Int?", true),
    ]

    @Test(arguments: functions)
    func `what a step drops or requires is left to code that runs before it`(
        _ function: String,
        _ property: String,
        _ isLeft: Bool
    ) throws {
        func version(_ number: Int, _ property: String) -> String {
            """
            enum V\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [Item.self] }
                @Model class Item { \(property); init() {} }
            }

            """
        }
        let stage = ".custom(fromVersion: V1.self, toVersion: V2.self, \(function): { _ in })"
        let plan = """
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [\(stage)] }
            }
            """
        try withFolder { folder in
            let versions = version(1, "var a: String = \"\"") + version(2, property)
            try write("import SwiftData\n" + versions + plan, "Models.swift", in: folder)
            for command in ["check", "lint"] {
                let said = try momtool([command, "Models.swift"], in: folder)
                #expect((said.status == 0) == isLeft, "\(command): \(said.output)")
            }
        }
    }

    @Test(arguments: [(nil, false), ("'new'", true)] as [(String?, Bool)])
    func `a mapping model gives each new mandatory value`(_ value: String?, _ opens: Bool) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let new = "<attribute name='k' attributeType='String'/></entity>"
            let models = [
                textModel("A", ["n"]),
                textModel("A", ["n"]).replacing("</entity>", with: new),
            ]
            try writeBundle(models, "M.xcdatamodeld", in: folder)
            let bundle = folder.appending(path: "M.xcdatamodeld").path
            let read = try ModelPlace(bundle).read().value.versions
            var values = ["n": "$source.n"]
            values["k"] = value
            try writeMapping(
                of: values,
                policy: nil,
                from: read[0].model,
                to: read[1].model,
                at: folder.appending(path: "One.cdm")
            )
            for command in [["check"], ["lint", "M.xcdatamodeld"], ["lock", "--dry-run"]] {
                let said = try momtool(command, in: folder)
                #expect((said.status == 0) == opens, "\(command): \(said.output)")
            }
        }
    }

    private static let other =
        "<entity name='B'><attribute name='b' optional='YES' attributeType='String'/></entity></model>"

    @Test(arguments: [true, false])
    func `objects that no mapping takes are a loss in every command`(_ stays: Bool) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let models = [textModel("A", ["a"]), textModel("A", ["a", "n"])]
            let old = models[0].replacing("</model>", with: Self.other)
            let new = stays ? models[1].replacing("</model>", with: Self.other) : models[1]
            try writeBundle([old, new], "M.xcdatamodeld", in: folder)
            let model = try Model(folder.appending(path: "M.xcdatamodeld").path)
            try writeMapping(
                of: ["a": "$source.a"],
                from: model.version("V1").model,
                to: model.version("V2").model,
                at: folder.appending(path: "One.cdm")
            )
            let commands = [["check"], ["lint", "M.xcdatamodeld"], ["lock", "M.xcdatamodeld"]]
            for (command, status) in zip(commands, [1, 1, 3] as [Int32]) {
                let said = try momtool(command, in: folder)
                let lines = (said.output + said.errors).split(separator: "\n")
                #expect(said.status == status, "\(command): \(lines)")
                #expect(lines.count { $0.contains("[data-loss]") } == 1, "\(command): \(lines)")
                #expect(lines.contains { $0.hasPrefix("One.cdm: error: ") }, "\(lines)")
            }
            try expectRun("plan M.xcdatamodeld --from V1", in: folder, 0, errors: ["lose: B"])
            try write("losses: {V2: [B]}\n", ".momtool.yml", in: folder)
            for command in commands { try expectRun(command, in: folder, 0, not: ["note"]) }
            // The lock has recorded it.
            try FileManager.default.removeItem(at: folder.appending(path: ".momtool.yml"))
            try expectRun("check", in: folder, 0, not: ["One.cdm"])
        }
    }

    /// Sources of the new version and the `set:` of a map, with whether the map answers for what the step asks.
    private static let maps = [
        ("<attribute name='k' attributeType='String'/></entity>", "k: {constant: x}", true),
        ("<attribute name='k' attributeType='String'/></entity>", "a: $source.a", false),
        (
            "<attribute name='k' optional='YES' attributeType='String'/></entity>",
            "kk: {constant: x}", false
        ),
        (
            "<uniquenessConstraints><uniquenessConstraint><constraint value='a'/>"
                + "</uniquenessConstraint></uniquenessConstraints></entity>", "a: $source.a", false
        ),
    ]

    @Test(arguments: maps)
    func `what a map leaves as it is counts in every command`(
        _ new: String,
        _ set: String,
        _ isAnswered: Bool
    ) throws {
        try withFolder { folder in
            let old = textModel("A", ["a", "n"])
            let versions = [old, old.replacing("</entity>", with: new)]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            let stages = "stages: [{custom: {from: V1, to: V2}, map: m.yml}]\n"
            try write("model: M.xcdatamodeld\n" + stages, "Stages.yml", in: folder)
            try write("entities: [{from: A, to: A, set: {\(set)}}]\n", "m.yml", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            for command in [["check"], ["lint", "M.xcdatamodeld"], ["lock", "--dry-run"]] {
                let said = try momtool(command, in: folder)
                #expect((said.status == 0) == isAnswered, "\(command): \(said)")
            }
        }
    }

    @Test func `rows with equal values are refused before a map or a mapping model runs`() throws {
        try withFolder { folder in
            let old = textModel("A", ["a", "n"])
            let versions = [old, old.replacing("</entity>", with: Self.maps[3].0)]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            let model = try Model(folder.appending(path: "M.xcdatamodeld").path)
            try write(#"{"A": [{"a": "x"}, {"a": "x"}, {"a": "y"}]}"#, "rows.json", in: folder)
            let create = "create S.sqlite --model M.xcdatamodeld#V1 --rows rows.json"
            try expectRun(create, in: folder, 0)
            try writeMapping(
                of: ["a": "$source.a", "n": "$source.n"],
                from: model.version("V1").model,
                to: model.version("V2").model,
                at: folder.appending(path: "One.cdm")
            )
            let plan = "plan M.xcdatamodeld --store S.sqlite"
            try expectRun(plan, in: folder, 3, "A: 1 row at stake", "134110")
            try FileManager.default.removeItem(at: folder.appending(path: "One.cdm"))
            let stages = "stages: [{custom: {from: V1, to: V2}, map: m.yml}]\n"
            try write("model: M.xcdatamodeld\n" + stages, "Stages.yml", in: folder)
            try write("entities: [{from: A, to: A}]\n", "m.yml", in: folder)
            let staged = "migrate S.sqlite --stages Stages.yml -o New.sqlite"
            try expectRun(staged, in: folder, 3, errors: ["A: 1 row at stake", "134110"])
        }
    }

    @Test func `a derived attribute that only Core Data computes loses nothing`() throws {
        try withFolder { folder in
            let owner = """
                <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
                <relationship name='kids' optional='YES' toMany='YES' destinationEntity='B' inverseName='parent' inverseEntity='B'/>
                """
            let part = """
                </entity><entity name='B'><attribute name='n' optional='YES' attributeType='Integer 16'/>
                <relationship name='parent' optional='YES' maxCount='1' destinationEntity='A' inverseName='kids' inverseEntity='A'/>
                </entity>
                """
            let sum =
                "<attribute name='sum' optional='YES' attributeType='Integer 64' derived='YES' derivationExpression='kids.n.@sum'/>"
            let versions = [owner + part, owner + sum + part].map { "<model>\($0)</model>" }
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            try write(#"{"A": [{"a": "x"}]}"#, "rows.json", in: folder)
            let create = "create S.sqlite --model M.xcdatamodeld --version V1 --rows rows.json"
            try expectRun(create, in: folder, 0)
            try expectRun("check", in: folder, nil, not: ["[migration-test-failed]"])
            try expectRun("plan M.xcdatamodeld --store S.sqlite", in: folder, 0, "A.sum")
            let migrate = "migrate S.sqlite --model M.xcdatamodeld -o New.sqlite"
            try expectRun(migrate, in: folder, 0, not: ["--allow-data-loss"])
        }
    }

    @Test(arguments: [("{\"city\": \"x\"}", true), ("null", false)])
    func `a new mandatory element is missing in each value of an optional composite`(
        _ value: String,
        _ isMissing: Bool
    ) throws {
        try withFolder { folder in
            let entity = """
                <entity name='P'><attribute name='home' optional='YES' attributeType='Composite' composite='Address'/></entity>
                """
            let city = "<attribute name='city' optional='YES' attributeType='String'/>"
            let versions = [city, city + "<attribute name='zip' attributeType='String'/>"].map {
                "<model>\(entity)<composite name='Address'>\($0)</composite></model>"
            }
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            try write(#"{"P": [{"home": \#(value)}]}"#, "rows.json", in: folder)
            let create = "create S.sqlite --model M.xcdatamodeld --version V1 --rows rows.json"
            try expectRun(create, in: folder, 0)
            let plan = try expectRun("plan M.xcdatamodeld --store S.sqlite", in: folder, nil)
            #expect(plan.output.contains("P.home.zip: 1 row") == isMissing, "\(plan.output)")
            let migrate = "migrate S.sqlite --model M.xcdatamodeld -o New.sqlite"
            try expectRun(migrate, in: folder, 0)
            let verify = "verify New.sqlite --model M.xcdatamodeld --validate"
            try expectRun(verify, in: folder, isMissing ? 1 : 0)
        }
    }
}
