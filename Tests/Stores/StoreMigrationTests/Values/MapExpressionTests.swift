import Diagnostics
import Foundation
import MigrationPlanning
import ModelCompiling
import ModelLanguage
import ModelLoading
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import SettingsFiles
import Testing

struct MapExpressionTests {
    /// The playlist 'Road' has the songs one, two and four; 'Home' has three; five is in none.
    static let conditions: [(entity: String, text: String, kept: [String])] = [
        ("Song", "title LIKE 'T*'", []),
        ("Song", "title LIKE 't*'", ["three", "two"]),
        ("Song", "title LIKE[c] 'T*'", ["three", "two"]),
        ("Song", "title LIKE[cd] 'F\u{D6}?R'", ["four"]),
        ("Song", "title LIKE[d] 'tw\u{F6}'", ["two"]),
        ("Song", "title LIKE 'f?ur'", ["four"]),
        ("Song", "title BEGINSWITH[c] 'TW'", ["two"]),
        ("Song", "title MATCHES 't.*'", ["three", "two"]),
        ("Song", "title MATCHES 't'", []),
        ("Song", "title MATCHES[c] 'T.*O'", ["two"]),
        ("Song", "playlist.title == 'Road'", ["four", "one", "two"]),
        ("Song", "$source.playlist.title CONTAINS 'om'", ["three"]),
        ("Song", "NOT (playlist.title == 'Road')", ["five", "three"]),
        ("Song", "title IN {'one', 'five', 'six'}", ["five", "one"]),
        ("Song", "playlist == nil", ["five"]),
        ("Song", "ANY playlist.songs.title == 'one'", ["four", "one", "two"]),
        ("Song", "uppercase:(title) == 'ONE' OR length:(title) == 5", ["one", "three"]),
        ("Song", "title.length == 5", ["three"]),
        ("Song", "playlist.title.length == 4", ["four", "one", "three", "two"]),
        ("Song", "length:('\u{1F600}') == 2 AND title == 'one'", ["one"]),
        ("Playlist", "ANY songs.title.length == 5", ["Home"]),
        ("Playlist", "ANY songs.title == 'three'", ["Home"]),
        ("Playlist", "ANY songs.title LIKE[c] '*E*'", ["Home", "Road"]),
        ("Playlist", "ALL songs.title CONTAINS 'o'", ["Road"]),
        ("Playlist", "NONE songs.title == 'one'", ["Home"]),
        ("Playlist", "ANY songs.title == $source.title", []),
        ("Playlist", "ANY songs.playlist.title == title", ["Home", "Road"]),
        ("Playlist", "ANY songs.playlist.songs.title < title", []),
        ("Playlist", "ANY songs.playlist.songs.title == 'four'", ["Road"]),
        ("Playlist", "songs.@count > 2", ["Road"]),
        ("Playlist", "SUBQUERY(songs, $s, $s.title == 'two').@count == 0", ["Home"]),
    ]

    private func titles(_ map: CustomStageWork, of entity: String) throws -> [String] {
        try StageModels.with { store in
            try store.migrate(to: StageModels.v2, by: map)
            return try store.texts("SELECT ZTITLE FROM Z\(entity.uppercased()) ORDER BY 1")
        }
    }

    @Test(arguments: conditions.indices)
    func `a condition means what it means in Apple's language`(index: Int) throws {
        let (entity, text, kept) = Self.conditions[index]
        let map = "entities:\n  - from: \(entity)\n    to: \(entity)\n    where: \"\(text)\""
        #expect(try titles(.mapped(map), of: entity) == kept, "\(text)")
    }

    @Test func `the fetch predicate of a compiled mapping model is read and obeyed`() throws {
        let predicate = try ModelLanguage.Predicate(
            parsing: "playlist.title == 'Road' AND title LIKE[c] 'T*'"
        )
        let source = MappingModelSource(entityMappings: [
            MappingModelSource.EntityMapping(
                sourceName: "Song",
                destinationName: "Song",
                sourcePredicate: predicate,
                attributes: [MappingModelSource.PropertyMapping(name: "title")]
            )
        ])
        let compiled = compileMappingModel(source, from: StageModels.v1, to: StageModels.v2)
        #expect(compiled.diagnostics == [])
        let read = readCompiledMappingModel(compiled.value.binaryData, path: "m.cdm")
        #expect(read.diagnostics == [])
        #expect(read.value.entityMappings.map(\.sourcePredicate) == [predicate])
        let map = stageMap(of: read.value, path: "m.cdm")
        #expect(try titles(CustomStageWork(map: map.value), of: "Song") == ["two"])
    }

    @Test func `objects are found by the columns that the layout really has`() throws {
        let long = String(repeating: "long", count: 40)
        let old = modelOf("Root", "Left/Root: code", "Right/Root: code \(long)", "Raw: text")
        var new = old
        new.entities.append(Entity("Extra"))
        #expect(StoreLayout(model: new).column(of: "code", declaredBy: "Right")?.name == "ZCODE1")
        try withStore(old, inserts("Raw", "ZTEXT", "'a'", "'b'", "'a'")) { store in
            let map = """
                entities:
                  - from: Raw
                    to: Right
                    findOrCreate: [code, \(long)]
                    set: {code: $source.text, \(long): $source.text}
                """
            try store.migrate(to: new, by: .mapped(map))
            #expect(try store.texts("SELECT ZCODE1 FROM ZROOT ORDER BY 1") == ["a", "b"])
        }
    }

    @Test func `a mapping leads to what became of the source by another mapping`() throws {
        var old = StageModels.v4
        old.entities.removeAll { $0.name == "City" || $0.name == "Person" }
        let mapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
        let map = """
            entities:
              - {name: Cities, from: Member, to: City, set: {name: $source.city}}
              - name: People
                from: Member
                to: Person
                set: {home: 'FUNCTION($manager, "\(mapping)", "Cities", $source)'}
            """
        let cities = ["London", "Athens"].map { "'of \($0)', '\($0)'" }
        try withStore(old, inserts("Member", "ZFIRST, ZCITY", cities[0], cities[1])) { store in
            try store.migrate(to: StageModels.v5, by: .mapped(map))
            let people = try store.texts(
                "SELECT p.ZFIRST, c.ZNAME FROM ZPERSON AS p JOIN ZCITY AS c ON c.Z_PK = p.ZHOME ORDER BY p.Z_PK"
            )
            #expect(people == ["of London|London", "of Athens|Athens"])
        }
    }
}

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
                "'one', 1, 3072; 'two', 1, 2048; 'three', 1, 4096"
            ) : inserts("Song", "ZTITLE, ZALBUM", "'one', 1; 'two', 1; 'three', 1")
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
    func `objects without order come by their keys`(_ expression: String, _ value: String) throws {
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
