import Diagnostics
import Foundation
import ObjectModel
import SwiftDataReading
import TestSupport
import Testing

@testable import SwiftDataReading

@Suite(.enabled(if: readsSwiftSources))
struct ContainerTests {
    private static let app = """
        enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static let models: [any PersistentModel.Type] = [Item.self]
            @Model class Item { var a = 1 }
        }
        enum V2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static let models: [any PersistentModel.Type] = [Item.self, Tag.self]
            @Model class Item { var a = ""; @Relationship(inverse: \\Folder.items) var folder: Folder? }
            @Model class Folder { var items: [Item] = [] }
            @Model class Tag { var name = "" }
        }
        typealias Item = V2.Item
        typealias Tag = V2.Tag
        typealias Folder = V2.Folder
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
        }
        // FILE: App.swift

        """

    @Test(arguments: [
        "let c = try ModelContainer(for: Item.self, Tag.self, migrationPlan: Plan.self)",
        "let c = try ModelContainer(for: Schema(versionedSchema: V2.self), migrationPlan: Plan.self)",
        """
        struct Store {
            static let all: [any PersistentModel.Type] = V2.models
            func open() throws {
                let list = Self.all
                let schema = Schema(list)
                _ = try ModelContainer(for: schema, migrationPlan: Plan.self, configurations: [])
            }
        }
        """,
        // The folder is reached by a relationship.
        "let c = try ModelContainer(for: Schema([Tag.self, Item.self, Folder.self]), migrationPlan: Plan.self)",
        // What a preview keeps in memory may be anything.
        """
        func preview() throws -> ModelContainer {
            let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
            return try ModelContainer(for: Tag.self, configurations: configuration)
        }
        let c = try ModelContainer(for: V2.Item.self, V2.Tag.self, migrationPlan: Plan.self)
        """,
        // Who hands a plan on may hand on any.
        "func open(_ plan: any SchemaMigrationPlan.Type) { _ = try? ModelContainer(for: Tag.self, migrationPlan: plan) }",
        "// ModelContainer(for: Tag.self)",
    ])
    func `a container with the classes of the last version is let be`(text: String) {
        #expect(read(Self.app + text).messages == [])
    }

    @Test func `a container with other classes is said, and one without the plan`() throws {
        let lists = [
            "Tag.self", "Schema([Item.self])", "Schema(versionedSchema: V1.self)",
            "Item.self, Tag.self, Other.self",
        ]
        let other = "\n@Model class Other { var a = 1 }"
        let view = "Text(\"\").modelContainer(for: [Item.self, Tag.self])"
        let containers =
            lists.map { "let c = try ModelContainer(for: \($0), migrationPlan: Plan.self)" } + [
                "let c = try ModelContainer(for: Item.self, Tag.self)",
                "struct V: View { var body: some View { \(view) } }",
            ]
        let lines = containers.map { text in
            let end = text.contains("Plan.self") ? other : ""
            return "\(text) → \(read(Self.app + text + end).words)"
        }
        try expectRecorded(lines, as: "swiftdata-containers")
    }

    @Test(arguments: [
        ("V0", ["V1", "V2", "V0"]), ("V1", ["V0", "V1", "V2"]), ("V2", ["V0", "V1", "V2"]),
    ])
    func `the version that a container opens beyond its plan is current`(
        opened: String,
        order: [String]
    ) {
        let text = """
            let c = try ModelContainer(for: Schema(versionedSchema: \(opened).self), migrationPlan: Plan.self)
            enum V0: VersionedSchema {
                static let versionIdentifier = Schema.Version(0, 0, 0)
                static let models: [any PersistentModel.Type] = [Item.self]
                @Model class Item { var z = 1 }
            }
            """
        #expect(read(Self.app + text).value.versions.map(\.name) == order)
    }

    @Test func `each configuration of a container is a store`() {
        let stores = read(
            """
            @Model class Item { var a = 1 }
            @Model class Tag { var a = 1 }
            func open() throws {
                let a = ModelConfiguration(
                    "A", schema: Schema([Item.self]), cloudKitDatabase: .none)
                _ = try ModelContainer(
                    for: Item.self, Tag.self, configurations: a, ModelConfiguration(for: Tag.self))
            }
            """
        ).value.stores
        #expect(stores.map(\.entities) == [["Item"], ["Tag"]])
        #expect(stores.map(\.isMirrored) == [false, nil])
    }

    @Test(arguments: [("V2", 0), ("V1", 1)])
    func `containers of one file have the same classes`(opened: String, count: Int) {
        let text = """
            let a = try ModelContainer(for: Schema(versionedSchema: V2.self), migrationPlan: Plan.self)
            let b = try ModelContainer(for: Schema(versionedSchema: \(opened).self))
            """
        let found = read(Self.app + text).diagnostics
        #expect(found.count { $0.rule == "container-drops-classes" } == count)
    }

    @Test(arguments: [
        (".identifier(\"group.a\")", true), (".identifier(\"group.b\")", false),
        (".automatic", false), (".none", false),
    ])
    func `targets share a file in a group alone`(group: String, isShared: Bool) {
        let found = read(
            """
            // FILE: App/A.swift
            @Model class Item { var a = 1 }
            @Model class Tag { var a = 1 }
            let a = ModelConfiguration(groupContainer: .identifier("group.a"))
            let all = try ModelContainer(for: Item.self, Tag.self, configurations: a)
            // FILE: Widget/W.swift
            let some = try ModelContainer(
                for: Item.self, configurations: ModelConfiguration(groupContainer: \(group)))
            """
        )
        #expect(found.diagnostics.contains { $0.rule == "container-drops-classes" } == isShared)
    }

    @Test func `the container that opens classes of the plan is meant`() {
        let text = """
            @Model class Other { var a = 1 }
            let o = try ModelContainer(for: Other.self, configurations: ModelConfiguration("O"))
            let c = try ModelContainer(for: Item.self, Tag.self)
            """
        let found = read(Self.app + text).diagnostics.filter { $0.rule == "plan-not-used" }
        #expect(found.map(\.location?.line) == [3])
    }
}
