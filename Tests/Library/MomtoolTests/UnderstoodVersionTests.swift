import Diagnostics
import Foundation
import ModelHashing
import Momtool
import ObjectModel
import StoreFormat
import TestSupport
import Testing

struct UnderstoodVersionTests {
    private static let old = itemSchema(1, "")
    /// As far as it is understood, it is the old one.
    private static let partial = itemSchema(2, "var tags: Set<String>")
    private static let plan = """
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] {
                [MigrationStage.lightweight(fromVersion: V1.self, toVersion: V2.self)]
            }
        }

        """

    private func withModel(_ source: String, _ body: (Model, URL) throws -> Void) throws {
        try withFolder { folder in
            try write("import SwiftData\n" + source, "Shop/Model.swift", in: folder)
            try body(Model(folder.appending(path: "Shop").path), folder)
        }
    }

    private func withPartialModel(_ body: (Model, URL) throws -> Void) throws {
        try withModel(Self.old + Self.partial + Self.plan, body)
    }

    /// Expects a refusal at the line that is not understood.
    private func expectRefusal(
        line: Int = 16,
        _ sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: MomtoolError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.kind == .badData, sourceLocation: sourceLocation)
        let fault = error?.diagnostics.first
        #expect(fault?.element == "Item.tags", "\(error as Any)", sourceLocation: sourceLocation)
        let place = fault?.location
        #expect(place?.path.hasSuffix("Shop/Model.swift") == true, sourceLocation: sourceLocation)
        #expect(place?.line == line, sourceLocation: sourceLocation)
    }

    @Test func `a version has a hash of each entity that is understood, and else no checksum`()
        throws
    {
        try withPartialModel { model, _ in
            let (old, new) = (try model.version("V1"), try model.version("V2"))
            #expect(try old.versionChecksum.count == 44)
            #expect(old.entityVersionHashesByName.keys.sorted() == ["Item"])
            #expect(new.entityVersionHashesByName.isEmpty)
            expectRefusal { _ = try new.versionChecksum }
            // The guesses are equal, which is the point here.
            #expect(old.hashes == new.hashes)
        }
    }

    @Test func `a difference tells what was not compared, and is not sure of the rest`() throws {
        try withPartialModel { model, _ in
            let diff = try model.diff(from: "V1", to: "V2")
            #expect(diff.notCompared == ["Item"] && diff.verdict == .unknown)
            #expect(!diff.isEmpty && diff.movesVersionHashes == nil && diff.losses.isEmpty)
            let said = try #require(diff.diagnostics.first { $0.element == "Item.tags" })
            #expect(said.location?.line == 16 && said.severity == .warning)
            #expect("\(diff)".hasSuffix("[unknown]; not compared: Item"), "\(diff)")
        }
    }

    @Test func `what is known to be worse stays the verdict`() throws {
        let other = "@Model class Other { var a: Int = 0; init() { fatalError() } }\n"
        let both = { (source: String) in
            source.replacing("[Item.self]", with: "[Item.self, Other.self]")
                .replacing("    @Model class Item", with: "    \(other)    @Model class Item")
        }
        try withModel(both(Self.old) + Self.partial + Self.plan) { model, _ in
            let diff = try model.diff(from: "V1", to: "V2")
            #expect(diff.verdict == .loses && diff.movesVersionHashes == true, "\(diff)")
            #expect(diff.notCompared == ["Item"] && diff.losses == ["Other"])
        }
    }

    @Test func `nothing is compiled, migrated or made of such a version`() throws {
        try withPartialModel { model, folder in
            func place(_ name: String) -> String { folder.appending(path: name).path }
            expectRefusal { try Compiler().compile(model, to: place("Shop.momd")) }
            expectRefusal { try Store.create(place("V2.sqlite"), of: model) }
            expectRefusal { _ = try Migrator(model) }
            expectRefusal { _ = try Migrator(model, to: "V2") }
            let sources = folder.appending(path: "Shop").path
            expectRefusal { _ = try Migrator(model, to: "V1", stages: sources) }
            let known = try Migrator(model, to: "V1")
            let partial = try model.version("V2")
            expectRefusal { _ = try known.migration(from: partial) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Shop"])
            let store = try Store.create(place("V1.sqlite"), of: model, version: "V1")
            #expect(try known.migration(of: store).steps.isEmpty)
        }
    }

    @Test func `a store is never of such a version, and is not read by it`() throws {
        try withPartialModel { model, folder in
            let path = folder.appending(path: "V1.sqlite").path
            let store = try Store.create(path, of: model, version: "V1")
            #expect(try store.version(in: model)?.name == "V1")
            #expect(try store.verify(against: model).allSatisfy { $0.severity < .error })
            try withModel(Self.partial) { alone, _ in
                let hashes = try model.version("V1").hashes
                #expect(alone.versions.map(\.hashes) == [hashes])
                #expect(try store.version(in: alone) == nil)
                expectRefusal(line: 7) { _ = try store.verify(against: alone) }
                expectRefusal(line: 7) { _ = try Rows(of: store, model: alone).all() }
                expectRefusal(line: 7) {
                    let output = folder.appending(path: "Repaired.sqlite").path
                    _ = try Doctor(alone).repair(store.path, to: output)
                }
            }
        }
    }

    @Test func `the doctor goes by what the store carries, and says why`() throws {
        try withPartialModel { model, folder in
            let path = folder.appending(path: "V1.sqlite").path
            try Store.create(path, of: model, version: "V1")
            let found = try Doctor(model).examine(path)
            #expect(found.opens == nil && !found.versionNames.contains("V2"), "\(found)")
            let warning = try #require(found.diagnostics.first { $0.element == "Item.tags" })
            #expect(warning.severity == .warning && warning.location?.line == 16)
        }
    }

    @Test func `such a version is checked and locked as far as it is understood`() throws {
        try withPartialModel { model, _ in
            let findings = try Linter().findings(in: model.path)
            #expect(findings.contains { $0.rule == "entities-not-judged" }, "\(findings)")
            let lock = Lock(of: model)
            try lock.update()
            let text = try String(contentsOfFile: lock.path, encoding: .utf8)
            #expect(text.contains("unknown Item"), "\(text)")
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `the app of the corpus is refused with the place of its property`() throws {
        let model = try Model(
            Corpus.path("mesqueeb+SwiftDataSugar/SwiftDataTodoList/SwiftDataTodoList")
        )
        let old = try model.version("Schema1_0_0")
        #expect(try old.versionChecksum.count == 44)
        for name in ["Schema1_1_0", "Schema1_2_0"] {
            let error = #expect(throws: MomtoolError.self) { try Migrator(model, to: name) }
            let fault = try #require(error?.diagnostics.first)
            #expect(fault.element == "TodoItem.editHistory")
            #expect(fault.location?.path.contains("/Versions/Schema1_") == true)
        }
        let diff = try model.diff(from: "Schema1_0_0", to: "Schema1_1_0")
        #expect(diff.notCompared == ["TodoItem"] && diff.verdict == .unknown)
    }
}
