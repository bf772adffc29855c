import Diagnostics
import ObjectModel
import SwiftDataReading
import TestSupport
import Testing

@Suite(.enabled(if: readsSwiftSources))
struct PlanTests {
    private func version(_ name: String, _ number: String, _ members: String = "var a = 1")
        -> String
    {
        """
        enum \(name): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(number))
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model final class Item { \(members) }
        }
        """
    }

    private func plan(_ schemas: String, _ stages: String) -> String {
        """
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [\(schemas)] }
            static var stages: [MigrationStage] { [\(stages)] }
        }
        """
    }

    @Test func `what a plan does not lead through is said`() throws {
        let two = version("V1", "1, 0, 0") + "\n" + version("V2", "2, 0, 0")
        let three = two + "\n" + version("V3", "3, 0, 0")
        let step = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
        let back = """
            \(step),
            .custom(fromVersion: V2.self, toVersion: V1.self, willMigrate: nil, didMigrate: nil),
            .lightweight(fromVersion: V2.self, toVersion: V3.self)
            """
        let equal = version("V1", "1, 0, 0") + "\n" + version("V2", "1, 0, 0")
        let live = """
            \(version("V1", "1, 0, 0", "var place: Place; var kind: Kind; var tag: Tag?"))
            \(version("V2", "2, 0, 0", "var place: Place"))
            struct Place { var x: Double }
            enum Kind: String { case a }
            @Model class Tag { var x = 1 }
            """
        let cases = [
            ("a plan without faults", two + "\n" + plan("V1.self, V2.self", step)),
            ("no stages", three + "\n" + plan("V1.self, V2.self, V3.self", "")),
            ("stages that lead elsewhere", three + "\n" + plan("V1.self, V2.self", back)),
            ("one identifier of two versions", equal + "\n" + plan("V1.self, V2.self", step)),
            ("a shipped version that reaches live types", live),
        ]
        try expectRecorded(cases.map { "\($0.0) → \(read($0.1).words)" }, as: "swiftdata-plans")
    }

    @Test func `stages run in the order of the list`() {
        let versions = (1...3).map { version("V\($0)", "\($0), 0, 0") }.joined(separator: "\n")
        let steps = [("V1", "V2"), ("V2", "V3")].map {
            "fromVersion: \($0).self, toVersion: \($1).self"
        }
        let custom = ".custom(\(steps[1]), willMigrate: nil, didMigrate: nil)"
        let light = steps.map { ".lightweight(\($0))" }
        for (stages, severity) in [
            ([light[0], custom], nil), ([custom, light[0]], "warning"), (light.reversed(), "note"),
        ] {
            let text = plan("V1.self, V2.self, V3.self", stages.joined(separator: ", "))
            let found = read(versions + "\n" + text).diagnostics.filter { $0.rule == "stage-order" }
            #expect(found.map { "\($0.severity)" } == [severity].compactMap(\.self))
        }
    }

    @Test func `functions of stages fetch classes of their versions`() {
        let models = read(
            """
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static let models: [any PersistentModel.Type] = [Item.self]
                @Model class Item { var a = 1 }
            }
            enum V2: VersionedSchema {
                static let versionIdentifier = Schema.Version(2, 0, 0)
                static let models: [any PersistentModel.Type] = [Item.self]
                @Model class Item { var a = ""; var b = 1 }
            }
            typealias Item = V2.Item
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [step] }
                static let step = MigrationStage.custom(
                    fromVersion: V1.self, toVersion: V2.self,
                    willMigrate: { context in
                        let old = try context.fetch(FetchDescriptor<V1.Item>())
                        try copy(context)
                    },
                    didMigrate: { context in _ = try context.fetch(FetchDescriptor<Item>()) }
                )
                private static func copy(_ context: ModelContext) throws {
                    try context.delete(model: Item.self)
                    try copy(context)
                }
            }
            """
        )
        #expect(models.facts == ["Model.swift:24:35 warning [stage-fetches-other-type]"])
        #expect(models.diagnostics.first?.notes.first?.message.contains("V1.Item") == true)
    }

    @Test(arguments: [
        ("willMigrate", "V1.Item()", 0), ("willMigrate", "context.insert(V2.Item())", 1),
        ("willMigrate", "Item.init()", 1), ("didMigrate", "context.insert(V1.Item())", 1),
        ("didMigrate", "Item()", 0), ("willMigrate", "Other.Item()", 0),
    ])
    func `functions of stages make objects of their versions`(
        closure: String,
        text: String,
        count: Int
    ) {
        let models = read(
            """
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static let models: [any PersistentModel.Type] = [Item.self]
                @Model class Item { var a = 1; init() {} }
            }
            enum V2: VersionedSchema {
                static let versionIdentifier = Schema.Version(2, 0, 0)
                static let models: [any PersistentModel.Type] = [Item.self]
                @Model class Item { var a = 1; var b = 1; init() {} }
            }
            typealias Item = V2.Item
            enum Other { struct Item {} }
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] {
                    [.custom(fromVersion: V1.self, toVersion: V2.self, \(closure): { context in \(text) })]
                }
            }
            """
        )
        #expect(models.diagnostics.count { $0.rule == "stage-fetches-other-type" } == count)
    }

    @Test(arguments: [
        ("Note.self, V1.Tag.self", "V1.Tag", 1),
        ("Note.self, V1.Tag.self, V1.Note.self", "V1.Tag", 1),
        ("Note.self, Tag.self", "Tag", 0), ("V1.Note.self, V1.Tag.self", "V1.Tag", 0),
    ])
    func `a class of another version does not lead to a second one of a name`(
        classes: String,
        tag: String,
        count: Int
    ) {
        let models = read(
            """
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static let models: [any PersistentModel.Type] = [Note.self, Tag.self]
                @Model class Note { @Relationship(inverse: \\Tag.note) var tags: [Tag] = [] }
                @Model class Tag { var note: Note? }
            }
            enum V2: VersionedSchema {
                static let versionIdentifier = Schema.Version(2, 0, 0)
                static let models: [any PersistentModel.Type] = [\(classes)]
                @Model class Note { var a = 1; @Relationship(inverse: \\\(tag).note) var tags: [\(tag)] = [] }
                @Model class Tag { var note: Note?; var b = 1 }
            }
            """
        )
        #expect(models.diagnostics.count { $0.rule == .swiftDuplicateClass } == count)
    }

    @Test(arguments: [
        ([], ["unversioned"], 2), (["A"], ["V1", "V2", "unversioned"], 0), (["C"], [], 3),
    ])
    func `the classes of a version whose list code makes can be named`(
        types: [String],
        versions: [String],
        errors: Int
    ) {
        func version(_ number: Int) -> String {
            """
            enum V\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] {
                    var list: [any PersistentModel.Type] = []
                    list.append(A.self)
                    return list
                }
                @Model class A { var n\(number) = 1 }
            }

            """
        }
        let source = version(1) + version(2) + "@Model class B { var x = 1 }\n"
        let models = read(source, SwiftReadingOptions(modelTypes: types))
        #expect(models.value.versions.map(\.name) == versions)
        #expect(models.diagnostics.count { $0.rule == "swift-not-readable" } == errors)
    }
}
