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
        let songs = "songs\(isOrdered ? ">>>" : ">>")Song.album"
        var model = modelOf("Album: artist name \(songs)", "Song: title album>Album.songs")
        model.entities[0].attributes += added
        return model
    }

    private static let added = [
        "tags:transformable", "cover:binary", "mark:binary", "added:date", "token:uuid",
        "page:uri", "rating:decimal", "headline", "word", "titles", "opener", "closer",
    ].map(attributeOf)

    /// Two albums: one without an artist has no songs, the other one has three, the last of which came first.
    private func withAlbums(isOrdered: Bool, _ body: (TestStore) throws -> Void) throws {
        let albums = inserts("Album", "ZARTIST, ZNAME", "'Ada', 'Long Road'", "NULL, 'Home'")
        let songs =
            isOrdered
            ? inserts(
                "Song",
                "ZTITLE, ZALBUM, Z_FOK_ALBUM",
                "'one', 1, 3072",
                "'two', 1, 2048",
                "'three', 1, 4096"
            ) : inserts("Song", "ZTITLE, ZALBUM", "'one', 1", "'two', 1", "'three', 1")
        try withStore(Self.model(isOrdered: isOrdered), albums + songs, body)
    }

    private func migrated(
        _ map: String,
        isOrdered: Bool,
        to added: [Attribute],
        _ check: (StoreFile) throws -> Void
    ) throws {
        try withAlbums(isOrdered: isOrdered) { store in
            let new = Self.model(isOrdered: isOrdered, added)
            let migration = try store.migration(to: new, by: .mapped(map))
            #expect(try migration.findings(in: store.file()) == [])
            let file = try store.result(of: migration, MigrationOptions())
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
        let map = "entities:\n  - from: Album\n    to: Album\n    set:\n      opener: \(expression)"
        try migrated(map, isOrdered: false, to: [attributeOf("opener")]) { store in
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
        let map = "entities: [{from: Album, to: Album, set: {opener: \(expression)}}]"
        let new = Self.model(isOrdered: false, [attributeOf("opener")])
        try withAlbums(isOrdered: false) { store in
            #expect(throws: StoreMigrationError.self) {
                try store.migration(to: new, by: .mapped(map))
            }
        }
    }
}
