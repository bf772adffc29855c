import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import RowExchange

struct EmbeddedJSONTests {
    private let model = ManagedObjectModel([Entity("A", [Attribute("value", .binary)])])

    /// Makes a store of a row's value, and returns its bytes and the export.
    private func trip(_ value: String) throws -> (bytes: Data?, value: String?) {
        try withFolder { folder in
            let path = folder.path + "/a.sqlite"
            let rows = #"{"A": [{"@id": "p1", "value": \#(value)}]}"#
            let source = RowSource(bytes: Array(rows.utf8), path: "rows.json")
            try createStore(at: path, model: model, rows: source)
            let store = try StoreFile(path: path)
            var bytes: [UInt8] = []
            _ = try exportRows(of: store, model: model) { bytes += $0 }
            let text = String(decoding: bytes, as: UTF8.self)
            let written = text.firstMatch(of: /"value": (.*)}\n/)?.1
            let blob = try store.connection.value("SELECT ZVALUE FROM ZA")?.blob
            return (blob, written.map(String.init))
        }
    }

    @Test(arguments: [
        "[]", "{}", #"[{"town":"Paris","size":1.50e3,"tags":["a",null,true,false]}]"#,
        #"{"b":1,"a":-2}"#, #"["a\/b","\u00e9","é","\"\\"]"#, "[[[[0]]]]",
    ])
    func `what an encoder writes is shown and read back`(json: String) throws {
        let base64 = Data(json.utf8).base64EncodedString()
        let stored = try trip("\"\(base64)\"")
        #expect(stored.bytes == Data(json.utf8))
        #expect(stored.value == #"{"@json": \#(json)}"#)
        #expect(try trip(#"{"@json": \#(json)}"#).bytes == Data(json.utf8))
    }

    @Test(arguments: [
        "[ ]", "[1,]", "[01]", "{\"a\"}", "[1] ", "1", "\"a\"", "[\u{1}]", "[tru]", "[\"\\ud800\"]",
        "[",
        "[\"", "[nul", "[\"\\u12\"]", "[\"a\nb\"]", "[-]", "",
        String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
    ])
    func `all else stays bytes`(text: String) throws {
        let base64 = Data(text.utf8).base64EncodedString()
        let stored = try trip("\"\(base64)\"")
        #expect(stored.bytes == Data(text.utf8))
        #expect(stored.value == "\"\(base64)\"")
    }

    @Test func `what people write over several lines is stored without its white space`() throws {
        let long = String(repeating: "x y", count: 60_000)
        let written = try trip("{ \"@json\" : [ 1 ,\n { \"a b\" : \"\(long)\" } ] }")
        #expect(written.bytes == Data("[1,{\"a b\":\"\(long)\"}]".utf8))
    }

    @Test(arguments: [#"{"@json": }"#, #"{"@json"}"#, #"{"@json": [}"#, #"{"@json": [], "b": 1}"#])
    func `what is no JSON is refused`(value: String) {
        #expect(throws: StoreError.self) { try trip(value) }
    }
}

struct Base64Tests {
    @Test(arguments: [0, 1, 2, 3, 3_071, 3_072, 3_073, 6_144, 10_000])
    func `bytes of any length are written as by Foundation, and come back`(count: Int) {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) })
        var text = JSONText(capacity: 16)
        data.withUnsafeBytes { text.appendBase64($0) }
        #expect(text.bytes == Array("\"\(data.base64EncodedString())\"".utf8))
        let digits = Array(text.bytes.dropFirst().dropLast())
        #expect(digits.withUnsafeBytes { Base64.bytes(of: $0) } == Array(data))
    }

    @Test(arguments: [0, 2, 3, 4_094, 4_095, 4_096, 8_191, 8_192, 8_200])
    func `what is no digit is refused, wherever it stands`(place: Int) {
        let digits = Array(Data(repeating: 0x2A, count: 6_200).base64EncodedString().utf8)
        for wrong in "=-_ \n\u{0}é".utf8 {
            var damaged = digits
            damaged[place] = wrong
            #expect(damaged.withUnsafeBytes { Base64.bytes(of: $0) } == nil, "\(wrong)")
        }
    }
}
