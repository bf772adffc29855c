import Diagnostics
import Foundation
import Momtool
import SQLiteAccess
import TestSupport
import Testing

struct FaultPlaceTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    private func withShop(
        _ sql: String? = nil,
        _ body: (Model, URL, String) throws -> Void
    ) throws {
        try withFolder { folder in
            let store = folder.appending(path: "Shop.sqlite")
            try copyFile(Self.fixture, to: store)
            if let sql { try SQLiteConnection(path: store.path, mode: .readWrite).execute(sql) }
            try body(Model(Self.library), folder, store.path)
        }
    }

    private func fault(
        _ kind: MomtoolError.Kind,
        _ sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws -> Diagnostic {
        let error = #expect(
            throws: MomtoolError.self,
            sourceLocation: sourceLocation,
            performing: body
        )
        #expect(error?.kind == kind, "\(error as Any)", sourceLocation: sourceLocation)
        return try #require(error?.diagnostics.first, sourceLocation: sourceLocation)
    }

    @Test func `a folder is no missing file to the doctor`() throws {
        try withShop { model, folder, _ in
            let doctor = Doctor(model)
            let plain = try fault(.badData) { _ = try doctor.examine(folder.path) }
            let bundle = try fault(.badData) { _ = try doctor.examine(Self.library) }
            #expect(plain.message != bundle.message)
            #expect(bundle.message.contains(".xcdatamodeld"), "\(bundle)")
            let absent = folder.appending(path: "Absent.sqlite").path
            _ = try fault(.noInput) { _ = try doctor.examine(absent) }
        }
    }

    @Test func `rows that are not there are no input`() throws {
        try withShop { model, folder, _ in
            let rows = folder.appending(path: "Rows.json").path
            let output = folder.appending(path: "New.sqlite").path
            let fault = try fault(.noInput) {
                try Store.create(output, of: model, rows: .file(rows))
            }
            #expect(fault.location?.path == rows && fault.rule == "no-such-file")
        }
    }

    @Test func `a text is no model, to whoever reads it`() throws {
        try withFolder { folder in
            try write("Dear diary,\n", "Diary.txt", in: folder)
            let path = folder.appending(path: "Diary.txt").path
            _ = try fault(.badData) { _ = try Model(path) }
            _ = try fault(.badData) { _ = try ModelEditor(path) }
        }
    }

    @Test func `whatever is at the place of an output, it is called so`() throws {
        try withShop { model, folder, store in
            let compiled = try fault(.cannotCreate) { try Compiler().compile(model, to: store) }
            let created = try fault(.cannotCreate) { try Store.create(store, of: model) }
            #expect(compiled == created && compiled.rule == "file-exists", "\(compiled)")
        }
    }

    @Test(arguments: ["", "a/b", ".hidden", " V"])
    func `a name that no folder can have says why`(name: String) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([textModel("Item", [])], at: bundle)
            var editor = try ModelEditor(bundle.path)
            let fault = try fault(.usage) { try editor.startVersion(named: name) }
            #expect(fault.message.contains(name) || name.isEmpty, "\(fault)")
        }
    }

    @Test func `rows of a store with lost numbers of entities lead to its repair`() throws {
        try withShop("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") { model, folder, path in
            let store = try Store(path)
            let fault = try fault(.badData) { _ = try Rows(of: store, model: model).all() }
            #expect(fault.message.contains("Book") && fault.rule == "entity-numbers", "\(fault)")
            #expect(fault.message.contains("Z_PRIMARYKEY") && fault.message.contains("repair"))
            let repaired = folder.appending(path: "Repaired.sqlite").path
            _ = try Doctor(model).repair(path, to: repaired)
            #expect(try !Rows(of: Store(repaired), model: model).all().isEmpty)
        }
    }

    private static let stages = "stages:\n  - custom: {from: V1, to: V2}\n    label: Shout\n"

    @Test func `a warning of a stage stays at its line`() throws {
        try withShop { model, folder, path in
            try write(Self.stages, "Stages.yml", in: folder)
            let stages = folder.appending(path: "Stages.yml").path
            let migrator = try Migrator(model, to: "V2", stages: stages)
            let output = folder.appending(path: "New.sqlite").path
            let said = try migrator.migrate(Store(path), to: output, following: [.allowAllLosses])
            let warning = try #require(said.first { $0.rule == "needless-custom-stage" })
            #expect(warning.location?.path == stages && warning.location?.line == 2, "\(warning)")
        }
    }

    @Test func `an error that code of a stage throws names the store and the stage`() throws {
        struct OwnError: Error {}
        try withShop { model, folder, path in
            try write(Self.stages, "Stages.yml", in: folder)
            let migrator = try Migrator(
                model,
                to: "V2",
                stages: folder.appending(path: "Stages.yml").path,
                handlers: ["Shout": StageHandlers(willMigrate: { _ in throw OwnError() })]
            )
            let output = folder.appending(path: "New.sqlite").path
            let works: [() throws -> Void] = [
                { try migrator.migrate(Store(path), to: output) },
                { try migrator.migrateInPlace(Store(path), backup: nil) },
                { _ = try migrator.losses(of: Store(path)) },
            ]
            for work in works {
                let fault = try fault(.failed) { try work() }
                #expect(fault.location?.path == path && fault.message.contains("Shout"), "\(fault)")
            }
        }
    }

    @Test func `a page that is damaged is one of the store, not of the result`() throws {
        try withShop { model, folder, path in
            let connection = try SQLiteConnection(path: path, mode: .immutable)
            let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK'"
            let page = try #require(try connection.value(sql)?.integer)
            let size = try #require(try connection.value("PRAGMA page_size")?.integer)
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: UInt64((page - 1) * size))
            try file.write(contentsOf: Data(repeating: 0xEE, count: Int(size)))
            try file.close()
            let output = folder.appending(path: "New.sqlite").path
            let error = #expect(throws: MomtoolError.self) {
                let migrator = try Migrator(model)
                try migrator.migrate(Store(path), to: output, following: [.allowAllLosses])
            }
            let places = error?.diagnostics.compactMap(\.location?.path)
            #expect(
                places?.isEmpty == false && places?.allSatisfy { $0 == path } == true,
                "\(error as Any)"
            )
        }
    }
}
