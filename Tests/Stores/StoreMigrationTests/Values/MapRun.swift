import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MapRun {
    let folder: URL
    let store: StoreFile
    let new: ManagedObjectModel
    let migration: Migration

    /// Such as `Book.notes 3 values`.
    func losses() throws -> [String] {
        try migration.findings(in: store).map { "\($0.name) \($0.amount)" }
    }

    func result() throws -> StoreFile {
        let path = folder.appending(path: "New.sqlite").path
        try migration.run(from: store, toNewFile: path, options: .agreed)
        let result = try StoreFile(path: path)
        #expect(try verify(result, against: new).map(\.description) == [])
        return result
    }

    static func with(
        _ map: String,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        rows: [String],
        files: [String: Data] = [:],
        keepsHistory: Bool = false,
        _ body: (MapRun) throws -> Void
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            let options = StoreCreationOptions(keepsHistory: keepsHistory)
            try createStore(at: path, model: old, options: options) {
                connection,
                _ throws(StoreError) in
                for statement in rows { try connection.execute(statement) }
            }
            if !files.isEmpty {
                let values = externalDataFolder(of: path)
                try makeFolder(values)
                for (name, data) in files { try data.write(to: values.appending(path: name)) }
            }
            try of(path, map, from: old, to: new, in: folder, body)
        }
    }

    static func of(
        _ path: String,
        _ map: String,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        in folder: URL,
        _ body: (MapRun) throws -> Void
    ) throws {
        let map = readStageMap(map, path: "map.yml")
        #expect(map.diagnostics == [])
        let store = try StoreFile(path: path)
        let migration = try StageModels.migration(of: store, from: old, to: new, by: map.value)
        try body(MapRun(folder: folder, store: store, new: new, migration: migration))
    }
}

extension StoreFile {
    func texts(_ query: String) throws -> [String] {
        try connection.rows(query).map { row in
            row.map { $0.text ?? $0.integer.map(String.init) ?? "-" }.joined(separator: "|")
        }
    }
}
