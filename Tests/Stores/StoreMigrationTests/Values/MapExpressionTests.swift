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
    struct Condition: Sendable {
        var entity: String
        var text: String
        var kept: [String]

        init(_ entity: String, _ text: String, _ kept: String...) {
            self.entity = entity
            self.text = text
            self.kept = kept
        }
    }

    /// The playlist 'Road' has the songs one, two and four; 'Home' has three; five is in none.
    static let conditions = [
        Condition("Song", "title LIKE 'T*'"),
        Condition("Song", "title LIKE 't*'", "three", "two"),
        Condition("Song", "title LIKE[c] 'T*'", "three", "two"),
        Condition("Song", "title LIKE[cd] 'F\u{D6}?R'", "four"),
        Condition("Song", "title LIKE[d] 'tw\u{F6}'", "two"),
        Condition("Song", "title LIKE 'f?ur'", "four"),
        Condition("Song", "title BEGINSWITH[c] 'TW'", "two"),
        Condition("Song", "title MATCHES 't.*'", "three", "two"),
        Condition("Song", "title MATCHES 't'"),
        Condition("Song", "title MATCHES[c] 'T.*O'", "two"),
        Condition("Song", "playlist.title == 'Road'", "four", "one", "two"),
        Condition("Song", "$source.playlist.title CONTAINS 'om'", "three"),
        Condition("Song", "NOT (playlist.title == 'Road')", "five", "three"),
        Condition("Song", "title IN {'one', 'five', 'six'}", "five", "one"),
        Condition("Song", "playlist == nil", "five"),
        Condition("Song", "ANY playlist.songs.title == 'one'", "four", "one", "two"),
        Condition("Song", "uppercase:(title) == 'ONE' OR length:(title) == 5", "one", "three"),
        Condition("Song", "title.length == 5", "three"),
        Condition("Song", "playlist.title.length == 4", "four", "one", "three", "two"),
        Condition("Song", "length:('\u{1F600}') == 2 AND title == 'one'", "one"),
        Condition("Playlist", "ANY songs.title.length == 5", "Home"),
        Condition("Playlist", "ANY songs.title == 'three'", "Home"),
        Condition("Playlist", "ANY songs.title LIKE[c] '*E*'", "Home", "Road"),
        Condition("Playlist", "ALL songs.title CONTAINS 'o'", "Road"),
        Condition("Playlist", "NONE songs.title == 'one'", "Home"),
        Condition("Playlist", "ANY songs.title == $source.title"),
        Condition("Playlist", "ANY songs.playlist.title == title", "Home", "Road"),
        Condition("Playlist", "ANY songs.playlist.songs.title < title"),
        Condition("Playlist", "ANY songs.playlist.songs.title == 'four'", "Road"),
        Condition("Playlist", "songs.@count > 2", "Road"),
        Condition("Playlist", "SUBQUERY(songs, $s, $s.title == 'two').@count == 0", "Home"),
    ]

    private func titles(_ map: StageMap, of entity: String) throws -> [String] {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try StageModels.makeStore(at: path)
            try StageModels.migrate(
                path,
                from: StageModels.v1,
                to: StageModels.v2,
                by: CustomStageWork(map: map)
            )
            let table = "Z" + entity.uppercased()
            let rows = try StoreFile(path: path).connection.rows(
                "SELECT ZTITLE FROM \(table) ORDER BY 1"
            )
            return rows.compactMap { $0[0].text }
        }
    }

    @Test(arguments: conditions.indices)
    func `a condition means what it means in Apple's language`(index: Int) throws {
        let item = Self.conditions[index]
        let map = readStageMap(
            """
            entities:
              - from: \(item.entity)
                to: \(item.entity)
                where: "\(item.text)"
            """,
            path: "map.yml"
        )
        #expect(map.diagnostics == [])
        #expect(try titles(map.value, of: item.entity) == item.kept, "\(item.text)")
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
        #expect(try titles(map.value, of: "Song") == ["two"])
    }

    @Test func `objects are found by the columns that the layout really has`() throws {
        let code = Attribute("code", .string)
        let long = Attribute(String(repeating: "long", count: 40), .string)
        func model(_ sources: Bool) -> ManagedObjectModel {
            ManagedObjectModel(
                entities: [
                    Entity("Root"),
                    Entity("Left", parentEntity: "Root", [code]),
                    Entity("Right", parentEntity: "Root", [code, long]),
                    Entity("Raw", [Attribute("text", .string)]),
                ] + (sources ? [Entity("Extra")] : [])
            )
        }
        let (old, new) = (model(false), model(true))
        #expect(StoreLayout(model: new).column(of: "code", declaredBy: "Right")?.name == "ZCODE1")
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: old) { connection, layout throws(StoreError) in
                let number = layout.number(of: "Raw") ?? 0
                for (key, text) in ["a", "b", "a"].enumerated() {
                    try connection.execute(
                        "INSERT INTO ZRAW (Z_PK, Z_ENT, Z_OPT, ZTEXT) "
                            + "VALUES (\(key + 1), \(number), 1, '\(text)')"
                    )
                }
            }
            let map = readStageMap(
                """
                entities:
                  - from: Raw
                    to: Right
                    findOrCreate: [code, \(long.name)]
                    set: {code: $source.text, \(long.name): $source.text}
                """,
                path: "map.yml"
            )
            #expect(map.diagnostics == [])
            try StageModels.migrate(path, from: old, to: new, by: CustomStageWork(map: map.value))
            let rows = try StoreFile(path: path).connection.rows(
                "SELECT ZCODE1 FROM ZROOT ORDER BY 1"
            )
            #expect(rows == [[.text("a")], [.text("b")]])
        }
    }

    @Test func `a mapping leads to what became of the source by another mapping`() throws {
        var old = StageModels.v4
        old.entities.removeAll { $0.name == "City" || $0.name == "Person" }
        let mapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
        let map = readStageMap(
            """
            entities:
              - {name: Cities, from: Member, to: City, set: {name: $source.city}}
              - name: People
                from: Member
                to: Person
                set: {home: 'FUNCTION($manager, "\(mapping)", "Cities", $source)'}
            """,
            path: "map.yml"
        )
        #expect(map.diagnostics == [])
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: old) { connection, layout throws(StoreError) in
                let number = layout.number(of: "Member") ?? 0
                for (key, city) in ["London", "Athens"].enumerated() {
                    try connection.execute(
                        "INSERT INTO ZMEMBER (Z_PK, Z_ENT, Z_OPT, ZFIRST, ZCITY) "
                            + "VALUES (\(key + 1), \(number), 1, 'of \(city)', '\(city)')"
                    )
                }
            }
            try StageModels.migrate(
                path,
                from: old,
                to: StageModels.v5,
                by: CustomStageWork(map: map.value)
            )
            let rows = try StoreFile(path: path).connection.rows(
                "SELECT p.ZFIRST, c.ZNAME FROM ZPERSON AS p JOIN ZCITY AS c ON c.Z_PK = p.ZHOME "
                    + "ORDER BY p.Z_PK"
            )
            #expect(
                rows == [
                    [.text("of London"), .text("London")], [.text("of Athens"), .text("Athens")],
                ]
            )
        }
    }
}
