import Foundation
import TestSupport
import Testing

struct SwiftAsOfTests {
    private static let version = """
        import SwiftData
        import UIKit
        enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model final class Item { var a: String = ""; init() {} }
        }
        enum V2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model final class Item {
                var a: String = ""
                var b: Int?
                @Attribute(.transformable(by: Tints.self)) var tint: UIColor?
                init() {}
            }
        }
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] {
                [.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: {
                    _ = try $0.fetch(FetchDescriptor<V2.Item>())
                })]
            }
        }
        """

    @Test func `what shipped keeps its place in the lock, its stage and its spelling`() throws {
        try SwiftApp.with(["Models.swift": Self.version]) { app in
            let folder = app.folder
            try makeRepository(folder)
            #expect(try momtool(["lock", "App"], in: folder).status == 0)
            try commit("one", in: folder)
            try tag("v1.0", in: folder)
            let edited = Self.version.replacing("var b: Int?", with: "var b: Int?; var c: Int?")
            try write(edited, "App/Models.swift", in: folder)
            #expect(try momtool(["check"], in: folder).status == 1)
            let run = try app.run("new-version", "--as-of", "v1.0")
            #expect(run.status == 0, "\(run.errors)")
            let frozen = try app.text("SchemaV1_0.swift")
            #expect(frozen.contains("import UIKit"))
            #expect(frozen.contains(".transformable(by: Tints.self)"))
            let plan = try app.text("Models.swift")
            #expect(plan.contains(".custom(fromVersion: V1.self, toVersion: SchemaV1_0.self"))
            #expect(plan.contains("FetchDescriptor<SchemaV1_0.Item>()"))
            #expect(plan.contains("(fromVersion: SchemaV1_0.self, toVersion: V2.self)"))
            let lock = try fileText(folder.appending(path: "App.lock"))
            #expect(lock.contains("version SchemaV1_0\n") && !lock.contains("version V2\n"))
            let after = try momtool(["check"], in: folder)
            #expect(after.status == 0, "\(after.output)")
            #expect(try momtool(["lock", "App"], in: folder).status == 0)
            #expect(try momtool(["check"], in: folder).status == 0)
        }
    }

    @Test func `an edit of what a release has is not frozen as the old version`() throws {
        try SwiftApp.with(["Models.swift": Self.version]) { app in
            try commit("one", in: app.folder)
            try tag("v1.0", in: app.folder)
            #expect(try app.run("new-version", "--dry-run").status == 0)
            let edited = Self.version.replacing("var b: Int?", with: "var b: Int?; var c: Int?")
            try write(edited, "App/Models.swift", in: app.folder)
            let run = try app.run("new-version", "--dry-run")
            #expect(run.status == 3 && run.errors.contains("--as-of v1.0"), "\(run.errors)")
        }
    }

    @Test func `what SwiftData keeps is written as SwiftData has it`() throws {
        let text = Self.version.replacing(
            "var b: Int?",
            with: "var b: Int?; var tags: [String] = []"
        )
        try SwiftApp.with(["Models.swift": text]) { app in
            let folder = app.folder
            try commit("one", in: folder)
            try tag("v1.0", in: folder)
            #expect(try momtool(["generate", "--stages", "App"], in: folder).status == 64)
            let create = ["create", "S.sqlite", "--model", "App"]
            #expect(try momtool(create, in: folder).status == 0)
            let store = try Data(contentsOf: folder.appending(path: "S.sqlite"))
            #expect(store.firstRange(of: Data("ATRANSACTION".utf8)) != nil)
            #expect(try momtool(["lock", "App"], in: folder).status == 0)
            let edited = text.replacing("var b: Int?", with: "var b: String?")
            try write(edited, "App/Models.swift", in: folder)
            let check = try momtool(["check", "--against", "v1.0"], in: folder)
            let lines = check.output.split(separator: "\n").filter { $0.contains("since v1.0") }
            #expect(lines.count == 1 && lines.allSatisfy { $0.contains(": note: ") })
        }
    }
}
