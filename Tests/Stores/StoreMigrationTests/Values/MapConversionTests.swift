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

struct MapConversionTests {
    /// An expression with its type, the results for four objects, and the condition on those that lose.
    typealias Example = (
        expression: String, type: AttributeType, values: [SQLiteValue], lost: String
    )

    /// Texts 'abc', '12', '12.5', none; numbers 70000, 5, -3, none; 1e300, 0.5, 2, none; divisors 0, 2, 0, none.
    static let examples: [Example] = [
        (
            "{cast: [$source.text, integer]}", .integer64,
            [.null, .integer(12), .integer(12), .null], "ZTEXT IN ('abc', '12.5')"
        ),
        (
            "{cast: [$source.text, integer]}", .integer16,
            [.null, .integer(12), .integer(12), .null], "ZTEXT IN ('abc', '12.5')"
        ),
        (
            "{cast: [$source.text, double]}", .double, [.null, .real(12), .real(12.5), .null],
            "ZTEXT = 'abc'"
        ),
        (
            "{cast: [$source.whole, integer 16]}", .integer16,
            [.integer(32767), .integer(5), .integer(-3), .null], "ZWHOLE > 32767"
        ),
        (
            "{cast: [$source.whole, string]}", .string,
            [.text("70000"), .text("5"), .text("-3"), .null], "0"
        ),
        ("$source.whole", .decimal, [.integer(70000), .integer(5), .integer(-3), .null], "0"),
        ("$source.real * 1", .decimal, [.null, .real(0.5), .integer(2), .null], "ZREAL > 1e200"),
        (
            "$source.whole + 1", .integer16, [.integer(32767), .integer(6), .integer(-2), .null],
            "ZWHOLE + 1 > 32767"
        ),
        (
            "$source.real * 2", .integer64, [.integer(.max), .integer(1), .integer(4), .null],
            "ZREAL > 1e18"
        ),
        (
            "$source.real * 1", .float,
            [.real(Double(Float.greatestFiniteMagnitude)), .real(0.5), .real(2), .null],
            "ZREAL > 1e39"
        ),
        (
            "$source.whole / $source.divisor", .integer64, [.null, .integer(2), .null, .null],
            "ZDIVISOR = 0"
        ),
        (
            "modulus:by:($source.whole, $source.divisor)", .integer64,
            [.null, .integer(1), .null, .null], "ZDIVISOR = 0"
        ),
        (
            "TERNARY($source.divisor == 0, 0, $source.whole / $source.divisor)", .integer64,
            [.integer(0), .integer(2), .integer(0), .null], "0"
        ),
        (
            "{coalesce: [$source.whole, {cast: [$source.text, integer]}]}", .integer64,
            [.integer(70000), .integer(5), .integer(-3), .null], "0"
        ),
        (
            "{coalesce: [$source.text, $source.whole]}", .string,
            [.text("abc"), .text("12"), .text("12.5"), .null], "0"
        ),
        (
            "{coalesce: [$source.text, $source.whole]}", .integer64, [.null, .null, .null, .null],
            "ZTEXT NOT NULL"
        ),
        (
            "{lookup: {entity: Key, key: word, equals: $source.text, value: worth}}", .integer64,
            [.integer(1), .integer(3), .null, .null],
            "(SELECT count(*) FROM ZKEY AS k WHERE k.ZWORD = ZTEXT) > 1"
        ),
        ("$source.whole", .boolean, [1, 1, 1].map { .integer($0) } + [.null], "ZWHOLE NOT NULL"),
        ("$source.whole", .double, [.real(70000), .real(5), .real(-3), .null], "0"),
        (
            "{cast: [$source.real, decimal]}", .decimal, [.null, .real(0.5), .integer(2), .null],
            "ZREAL > 1e200"
        ),
        (
            "{cast: [{cast: [9007199254740993, integer 64]}, date]}", .date,
            Array(repeating: .integer(9_007_199_254_740_992), count: 4), "1"
        ),
        (
            "{cast: [{cast: [{cast: [730902600.123456, date]}, string]}, date]}", .date,
            Array(repeating: .real(730_902_600.123456), count: 4), "0"
        ),
        (
            "{rest: [{constant: \"a\\r\\nb\"}, \"\\n\", 1]}", .string,
            Array(repeating: .text("b"), count: 4), "0"
        ),
        (
            "{cast: [{join: ['', $source.text, {constant: '345678901234567891'}]}, double]}",
            .double,
            [
                .null, .real(12_345_678_901_234_567_168), .real(12.534567890123457),
                .real(345_678_901_234_567_872),
            ],
            "1"
        ),
        ("2", .double, Array(repeating: .real(2), count: 4), "0"),
        ("true", .integer16, Array(repeating: .integer(1), count: 4), "0"),
        ("2.0", .integer16, Array(repeating: .integer(2), count: 4), "0"),
    ]

