import Diagnostics
import ObjectModel
import SwiftDataReading
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

    private func check(_ parts: [String], _ messages: [String]) {
        let models = read(parts.joined(separator: "\n"))
        #expect(models.diagnostics.map { "\($0.message) [\($0.rule.rawValue)]" } == messages)
    }

    @Test func `a plan that can be walked is let be`() {
        check(
            [
                version("V1", "1, 0, 0"), version("V2", "2, 0, 0"),
                plan("V1.self, V2.self", ".lightweight(fromVersion: V1.self, toVersion: V2.self)"),
            ],
            []
        )
    }

    @Test func `stages that are missing or lead elsewhere are said`() {
        let versions = [
            version("V1", "1, 0, 0"), version("V2", "2, 0, 0"), version("V3", "3, 0, 0"),
        ]
        check(
            versions + [plan("V1.self, V2.self, V3.self", "")],
            ["Plan has no stages: SwiftData infers each step [stage-missing]"]
        )
        check(
            versions + [
                plan(
                    "V1.self, V2.self",
                    """
                    .lightweight(fromVersion: V1.self, toVersion: V2.self),
                    .custom(fromVersion: V2.self, toVersion: V1.self, willMigrate: nil, didMigrate: nil),
                    .lightweight(fromVersion: V2.self, toVersion: V3.self)
                    """
                )
            ],
            [
                "Plan: the stage from V2 to V1 is not a step of the list [stage-order]",
                "Plan has a stage with V3, which its schemas do not list [stage-order]",
                "no plan lists V3: its stores fail with 134504, an unknown version [version-not-in-plan]",
            ]
        )
    }

    @Test func `identifiers that two versions share are said`() {
        check(
            [
                version("V1", "1, 0, 0"), version("V2", "1, 0, 0"),
                plan("V1.self, V2.self", ".lightweight(fromVersion: V1.self, toVersion: V2.self)"),
            ],
            ["V2 has the identifier 1.0.0 of V1 [identifier-reused]"]
        )
    }

    @Test func `a shipped version that reaches a live type is said`() {
        check(
            [
                version("V1", "1, 0, 0", "var place: Place; var kind: Kind; var tag: Tag?"),
                version("V2", "2, 0, 0", "var place: Place"),
                "struct Place { var x: Double }", "enum Kind: String { case a }",
                "@Model class Tag { var x = 1 }",
            ],
            [
                "V1 reaches the class Tag, which no version contains: an edit of it changes the hashes of a "
                    + "version that shipped [frozen-version-reaches-live-type]",
                "V1 reaches the type Place, which no version contains: an edit of it changes the hashes of a "
                    + "version that shipped [frozen-version-reaches-live-type]",
            ]
        )
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
        #expect(
            models.messages == [
                "Model.swift:24:35: warning: willMigrate from V1 to V2 fetches V2.Item, which is not a "
                    + "class of V1: the app crashes there [stage-fetches-other-type]"
            ]
        )
        #expect(models.diagnostics.first?.notes.first?.message == "fetch V1.Item")
    }
}
