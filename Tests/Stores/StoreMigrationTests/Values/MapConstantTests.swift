import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import PropertyLists
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MapConstantTests {
    private static func model(isOrdered: Bool, _ added: [Attribute] = []) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            Entity(
                name: "Album",
                attributes: [Attribute("artist", .string), Attribute("name", .string)] + added,
                relationships: [
                    StageModels.link("songs", "Song", "album", isToMany: true, isOrdered: isOrdered)
                ]
            ),
            Entity(
                "Song",
                [Attribute("title", .string)],
                relationships: [StageModels.link("album", "Album", "songs")]
            ),
        ])
    }

    private static let added = [
        ("tags", AttributeType.transformable), ("cover", .binary), ("mark", .binary),
        ("added", .date), ("token", .uuid), ("page", .uri), ("rating", .decimal),
        ("headline", .string), ("word", .string), ("titles", .string), ("opener", .string),
        ("closer", .string),
    ].map { Attribute($0.0, $0.1) }

    /// Two albums: one without an artist has no songs, the other one has three, the last of which came first.
    private func makeStore(at path: String, isOrdered: Bool) throws {
        let model = Self.model(isOrdered: isOrdered)
        try createStore(at: path, model: model) { connection, _ throws(StoreError) in
            try connection.execute(
                "INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZARTIST, ZNAME) VALUES "
                    + "(1, 1, 1, 'Ada', 'Long Road'), (2, 1, 1, NULL, 'Home')"
            )
            let order = isOrdered ? ", Z_FOK_ALBUM" : ""
            for (key, title, place) in [(1, "one", 3072), (2, "two", 2048), (3, "three", 4096)] {
                try connection.execute(
                    "INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZALBUM\(order)) VALUES "
                        + "(\(key), 2, 1, '\(title)', 1\(isOrdered ? ", \(place)" : ""))"
                )
            }
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_ENT + 1")
        }
    }

    private func migrated(
        _ map: String,
        isOrdered: Bool,
        to added: [Attribute],
        _ check: (StoreFile) throws -> Void
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path, isOrdered: isOrdered)
            let map = readStageMap(map, path: "map.yml")
            #expect(map.diagnostics == [])
            let store = try StoreFile(path: path)
            let new = Self.model(isOrdered: isOrdered, added)
            let migration = try StageModels.migration(
                of: store,
                from: Self.model(isOrdered: isOrdered),
                to: new,
                by: map.value
            )
            #expect(try migration.findings(in: store) == [])
            let result = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: result)
            let file = try StoreFile(path: result)
            #expect(try verify(file, against: new) == [])
            try check(file)
        }
    }

    @Test func `the map of the guide gives constants, joined texts, first and last`() throws {
        let map = try guideBlocks("MigratingInStages.md", "yaml")[3]
        try migrated(map, isOrdered: true, to: Self.added) { store in
            let row = try #require(
                try store.connection.rows(
                    "SELECT ZCOVER, ZMARK, ZADDED, ZTOKEN, ZPAGE, ZRATING, ZHEADLINE, ZWORD, ZTITLES, "
                        + "ZOPENER, ZCLOSER, ZTAGS FROM ZALBUM ORDER BY Z_PK"
                ).first
            )
            let token = try #require(UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"))
            let bytes = withUnsafeBytes(of: token.uuid) { Data($0) }
            let expected: [SQLiteValue] = [
                .blob(Data([137, 80, 78, 71, 13, 10, 26, 10])), .blob(Data([0, 255])),
                .real(2_637_000), .blob(bytes), .text("https://example.com"), .real(4.5),
                .text("Ada: Long Road"), .text("Long"), .text("two, one, three"), .text("two"),
                .text("three"),
            ]
            #expect(Array(row.dropLast()).map(number) == expected.map(number))
            let archive = try KeyedArchive(#require(row.last?.blob))
            let root = try #require(archive.root)
            guard case .instance(let list) = archive[root] else {
                Issue.record("no instance")
                return
            }
            #expect(list.className == "NSArray")
            #expect(archive.objects.contains(.plain(.string("new"))))
            let second = try store.connection.rows(
                "SELECT ZHEADLINE, ZTITLES, ZOPENER FROM ZALBUM WHERE Z_PK = 2"
            )
            #expect(second == [[.text("Home"), .null, .null]])
        }
    }

    /// SQLite keeps whole numbers as integers in columns of some types.
    private func number(_ value: SQLiteValue) -> SQLiteValue {
        if case .integer(let whole) = value { .real(Double(whole)) } else { value }
    }

    @Test(arguments: [
        ("{first: $source.songs.title}", "one"), ("{last: $source.songs.title}", "three"),
        ("$source.songs[FIRST].title", "one"), ("$source.songs[LAST].title", "three"),
        ("{join: ['', $source.songs.title]}", "onetwothree"),
    ])
    func `objects without an order come by their keys`(
        _ expression: String,
        _ value: String
    ) throws {
        let map = """
            entities:
              - from: Album
                to: Album
                set:
                  opener: \(expression)
            """
        let added = [Attribute("opener", .string)]
        try migrated(map, isOrdered: false, to: added) { store in
            let rows = try store.connection.rows("SELECT ZOPENER FROM ZALBUM ORDER BY Z_PK")
            #expect(rows == [[.text(value)], [.null]])
        }
    }

    @Test(arguments: [
        "{'@uuid': x}", "{'@hex': 0}", "{'@hex': zz}", "{'@bytes': '*'}", "{'@date': soon}",
        "{'@archive': {'@uuid': x}}", "{first: $source.name}", "{first: $source.songs}",
        "{'@bytes': AAEC}",
    ])
    func `a constant that is none, or of another type, is refused`(_ expression: String) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path, isOrdered: false)
            let map = readStageMap(
                "entities: [{from: Album, to: Album, set: {opener: \(expression)}}]",
                path: "map.yml"
            )
            #expect(map.diagnostics == [])
            let added = [Attribute("opener", .string)]
            let store = try StoreFile(path: path)
            #expect(throws: StoreMigrationError.self) {
                try StageModels.migration(
                    of: store,
                    from: Self.model(isOrdered: false),
                    to: Self.model(isOrdered: false, added),
                    by: map.value
                )
            }
        }
    }
}
