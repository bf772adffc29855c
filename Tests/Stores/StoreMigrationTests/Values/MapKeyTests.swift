import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MapKeyTests {
    private static func model(_ names: [String], _ more: [String] = []) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: names.map { name in Entity(name, (["name"] + more).map(StageModels.text)) }
        )
    }

    /// Two albums and a third that was deleted, two boxes, and their entries in history and mirroring.
    private static let rows = [
        "INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')",
        "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'x'), (2, 2, 1, 'y')",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Album' THEN 3 ELSE 7 END",
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000)",
        "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZTRANSACTIONID, ZENTITY, ZENTITYPK) VALUES "
            + "(1, 16001, 1, 1, 1), (2, 16001, 1, 1, 2), (3, 16001, 1, 1, 3), (4, 16001, 1, 2, 2)",
        "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER)",
        "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1)",
    ]

    private static let old = model(["Album", "Box"])

    private static let orders = ["Album, Box", "Box, Album"].map { order in
        order.split(separator: ", ").map { "  - {from: \($0), to: Box}\n" }.joined()
    }

    @Test(arguments: orders)
    func `objects keep the keys of their entity, in whatever order they are mapped`(
        _ mappings: String
    ) throws {
        let map = "entities:\n\(mappings)"
        let new = Self.model(["Album", "Box"], ["more"])
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            #expect(try run.losses() == [])
            let result = try run.result()
            let boxes = try result.texts("SELECT Z_PK, ZNAME FROM ZBOX ORDER BY 1")
            #expect(boxes == ["1|x", "2|y", "8|a", "9|b"])
            let keys = try result.texts(
                "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1"
            )
            #expect(keys == ["Album|3", "Box|9"])
            let changes = try result.texts("SELECT ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY Z_PK")
            #expect(changes == ["1|1", "1|2", "1|3", "2|2"])
        }
    }

    @Test func `an entity that is renamed goes on with its keys, though its name is taken`() throws
    {
        var new = Self.model(["Album", "Box"], ["more"])
        new.entities[0].renamingIdentifier = "Box"
        let map = "entities: [{from: Album, to: Album}, {from: Box, to: Album}]"
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            let albums = try run.result().texts("SELECT Z_PK, ZNAME FROM ZALBUM ORDER BY 1")
            #expect(albums == ["1|x", "2|y", "8|a", "9|b"])
        }
    }

    @Test func `objects of another entity do not take the keys of one that goes`() throws {
        let map = "entities: [{delete: Box}, {from: Album, to: Box}]"
        let new = Self.model(["Album", "Box"], ["more"])
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            #expect(try run.losses() == ["Box 2 rows", "Box 1 record", "Box 1 record"])
            let boxes = try run.result().texts("SELECT Z_PK, ZNAME FROM ZBOX ORDER BY 1")
            #expect(boxes == ["8|a", "9|b"])
        }
    }

    @Test func `a second object does not take the key of one that was deleted`() throws {
        let map = """
            entities:
              - {from: Album, to: Album}
              - {from: Album, to: Album, where: name = 'b'}
            """
        let new = Self.model(["Album", "Box"], ["more"])
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            #expect(try run.losses() == [])
            let result = try run.result()
            #expect(
                try result.texts("SELECT Z_PK, ZNAME FROM ZALBUM ORDER BY 1")
                    == ["1|a", "2|b", "4|b"]
            )
            #expect(
                try result.texts("SELECT ZENTITYPK FROM ACHANGE WHERE ZENTITY = 1 ORDER BY 1")
                    == ["1", "2", "3"]
            )
        }
    }

    /// The second entity comes before the first one, whose number then changes, or after it.
    @Test(arguments: ["Aardvark", "Zone"])
    func `records of objects that move are counted, and go`(_ name: String) throws {
        let map = """
            entities:
              - {from: Album, to: \(name), where: name = 'b'}
              - {from: Album, to: Album, where: name != 'b'}
            """
        let new = Self.model(["Album", "Box", name])
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            #expect(try run.losses() == ["Album 1 record", "Album 1 record"])
            let result = try run.result()
            let (album, box) = name == "Aardvark" ? (2, 3) : (1, 2)
            #expect(try result.texts("SELECT ZNAME FROM Z\(name.uppercased())") == ["b"])
            let changes = try result.texts("SELECT ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY Z_PK")
            #expect(changes == ["\(album)|1", "\(album)|3", "\(box)|2"])
            let records = try result.texts(
                "SELECT ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA ORDER BY Z_PK"
            )
            #expect(records == ["\(album)|1", "\(box)|1"])
        }
    }

    @Test func `a map may swap which objects keep a file, and none is shared`() throws {
        var old = ExternalFile.photo()
        old.entities[0].attributes.append(ExternalFile.attribute("copy"))
        var new = old
        new.entities.append(Entity("Mark", [ExternalFile.attribute("data")]))
        let map = """
            entities:
              - {from: Photo, to: Mark}
              - {from: Photo, to: Photo, set: {copy: $source.data}}
              - {from: Photo, to: Photo}
            """
        let rows = inserts("Photo", "ZDATA", ExternalFile.markerSQL)
        let files = [ExternalFile.name: ExternalFile.large]
        try MapRun.with(map, from: old, to: new, rows: rows, files: files) { run in
            #expect(try run.losses() == [])
            let result = try run.result()
            let values = try result.connection.rows(
                "SELECT ZDATA FROM ZPHOTO UNION ALL SELECT ZCOPY FROM ZPHOTO UNION ALL SELECT ZDATA FROM ZMARK"
            ).map { $0[0] }.filter { $0 != .null }
            for value in values {
                #expect(try ExternalFile.plain(value, in: result) == .blob(ExternalFile.large))
            }
            #expect(values.count == 4)
            #expect(values.count { externalFileName($0.blob ?? Data()) != nil } == 1)
        }
    }
}
