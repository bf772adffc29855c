import Diagnostics
import Foundation
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

struct OpenedClassesTests {
    private static let classes = """
        import Foundation
        import SwiftData

        @Model final class Item {
            var name = ""
        }
        @Model final class Folder {
            var title = ""
        }

        """

    private static func app(_ opened: String, others: String = "", stages: String = "") -> String {
        """
        import SwiftData

        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
        }
        enum AppPlan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [SchemaV1.self\(others)] }
            static var stages: [MigrationStage] { [\(stages)] }
        }
        func open() throws -> ModelContainer {
            try ModelContainer(for: \(opened), migrationPlan: AppPlan.self)
        }

        """
    }

    private static let all = "Schema([Item.self, Folder.self])"

    private func locked(_ classes: String = Self.classes, _ body: (SwiftApp) throws -> Void) throws
    {
        let sources = ["Models.swift": classes, "App.swift": Self.app(Self.all)]
        try SwiftApp.with(sources) { app in
            #expect(try momtool("lock App", in: app.folder).status == 0)
            try ShopVersions.commit(in: app.folder)
            try body(app)
        }
    }

    private func edit(_ old: String, _ new: String, _ app: SwiftApp) throws {
        let text = try app.text("Models.swift").replacing(old, with: new)
        try write(text, "App/Models.swift", in: app.folder)
    }

    static let openings: [(text: String, current: String)] = [
        (app(all), "unversioned"), (app("Folder.self, Item.self"), "unversioned"),
        (app("Item.self"), "SchemaV1"), (app("Folder.self"), "SchemaV1"),
        (app("Schema(versionedSchema: SchemaV1.self)"), "SchemaV1"),
        (app(all) + "let other = try ModelContainer(for: Item.self)\n", "SchemaV1"),
        (
            app(
                all,
                others: ", SchemaV2.self",
                stages: ".lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)"
            ) + """
                enum SchemaV2: VersionedSchema {
                    static let versionIdentifier = Schema.Version(2, 0, 0)
                    static var models: [any PersistentModel.Type] { [Tag.self] }
                    @Model final class Tag { var name = "" }
                }
                """,
            "SchemaV2"
        ),
    ]

    @Test(arguments: openings)
    func `what the container opens is current beside a plan without stages`(
        _ text: String,
        _ name: String
    ) throws {
        try SwiftApp.with(["Models.swift": Self.classes, "App.swift": text]) { app in
            let bundle = readSwiftBundle(at: app.folder.appending(path: "App").path).value
            #expect(bundle.versions.last?.name == "unversioned")
            #expect(bundle.currentVersion?.name == name)
        }
    }

    @Test(arguments: ["title", "name"])
    func `an addition that SwiftData makes by itself is a note, and in the comment`(
        _ property: String
    ) throws {
        try locked { app in
            try edit("var \(property) = \"\"", "var \(property) = \"\"\nvar badge: Int?", app)
            let check = try momtool("check --against HEAD --comment c.md", in: app.folder)
            #expect(check.status == 0, "\(check.output)\(check.errors)")
            #expect(check.output.contains("note: 'unversioned' shipped and was edited"))
            #expect(check.output.contains("once it ships: momtool lock . --relock"))
            #expect(!check.output.contains("new-version"), "\(check.output)")
            let comment = try fileText(app.folder.appending(path: "c.md"))
            #expect(comment.contains("optional Integer 64 attribute added"), "\(comment)")
            #expect(try momtool("lock App --relock", in: app.folder).status == 0)
            let again = try momtool("check", in: app.folder)
            #expect(again.status == 0 && !again.output.contains("was edited"), "\(again.output)")
        }
    }

    @Test func `an addition under a plan without stages is a warning, and its stores open`() throws
    {
        let text = Self.app("Schema(versionedSchema: SchemaV1.self)")
        try SwiftApp.with(["Models.swift": Self.classes, "App.swift": text]) { app in
            #expect(try momtool(["lock", "App"], in: app.folder).status == 0)
            #expect(try momtool(["create", "S", "--model", "App"], in: app.folder).status == 0)
            try edit("var name = \"\"", "var name = \"\"\nvar badge: Int?", app)
            let check = try momtool(["check", "App"], in: app.folder)
            #expect(check.output.contains("warning: 'SchemaV1' shipped and was edited"))
            #expect(!check.output.contains("134130"), "\(check.output)")
            let model = try Model(app.folder.appending(path: "App").path)
            let store = app.folder.appending(path: "S").path
            #expect(try Doctor(model).examine(store).opens == true)
        }
    }

    @Test func `any other edit is told with a way that there is`() throws {
        try locked { app in
            try edit("var title = \"\"", "var caption = 0", app)
            let check = try momtool("check", in: app.folder)
            #expect(check.status == 1, "\(check.output)")
            #expect(check.output.contains("declare a VersionedSchema with a copy of each class"))
            #expect(!check.output.contains("new-version"), "\(check.output)")
            let made = try app.run("new-version")
            #expect(made.status == 3, "\(made.errors)")
            #expect(made.errors.contains("by hand: declare a VersionedSchema"), "\(made.errors)")
        }
    }

    @Test func `classes that are not understood are told with what is done by hand`() throws {
        let strange =
            "import SwiftData\n@Model final class Item { var strange: Mystery?; var name = \"\" }\n"
        try SwiftApp.with(["Models.swift": strange]) { app in
            #expect(try momtool("lock App", in: app.folder).status == 0)
            let made = try app.run("new-version")
            #expect(made.status == 3, "\(made.errors)")
            #expect(made.errors.contains("by hand: declare a VersionedSchema"), "\(made.errors)")
        }
    }

    @Test func `a container with more classes is not told to take fewer`() throws {
        try SwiftApp.with(["Models.swift": Self.classes, "App.swift": Self.app(Self.all)]) { app in
            let run = try momtool("lint App", in: app.folder)
            #expect(run.output.contains("add a version with its classes to the plan"))
            #expect(!run.output.contains("[current-version-not-last]"), "\(run.output)")
        }
    }
}
