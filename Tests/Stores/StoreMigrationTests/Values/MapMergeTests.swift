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
    private static let old = modelOf("Raw: code note size:integer64")

    private static let new = modelOf(
        "Kind: code note size:integer64 raws>>Raw.kind",
        "Raw: code note size:integer64 kind>Kind.raws"
    )

    /// Three objects of one code, of which the second has other values, and one without a code.
    private static let rows = inserts(
        "Raw",
        "ZCODE, ZNOTE, ZSIZE",
        "'a', 'x', 1",
        "'a', 'y', 2",
        "'a', 'x', NULL",
        "'b', NULL, NULL",
        "NULL, 'z', 3"
    )

    private static let find = "{find: {entity: Kind, key: code, equals: $source.code}}"

    private static let maps: [(title: String, map: String, losses: [String: Int])] = [
        (
            "objects that become one are counted, with the values that differ",
            """
            copyRest: false
            entities:
              - from: Raw
                to: Kind
                findOrCreate: code
                set: {code: $source.code, note: $source.note, size: $source.size}
            """,
            ["Raw 2 rows": 2, "Kind.note 1 value": 1, "Kind.size 1 value": 1, "Raw 1 row": 1]
        ),
        (
            "objects that go on by another mapping lose only what differs",
            """
            entities:
              - from: Raw
                to: Kind
                findOrCreate: code
                copyRest: false
                set: {code: $source.code, note: $source.note}
              - {from: Raw, to: Raw}
            """,
            ["Kind.note 1 value": 1]
        ),
        (
            "a link to one of several objects with the same key is counted",
            """
            entities:
              - {from: Raw, to: Kind, copyRest: false, set: {code: $source.code}}
              - {from: Raw, to: Raw, set: {kind: \(find)}}
            """,
            ["Raw.kind 3 values": 3]
        ),
        (
            "objects that are found or created are one for each key",
            """
            entities:
              - {from: Raw, to: Kind, findOrCreate: code, copyRest: false, set: {code: $source.code}}
              - {from: Raw, to: Raw, set: {kind: \(find)}}
            """,
            [:]
        ),
    ]

    @Test(arguments: maps.indices)
    func `what is lost where several objects become one is counted`(_ index: Int) throws {
        let (title, map, losses) = Self.maps[index]
        try withStore(Self.old, Self.rows) { store in
            let migration = try store.migration(to: Self.new, by: .mapped(map))
            let findings = try migration.findings(in: store.file())
            let result = store.place("New.sqlite")
            let options = MigrationOptions(acceptsLosses: .named(Set(findings.map(\.name))))
            let lost = try migration.run(from: store.file(), toNewFile: result, options: options)
            #expect(lost == findings)
            #expect(try verify(StoreFile(path: result), against: Self.new) == [])
            let named = findings.map { ("\($0.name) \($0.amount)", $0.count) }
            #expect(Dictionary(named, uniquingKeysWith: +) == losses, "\(title)")
        }
    }

    private static let authors = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1)",
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR) VALUES (4, 2, 1, 1), (5, 2, 1, 2), (6, 2, 1, 1), (7, 2, 1, 1)",
    ]

    @Test(arguments: [("first", "min"), ("last", "max")])
    func `a to-one relationship takes the first or the last of several objects`(
        _ function: String,
        _ aggregate: String
    ) throws {
        let old = modelOf("Author: books>>Book.author", "Book: author>Author.books")
        let new = modelOf("Author: one>Book.author", "Book: author>Author.one")
        let map = "entities: [{from: Author, to: Author, set: {one: {\(function): $source.books}}}]"
        try MapRun.with(map, from: old, to: new, rows: Self.authors) { run in
            let findings = try run.migration.findings(in: run.store.file())
            #expect(findings.map(\.amount) == ["2 links"])
            let expected = "SELECT ZAUTHOR, \(aggregate)(Z_PK) FROM ZBOOK GROUP BY 1 ORDER BY 1"
            let found = "SELECT Z_PK, ZONE FROM ZAUTHOR WHERE ZONE NOT NULL ORDER BY 1"
            #expect(try run.result().connection.rows(found) == run.store.rows(expected))
        }
    }

    @Test(arguments: [(true, false), (false, true), (true, true)])
    func `a value that lives in a file keeps its data, whichever way it goes`(
        _ isBefore: Bool,
        _ isAfter: Bool
    ) throws {
        let (old, new) = (
            ExternalFile.photo("data", isBefore), ExternalFile.photo("bytes", isAfter)
        )
        let large = ExternalFile.large
        let rows =
            isBefore
            ? inserts("Photo", "ZDATA", "x'010809'", ExternalFile.markerSQL)
            : inserts(
                "Photo",
                "ZDATA",
                "x'0809'",
                "CAST(replace(hex(zeroblob(70000)), '0', char(7)) AS BLOB)"
            )
        let files = isBefore ? [ExternalFile.name: large] : [:]
        for expression in ["$source.data", "{coalesce: [$source.data, $source.data]}"] {
            let map = "entities: [{from: Photo, to: Photo, set: {bytes: \(expression)}}]"
            try MapRun.with(map, from: old, to: new, rows: rows, files: files) { run in
                #expect(try run.losses() == [])
                let result = try run.store.result(of: run.migration, MigrationOptions())
                #expect(try verify(result, against: new) == [])
                let values = try result.connection.rows("SELECT ZBYTES FROM ZPHOTO").map { row in
                    isAfter ? try ExternalFile.plain(row[0], in: result) : row[0]
                }
                #expect(Set(values) == [.blob(Data([8, 9])), .blob(large)])
            }
        }
    }
}
