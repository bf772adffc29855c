import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import RowExchange

/// Values are replaced by others of the same kind and length, equal ones by equal ones.
struct AnonymousExportTests {
    private let replacement = ValueReplacement(secret: Array(0..<32))

    private func text(_ text: String) -> String? {
        replacement.value(.text(text), .string, files: nil).text
    }

    @Test(arguments: [
        "Ada Lovelace", "ada@example.org", "007-A", "Åse Øye", "Ωmega μ", "東京 Kyōto", "👩🏽‍💻 works", "",
        "a",
        "The quick brown fox jumps over the lazy dog 1234567890",
    ])
    func `a text keeps its length in characters and bytes, and what stands between its words`(
        _ old: String
    ) throws {
        let new = try #require(text(old))
        #expect(new.utf8.count == old.utf8.count, "\(new)")
        #expect(new.unicodeScalars.count == old.unicodeScalars.count, "\(new)")
        #expect(text(old) == new)
        for (left, right) in zip(old.unicodeScalars, new.unicodeScalars) where left.isASCII {
            let isLetter = left.properties.isAlphabetic || left.properties.numericType != nil
            #expect(LetterKind(left) == LetterKind(right), "\(old) became \(new)")
            if !isLetter { #expect(left == right) }
        }
        // Each letter could stay what it is, but not all of many.
        if old.utf8.count > 6 { #expect(new != old) }
    }

    @Test func `different texts stay different, however short they are`() throws {
        let letters = (0..<26).map { String(UnicodeScalar(UInt8(65 + $0))) }
        let codes = letters.flatMap { first in letters.map { first + $0 } }
        #expect(Set(codes.compactMap(text)).count == codes.count)
        #expect(Set((0..<10).compactMap { text("\($0)") }).count == 10)
    }

    @Test(arguments: [0, 5, -5, 42, 999, 12_345, -32_768, 32_767] as [Int64])
    func `an integer keeps its sign, its digits and its type`(_ old: Int64) throws {
        let value = replacement.value(.integer(old), .integer16, files: nil)
        let new = try #require(value.integer)
        if old != -32_768 {
            #expect(Int16(exactly: new) != nil)
            #expect(String(new).count == String(old).count, "\(old) became \(new)")
        }
        #expect((new < 0) == (old < 0))
    }

    @Test func `different integers stay different`() {
        var all: Set<SQLiteValue> = []
        for number in Int64(0)...9999 {
            all.insert(replacement.value(.integer(number), .integer32, files: nil))
        }
        #expect(all.count == 10_000)
    }

    @Test(arguments: [0, 3.14, -0.5, 1e-07, 123_456_789.25, 1.7976931348623157e+308, .infinity])
    func `a number keeps its sign and its size`(_ old: Double) {
        guard case .real(let new) = replacement.value(.real(old), .double, files: nil) else {
            Issue.record("no number")
            return
        }
        #expect((new < 0) == (old < 0))
        guard old.isFinite, old != 0, new.isFinite else {
            #expect(new == old)
            return
        }
        let ratio = abs(new / old)
        #expect(ratio > 0.05 && ratio < 20, "\(old) became \(new)")
    }

    @Test func `Boolean values and NULL stay, bytes keep their number and a UUID its version`()
        throws
    {
        #expect(replacement.value(.integer(1), .boolean, files: nil) == .integer(1))
        #expect(replacement.value(.null, .string, files: nil) == .null)
        let bytes = Data((0..<100).map { UInt8($0) })
        let new = try #require(replacement.value(.blob(bytes), .binary, files: nil).blob)
        #expect(new.count == 100 && new != bytes)
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let blob = withUnsafeBytes(of: uuid.uuid) { Data($0) }
        let other = try #require(replacement.value(.blob(blob), .uuid, files: nil).blob)
        #expect(other.count == 16 && other != blob)
        #expect(other[6] >> 4 == 4 && other[8] >> 6 == 2)
    }

    @Test func `another secret gives other values`() {
        let other = ValueReplacement(secret: [1, 2, 3])
        let old = SQLiteValue.text("a text that is long enough")
        #expect(
            other.value(old, .string, files: nil) != replacement.value(old, .string, files: nil)
        )
    }

    @Test func `rows keep their links and can be imported, and nothing of their values is left`()
        throws
    {
        try withFolder { folder in
            let path = folder.appending(path: "A.sqlite").path
            let source = RowSource(bytes: Array(PartialExportTests.rows.utf8), path: "rows.json")
            try createStore(at: path, model: .everything, rows: source)
            func export(_ path: String, _ anonymity: RowAnonymity?) throws -> String {
                let options = RowExportOptions(anonymity: anonymity)
                let file = try StoreFile(path: path)
                let bytes = try exportedRows(of: file, model: .everything, options: options)
                return String(decoding: bytes, as: UTF8.self)
            }
            let text = try export(path, RowAnonymity(secret: [7]))
            for value in ["Ada", "Bob", "One", "Two", "E621E1F8", "2000-01-01"] {
                #expect(!text.contains(value), "\(text)")
            }
            for kept in ["\"books\": [\"Book/p1\", \"Book/p2\"]", "\"sold\": true"] {
                #expect(text.contains(kept), "\(text)")
            }
            #expect(try export(path, RowAnonymity(secret: [7])) == text)
            #expect(try export(path, RowAnonymity()) != text)
            let copy = folder.appending(path: "B.sqlite").path
            let rows = RowSource(bytes: Array(text.utf8), path: "rows.json")
            try createStore(at: copy, model: .everything, rows: rows)
            let findings = try verify(StoreFile(path: copy), against: .everything)
            #expect(findings.filter { $0.severity == .error }.isEmpty, "\(findings)")
            // What is computed from other values is computed again.
            #expect(try export(copy, nil).contains("\"bookCount\": 2"))
        }
    }
}
