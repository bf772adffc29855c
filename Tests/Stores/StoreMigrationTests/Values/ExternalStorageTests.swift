import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ExternalStorageTests {
    private static func model(_ isExternal: Bool) -> ManagedObjectModel {
        var model = ExternalFile.photo("data", isExternal)
        model.entities.append(entityOf("Sketch/Photo"))
        return model
    }

    private static let name = ExternalFile.name

    /// A photo in the store, one beside it, none, and a sketch in the store.
    private func withPhotos(_ damage: String..., body: (TestStore) throws -> Void) throws {
        let rows = [
            "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, 1, x'010809'), "
                + "(2, 1, 1, \(ExternalFile.markerSQL)), (3, 1, 1, NULL), (4, 2, 1, x'01')"
        ]
        try withStore(Self.model(true), rows, files: [Self.name: ExternalFile.large]) { store in
            try store.execute(damage)
            try body(store)
        }
    }

    private func values(_ store: StoreFile) throws -> [SQLiteValue] {
        try Self.blobs(store, "ZDATA")
    }

    private static let plain: [SQLiteValue] = [
        .blob(Data([8, 9])), .blob(ExternalFile.large), .null, .blob(Data()),
    ]

    @Test func `values come into the store, and back to their form`() throws {
        try withPhotos { store in
            let off = try store.migration(to: Self.model(false))
            #expect(try off.findings(in: store.file()) == [])
            let new = try store.result(of: off, MigrationOptions())
            #expect(try values(new) == Self.plain)
            #expect(try verify(new, against: Self.model(false)) == [])
            try off.runInPlace(path: store.path)
            #expect(try values(store.file()) == Self.plain)
            let files = externalDataFolder(of: store.path).path
            #expect(!FileManager.default.fileExists(atPath: files))
            try Migration(of: store.file(), from: Self.model(false), to: Self.model(true))
                .runInPlace(path: store.path)
            let formed = Self.plain.map { value -> SQLiteValue in
                if case .blob(let data) = value { .blob(Data([1]) + data) } else { value }
            }
            #expect(try values(store.file()) == formed)
            #expect(try store.findings() == [])
        }
    }

    /// Other ways to the files of the store: a folder in their place that links to them, or a link to it.
    private static let links = [
        ("A/.Store_SUPPORT", true), ("A/.Store_SUPPORT/_EXTERNAL_DATA", true),
        ("A/.Copy_SUPPORT", false), ("B/.Store_SUPPORT", false), ("A/Sub/.Any_SUPPORT", false),
        ("B/Far/Down/.Copy_SUPPORT", false), ("B/.Real_SUPPORT/_EXTERNAL_DATA", false),
    ]

    @Test(arguments: links)
    func `files stay that others reach by a link`(_ link: String, _ isOwn: Bool) throws {
        try withPhotos { made in
            let (manager, folder) = (FileManager.default, made.folder)
            for name in ["A/Sub", "B/Far/Down", "B/.Real_SUPPORT"] {
                try makeFolder(folder.appending(path: name))
            }
            for name in ["Store.sqlite", ".Store_SUPPORT"] {
                try manager.moveItem(atPath: made.place(name), toPath: made.place("A/\(name)"))
            }
            let store = TestStore(folder: folder.appending(path: "A"), model: made.model)
            let files = externalDataFolder(of: store.path)
            let other = UUID().uuidString
            try Data([1]).write(to: files.appending(path: other))
            let way = folder.appending(path: link)
            let below = link.hasSuffix("_DATA") ? "/_EXTERNAL_DATA" : ""
            let target = folder.appending(path: isOwn ? "B/Real" : "A/.Store_SUPPORT\(below)")
            if isOwn { try manager.moveItem(at: way, to: target) }
            try manager.createSymbolicLink(at: way, withDestinationURL: target)
            let found = try store.tidy()
            #expect(found.surplusFiles.isEmpty && found.sharingStores.count == 1)
            try store.migrate(to: Self.model(false))
            #expect(try values(store.file()) == Self.plain)
            #expect(externalFileNames(in: files.path) == [other, Self.name].sorted())
        }
    }

    @Test(arguments: [
        "x'03' || CAST(substr(ZDATA, 2) AS BLOB)", "CAST(substr(ZDATA, 2, 36) AS TEXT)",
        "CAST(substr(ZDATA, 1, 20) AS BLOB)", "x'02'",
        "CAST(replace(CAST(substr(ZDATA, 2, 36) AS TEXT), '-', '+') AS BLOB)",
    ])
    func `the file of a value whose marker is damaged stays`(_ value: String) throws {
        try withPhotos("UPDATE ZPHOTO SET ZDATA = \(value) WHERE Z_PK = 2") { store in
            let found = try store.tidy()
            #expect(found.surplusFiles.isEmpty && found.sharingStores == ["Photo.data"])
            #expect(externalFileNames(in: externalDataFolder(of: store.path).path) == [Self.name])
        }
    }

    @Test(arguments: ["x'03aa'", "x''", "x'0241424300'", "x'02'"])
    func `a damaged value is not taken for data`(_ value: String) throws {
        try withPhotos("UPDATE ZPHOTO SET ZDATA = \(value) WHERE Z_PK IN (3, 4)") { store in
            let before = try store.bytes()
            let off = try store.migration(to: Self.model(false))
            let findings = try off.findings(in: store.file())
            #expect(findings.map { "\($0.name) \($0.amount)" }.sorted() == Self.damaged)
            #expect(throws: StoreMigrationError.rows(findings)) {
                try off.runInPlace(path: store.path, options: .agreed)
            }
            #expect(try store.bytes() == before)
            #expect(externalFileNames(in: externalDataFolder(of: store.path).path) == [Self.name])
        }
    }

    private static let damaged = ["Photo.data 1 value", "Sketch.data 1 value"]

    @Test func `a value whose file is missing is counted before`() throws {
        try withPhotos { store in
            let files = externalDataFolder(of: store.path)
            try FileManager.default.removeItem(at: files.appending(path: Self.name))
            let off = try store.migration(to: Self.model(false))
            let findings = try off.findings(in: store.file())
            #expect(findings.map(\.name) == ["Photo.data"])
            #expect(findings.map(\.count) == [1])
            #expect(throws: StoreMigrationError.rows(findings)) {
                try store.result(of: off, MigrationOptions())
            }
            #expect(try values(store.result(of: off))[1] == .null)
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

    /// The results of a map and of inference, which are sound.
    private func results(
        _ map: String,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        _ rows: [String]
    ) throws -> [[SQLiteValue]] {
        try withStore(old, rows) { store in
            try [CustomStageWork.mapped(map), nil].map { work in
                let name = work == nil ? "Inferred.sqlite" : "Mapped.sqlite"
                let migration = try store.migration(to: new, by: work)
                let result = try store.result(of: migration, MigrationOptions(), name)
                #expect(try verify(result, against: new) == [])
                let columns = new == Self.defaulted ? "ZDATA, ZCOPY, ZPLAIN, ZTHUMB" : "ZDATA"
                return try Self.blobs(result, columns)
            }
        }
    }

    @Test(arguments: ["", ", copyRest: false, set: {title: $source.title}"])
    func `a default value says that it is in the store, on each way`(_ more: String) throws {
        let map = "entities: [{from: Photo, to: Photo\(more)}]"
        let rows = inserts("Photo", "ZTITLE", "'a'")
        let marked = SQLiteValue.blob(Data([1, 2, 7]))
        let expected: [SQLiteValue] = [marked, marked, .blob(Data([2, 7])), marked]
        let results = try results(map, from: Self.photo([]), to: Self.defaulted, rows)
        #expect(results == [expected, expected])
    }

    @Test(arguments: [false, true])
    func `a default in place of none says that it is in the store`(_ wasExternal: Bool) throws {
        let optional = Self.data(isOptional: true, isExternal: wasExternal, hasDefault: false)
        let (old, new) = (Self.photo([optional]), Self.photo([Self.data()]))
        let rows = inserts("Photo", "ZDATA", "NULL", wasExternal ? "x'0108'" : "x'08'")
        let map = "entities: [{from: Photo, to: Photo}]"
        let expected: [SQLiteValue] = [.blob(Data([1, 2, 7])), .blob(Data([1, 8]))]
        #expect(try results(map, from: old, to: new, rows) == [expected, expected])
    }

    @Test func `a value given to a repair says that it is in the store`() throws {
        let rows = ["INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)"]
        try withStore(Self.photo([Self.data()]), rows) { store in
            try store.execute("ALTER TABLE ZPHOTO DROP COLUMN ZDATA")
            let given = RepairOptions(values: ["Photo.data": .binary(Data([2, 7]))])
            let repair = try store.repair(given)
            #expect(repair.obstacles.isEmpty, "\(repair.obstacles)")
            try repair.run(inPlace: store.path, backup: nil)
            #expect(try store.findings() == [])
            #expect(try values(store.file()) == [.blob(Data([1, 2, 7]))])
        }
    }
}

