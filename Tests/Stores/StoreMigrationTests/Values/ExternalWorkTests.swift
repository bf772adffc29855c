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
    func `a script reads data and writes data`(
        _ script: String,
        _ expected: [SQLiteValue]?
    ) throws {
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
            let program = StageProgram(
                arguments: [
                    "/bin/sh", "-c",
                    "cat > '\(seen)'; printf '%s\\n' '\(lines.joined(separator: "' '"))'",
                ],
                entities: ["Photo"],
                location: FileLocation(path: "Stages.yml")
            )
            let values = try values(after: CustomStageWork(willMigrate: .program(program)))
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
