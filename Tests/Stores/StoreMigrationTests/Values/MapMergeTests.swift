import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ObjectModel
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MapMergeTests {
    private static let old = ManagedObjectModel([
        Entity(
            "Raw",
            [Attribute("code", .string), Attribute("note", .string), Attribute("size", .integer64)]
        )
    ])

    private static let new = ManagedObjectModel([
        Entity(
            "Kind",
            [
                Attribute("code", .string), Attribute("note", .string),
                Attribute("size", .integer64),
            ],
            relationships: [StageModels.link("raws", "Raw", "kind", isToMany: true)]
        ),
        Entity(
            "Raw",
            [
                Attribute("code", .string), Attribute("note", .string),
                Attribute("size", .integer64),
            ],
            relationships: [StageModels.link("kind", "Kind", "raws")]
        ),
    ])

    /// Three objects of one code, of which the second has other values, and one without a code.
    private func makeStore(at path: String) throws {
        try createStore(at: path, model: Self.old) { connection, _ throws(StoreError) in
            try connection.execute(
                "INSERT INTO ZRAW (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNOTE, ZSIZE) VALUES "
                    + "(1, 1, 1, 'a', 'x', 1), (2, 1, 1, 'a', 'y', 2), (3, 1, 1, 'a', 'x', NULL), "
                    + "(4, 1, 1, 'b', NULL, NULL), (5, 1, 1, NULL, 'z', 3)"
            )
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5")
        }
    }

    private func losses(_ map: String, in folder: URL) throws -> [String: Int] {
        let path = folder.appending(path: "Old.sqlite").path
        try makeStore(at: path)
        let store = try StoreFile(path: path)
        let map = readStageMap(map, path: "map.yml")
        #expect(map.diagnostics == [])
        let migration = try StageModels.migration(
            of: store,
            from: Self.old,
            to: Self.new,
            by: map.value
        )
        let findings = try migration.findings(in: store)
        let result = folder.appending(path: "New.sqlite").path
        let options = MigrationOptions(acceptsLosses: .named(Set(findings.map(\.name))))
        #expect(try migration.run(from: store, toNewFile: result, options: options) == findings)
        #expect(try verify(StoreFile(path: result), against: Self.new) == [])
        return Dictionary(
            findings.map { ("\($0.name) \($0.amount)", $0.count) },
            uniquingKeysWith: +
        )
    }

    @Test func `objects that become one are counted, with the values that differ`() throws {
        try withFolder { folder in
            let losses = try losses(
                """
                copyRest: false
                entities:
                  - from: Raw
                    to: Kind
                    findOrCreate: code
                    set: {code: $source.code, note: $source.note, size: $source.size}
                """,
                in: folder
            )
            #expect(
                losses == [
                    "Raw 2 rows": 2, "Kind.note 1 value": 1, "Kind.size 1 value": 1,
                    "Raw 1 row": 1,
                ]
            )
        }
    }

    @Test func `objects that go on by another mapping lose only what differs`() throws {
        try withFolder { (folder) throws in
            let map = """
                entities:
                  - from: Raw
                    to: Kind
                    findOrCreate: code
                    copyRest: false
                    set: {code: $source.code, note: $source.note}
                  - {from: Raw, to: Raw}
                """
            #expect(try losses(map, in: folder) == ["Kind.note 1 value": 1])
        }
    }

    @Test func `a link to one of several objects with the same key is counted`() throws {
        try withFolder { folder in
            let map = """
                entities:
                  - {from: Raw, to: Kind, copyRest: false, set: {code: $source.code}}
                  - from: Raw
                    to: Raw
                    set: {kind: {find: {entity: Kind, key: code, equals: $source.code}}}
                """
            let losses = try losses(map, in: folder)
            #expect(losses == ["Raw.kind 3 values": 3])
        }
    }

    @Test func `objects that are found or created are one for each key`() throws {
        try withFolder { folder in
            let map = """
                entities:
                  - from: Raw
                    to: Kind
                    findOrCreate: code
                    copyRest: false
                    set: {code: $source.code}
                  - from: Raw
                    to: Raw
                    set: {kind: {find: {entity: Kind, key: code, equals: $source.code}}}
                """
            let losses = try losses(map, in: folder)
            #expect(losses == [:])
        }
    }

    private static let authors = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1)",
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR) VALUES (4, 2, 1, 1), (5, 2, 1, 2), (6, 2, 1, 1), (7, 2, 1, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9",
    ]

    @Test(arguments: [("first", "min"), ("last", "max")])
    func `a to-one relationship takes the first or the last of several objects`(
        _ function: String,
        _ aggregate: String
    ) throws {
        func model(_ name: String, isToMany: Bool) -> ManagedObjectModel {
            ManagedObjectModel([
                Entity(
                    "Author",
                    relationships: [StageModels.link(name, "Book", "author", isToMany: isToMany)]
                ),
                Entity("Book", relationships: [StageModels.link("author", "Author", name)]),
            ])
        }
        let (old, new) = (model("books", isToMany: true), model("one", isToMany: false))
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try createStore(at: path, model: old) { connection, _ throws(StoreError) in
                for statement in Self.authors { try connection.execute(statement) }
            }
            let store = try StoreFile(path: path)
            let text =
                "entities: [{from: Author, to: Author, set: {one: {\(function): $source.books}}}]"
            let map = readStageMap(text, path: "map.yml")
            #expect(map.diagnostics == [])
            let migration = try StageModels.migration(of: store, from: old, to: new, by: map.value)
            #expect(try migration.findings(in: store).map(\.amount) == ["2 links"])
            let result = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: result, options: .agreed)
            let expected = "SELECT ZAUTHOR, \(aggregate)(Z_PK) FROM ZBOOK GROUP BY 1 ORDER BY 1"
            let found = "SELECT Z_PK, ZONE FROM ZAUTHOR WHERE ZONE NOT NULL ORDER BY 1"
            let migrated = try StoreFile(path: result)
            #expect(try migrated.connection.rows(found) == store.connection.rows(expected))
            #expect(try verify(migrated, against: new) == [])
        }
    }

    @Test(arguments: [(true, false), (false, true), (true, true)])
    func `a value that lives in a file keeps its data, whichever way it goes`(
        _ isBefore: Bool,
        _ isAfter: Bool
    ) throws {
        func model(_ name: String, _ isExternal: Bool) -> ManagedObjectModel {
            let data = Attribute(
                name: name,
                type: .binary,
                allowsExternalBinaryDataStorage: isExternal
            )
            return ManagedObjectModel([Entity("Photo", [data])])
        }
        let (old, new) = (model("data", isBefore), model("bytes", isAfter))
        let large = Data(repeating: 7, count: 140_000)
        for expression in ["$source.data", "{coalesce: [$source.data, $source.data]}"] {
            try withFolder { folder in
                let path = folder.appending(path: "Old.sqlite").path
                try makePhotos(at: path, old, large, areExternal: isBefore)
                let map = readStageMap(
                    "entities: [{from: Photo, to: Photo, set: {bytes: \(expression)}}]",
                    path: "map.yml"
                )
                #expect(map.diagnostics == [])
                let store = try StoreFile(path: path)
                let migration = try StageModels.migration(
                    of: store,
                    from: old,
                    to: new,
                    by: map.value
                )
                #expect(try migration.findings(in: store) == [])
                let result = folder.appending(path: "New.sqlite").path
                try migration.run(from: store, toNewFile: result)
                let migrated = try StoreFile(path: result)
                #expect(try verify(migrated, against: new) == [])
                let values = try migrated.connection.rows("SELECT ZBYTES FROM ZPHOTO ORDER BY 1")
                    .compactMap { $0[0].blob }
                    .map { try data($0, isAfter, externalDataFolder(of: result)) }
                #expect(Set(values) == [Data([8, 9]), large])
            }
        }
    }

    /// Makes two photos, one of two bytes in its row and a large one, which may be external.
    private func makePhotos(
        at path: String,
        _ model: ManagedObjectModel,
        _ large: Data,
        areExternal: Bool
    ) throws {
        let name = UUID().uuidString
        try createStore(at: path, model: model) { connection, _ throws(StoreError) in
            let values: [Data] =
                areExternal
                ? [Data([1, 8, 9]), Data([2]) + Data(name.utf8) + Data([0])]
                : [Data([8, 9]), large]
            for (key, value) in zip(1..., values) {
                try connection.execute(
                    "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (?, 1, 1, ?)",
                    [.integer(Int64(key)), .blob(value)]
                )
            }
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2")
        }
        guard areExternal else { return }
        let files = externalDataFolder(of: path)
        try makeFolder(files)
        try large.write(to: files.appending(path: name))
    }

    private func data(_ stored: Data, _ isExternal: Bool, _ folder: URL) throws -> Data {
        guard isExternal else { return stored }
        if let name = externalFileName(stored) {
            return try Data(contentsOf: folder.appending(path: name))
        }
        #expect(stored.first == 1)
        return Data(stored.dropFirst())
    }
}
