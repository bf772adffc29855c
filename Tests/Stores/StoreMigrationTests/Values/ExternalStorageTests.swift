import Foundation
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ExternalStorageTests {
    private static func version(_ isExternal: Bool) -> ModelVersion {
        let data = Attribute(
            name: "data",
            type: .binary,
            allowsExternalBinaryDataStorage: isExternal
        )
        return ModelVersion(
            model: ManagedObjectModel([
                Entity("Photo", [data]), Entity("Sketch", parentEntity: "Photo"),
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
        try makeFolder(folder)
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
            let off = try Migration(of: store, from: Self.version(true), to: Self.version(false))
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

    /// Other ways to the files of `A/Old.sqlite`: a folder in its place that links to it, or a link to it.
    private static let links = [
        ("A/.Old_SUPPORT", true), ("A/.Old_SUPPORT/_EXTERNAL_DATA", true),
        ("A/.Copy_SUPPORT", false), ("B/.Old_SUPPORT", false), ("A/Sub/.Any_SUPPORT", false),
    ]

    @Test(arguments: links)
    func `files stay that others reach by a link`(_ link: String, _ isOwn: Bool) throws {
        try withFolder { folder in
            let files = FileManager.default
            for name in ["A/Sub", "B"] {
                try files.createDirectory(
                    at: folder.appending(path: name),
                    withIntermediateDirectories: true
                )
            }
            let path = folder.appending(path: "A/Old.sqlite").path
            try makeStore(at: path)
            let other = UUID().uuidString
            try Data([1]).write(to: externalDataFolder(of: path).appending(path: other))
            let way = folder.appending(path: link)
            let target = folder.appending(path: isOwn ? "B/Real" : "A/.Old_SUPPORT")
            if isOwn { try files.moveItem(at: way, to: target) }
            try files.createSymbolicLink(at: way, withDestinationURL: target)
            let model = Self.version(true).model
            let found = try StoreUpkeep.run(
                at: path,
                against: model,
                removingFiles: true,
                compacting: false
            )
            #expect(found.surplusFiles.isEmpty && found.sharingStores.count == 1)
            try Migration(
                of: StoreFile(path: path),
                from: Self.version(true),
                to: Self.version(false)
            ).runInPlace(path: path)
            #expect(try values(path) == Self.plain)
            let left = externalFileNames(in: externalDataFolder(of: path).path)
            #expect(left == [other, Self.name].sorted())
        }
    }

    @Test(arguments: [
        "x'03' || CAST(substr(ZDATA, 2) AS BLOB)", "CAST(substr(ZDATA, 2, 36) AS TEXT)",
        "CAST(substr(ZDATA, 1, 20) AS BLOB)", "x'02'",
        "CAST(replace(CAST(substr(ZDATA, 2, 36) AS TEXT), '-', '+') AS BLOB)",
    ])
    func `the file of a value whose marker is damaged stays`(_ value: String) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path)
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("UPDATE ZPHOTO SET ZDATA = \(value) WHERE Z_PK = 2")
            }
            let found = try StoreUpkeep.run(
                at: path,
                against: Self.version(true).model,
                removingFiles: true,
                compacting: false
            )
            #expect(found.surplusFiles.isEmpty && found.sharingStores == ["Photo.data"])
            #expect(externalFileNames(in: externalDataFolder(of: path).path) == [Self.name])
        }
    }

    @Test func `a file that a damaged value means too stays when the other is taken in`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path)
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute(
                    "UPDATE ZPHOTO SET ZDATA = (SELECT x'03' || CAST(substr(ZDATA, 2) AS BLOB) FROM ZPHOTO "
                        + "WHERE Z_PK = 2) WHERE Z_PK = 3"
                )
            }
            try Migration(
                of: StoreFile(path: path),
                from: Self.version(true),
                to: Self.version(false)
            ).runInPlace(path: path)
            #expect(try values(path)[1] == .blob(Self.large))
            #expect(externalFileNames(in: externalDataFolder(of: path).path) == [Self.name])
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
            let off = try Migration(of: store, from: Self.version(true), to: Self.version(false))
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

    /// A photo with a title, and data with a default value, plain and in an element of a composite.
    private static func photo(_ data: [Attribute]) -> ManagedObjectModel {
        let title = Attribute("title", .string)
        return ManagedObjectModel(
            [Entity("Photo", [title] + data)],
            composites: [CompositeType("Frame", [Self.data("thumb", isOptional: true)])]
        )
    }

    private static func data(
        _ name: String = "data",
        isOptional: Bool = false,
        isExternal: Bool = true,
        hasDefault: Bool = true
    ) -> Attribute {
        Attribute(
            name: name,
            type: .binary,
            isOptional: isOptional,
            defaultValue: hasDefault ? .binary(Data([2, 7])) : nil,
            allowsExternalBinaryDataStorage: isExternal
        )
    }

    private static let defaulted = photo([
        data(), data("copy", isOptional: true), data("plain", isExternal: false),
        Attribute("frame", .composite, compositeName: "Frame"),
    ])

    private static func blobs(_ store: StoreFile, _ columns: String) throws -> [SQLiteValue] {
        try store.connection.rows("SELECT \(columns) FROM ZPHOTO ORDER BY Z_PK").flatMap(\.self)
    }

    @Test(arguments: [
        "entities: [{from: Photo, to: Photo}]",
        "entities: [{from: Photo, to: Photo, copyRest: false, set: {title: $source.title}}]",
    ])
    func `a default value says that it is in the store, by inference and by a map`(
        _ map: String
    ) throws {
        let rows = [
            "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
        ]
        try MapRun.with(map, from: Self.photo([]), to: Self.defaulted, rows: rows) { run in
            let inferred = try Migration(of: run.store, from: Self.photo([]), to: Self.defaulted)
            let path = run.folder.appending(path: "Inferred.sqlite").path
            try inferred.run(from: run.store, toNewFile: path)
            let results = try [run.result(), StoreFile(path: path)]
            for result in results {
                #expect(try verify(result, against: Self.defaulted) == [])
                let marked = SQLiteValue.blob(Data([1, 2, 7]))
                let expected: [SQLiteValue] = [marked, marked, .blob(Data([2, 7])), marked]
                #expect(try Self.blobs(result, "ZDATA, ZCOPY, ZPLAIN, ZTHUMB") == expected)
            }
        }
    }

    @Test(arguments: [false, true])
    func `a default value in place of none says that it is in the store`(
        _ wasExternal: Bool
    ) throws {
        let optional = Self.data(isOptional: true, isExternal: wasExternal, hasDefault: false)
        let (old, new) = (Self.photo([optional]), Self.photo([Self.data()]))
        let value = wasExternal ? "x'0108'" : "x'08'"
        let rows = [
            "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, NULL), (2, 1, 1, \(value))",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 2",
        ]
        try MapRun.with("entities: [{from: Photo, to: Photo}]", from: old, to: new, rows: rows) {
            run in
            let inferred = try Migration(of: run.store, from: old, to: new)
            let path = run.folder.appending(path: "Inferred.sqlite").path
            try inferred.run(from: run.store, toNewFile: path)
            for result in try [run.result(), StoreFile(path: path)] {
                let expected: [SQLiteValue] = [.blob(Data([1, 2, 7])), .blob(Data([1, 8]))]
                #expect(try Self.blobs(result, "ZDATA") == expected)
            }
        }
    }

    @Test func `a value that repair is given for a lost column says that it is in the store`()
        throws
    {
        let model = Self.photo([Self.data()])
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: model) { connection, _ throws(StoreError) in
                try connection.execute("INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
                try connection.execute("ALTER TABLE ZPHOTO DROP COLUMN ZDATA")
            }
            let given = RepairOptions(values: ["Photo.data": .binary(Data([2, 7]))])
            let store = try StoreFile(path: path)
            let repair = try StoreRepair(of: store, against: model, options: given)
            #expect(repair.obstacles.isEmpty, "\(repair.obstacles)")
            try repair.run(inPlace: path, backup: nil)
            let result = try StoreFile(path: path)
            #expect(try verify(result, against: model) == [])
            #expect(try Self.blobs(result, "ZDATA") == [.blob(Data([1, 2, 7]))])
        }
    }
}
