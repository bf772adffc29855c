import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MapConversionTests {
    /// An expression with its type, the results for four objects, and the condition on those that lose.
    typealias Example = (
        expression: String, type: AttributeType, values: [SQLiteValue], lost: String
    )

    private static func integers(_ values: Int64?...) -> [SQLiteValue] {
        values.map { $0.map { .integer($0) } ?? .null }
    }

    private static func reals(_ values: Double?...) -> [SQLiteValue] {
        values.map { $0.map { .real($0) } ?? .null }
    }

    private static func texts(_ values: String?...) -> [SQLiteValue] {
        values.map { $0.map { .text($0) } ?? .null }
    }

    private static let halves: [SQLiteValue] = [.null, .real(0.5), .integer(2), .null]

    /// Texts 'abc', '12', '12.5', none; numbers 70000, 5, -3, none; 1e300, 0.5, 2, none; divisors 0, 2, 0, none.
    ///
    /// `$.` stands for `$source.`.
    static let examples: [Example] = [
        (
            "{cast: [$.text, integer]}", .integer64, integers(nil, 12, 12, nil),
            "ZTEXT IN ('abc', '12.5')"
        ),
        (
            "{cast: [$.text, integer]}", .integer16, integers(nil, 12, 12, nil),
            "ZTEXT IN ('abc', '12.5')"
        ),
        ("{cast: [$.text, double]}", .double, reals(nil, 12, 12.5, nil), "ZTEXT = 'abc'"),
        (
            "{cast: [$.whole, integer 16]}", .integer16, integers(32767, 5, -3, nil),
            "ZWHOLE > 32767"
        ),
        ("{cast: [$.whole, string]}", .string, texts("70000", "5", "-3", nil), "0"),
        ("$.whole", .decimal, integers(70000, 5, -3, nil), "0"),
        ("$.real * 1", .decimal, halves, "ZREAL > 1e200"),
        ("$.whole + 1", .integer16, integers(32767, 6, -2, nil), "ZWHOLE + 1 > 32767"),
        ("$.real * 2", .integer64, integers(.max, 1, 4, nil), "ZREAL > 1e18"),
        (
            "$.real * 1", .float,
            reals(Double(Float.greatestFiniteMagnitude), 0.5, 2, nil), "ZREAL > 1e39"
        ),
        ("$.whole / $.divisor", .integer64, integers(nil, 2, nil, nil), "ZDIVISOR = 0"),
        ("modulus:by:($.whole, $.divisor)", .integer64, integers(nil, 1, nil, nil), "ZDIVISOR = 0"),
        (
            "TERNARY($.divisor == 0, 0, $.whole / $.divisor)", .integer64,
            integers(0, 2, 0, nil), "0"
        ),
        (
            "{coalesce: [$.whole, {cast: [$.text, integer]}]}", .integer64,
            integers(70000, 5, -3, nil), "0"
        ),
        ("{coalesce: [$.text, $.whole]}", .string, texts("abc", "12", "12.5", nil), "0"),
        (
            "{coalesce: [$.text, $.whole]}", .integer64,
            integers(nil, nil, nil, nil), "ZTEXT NOT NULL"
        ),
        (
            "{lookup: {entity: Key, key: word, equals: $.text, value: worth}}", .integer64,
            integers(1, 3, nil, nil), "(SELECT count(*) FROM ZKEY AS k WHERE k.ZWORD = ZTEXT) > 1"
        ),
        ("$.whole", .boolean, integers(1, 1, 1, nil), "ZWHOLE NOT NULL"),
        ("$.whole", .double, reals(70000, 5, -3, nil), "0"),
        ("{cast: [$.real, decimal]}", .decimal, halves, "ZREAL > 1e200"),
        (
            "{cast: [{cast: [9007199254740993, integer 64]}, date]}", .date,
            Array(repeating: .integer(9_007_199_254_740_992), count: 4), "1"
        ),
        (
            "{cast: [{cast: [{cast: [730902600.123456, date]}, string]}, date]}", .date,
            Array(repeating: .real(730_902_600.123456), count: 4), "0"
        ),
        ("{rest: [{constant: \"a\\r\\nb\"}, \"\\n\", 1]}", .string, texts("b", "b", "b", "b"), "0"),
        (
            "{cast: [{join: ['', $.text, {constant: '345678901234567891'}]}, double]}",
            .double,
            reals(nil, 12_345_678_901_234_567_168, 12.534567890123457, 345_678_901_234_567_872),
            "1"
        ),
        ("2", .double, reals(2, 2, 2, 2), "0"), ("true", .integer16, integers(1, 1, 1, 1), "0"),
        ("2.0", .integer16, integers(2, 2, 2, 2), "0"),
    ]

    private static let old = modelOf(
        "Key: word worth:integer64; Thing: divisor:integer32 real:double text whole:integer64"
    )

    private static func new(_ type: AttributeType) -> ManagedObjectModel {
        var model = old
        model.entities[1].attributes.append(Attribute("result", type))
        return model
    }

    private static let rows =
        inserts("Key", "ZWORD, ZWORTH", "'abc', 1", "'abc', 2", "'12', 3")
        + inserts(
            "Thing",
            "ZTEXT, ZWHOLE, ZREAL, ZDIVISOR",
            "'abc', 70000, 1e300, 0; '12', 5, 0.5, 2; '12.5', -3, 2.0, 0; NULL, NULL, NULL, NULL"
        )

    @Test(arguments: examples.indices)
    func `what an expression gives is converted, or counted as lost`(index: Int) throws {
        let example = Self.examples[index]
        let expression = example.expression.replacing("$.", with: "$source.")
        let map = "entities:\n  - from: Thing\n    to: Thing\n    set:\n      result: \(expression)"
        let model = Self.new(example.type)
        try withStore(Self.old, Self.rows) { store in
            let migration = try store.migration(to: model, by: .mapped(map))
            let count = try store.value("SELECT count(*) FROM ZTHING WHERE \(example.lost)")
            let findings = try migration.findings(in: store.file())
            #expect(findings.map(\.count).reduce(0, +) == Int(count?.integer ?? -1))
            #expect(findings.allSatisfy { $0.isLoss && $0.names.contains("Thing.result") })
            if !findings.isEmpty {
                #expect(throws: StoreMigrationError.self) {
                    try store.result(of: migration, MigrationOptions())
                }
            }
            let names: LossAgreement = findings.isEmpty ? .none : ["Thing.result"]
            let new = try store.result(of: migration, MigrationOptions(acceptsLosses: names))
            let rows = try new.connection.rows("SELECT ZRESULT FROM ZTHING ORDER BY Z_PK")
            #expect(rows.map { $0[0] } == example.values)
            #expect(try verify(new, against: model) == [])
        }
    }

    @Test(arguments: [
        ("$source.text", AttributeType.integer16, "{cast: [$source.text, integer 16]}"),
        ("$source.whole", .string, "{cast: [$source.whole, string]}"),
        ("$source.whole", .uuid, "constant"),
        ("$source.whole + 1", .string, "{cast: [value, string]}"),
        ("uppercase:($source.text)", .date, "{cast: [value, date]}"),
        ("$source.text + 1", .double, "{cast: [value, double]}"),
        ("uppercase:($source.whole)", .string, "{cast: [value, string]}"),
        ("{constant: 2001-01-01}", .date, "@date"), ("70000", .integer16, "Integer 16"),
        ("1.5", .integer64, "Integer 64"), ("{constant: x}", .uuid, "@uuid"),
        ("$source.whole / 0", .double, "zero"),
    ])
    func `what has no conversion is refused`(
        _ expression: String,
        _ type: AttributeType,
        _ cure: String
    ) throws {
        let map = "entities: [{from: Thing, to: Thing, set: {result: \(expression)}}]"
        try withStore(Self.old, Self.rows) { store in
            let error = #expect(throws: StoreMigrationError.self) {
                try store.migration(to: Self.new(type), by: .mapped(map))
            }
            guard case .map(_, let diagnostics)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(diagnostics.count == 1)
            #expect(diagnostics[0].message.contains(cure), "\(diagnostics[0].message)")
        }
    }
}

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
        "'a', 'x', 1; 'a', 'y', 2; 'a', 'x', NULL; 'b', NULL, NULL; NULL, 'z', 3"
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
            "an object that no merge keeps is counted once, and one that another keeps is not",
            """
            entities:
              - from: Raw
                to: Kind
                findOrCreate: code
                copyRest: false
                set: {code: $source.code, note: $source.note, size: $source.size}
              - from: Raw
                to: Raw
                findOrCreate: note
                copyRest: false
                set: {code: $source.code, note: $source.note, size: $source.size}
            """,
            ["Raw 1 row": 1, "Kind.note 1 value": 1, "Kind.size 1 value": 1]
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

    @Test func `a path to the same table does not confuse the keys`() throws {
        let old = modelOf("Person: code note boss>Person.staff staff>>Person.boss")
        let new = modelOf("Person: code note above boss>Person.staff staff>>Person.boss")
        let map =
            "entities: [{from: Person, to: Person, findOrCreate: code, set: {above: $source.boss.note}}]"
        let rows = inserts("Person", "ZCODE, ZNOTE, ZBOSS", "'a', 'x', NULL; 'b', 'y', 1")
        try withStore(old, rows) { store in
            let migration = try store.migration(to: new, by: .mapped(map))
            #expect(try migration.findings(in: store.file()).isEmpty)
        }
    }

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
    func `a to-one link takes the first or the last object`(
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
    func `a value in a file keeps its data, on all ways`(_ isBefore: Bool, _ isAfter: Bool) throws {
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
                "x'0809'; CAST(replace(hex(zeroblob(70000)), '0', char(7)) AS BLOB)"
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
