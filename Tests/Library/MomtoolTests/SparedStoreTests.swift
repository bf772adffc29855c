import Foundation
import Momtool
import SQLiteAccess
import TestSupport
import Testing

struct SparedStoreTests {
    struct Road: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var write: @Sendable (_ path: String, _ store: Store, _ model: Model) throws -> Void

        init(_ name: String, _ write: @escaping @Sendable (String, Store, Model) throws -> Void) {
            (testDescription, self.write) = (name, write)
        }
    }

    static let roads = [
        Road("rows") { path, store, _ in try Rows(of: store).write(to: path) },
        Road("lock") { path, _, model in try Lock(of: model, at: path).update() },
        Road("compiler") { path, _, model in try Compiler().compile(model, to: path) },
        Road("create") { path, _, model in try Store.create(path, of: model) },
        Road("migration") { path, store, model in
            try Migrator(model).migrate(store, to: path)
        },
        Road("backup of a migration") { path, store, model in
            try Migrator(model).migrateInPlace(store, backup: path)
        },
        Road("repair") { path, store, model in
            _ = try Doctor(model).repair(store.path, to: path)
        },
        Road("backup of a repair") { path, store, model in
            _ = try Doctor(model).repairInPlace(store.path, backup: path)
        },
    ]

    /// A store with a wrong counter for repair, and its model.
    private func withStore(_ body: (URL, Store, Model) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let versions = ["V1": textModel("Book", ["a"]), "V2": textModel("Book", ["a", "b"])]
            try writeBundle(versions, current: "V2", at: bundle)
            let rows = folder.appending(path: "Rows.json")
            try Data(#"{"Book": [{"@id": "p1", "a": "x"}]}"#.utf8).write(to: rows)
            let (model, path) = (try Model(bundle.path), folder.appending(path: "S.sqlite").path)
            let store = try Store.create(path, of: model, version: "V1", rows: .file(rows.path))
            try SQLiteConnection(path: path, mode: .readWrite)
                .execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
            let values = folder.appending(path: ".S_SUPPORT/_EXTERNAL_DATA")
            try makeFolder(values)
            try write("value", "A", in: values)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "link"),
                withDestinationURL: URL(fileURLWithPath: path)
            )
            try body(folder, store, model)
        }
    }

    private func contents(of folder: URL) throws -> [String: Data?] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: paths.map {
                ($0, try? Data(contentsOf: folder.appending(path: $0)))
            }
        )
    }

    private static let places = [
        "S.sqlite", "link", "./S.sqlite", "S.sqlite-wal", "S.sqlite-shm", "S.sqlite-journal",
        "link-wal",
    ]
    private static let valuePlaces = [
        ".S_SUPPORT", ".S_SUPPORT/new", ".S_SUPPORT/_EXTERNAL_DATA/A",
        ".S_SUPPORT/_EXTERNAL_DATA/new",
    ]

    @Test(arguments: roads)
    func `a store is spared with all that belongs to it`(road: Road) throws {
        try withStore { folder, store, model in
            let before = try contents(of: folder)
            // What reads the store spares its external files, too.
            let readsStore = !["lock", "compiler", "create"].contains(road.testDescription)
            for place in Self.places + (readsStore ? Self.valuePlaces : []) {
                let error = #expect(throws: MomtoolError.self, "\(place)") {
                    try road.write("\(folder.path)/\(place)", store, model)
                }
                let kind = error?.kind
                #expect([.usage, .cannotCreate, .badData].contains(kind), "\(place): \(error)")
                let after = try contents(of: folder)
                #expect(after == before, "\(place): \(after.keys)")
            }
        }
    }

    @Test(arguments: roads)
    func `a path with a NUL is refused`(road: Road) throws {
        try withStore { folder, store, model in
            let before = try contents(of: folder)
            for place in ["S.sqlite\0x", "New\0x.sqlite", "New\0", "\0New"] {
                let error = #expect(throws: MomtoolError.self, "\(place)") {
                    try road.write("\(folder.path)/\(place)", store, model)
                }
                #expect(error?.description.contains("NUL character") == true, "\(error)")
                #expect(try contents(of: folder) == before, "\(place)")
            }
        }
    }

    @Test func `what is no regular file is not replaced`() throws {
        try withStore { folder, store, model in
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            for road in Self.roads {
                #expect(throws: MomtoolError.self, "\(road)") { try road.write(pipe, store, model) }
                let attributes = try FileManager.default.attributesOfItem(atPath: pipe)
                #expect(attributes[.type] as? FileAttributeType != .typeRegular, "\(road)")
            }
        }
    }

    @Test func `an empty path is called that`() throws {
        try withStore { folder, store, model in
            for road in Self.roads {
                let error = #expect(throws: MomtoolError.self, "\(road)") {
                    try road.write("", store, model)
                }
                #expect(error?.diagnostics.first?.location?.path != nil, "\(error)")
            }
            let error = #expect(throws: MomtoolError.self) { try Store("") }
            #expect(error?.diagnostics.first?.location?.path != nil, "\(error)")
        }
    }

    @Test func `stages that are none are bad data, whatever they are`() throws {
        try withStore { folder, store, model in
            let file = folder.appending(path: "Stages.yml")
            for bytes in [Data(), Data("text".utf8), Data([0, 159, 146, 150])] {
                try bytes.write(to: file)
                let error = #expect(throws: MomtoolError.self) {
                    try Migrator(model, stages: file.path)
                }
                #expect(error?.kind == .badData, "\(error)")
            }
        }
    }

    @Test func `the version that lacks an entity is named`() throws {
        try withStore { folder, store, model in
            let error = #expect(throws: MomtoolError.self) {
                try Rows(of: store, model: model, entities: ["Bok"]).all()
            }
            for name in ["'Bok'", "'V1'", model.path] {
                #expect(error?.description.contains(name) == true, "\(error)")
            }
            #expect(error?.kind == .usage)
            let own = #expect(throws: MomtoolError.self) {
                try Rows(of: store, entities: ["Bok"]).json()
            }
            #expect(own?.description.contains("'Bok'") == true, "\(own)")
        }
    }
}
