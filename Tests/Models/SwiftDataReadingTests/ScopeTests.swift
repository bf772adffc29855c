import Diagnostics
import ObjectModel
import SwiftDataReading
import Testing

@Suite(.enabled(if: readsSwiftSources))
struct ScopeTests {
    private static let versions = """
        // FILE: Versions.swift
        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model final class Item { var kind: Kind = Kind.a; var folder: Folder? }
            enum Kind: String, Codable { case a }
        }
        enum SchemaV2: VersionedSchema {
            static let versionIdentifier: Schema.Version = .init(2, 0, 0)
            static let models: [any PersistentModel.Type] = SchemaV1.models.isEmpty ? [] : []
        }
        struct SchemaV3: VersionedSchema {
            public static var versionIdentifier: Schema.Version { return Schema.Version(3, 1, 0) }
            public static var models: [any PersistentModel.Type] { return all + [SchemaV3.Tag.self] }
            private static let all: [any PersistentModel.Type] = [Item.self]
        }
        // FILE: SchemaV3+Item.swift
        extension SchemaV3 {
            @Model class Item { var kind: Kind?; @Relationship(inverse: \\Tag.items) var tags: [Tag] = [] }
            enum Kind: Int, Codable { case a }
        }
        // FILE: SchemaV3+Tag.swift
        extension SchemaV3 { @Model class Tag { var items: [Item]? ; var box: Box } }
        // FILE: Live.swift
        typealias Current = SchemaV3
        typealias Item = Current.Item
        @Model class Folder { var name = "" }
        enum Kind: Int16 { case z }
        extension Current { struct Box: Codable { var kind: Kind; var other: Folder.Size } }
        extension Folder { enum Size: String { case s } }
        """

