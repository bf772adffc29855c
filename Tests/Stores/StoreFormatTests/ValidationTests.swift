import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct ValidationTests {
    private typealias Validation = Attribute.Validation

    private static let model = ManagedObjectModel([
        Entity(
            "Person",
            [
                Attribute(
                    name: "age",
                    type: .integer16,
                    validation: Validation(minimum: .integer(1), maximum: .integer(120))
                ),
                Attribute(
                    name: "born",
                    type: .date,
                    validation: Validation(minimum: .date(0), maximum: .date(1000))
                ),
                Attribute(
                    name: "name",
                    type: .string,
                    validation: Validation(
                        minimum: .integer(2),
                        maximum: .integer(4),
                        regularExpression: "[a-z😀]+"
                    )
                ),
                Attribute(
                    name: "price",
                    type: .decimal,
                    validation: Validation(maximum: DecimalValue("0.1").map { .decimal($0) })
                ),
                Attribute(
                    name: "share",
                    type: .float,
                    validation: Validation(minimum: .float(0.1))
                ),
            ]
        ),
        Entity("Child", parentEntity: "Person"),
    ])

    private func findings(
        _ rows: String,
        in model: ManagedObjectModel = ValidationTests.model
    ) throws -> [Diagnostic] {
        try withFolder { folder in
            let path = folder.appending(path: "a.sqlite").path
            try createStore(at: path, model: model) { connection, _ throws(StoreError) in
                try connection.execute(rows)
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 100000")
            }
            let store = try StoreFile(path: path)
            #expect(try verify(store, against: model) == [])
            return try validate(store, against: model)
        }
    }

    private static func insert(_ column: String, _ value: String, entity: Int = 1) -> String {
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES (7, \(entity), 1, \(value))"
    }

    static let cases: [(column: String, value: String, code: Int?)] = [
        ("ZAGE", "1", nil), ("ZAGE", "0", 1620), ("ZAGE", "120", nil), ("ZAGE", "121", 1610),
        ("ZAGE", "NULL", nil), ("ZBORN", "0", nil), ("ZBORN", "-0.5", 1640),
        ("ZBORN", "1000.5", 1630), ("ZPRICE", "0.1", nil), ("ZPRICE", "0.11", 1610),
        ("ZSHARE", "\(Double(Float(0.1)))", nil), ("ZSHARE", "0.09", 1620),
        ("ZNAME", "'ab'", nil), ("ZNAME", "'abcd'", nil), ("ZNAME", "'a'", 1670),
        ("ZNAME", "'abcde'", 1660), ("ZNAME", "'aB'", 1680), ("ZNAME", "'abc' || char(10)", 1680),
        // Lengths are in UTF-16 units, of which one character here has two.
        ("ZNAME", "'😀'", nil), ("ZNAME", "'😀😀'", nil), ("ZNAME", "'😀😀a'", 1660),
    ]

    @Test(arguments: cases)
    func `a value is refused with the code of its rule`(
        _ value: (column: String, value: String, code: Int?)
    ) throws {
        for entity in [1, 2] {
            let found = try findings(Self.insert(value.column, value.value, entity: entity))
            guard let code = value.code else {
                #expect(found == [], "\(found)")
                continue
            }
            #expect(found.count == 1, "\(found)")
            #expect(found.allSatisfy { $0.reason.text(in: .code).hasSuffix("(\(code))") })
            #expect(found.map(\.keys) == [[7]])
            #expect(found.map(\.entity) == ["Person"])
            #expect(found.map(\.severity) == [.warning])
        }
    }

    @Test func `many rows are counted, and the first ones named`() throws {
        let found = try findings(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
                + "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZAGE) SELECT i, 1 + i % 2, 1, i FROM n"
        )
        #expect(found.map(\.count) == [880])
        #expect(found.map(\.keys) == [[121, 122, 123, 124, 125]])
        #expect(found[0].message.hasPrefix("Person.age: 880 rows: "))
    }

    private func patterned(_ pattern: String) -> ManagedObjectModel {
        ManagedObjectModel([
            Entity(
                "Person",
                [
                    Attribute(
                        name: "name",
                        type: .string,
                        validation: Validation(regularExpression: pattern)
                    )
                ]
            )
        ])
    }

    @Test(arguments: [
        ("a|ab", "ab", true), ("(?i)AB", "ab", true), ("(?x) a b # both", "ab", true),
        ("ab", "xab", false), ("ab", "abx", false), ("^ab$", "ab", true),
        ("\\d{3}", "１２３", true),
    ])
    func `a pattern must match the whole text`(
        _ pattern: String,
        _ text: String,
        _ isMatch: Bool
    ) throws {
        let found = try findings(Self.insert("ZNAME", "'\(text)'"), in: patterned(pattern))
        #expect(found.map(\.rule) == (isMatch ? [] : [.patternNotMatched]))
    }

    @Test func `a pattern that is none is said, and one that takes too long given up`() throws {
        let none = try findings(Self.insert("ZNAME", "'ab'"), in: patterned("(ab"))
        #expect(none.map(\.rule) == [.patternNotChecked])
        let rows =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
            + "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) "
            + "SELECT i, 1, 1, '\(String(repeating: "a", count: 60))' || i FROM n"
        let endless = try findings(rows, in: patterned("(a+)+b"))
        #expect(endless.map(\.rule) == [.patternNotChecked])
        #expect(endless.map(\.count) == [2000])
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `real stores keep the rules of their models`() throws {
        var checked = 0
        for path in CorpusStores.paths {
            let file = try StoreFile(path: Corpus.path(path))
            guard let model = try CorpusStores.model(of: file) else { continue }
            let found = try validate(file, against: model)
            #expect(found == [], "\(path): \(found)")
            checked += 1
        }
        #expect(checked >= 30)
    }
}
