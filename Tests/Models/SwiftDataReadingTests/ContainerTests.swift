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

    @Test(arguments: [
        ("let c = try ModelContainer(for: Item.self, Tag.self, migrationPlan: nil)", true),
        (
            """
            let c = try ModelContainer(for: Item.self, Tag.self)
            let p = try ModelContainer(
                for: Item.self, Tag.self, migrationPlan: Plan.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            """, true
        ),
        (
            """
            #if DEBUG
            let c = try ModelContainer(for: Item.self, Tag.self, migrationPlan: Plan.self)
            #else
            let c = try ModelContainer(for: Item.self, Tag.self)
            #endif
            """, true
        ),
        (
            """
            func open(isPreview: Bool) throws {
                let memory = ModelConfiguration(isStoredInMemoryOnly: isPreview)
                _ = try ModelContainer(
                    for: Item.self, Tag.self, migrationPlan: Plan.self, configurations: memory)
            }
            @Model class Log { var a = 1 }
            let log = try ModelContainer(for: Log.self, configurations: ModelConfiguration("Log"))
            """, false
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
        import SwiftData
        import Foundation
        @Model final class Note { @Attribute(.unique) var t: String = ""; init() {} }
        @Model final class Tag { var n: String = ""; init() {} }

        """
    private static let all = "ModelContainer(for: Note.self, Tag.self"
    private static let some = "ModelContainer(for: Note.self"

    private func read(_ text: String, groups: [String: String] = [:]) -> Diagnosed<SwiftModels> {
        var options = SwiftReadingOptions()
        options.groups = groups
        return SwiftDataReadingTests.read(Self.models + text, options)
    }

    @Test(arguments: [
        (
            """
            enum Place { static let url = URL.documentsDirectory.appending(path: "a.store") }
            let a = try! \(all), configurations: ModelConfiguration("Main", url: Place.url))
            let b = try! \(some), configurations: ModelConfiguration("Share", url: Place.url))
            """, true
        ),
        (
            """
            let a = try! \(all), configurations: ModelConfiguration("X"))
            let b = try! ModelContainer.init(for: Note.self, configurations: .init("X"))
            """, true
        ),
        (
            """
            extension URL {
                static var shared: URL {
                    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.x")!
                }
            }
            // FILE: App/A.swift
            let a = try! \(all), configurations: ModelConfiguration(url: .shared))
            // FILE: Widget/W.swift
            let b = try! \(some), configurations: ModelConfiguration(url: .shared))
            """, true
        ),
        (
            """
            #if os(watchOS)
            let a = try! \(some))
            #else
            let a = try! \(all))
            #endif
            """, false
        ),
        (
            """
            func a(url: URL) throws { _ = try \(all), configurations: ModelConfiguration(url: url)) }
            func b(url: URL) throws { _ = try \(some), configurations: ModelConfiguration(url: url)) }
            """, false
        ),
        (
            """
            extension ModelConfiguration {
                static var preview: ModelConfiguration { ModelConfiguration(isStoredInMemoryOnly: true) }
            }
            let a = try! \(all))
            let b = try! \(some), configurations: .preview)
            """, false
        ),
        (
            """
            enum Cache { static let config = ModelConfiguration("Cache") }
            let a = try! \(all))
            let b = try! \(some), configurations: Cache.config)
            """, false
        ),
    ])
    func `a file is known by constants alone`(text: String, isShared: Bool) {
        let found = read(text).diagnostics
        #expect(found.contains { $0.rule == "container-drops-classes" } == isShared)
    }

    @Test(arguments: [
        (["App": "group.x", "Widget": "group.x"], true), (["App": "group.x"], false), ([:], false),
    ])
    func `default stores are in the group of the app`(groups: [String: String], isShared: Bool) {
        let text = """
            // FILE: App/A.swift
            let a = try! \(Self.all))
            // FILE: Widget/W.swift
            let b = try! \(Self.some))
            """
        let found = read(text, groups: groups).diagnostics
        #expect(found.contains { $0.rule == "container-drops-classes" } == isShared)
    }

    @Test(
        arguments: [
            (
                """
                let p = try! \(all), configurations: ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none))
                let c = try! \(all))
                """, false, false, [nil]
            ),
            (
                "let c = try! \(all), configurations: .init(cloudKitDatabase: .none))", false, true,
                [false]
            ),
            (
                """
                func open() throws {
                    let database: ModelConfiguration.CloudKitDatabase = .private("iCloud.x")
                    _ = try \(all), configurations: ModelConfiguration(cloudKitDatabase: database))
                }
                """, true, false, [true]
            ),
            (
                """
                func open(_ isOn: Bool) throws {
                    _ = try \(all), configurations: .init(cloudKitDatabase: isOn ? .private("x") : .none))
                }
                """, true, false, [true]
            ),
            (
                """
                enum Stores {
                    static let local = ModelConfiguration("L", schema: Schema([Note.self]), cloudKitDatabase: .none)
                    static let cloud = ModelConfiguration("C", schema: Schema([Tag.self]), cloudKitDatabase: .private("x"))
                    static let all = try! \(all), configurations: local, cloud)
                }
                """, true, false, [false, true]
            ),
        ] as [(String, Bool, Bool, [Bool?])]
    )
    func `containers tell what is mirrored, and previews do not`(
        text: String,
        opens: Bool,
        refuses: Bool,
        stores: [Bool?]
    ) {
        let models = read(text).value
        #expect(models.opensCloudKit == opens)
        #expect(models.refusesCloudKit == refuses)
        #expect(models.stores.map(\.isMirrored) == stores)
    }
}
