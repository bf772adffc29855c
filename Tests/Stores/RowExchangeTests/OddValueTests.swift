import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import RowExchange

struct OddValueTests {
    private let model = ManagedObjectModel([
        Entity(
            "A",
            [
                Attribute("decimal", .decimal), Attribute("flag", .boolean),
                Attribute("number", .integer16), Attribute("text", .string),
                Attribute("uuid", .uuid), Attribute("when", .date),
                Attribute(name: "picture", type: .binary, allowsExternalBinaryDataStorage: true),
            ]
        ),
        Entity("B", parentEntity: "A", [Attribute("own", .float)]),
    ])

    private func store(_ path: String, _ rows: String...) throws -> StoreFile {
        try createStore(at: path, model: model) { connection, _ throws(StoreError) in
            for row in rows { try connection.execute("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, \(row)") }
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT = 1")
        }
        return try StoreFile(path: path)
    }

    private func dump(_ store: StoreFile) throws -> [[SQLiteValue]] {
        let columns = ["DECIMAL", "FLAG", "NUMBER", "TEXT", "UUID", "WHEN", "PICTURE", "OWN"]
        let list = columns.map { "typeof(Z\($0)), Z\($0)" }.joined(separator: ", ")
        return try store.connection.rows("SELECT Z_PK, Z_ENT, \(list) FROM ZA ORDER BY Z_PK")
    }