    @Test func `versions take their own types before those of all`() throws {
        let models = read(Self.versions)
        #expect(
            models.facts == [
                "Versions.swift:9:16 error [swift-not-readable]",
                "Live.swift:3:14 warning [frozen-version-reaches-live-type]",
            ]
        )
        #expect(models.value.versions.map(\.name) == ["SchemaV1", "SchemaV3", "unversioned"])
        #expect(models.value.versions.map(\.identifier) == ["1.0.0", "3.1.0", "1.0.0"])
        #expect(
            models.shape(of: "Item", in: "SchemaV1")
                == ["kind: Composite { kind: String? }", "folder? → Folder"]
        )
        #expect(
            models.shape(of: "Item", in: "SchemaV3")
                == ["kind: Composite? { kind: Integer 64? }", "tags ⇉ Tag.items"]
        )
        #expect(
            models.shape(of: "Tag", in: "SchemaV3")
                == ["box: Composite { kind: Integer 64?, other: String? }", "items? ⇉ Item.tags"]
        )
        // What a version reaches is in it, frozen or not.
        let first = try #require(models.value.version(named: "SchemaV1"))
        #expect(first.model.entities.map(\.name) == ["Folder", "Item"])
        #expect(
            first.types.map { "\($0.name) \($0.isOwn) \($0.isListed)" } == [
                "SchemaV1.Item true true", "Folder false false",
            ]
        )
    }

    @Test func `plans are read with their stages`() throws {
        let models = read(
            """
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static let models: [any PersistentModel.Type] = [Item.self]
                @Model class Item { var a = 1 }
            }
            enum V2: VersionedSchema {
                static let versionIdentifier = Schema.Version(0, 9, 0)
                static let models: [any PersistentModel.Type] = [Item.self]
                @Model class Item { var a = "" }
            }
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [one, .lightweight(fromVersion: V1.self, toVersion: V2.self)] }
                static let one = MigrationStage.custom(
                    fromVersion: V1.self, toVersion: V2.self,
                    willMigrate: nil, didMigrate: { context in try context.save() }
                )
            }
            """
        )
        #expect(models.messages == [])
        let plan = try #require(models.value.plans.first)
        #expect(plan.name == "Plan")
        #expect(plan.schemas == ["V1", "V2"])
        #expect(plan.stages.map(\.kind) == [.custom, .lightweight])
        #expect(plan.stages.map(\.from) == ["V1", "V1"])
        #expect(plan.stages.first?.source.element?.line == 14)
        #expect(models.value.versions.map(\.name) == ["V1", "V2"])
    }

    @Test func `lists stand in extensions, and conformances may be isolated`() {
        let models = read(
            """
            extension Schema { static let all: [any PersistentModel.Type] = [Item.self] }
            nonisolated enum V: @MainActor VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { Schema.all + more }
            }
            let more: [any PersistentModel.Type] = [Tag.self] as [any PersistentModel.Type]
            @Model class Item: @unchecked Sendable { var a = 1 }
            @Model class Tag { var a = 1 }
            """
        )
        #expect(models.messages == [])
        #expect(models.value.versions.map { $0.model.entities.map(\.name) } == [["Item", "Tag"]])
    }

    @Test func `lists that lead in a circle or are called are refused`() {
        let lists = [
            "other", "make()", "[Item.self, Nothing.self]", "var list = [Item.self]; return list",
            "Self.list",
        ]
        for list in lists {
            let models = read(
                """
                enum V: VersionedSchema {
                    static let versionIdentifier = Schema.Version(1, 0, 0)
                    static var models: [any PersistentModel.Type] { \(list) }
                    static var other: [any PersistentModel.Type] { models }
                }
                @Model class Item { var a = 1 }
                """
            )
            #expect(models.diagnostics.map(\.rule) == [.swiftNotReadable], "\(models.messages)")
        }
    }

    @Test func `a file's own list is meant where others have one of its name`() {
        let files = ["V1", "V2", "V3"].map { name in
            """
            // FILE: \(name).swift
            private let all: [any PersistentModel.Type] = [\(name).Item.self]
            enum \(name): VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { all }
                @Model class Item { var of\(name) = 1 }
            }
            """
        }
        let models = read(files.joined(separator: "\n"))
        for name in ["V1", "V2", "V3"] {
            #expect(models.shape(of: "Item", in: name) == ["of\(name): Integer 64"])
        }
    }

    @Test func `the innermost type is meant, and a file's own before another's`() {
        let models = read(
            """
            // FILE: A.swift
            private enum Kind: String { case a }
            enum Space {
                struct Place { var x: Double }
                enum Inner { @Model class A { var kind: Kind; var place: Place; var at: Space.Place } }
            }
            // FILE: B.swift
            fileprivate enum Kind: Int { case a }
            struct Place { var y: Int }
            @Model class B { var kind: Kind; var place: Place; var date: Date }
            enum Date: String { case today }
            extension Foundation.URL { struct Part { var text: String } }
            extension Space.Inner { @Model class C { var place: Place; var part: URL.Part; var url: URL } }
            """
        )
        #expect(models.messages == [])
        #expect(
            models.shape(of: "A") == [
                "at: Composite { x: Double }", "kind: Composite { kind: String? }",
                "place: Composite { x: Double }",
            ]
        )
        #expect(
            models.shape(of: "B") == [
                "date: Composite { date: String? }", "kind: Composite { kind: Integer 64? }",
                "place: Composite { y: Integer 64 }",
            ]
        )
        #expect(
            models.shape(of: "C") == [
                "part: Composite { text: String }", "place: Composite { y: Integer 64 }",
                "url: URI",
            ]
        )
    }

    @Test func `a type that is declared twice is refused, unless both say the same`() {
        let source = """
            // FILE: App/A.swift
            enum Kind: String { case a }
            struct Place { var x: Int }
            // FILE: Kit/A.swift
            enum Kind: Int { case a }
            struct Place { var x: Int }
            // FILE: Models/Model.swift
            @Model class T { var place: Place; var kind: Kind }
            """
        let models = read(source)
        #expect(
            models.facts == ["Models/Model.swift:1:40 error [swift-not-understood]"]
        )
        let note = models.diagnostics.first?.notes.first?.message ?? ""
        #expect(note.contains("App/A.swift:1:6") && note.contains("Kit/A.swift:1:6"), "\(note)")
    }

    @Test func `of declarations of one name that of the nearest folder counts`() {
        let models = read(
            """
            // FILE: Apps/One/Kinds/Kind.swift
            enum Kind: String { case a }
            extension Kind { struct Detail { var text: String } }
            @Model class Tag { var things: [Thing] = [] }
            // FILE: Apps/Two/Kind.swift
            enum Kind: Int { case a }
            extension Kind { struct Detail { var number: Int } }
            @Model class Tag { var thing: Thing? }
            // FILE: Apps/One/Models/Thing.swift
            @Model class Thing { var kind: Kind; var detail: Kind.Detail; var tag: Tag? }
            // FILE: Apps/Two/Thing.swift
            @Model class Thing { var kind: Kind }
            """
        )
        #expect(models.messages.allSatisfy { $0.contains("[swift-duplicate-class]") })
        #expect(
            models.shape(of: "Thing") == [
                "detail: Composite { text: String }", "kind: Composite { kind: String? }",
                "tag? → Tag.things",
            ]
        )
    }

    @Test func `an extension of what an alias stands for declares no type`() {
        let models = read(
            """
            // FILE: Basis.swift
            extension Parts { var isLong: Bool { count > 9 } }
            typealias Parts = [Part]
            struct Part: Codable { var text: String }
            extension Part.Alias { var x: Int { 1 } }
            extension Part { typealias Alias = [String] }
            @Model class T { var parts: Parts = []; var names: Part.Alias; var kind: Kind.RawValue }
            enum Kind: Int16 { case a }
            """
        )
        #expect(models.messages == [])
        #expect(
            models.shape(of: "T") == ["kind: Integer 16", "names: Transformable", "parts: Binary"]
        )
    }

    @Test func `an enum whose raw type is its own ends`() {
        let models = read(
            """
            enum A: A.RawValue { case a }
            enum B: RawRepresentable { case b; var rawValue: B.RawValue { "" } }
            enum C: D.RawValue { case c }
            enum D: C.RawValue { case d }
            @Model class T { var a: A.RawValue; var b: B.RawValue; var c: C.RawValue }
            """
        )
        #expect(models.value.versions.first?.spoiledEntities == ["T"])
    }

    @Test func `a module's name may stand before a type`() {
        let models = read(
            """
            // FILE: Sources/Shop/Kind.swift
            enum Kind: String { case a }
            // FILE: Sources/Shop/Model.swift
            @Model class T { var kind: Shop.Kind; var id: Foundation.UUID }
            """
        )
        #expect(models.messages == [])
    }

    @Test(arguments: ["S", "App.S", "Kit.S"])
    func `a module's name chooses between types of one name`(type: String) {
        let models = read(
            """
            // FILE: Sources/App/S.swift
            struct S { var own: Int }
            // FILE: Sources/App/Model.swift
            @Model class T { var s: \(type) }
            // FILE: Sources/Kit/S.swift
            struct S { var foreign: Int }
            """
        )
        let composites = models.value.versions.first?.model.composites ?? []
        let names = composites.flatMap { $0.attributes.map(\.name) }
        #expect(names == [type == "Kit.S" ? "foreign" : "own"])
    }

    @Test(arguments: [
        ("#if PRO && BETA\nvar b = 1\n#endif", "PRO && BETA"),
        ("#if PRO\n#if BETA\nvar b = 1\n#endif\n#endif", "PRO && BETA"),
        ("#if PRO || BETA\nvar b = 1\n#endif", "BETA"),
    ])
    func `conditions that decide together are named together`(member: String, words: String) {
        let models = read("@Model class T { var a = 1\n\(member) }")
        #expect(models.diagnostics.last?.message.contains(" \(words):") == true)
    }

    @Test(arguments: [
        ("#if FULL", "FULL"), ("#if os(macOS)", "os(macOS)"),
        ("#if A && !os(iOS)", "A && !os(iOS)"),
        ("#if A || B", "A || B"), ("#if A\n#if B", "A && B"),
    ])
    func `a class that conditions hide is named with them`(opening: String, words: String) {
        let ends = opening.split(separator: "\n").map { _ in "#endif" }.joined(separator: "\n")
        let models = read("\(opening)\n@Model class T { var a = 1 }\n\(ends)")
        #expect(models.diagnostics.first?.rule == "swift-no-model")
        #expect(models.diagnostics.last?.message.contains(" \(words):") == true)
    }

    @Test(arguments: ["@Query (sort: \\T.a) var all: [T]", "@Environment (\\.context) var c"])
    func `a blank before the arguments of an attribute is Swift`(text: String) {
        #expect(read("@Model class T { var a = 1 }\nstruct V { \(text) }").messages == [])
    }

    @Test(arguments: ["@Other (sort: \\T.a) var all: [T]", "let x = <#value#>"])
    func `what is no Swift counts beside a model alone`(text: String) {
        let model = "// FILE: T.swift\n@Model class T { var a = 1 }\n"
        #expect(
            read("\(model)// FILE: V.swift\nimport SwiftData\nstruct V { \(text) }").messages == []
        )
        #expect(read("\(model)struct V { \(text) }").messages.count == 1)
        // What stands beside it is read all the same.
        let beside = read("@Model class T { @Attribute (.unique) var a = 1 }\nstruct V { \(text) }")
        #expect(beside.value.versions.first?.spoiledEntities == [])
    }

    @Test func `only files that a model may depend on are parsed`() {
        let conditions = (0..<30).map { "#if C\($0)\nstruct V\($0) {}\n#endif" }
        let models = read(
            """
            // FILE: T.swift
            @Model class T { var a: Part.Size; func f() { V1() } }
            // FILE: Part.swift
            struct Part { var body: some View { V2() } }
            // FILE: Size.swift
            extension Part { enum Size: Int { case s } }
            // FILE: V.swift
            \(conditions.joined(separator: "\n"))
            """
        )
        #expect(models.messages == [])
        #expect(models.shape(of: "T") == ["a: Composite { a: Integer 64? }"])
    }

    @Test func `the classes of a schema can be named`() {
        let source = """
            @Model class A { var b: B? }
            @Model class B { var x = 1 }
            @Model class Draft { var x: Set<Int> }
            """
        let models = read(source, SwiftReadingOptions(modelTypes: ["A"]))
        #expect(models.messages == [])
        #expect(models.value.versions.first?.model.entities.map(\.name) == ["A", "B"])
        let missing = read(source, SwiftReadingOptions(modelTypes: ["C"]))
        #expect(missing.facts.contains(" error [swift-not-readable]"))
    }
}
