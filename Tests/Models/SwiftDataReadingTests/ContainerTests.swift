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
        """
        let core: [any PersistentModel.Type] = [Item.self]
        let c = try ModelContainer(for: Schema(core + [Tag.self]), migrationPlan: Plan.self)
        """,
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

    @Test(
        arguments: [
            ("Item.self, migrationPlan: Plan.self", "V2", []),
            ("V1.Item.self, migrationPlan: Plan.self", "V1", []),
            ("Other.self, migrationPlan: Plan.self", nil, ["Plan"]),
        ] as [(String, String?, [String])]
    )
    func `a container with an older version of its plan opens that`(
        classes: String,
        current: String?,
        plans: [String]
    ) {
        let text = "@Model class Other { var a = 1 }\nlet c = try ModelContainer(for: \(classes))"
        let whole = text.replacing("Item.self, m", with: "Item.self, Tag.self, m")
        let models = read(Self.app + (current == "V2" ? whole : text)).value
        #expect(models.openedVersion == (current == "V1" ? "V1" : nil))
        #expect(models.plans.filter(\.isOpenedOtherwise).map(\.name) == plans)
    }

    private static let all = "try ModelContainer(for: Item.self, Tag.self"

    @Test(arguments: [
        ("let c = \(all), migrationPlan: nil)", true),
        (
            "let c = \(all))\nlet p = \(all), migrationPlan: Plan.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))",
            true
        ),
        (
            "#if DEBUG\nlet c = \(all), migrationPlan: Plan.self)\n#else\nlet c = \(all))\n#endif",
            true
        ),
        (
            "@Model class Log { var a = 1 }\nlet l = try ModelContainer(for: Log.self)\nlet p = \(all), "
                + "migrationPlan: Plan.self, configurations: ModelConfiguration(isStoredInMemoryOnly: isPreview))",
            false
        ),
    ])
    func `a plan that reaches no real container is not used`(text: String, isFound: Bool) {
        let found = read(Self.app + text).diagnostics
        #expect(found.contains { $0.rule == "plan-not-used" } == isFound)
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

/// Which file a container opens, and whether it is mirrored, by what its configuration is made of.
@Suite(.enabled(if: readsSwiftSources))
struct ContainerConfigurationTests {
    private static let models = """
        @Model final class Note { var t: String = ""; init() {} }
        @Model final class Tag { var n: String = ""; init() {} }
        enum Place {
            static let url = URL.documentsDirectory.appending(path: "a.store")
            static let cache = ModelConfiguration("Cache")
            static let local = ModelConfiguration("L", schema: Schema([Note.self]), cloudKitDatabase: .none)
            static let cloud = ModelConfiguration("C", schema: Schema([Tag.self]), cloudKitDatabase: database)
        }
        let database: ModelConfiguration.CloudKitDatabase = .private("x")
        extension URL {
            static var shared: URL { Files.containerURL(forSecurityApplicationGroupIdentifier: "g")! }
        }
        extension ModelConfiguration {
            static var preview: ModelConfiguration { ModelConfiguration(isStoredInMemoryOnly: true) }
        }

        """

    /// Containers by their configurations; those in `part` have one class of two.
    private func read(
        _ whole: [String],
        part: (folder: String, configuration: String)? = nil,
        groups: [String: String] = [:]
    ) -> Diagnosed<SwiftModels> {
        var options = SwiftReadingOptions()
        options.groups = groups
        func file(_ folder: String, _ classes: String, _ configurations: String) -> String {
            """
            // FILE: \(folder)/\(classes.count).swift
            func open(url: URL, isOn: Bool) throws {
                _ = try ModelContainer.init(for: \(classes), configurations: \(configurations))
            }

            """
        }
        let files = whole.map { file("App", "Note.self, Tag.self", $0) }
        let other = part.map { file($0.folder, "Note.self", $0.configuration) }
        return SwiftDataReadingTests.read(Self.models + files.joined() + (other ?? ""), options)
    }

    @Test(arguments: [
        (
            "ModelConfiguration(\"Main\", url: Place.url)", "App", ".init(\"B\", url: Place.url)",
            true
        ),
        ("ModelConfiguration(\"X\")", "App", ".init(\"X\")", true),
        (".init(url: .shared)", "Widget", "ModelConfiguration(url: .shared)", true),
        ("ModelConfiguration(url: url)", "App", "ModelConfiguration(url: url)", false),
        ("ModelConfiguration()", "App", ".preview", false),
        ("ModelConfiguration()", "App", "Place.cache", false),
    ])
    func `a file is known by constants alone`(
        _ whole: String,
        _ folder: String,
        _ part: String,
        _ isShared: Bool
    ) {
        let found = read([whole], part: (folder, part)).diagnostics
        #expect(found.contains { $0.rule == "container-drops-classes" } == isShared)
    }

    @Test(arguments: [
        (["App": "g", "Widget": "g"], true), (["App": "g"], false), ([:], false),
    ])
    func `default stores are in the group of the app`(groups: [String: String], isShared: Bool) {
        let found = read([".init()"], part: ("Widget", ".init()"), groups: groups).diagnostics
        #expect(found.contains { $0.rule == "container-drops-classes" } == isShared)
    }

    @Test(
        arguments: [
            (
                [".init(isStoredInMemoryOnly: true, cloudKitDatabase: .none)", ".init()"], false,
                false,
                [nil]
            ),
            ([".init(cloudKitDatabase: .none)"], false, true, [false]),
            ([".init(cloudKitDatabase: database)"], true, false, [true]),
            ([".init(cloudKitDatabase: isOn ? .private(\"x\") : .none)"], true, false, [true]),
            (["Place.local, Place.cloud"], true, false, [false, true]),
        ] as [([String], Bool, Bool, [Bool?])]
    )
    func `containers tell what is mirrored, and previews do not`(
        _ containers: [String],
        _ opens: Bool,
        _ refuses: Bool,
        _ stores: [Bool?]
    ) {
        let models = read(containers).value
        #expect(models.opensCloudKit == opens)
        #expect(models.refusesCloudKit == refuses)
        #expect(models.stores.map(\.isMirrored) == stores)
    }
}