    @Test func `a row that is read and one that is exported are judged alike`() throws {
        try withFolder { folder in
            let store = try store(
                folder.path + "/Store.sqlite",
                "ZDECIMAL, ZFLAG, ZNUMBER, ZWHEN) VALUES (1, 1, 1, 'NaN', 2, 70000, 'soon')",
                "ZDECIMAL, ZFLAG, ZNUMBER, ZWHEN) VALUES (2, 1, 1, 1e300, 1, 7, 9e999)",
                "ZDECIMAL, ZTEXT, ZUUID) VALUES (3, 1, 1, 'nan', CAST(x'FF' AS TEXT), x'00')",
                "ZDECIMAL, ZTEXT, ZPICTURE) VALUES (4, 1, 1, 1.5e165, 12.5, x'0107')",
                "ZDECIMAL, ZWHEN, ZPICTURE) VALUES (5, 1, 1, 9007199254740993, 1, x'0207')"
            )
            var bytes: [UInt8] = []
            _ = try exportRows(of: store, model: model) { bytes += $0 }
            let all =
                try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [[String: Any]]]
            let exported = try #require(all?["A"])
            var rows: [StoredRow] = []
            try readRows(of: store, model: model) { rows.append($0) }
            #expect(rows.count == 5)
            for (row, object) in zip(rows, exported) {
                let odd = object.filter { $0.value is [String: Any] }.keys
                #expect(row.misfits == Set(odd), "\(row.reference)")
                let values = object.keys.filter { !odd.contains($0) && !$0.hasPrefix("@") }
                #expect(Set(row.values.keys) == Set(values), "\(row.reference)")
            }
            #expect(rows[0].values["decimal"].map { "\($0)" } == "NaN")
            #expect(rows[1].misfits == ["decimal", "when"])
            #expect(rows[3].values["decimal"] != nil)
            #expect(rows[4].misfits == ["picture"])
        }
    }

    @Test func `an infinite date or decimal is damage where it is verified and exported`() throws {
        try withFolder { folder in
            let row = "ZDECIMAL, ZWHEN) VALUES (1, 1, 1, 9e999, -9e999)"
            let store = try store(folder.path + "/Store.sqlite", row)
            let damaged = try verify(store, against: model).filter { $0.rule == .wrongType }
            #expect(Set(damaged.map(\.property)) == ["decimal", "when"])
            try readRows(of: store, model: model) { #expect($0.misfits == ["decimal", "when"]) }
        }
    }

    @Test(arguments: [
        ("9007199254740993", true), ("9223372036854775807", true), ("9007199254740992", false),
        ("1e12", false), ("1e300", false), ("-70000000000", false), ("0.1", false),
    ])
    func `a date of any year is exported and comes back, unless verification finds it`(
        date: String,
        isDamage: Bool
    ) throws {
        try withFolder { folder in
            let store = try store(folder.path + "/old.sqlite", "ZWHEN) VALUES (1, 1, 1, \(date))")
            let damaged = try verify(store, against: model).filter { $0.rule == .wrongType }
            #expect(damaged.map(\.property) == (isDamage ? ["when"] : []))
            var bytes: [UInt8] = []
            let exported = try exportRows(of: store, model: model) { bytes += $0 }
            #expect(exported.diagnostics.isEmpty == !isDamage, "\(exported.diagnostics)")
            let copy = folder.path + "/new.sqlite"
            try createStore(at: copy, model: model, rows: RowSource(bytes: bytes, path: "r.json"))
            let sql = "SELECT ZWHEN FROM ZA"
            let back = try StoreFile(path: copy).connection.rows(sql)
            #expect(try back == store.connection.rows(sql))
        }
    }

    @Test func `values of other types are exported as they are stored and come back so`() throws {
        try withFolder { folder in
            let name = UUID().uuidString
            let pointer = ExternalData.reference(to: name).map { String(format: "%02x", $0) }
                .joined()
            let old = try store(
                folder.path + "/old.sqlite",
                "ZDECIMAL, ZFLAG, ZNUMBER) VALUES (1, 1, 1, 'many', 2, 70000)",
                "ZDECIMAL, ZTEXT, ZUUID) VALUES (2, 2, 1, 'NaN', x'00FF', 'no uuid')",
                "ZTEXT, ZWHEN, ZOWN) VALUES (3, 2, 1, CAST(x'FF' AS TEXT), 'soon', 'x')",
                "ZTEXT, ZPICTURE) VALUES (4, 1, 1, 12.5, x'\(pointer)')"
            )
            var bytes: [UInt8] = []
            let exported = try exportRows(of: old, model: model) { bytes += $0 }
            #expect(exported.value == 4)
            let text = String(decoding: bytes, as: UTF8.self)
            for marker in [
                #""decimal": {"@text": "many"}"#, #""flag": {"@integer": "2"}"#,
                #""number": {"@integer": "70000"}"#, #""decimal": "NaN""#,
                #""text": {"@bytes": "AP8="}"#, #""text": {"@encodedText": "/w=="}"#,
                #""picture": {"@file": "\#(name)"}"#,
            ] { #expect(text.contains(marker), "\(marker)") }
            #expect(exported.diagnostics.allSatisfy { $0.severity == .warning })
            let elements = Set(exported.diagnostics.compactMap(\.element))
            #expect(
                elements == [
                    "A.decimal", "A.flag", "A.number", "A.picture", "B.text", "B.uuid",
                    "B.when", "B.own",
                ]
            )
            let copy = folder.path + "/new.sqlite"
            try createStore(at: copy, model: model, rows: RowSource(bytes: bytes, path: "r.json"))
            #expect(try dump(StoreFile(path: copy)) == dump(old))
        }
    }

    @Test func `a store whose metadata has no dictionary is read`() throws {
        try withFolder { folder in
            let made = try store(folder.path + "/a.sqlite", "ZTEXT) VALUES (1, 1, 1, 'a')")
            try SQLiteConnection(path: made.path, mode: .readWrite)
                .execute("UPDATE Z_METADATA SET Z_PLIST = NULL")
            let file = try StoreFile(path: made.path)
            #expect(try file.metadata().entries.isEmpty)
            #expect(try file.metadata().uuid.count == 36)
            #expect(try exportRows(of: file, model: model) { _ in }.value == 1)
            let findings = try verify(file, against: model)
            #expect(findings.map(\.severity) == [.warning])
            var other = model
            other.entities[0].attributes[0].name = "another"
            #expect(throws: (any Error).self) { try exportRows(of: file, model: other) { _ in } }
        }
    }

    @Test func `rows of unknown entities are left out and counted`() throws {
        try withFolder { folder in
            let store = try store(
                folder.path + "/a.sqlite",
                "ZTEXT) VALUES (1, 1, 1, 'a')",
                "ZTEXT) VALUES (2, 7, 1, 'b')",
                "ZTEXT) VALUES (3, NULL, 1, 'c')"
            )
            var bytes: [UInt8] = []
            let exported = try exportRows(of: store, model: model) { bytes += $0 }
            #expect(exported.value == 1)
            #expect(exported.diagnostics.count == 1)
            #expect(exported.diagnostics.first?.message.contains("2 rows are") == true)
        }
    }

    @Test(arguments: [
        #"{"@text": 1}"#, #"{"@integer": "1.5"}"#, #"{"@bytes": "?"}"#, #"{"@other": "x"}"#,
        #"{"@file": "../../etc"}"#, "{}", #"{"@text": "a", "@real": "1"}"#, #"{"@real": "NaN"}"#,
    ])
    func `a marker that says nothing is refused`(marker: String) throws {
        try withFolder { folder in
            let rows = #"{"A": [{"@id": "p1", "picture": \#(marker)}]}"#
            #expect(throws: StoreError.self) {
                try createStore(
                    at: folder.path + "/a.sqlite",
                    model: model,
                    rows: RowSource(bytes: Array(rows.utf8), path: "r.json")
                )
            }
        }
    }
}