    private static let old = ManagedObjectModel([
        Entity("Key", [Attribute("word", .string), Attribute("worth", .integer64)]),
        Entity(
            "Thing",
            [
                Attribute("divisor", .integer32), Attribute("real", .double),
                Attribute("text", .string), Attribute("whole", .integer64),
            ]
        ),
    ])

    private static func new(_ type: AttributeType) -> ManagedObjectModel {
        var model = old
        model.entities[1].attributes.append(Attribute("result", type))
        return model
    }

    private func makeStore(at path: String) throws {
        try createStore(at: path, model: Self.old) { connection, _ throws(StoreError) in
            try connection.execute(
                "INSERT INTO ZKEY (Z_PK, Z_ENT, Z_OPT, ZWORD, ZWORTH) "
                    + "VALUES (1, 1, 1, 'abc', 1), (2, 1, 1, 'abc', 2), (3, 1, 1, '12', 3)"
            )
            try connection.execute(
                "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZWHOLE, ZREAL, ZDIVISOR) VALUES "
                    + "(1, 2, 1, 'abc', 70000, 1e300, 0), (2, 2, 1, '12', 5, 0.5, 2), "
                    + "(3, 2, 1, '12.5', -3, 2.0, 0), (4, 2, 1, NULL, NULL, NULL, NULL)"
            )
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_ENT + 2")
        }
    }

    private func migration(
        of store: StoreFile,
        _ expression: String,
        _ new: ManagedObjectModel
    ) throws -> Migration {
        let text =
            "entities:\n  - from: Thing\n    to: Thing\n    set:\n      result: \(expression)"
        let map = readStageMap(text, path: "map.yml")
        #expect(map.diagnostics == [])
        return try StageModels.migration(of: store, from: Self.old, to: new, by: map.value)
    }

    @Test(arguments: examples.indices)
    func `what an expression gives is converted, and what does not fit is counted`(
        index: Int
    ) throws {
        let example = Self.examples[index]
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path)
            let store = try StoreFile(path: path)
            let model = Self.new(example.type)
            let migration = try migration(of: store, example.expression, model)
            let count = try store.connection.value(
                "SELECT count(*) FROM ZTHING WHERE \(example.lost)"
            )
            let findings = try migration.findings(in: store)
            #expect(findings.map(\.count).reduce(0, +) == Int(count?.integer ?? -1))
            #expect(findings.allSatisfy { $0.isLoss && $0.names.contains("Thing.result") })
            let result = folder.appending(path: "New.sqlite").path
            if !findings.isEmpty {
                #expect(throws: StoreMigrationError.self) {
                    try migration.run(from: store, toNewFile: result)
                }
            }
            let names: LossAgreement = findings.isEmpty ? .none : ["Thing.result"]
            let options = MigrationOptions(acceptsLosses: names)
            try migration.run(from: store, toNewFile: result, options: options)
            let new = try StoreFile(path: result)
            let rows = try new.connection.rows("SELECT ZRESULT FROM ZTHING ORDER BY Z_PK")
            #expect(rows.map { $0[0] } == example.values)
            #expect(try verify(new, against: model) == [])
        }
    }

    @Test(arguments: [
        ("$source.text", AttributeType.integer16, "{cast: [$source.text, integer 16]}"),
        ("$source.whole", .string, "{cast: [$source.whole, string]}"),
        ("$source.whole", .uuid, "to which nothing is cast; give it a constant"),
        ("$source.whole + 1", .string, "{cast: [value, string]}"),
        ("uppercase:($source.text)", .date, "{cast: [value, date]}"),
        ("$source.text + 1", .double, "{cast: [value, double]}"),
        ("uppercase:($source.whole)", .string, "{cast: [value, string]}"),
        ("{constant: 2001-01-01}", .date, "@date"), ("70000", .integer16, "no Integer 16"),
        ("1.5", .integer64, "no Integer 64"), ("{constant: x}", .uuid, "@uuid"),
        ("$source.whole / 0", .double, "division by zero"),
    ])
    func `what has no conversion is refused, with what would do`(
        _ expression: String,
        _ type: AttributeType,
        _ cure: String
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path)
            let store = try StoreFile(path: path)
            do throws(StoreMigrationError) {
                _ = try migrating(store, expression, type)
                Issue.record("\(expression) is done")
            } catch {
                guard case .map(_, let diagnostics) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(diagnostics.count == 1)
                #expect(diagnostics[0].message.contains(cure), "\(diagnostics[0].message)")
            }
        }
    }

    private func migrating(
        _ store: StoreFile,
        _ expression: String,
        _ type: AttributeType
    ) throws(StoreMigrationError) -> Migration {
        let text = "entities: [{from: Thing, to: Thing, set: {result: \(expression)}}]"
        let map = readStageMap(text, path: "map.yml")
        return try StageModels.migration(
            of: store,
            from: Self.old,
            to: Self.new(type),
            by: map.value
        )
    }
}
