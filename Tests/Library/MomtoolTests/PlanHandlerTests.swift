import Diagnostics
import Foundation
import Momtool
import TestSupport
import Testing

struct PlanHandlerTests {
    private static let rule: RuleID = "custom-stage-not-run"

    private static let both = "willMigrate: { _ in }, didMigrate: { _ in }"
    private static let last = "willMigrate: nil, didMigrate: { _ in }"

    private func withPlan(
        _ functions: String = last,
        _ body: (_ sources: String, _ folder: URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let text =
                "import SwiftData\n" + itemSchema(1, "var a: Int?")
                + itemSchema(2, "var a: Int?; var b: Int?")
                + itemSchema(3, "var a: Int?; var b: Int?; var c: Int?") + """
                    enum Plan: SchemaMigrationPlan {
                        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
                        static var stages: [MigrationStage] {
                            [
                                .custom(fromVersion: V1.self, toVersion: V2.self, \(functions)),
                                .lightweight(fromVersion: V2.self, toVersion: V3.self),
                            ]
                        }
                    }

                    """
            try write(text, "Models.swift", in: folder)
            try write(#"{"Item": [{"@id": "p1", "a": 7}]}"#, "Rows.json", in: folder)
            let sources = folder.appending(path: "Models.swift").path
            for version in ["V1", "V2"] {
                try Store.create(
                    folder.appending(path: "\(version).sqlite").path,
                    of: Model(sources),
                    version: version,
                    rows: .file(folder.appending(path: "Rows.json").path)
                )
            }
            try body(sources, folder)
        }
    }

    private static let copyA = StageHandlers(didMigrate: { store in
        for item in try store.objects("Item") {
            try store.update("Item", item.id, ["b": item.value("a")])
        }
    })

    @Test func `a store that needs a stage with functions is refused, and told how to go on`()
        throws
    {
        try withPlan { sources, folder in
            let migrator = try Migrator(Model(sources), stages: sources)
            let store = try Store(folder.appending(path: "V1.sqlite").path)
            let told = try migrator.migration(of: store).diagnostics.filter { $0.rule == Self.rule }
            #expect(told.map(\.severity) == [.note])
            let result = folder.appending(path: "New.sqlite").path
            let calls: [() throws -> Void] = [
                { try migrator.migrate(store, to: result) },
                { try migrator.migrate(store, to: result, following: [.allowAllLosses]) },
                { try migrator.migrateInPlace(store, backup: nil) },
                { _ = try migrator.losses(of: store) },
            ]
            for call in calls {
                let error = #expect(throws: MomtoolError.self) { try call() }
                #expect(error?.kind == .refused)
                #expect(error?.diagnostics.map(\.rule) == [Self.rule])
                let text = error?.description ?? ""
                #expect(text.contains("didMigrate is Swift"), "\(text)")
                #expect(text.contains(#"handlers: ["V1 → V2": StageHandlers(…)]"#), "\(text)")
            }
            #expect(!FileManager.default.fileExists(atPath: result))
            #expect(try store.version(in: Model(sources))?.name == "V1")
            let later = try Store(folder.appending(path: "V2.sqlite").path)
            try migrator.migrate(later, to: result)
            #expect(try Store(result).version(in: Model(sources))?.name == "V3")
        }
    }

    @Test func `handlers stand in for the functions, by the versions of the stage`() throws {
        try withPlan { sources, folder in
            let migrator = try Migrator(
                Model(sources),
                stages: sources,
                handlers: ["V1 → V2": Self.copyA]
            )
            let store = try Store(folder.appending(path: "V1.sqlite").path)
            #expect(try migrator.migration(of: store).diagnostics.map(\.rule) == [])
            let result = folder.appending(path: "New.sqlite").path
            #expect(try migrator.migrate(store, to: result) == [])
            let rows = try Rows(of: Store(result), model: Model(sources)).all()
            #expect(try rows.map { try $0.value("b", as: Int.self) } == [7])
            let error = #expect(throws: MomtoolError.self) {
                try Migrator(Model(sources), stages: sources, handlers: ["V1 → V3": Self.copyA])
            }
            #expect(error?.description.contains("'V1 → V3'") == true)
        }
    }

    @Test func `a function without a handler is still told`() throws {
        try withPlan(Self.both) { sources, folder in
            let migrator = try Migrator(
                Model(sources),
                stages: sources,
                handlers: ["V1 → V2": Self.copyA]
            )
            let store = try Store(folder.appending(path: "V1.sqlite").path)
            let error = #expect(throws: MomtoolError.self) {
                try migrator.migrate(store, to: folder.appending(path: "New.sqlite").path)
            }
            let text = error?.description ?? ""
            #expect(text.contains("V1 → V2: willMigrate is Swift"), "\(text)")
        }
    }

    @Test func `a migrator of the model alone tells of the functions that it does without`() throws
    {
        try withPlan { sources, folder in
            let migrator = try Migrator(Model(sources))
            let store = try Store(folder.appending(path: "V1.sqlite").path)
            let diagnostics = try migrator.migration(of: store).diagnostics
            #expect(diagnostics.map(\.rule) == [Self.rule])
            #expect(diagnostics.first?.message.contains("V1 → V2 runs didMigrate") == true)
            let predicted = try migrator.migration(from: Model(sources).version("V1"))
            #expect(predicted.diagnostics == diagnostics)
            let result = try migrator.migrate(store, to: folder.appending(path: "New.sqlite").path)
            #expect(result == diagnostics)
            let later = try Store(folder.appending(path: "V2.sqlite").path)
            #expect(try migrator.migration(of: later).diagnostics == [])
        }
    }
}
