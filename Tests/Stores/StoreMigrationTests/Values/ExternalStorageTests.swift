import Foundation
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Values that may live in files beside the store, when that changes.
struct ExternalStorageTests {
    private static func version(_ isExternal: Bool) -> ModelVersion {
        let data = Attribute(
            name: "data",
            type: .binary,
            allowsExternalBinaryDataStorage: isExternal
        )
        return ModelVersion(
            model: ManagedObjectModel(entities: [
                Entity(name: "Photo", attributes: [data]),
                Entity(name: "Sketch", parentEntity: "Photo"),
            ])
        )
    }

    private static let name = "0E6C2F4A-6A0B-4C3B-9E57-3D1F2B4C5D6E"
    private static let large = Data(repeating: 7, count: 140_000)

    /// A photo in the store, one beside it, none, and a sketch in the store.
    private func makeStore(at path: String) throws {
        try createStore(at: path, model: Self.version(true).model) {
            connection,
            _ throws(StoreError) in
            let marker = Data([2]) + Data(Self.name.utf8) + Data([0])
            for (key, entity, value) in [
                (1, 1, SQLiteValue.blob(Data([1, 8, 9]))), (2, 1, .blob(marker)), (3, 1, .null),
                (4, 2, .blob(Data([1]))),
            ] {
                try connection.execute(
                    "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (?, ?, 1, ?)",
                    [.integer(Int64(key)), .integer(Int64(entity)), value]
                )
            }
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_ENT = 1")
        }
        let folder = externalDataFolder(of: path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.large.write(to: folder.appending(path: Self.name))
    }

    private func values(_ path: String) throws -> [SQLiteValue] {
        try StoreFile(path: path).connection.rows("SELECT ZDATA FROM ZPHOTO ORDER BY Z_PK")
            .map { $0[0] }
    }

    private static let plain: [SQLiteValue] = [
        .blob(Data([8, 9])), .blob(large), .null, .blob(Data()),
    ]

    @Test func `values come into the store, and back to the form that says where they are`() throws
    {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path)
            let store = try StoreFile(path: path)
            let off = try Migration(
                of: store,
                from: Self.version(true),
                to: Self.version(false)
            )
            #expect(try off.findings(in: store) == [])
            let new = folder.appending(path: "New.sqlite").path
            try off.run(from: store, toNewFile: new)
            #expect(try values(new) == Self.plain)
            #expect(try verify(StoreFile(path: new), against: Self.version(false).model) == [])
            try off.runInPlace(path: path)
            #expect(try values(path) == Self.plain)
            #expect(!FileManager.default.fileExists(atPath: externalDataFolder(of: path).path))
            let again = try StoreFile(path: path)
            try Migration(of: again, from: Self.version(false), to: Self.version(true))
                .runInPlace(path: path)
            let formed = Self.plain.map { value -> SQLiteValue in
                if case .blob(let data) = value { .blob(Data([1]) + data) } else { value }
            }
            #expect(try values(path) == formed)
            #expect(try verify(StoreFile(path: path), against: Self.version(true).model) == [])
        }
    }

    @Test func `a value whose file is missing is counted before`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path)
            try FileManager.default.removeItem(
                at: externalDataFolder(of: path).appending(path: Self.name)
            )
            let store = try StoreFile(path: path)
            let off = try Migration(
                of: store,
                from: Self.version(true),
                to: Self.version(false)
            )
            let findings = try off.findings(in: store)
            #expect(findings.map(\.name) == ["Photo.data"])
            #expect(findings.map(\.count) == [1])
            let new = folder.appending(path: "New.sqlite").path
            #expect(throws: StoreMigrationError.rows(findings)) {
                try off.run(from: store, toNewFile: new)
            }
            try off.run(from: store, toNewFile: new, options: .agreed)
            #expect(try values(new)[1] == .null)
        }
    }
}
