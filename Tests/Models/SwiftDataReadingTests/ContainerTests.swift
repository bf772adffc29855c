import Diagnostics
import ObjectModel
import SwiftDataReading
import Testing

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

    private func messages(_ text: String) -> [String] {
        read(Self.app + text).diagnostics.map { "\($0.message) [\($0.rule.rawValue)]" }
    }

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
        #expect(messages(text) == [])
    }

    @Test(arguments: [
        ("Tag.self", "it lacks V2.Folder, V2.Item"),
        ("Schema([Item.self])", "it lacks V2.Tag"),
        (
            "Schema(versionedSchema: V1.self)",
            "it lacks V2.Folder, V2.Item, V2.Tag, and it has V1.Item"
        ),
        ("Item.self, Tag.self, Other.self", "it has Other"),
    ])
    func `a container with other classes is said`(list: String, difference: String) {
        let text =
            "let c = try ModelContainer(for: \(list), migrationPlan: Plan.self)\n"
            + "@Model class Other { var a = 1 }"
        #expect(
            messages(text) == [
                "the container is opened with other classes than V2, the last version of Plan: "
                    + "\(difference) [container-list-differs]"
            ]
        )
    }

    @Test(arguments: [
        "let c = try ModelContainer(for: Item.self, Tag.self)",
        "struct V: View { var body: some View { Text(\"\").modelContainer(for: [Item.self, Tag.self]) } }",
    ])
    func `a plan that no container is opened with is said`(text: String) {
        #expect(
            messages(text) == [
                "the container is opened without migrationPlan:, so that no stage of Plan is ever run "
                    + "[plan-not-used]"
            ]
        )
    }
}
