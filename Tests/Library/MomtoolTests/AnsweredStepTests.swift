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
}