struct ExternalWorkTests {
    private static func model(_ more: String = "") -> ManagedObjectModel {
        var model = modelOf("Photo: note \(more)")
        model.entities[0].attributes.insert(ExternalFile.attribute("data"), at: 0)
        return model
    }

    private static let marker = ExternalFile.marker
    private static let inside = SQLiteValue.blob(Data([1, 8, 9]))

    private func values(
        after work: CustomStageWork,
        _ policies: MigrationPolicies = MigrationPolicies(),
        fileSize: Int = 5
    ) throws -> [SQLiteValue] {
        let rows = inserts("Photo", "ZDATA", ExternalFile.markerSQL, "x'010809'", "NULL")
        let files = [ExternalFile.name: Data("photo".utf8)]
        return try withStore(Self.model(), rows, files: files) { store in
            if fileSize != 5 {
                let file = externalDataFolder(of: store.path).appending(path: ExternalFile.name)
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: UInt64(fileSize))
                try handle.close()
            }
            var options = MigrationOptions()
            options.allowsPrograms = true
            try store.migrate(to: Self.model("more"), by: work, policies, options)
            #expect(try store.findings(Self.model("more")) == [])
            return try store.rows("SELECT ZDATA FROM ZPHOTO ORDER BY Z_PK").map { $0[0] }
        }
    }

    private static func stored(_ bytes: some Sequence<UInt8>) -> SQLiteValue {
        .blob(Data([1] + Array(bytes)))
    }

    private static let photo = stored("photo".utf8)

    @Test(
        arguments: [
            ("UPDATE Photo SET note = CAST(data AS TEXT)", [marker, inside, .null]),
            ("UPDATE Photo SET data = data", [marker, inside, .null]),
            ("UPDATE Photo SET note = (SELECT 'n'), data = x'0102' WHERE data = x'0809'", nil),
            ("UPDATE Photo SET data = x'0102' WHERE objectID = 2", nil),
            (
                "UPDATE Photo SET data = (SELECT data FROM Photo WHERE objectID = 1) WHERE objectID = 3",
                [marker, inside, photo]
            ),
            (
                "UPDATE Photo SET data = NULL WHERE data = 'photo' OR length(data) = 5",
                [.null, inside, .null]
            ),
            (
                "INSERT INTO Photo (data) VALUES (x'02AA')",
                [marker, inside, .null, stored([2, 0xAA])]
            ),
            (
                "INSERT INTO Photo (data) SELECT data FROM Photo WHERE objectID < 3",
                [marker, inside, .null, photo, inside]
            ),
            ("DELETE FROM Photo WHERE Photo.objectID = 2", [marker, .null]),
            ("DELETE FROM Photo WHERE data IS NULL", [marker, inside]),
        ] as [(String, [SQLiteValue]?)]
    )
    func `a script reads and writes data`(_ script: String, _ expected: [SQLiteValue]?) throws {
        let written = [Self.marker, Self.stored([1, 2]), .null]
        #expect(try values(after: .before(script)) == expected ?? written, "\(script)")
    }

    /// The file is larger than a script may handle, so that reading it would fail.
    @Test(arguments: [
        "UPDATE Photo SET note = (SELECT count(*) FROM Photo)",
        "UPDATE Photo SET note = (SELECT p.objectID FROM Photo AS p WHERE p.objectID = objectID)",
        "UPDATE \"Photo\" SET note = (SELECT 'n' WHERE Photo.objectID = 1) WHERE Photo.note IS NULL",
        "DELETE FROM Photo WHERE Photo.objectID = 3; INSERT INTO Photo (note) VALUES ('n')",
        "UPDATE Photo SET note = 'n'",
    ])
    func `a script that names no data reads no file`(_ script: String) throws {
        let values = try values(after: .before(script), fileSize: 129 << 20)
        #expect(values == [Self.marker, Self.inside, .null], "\(script)")
    }

    @Test func `a handler reads data and writes data`() throws {
        let read = Locked<[SQLiteValue]>([])
        let values = try values(
            after: .before { context in
                try context.fetch("Photo") { photo in
                    let data = try photo.value("data")
                    read.withLock { $0.append(data) }
                    try context.update("Photo", photo.id, ["data": data])
                }
                try context.update("Photo", 3, ["note": .text("n"), "data": .blob(Data([7]))])
                try context.insert("Photo", ["data": .blob(Data())])
                let found = try context.findOrCreate("Photo", ["data": .blob(Data([8, 9]))])
                try context.update("Photo", found, ["note": .text("found")])
            }
        )
        #expect(read.withLock(\.self) == [.blob(Data("photo".utf8)), .blob(Data([8, 9])), .null])
        #expect(values == [Self.marker, Self.inside, Self.stored([7]), Self.stored([])])
    }

    @Test func `a program is given data, and what it writes is stored as data`() throws {
        try withFolder { folder in
            let seen = folder.appending(path: "seen").path
            let lines = [
                #"{"@id": "Photo/p1", "data": "cGhvdG8=", "note": "n"}"#,
                #"{"@id": "Photo/p2", "data": "AWhlbGxv"}"#,
                #"{"@insert": "Photo", "data": "/9j/4A=="}"#,
            ]
            let script = "cat > '\(seen)'; printf '%s\\n' '\(lines.joined(separator: "' '"))'"
            let values = try values(after: CustomStageWork(willMigrate: .shell(script, "Photo")))
            let read = try String(contentsOfFile: seen, encoding: .utf8)
            #expect(read.contains("cGhvdG8=") && read.contains("CAk="), "\(read)")
            #expect(
                values == [
                    Self.marker, Self.stored([1] + Array("hello".utf8)), .null,
                    Self.stored([0xFF, 0xD8, 0xFF, 0xE0]),
                ]
            )
        }
    }

    private struct Shifting: EntityMigrationPolicy {
        func createDestinationInstances(
            forSource source: StoreObject,
            in mapping: StageMap.EntityMap,
            manager: MigrationManager
        ) throws {
            let key = try manager.createDestinationInstance(forSource: source.id, in: mapping)
            guard source.id == 1, let key else { return }
            let context = manager.destinationContext
            let old = try source.value("data")
            #expect(try context.objects("Photo").first?.value("data") == old)
            let data: SQLiteValue = .blob((old.blob ?? Data()) + Data([33]))
            try context.update("Photo", key, ["data": data])
        }
    }

    @Test func `a policy reads data and writes data`() throws {
        let work = CustomStageWork.mapped(
            "entities: [{from: Photo, to: Photo}]",
            policy: "App.Shifting"
        )
        let policies = MigrationPolicies(["App.Shifting": Shifting()])
        let values = try values(after: work, policies)
        #expect(values == [Self.stored("photo!".utf8), Self.inside, .null])
    }
}
