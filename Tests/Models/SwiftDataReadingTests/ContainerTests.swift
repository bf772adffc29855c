import Diagnostics
import Foundation
import ObjectModel
import SwiftDataReading
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
                "the container is opened with classes that differ from V2, the last version of Plan: "
                    + "\(difference) [container-list-differs]"
            ]
        )
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

    @Test(arguments: [
        "let c = try ModelContainer(for: Item.self, Tag.self)",
        "struct V: View { var body: some View { Text(\"\").modelContainer(for: [Item.self, Tag.self]) } }",
    ])
    func `a plan that no container is opened with is said`(text: String) {
        #expect(
            messages(text) == [
                "the container is opened without migrationPlan:, so no stage of Plan ever runs "
                    + "[plan-not-used]"
            ]
        )
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

@Suite(.enabled(if: readsSwiftSources))
struct EnumCaseTests {
    private func cases(_ declaration: String, _ property: String) throws -> [String: [String]] {
        let models = read("\(declaration)\n@Model class Item { var \(property) }")
        let entity = try #require(models.value.versions.first?.entity("Item"))
        var found: [String: [String]] = [:]
        for attribute in entity.attributes {
            for path in attribute.enumCases.paths {
                found[([attribute.name] + path).joined(separator: ".")] =
                    attribute.enumCases[path]?.map { "\($0.name)=\($0.text)" }
            }
        }
        return found
    }

    @Test func `texts and numbers are written or follow from the cases before`() throws {
        #expect(
            try cases("enum M: String, Codable { case a, b = \"B\", `default` }", "m: M")
                == ["m.m": ["a=a", "b=B", "default=default"]]
        )
        #expect(
            try cases("enum M: Int, Codable { case a, b = 1_0, c, d = -3, e }", "m: M?")
                == ["m.m": ["a=0", "b=10", "c=11", "d=-3", "e=-2"]]
        )
        #expect(
            try cases(
                "struct P: Codable { var k: K; var x: Int }\nenum K: Int16, Codable { case one = 0x10, two }",
                "p: P"
            ) == ["p.k": ["one=16", "two=17"]]
        )
    }

    @Test(arguments: [
        "enum M: Int, Codable { case a = 9223372036854775807, b }",
        "enum M: Double, Codable { case a = 1.5 }",
        "enum M: Codable { case a, b }",
        // It may read what no case has.
        "enum M: String, Codable { case a; init(from decoder: any Decoder) throws { self = .a } }",
        "enum M: String, Codable { case a }\nextension M { init?(rawValue: String) { self = .a } }",
    ])
    func `values that are not known are not said`(declaration: String) throws {
        #expect(try cases(declaration, "m: M") == [:])
    }

    @Test func `cases take no part in hashes, and models that differ in them alone are equal`() {
        let (one, two) = (
            "enum M: String, Codable { case a, b }", "enum M: String, Codable { case a }"
        )
        let models = [one, two].map { read("\($0)\n@Model class Item { var m: M }").value.versions }
        #expect(models[0].first?.hashes == models[1].first?.hashes)
        #expect(models[0].first?.model == models[1].first?.model)
    }
}

@Suite struct DeepThreadsTests {
    @Test func `a thread that waits is waited for`() {
        let hasEnded = Locked(false)
        let threads = DeepThreads(stackSize: 1 << 20, patience: 0.05).run(1) {
            usleep(500_000)
            hasEnded.withLock { $0 = true }
        }
        #expect(threads == 1)
        #expect(hasEnded.withLock { $0 })
    }

    @Test func `a thread that works on and on is left to itself`() {
        let isEnough = Locked(false)
        let threads = DeepThreads(stackSize: 1 << 20, patience: 0.05).run(1) {
            while !isEnough.withLock({ $0 }) {}
        }
        #expect(threads == 1)
        isEnough.withLock { $0 = true }
    }
}
