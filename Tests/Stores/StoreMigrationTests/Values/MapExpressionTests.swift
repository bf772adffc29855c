import Diagnostics
import Foundation
import MigrationPlanning
import ModelCompiling
import ModelLanguage
import ModelLoading
import ObjectModel
import PropertyLists
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
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
        let map =
            "entities:\n  - from: \(entity)\n    to: \(entity)\n    where: \"\(text)\""
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
                "SELECT p.ZFIRST, c.ZNAME FROM ZPERSON AS p JOIN ZCITY AS c ON c.Z_PK = p.ZHOME "
                    + "ORDER BY p.Z_PK"
            )
            #expect(people == ["of London|London", "of Athens|Athens"])
        }
    }
}
