import Foundation
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import RowExchange

struct ArchivedObjectTests {
    private func model(_ className: String?) -> ManagedObjectModel {
        var attribute = Attribute("value", .transformable)
        attribute.valueTransformerName = "NSSecureUnarchiveFromData"
        attribute.customClassName = className
        return ManagedObjectModel([Entity("A", [attribute])])
    }

    /// Makes a store of a value in JSON, and returns its bytes and the export.
    private func trip(
        _ json: String,
        of className: String? = nil
    ) throws -> (bytes: Data?, json: Substring?) {
        try withFolder { folder in
            let path = folder.path + "/a.sqlite"
            let rows = #"{"A": [{"@id": "p1", "value": \#(json)}]}"#
            let source = RowSource(bytes: Array(rows.utf8), path: "rows.json")
            try createStore(at: path, model: model(className), rows: source)
            let store = try StoreFile(path: path)
            var bytes: [UInt8] = []
            _ = try exportRows(of: store, model: model(className)) { bytes += $0 }
            let text = String(decoding: bytes, as: UTF8.self)
            let value = text.firstMatch(of: /"value": (.*)}\n/)?.1
            return (try store.connection.value("SELECT ZVALUE FROM ZA")?.blob, value)
        }
    }

    @Test(arguments: [
        #"{"@archive": [1, 2.5, "three", true, null]}"#,
        #"{"@archive": {"name": "Ada", "born": {"@date": "1815-12-10T00:00:00Z"}, "tags": []}}"#,
        #"{"@archive": {"@set": [{"@uuid": "0D4C9A30-7A3C-4C5B-9B6E-5A7F0A3D6D11"}]}}"#,
        #"{"@archive": {"@uri": "https://example.org/ü"}}"#,
        #"{"@archive": {"@bytes": "AP8="}}"#, #"{"@archive": {}}"#, #"{"@archive": "text"}"#,
    ])
    func `what an archive holds is written and comes back`(json: String) throws {
        let result = try trip(json)
        #expect(result.json.map(String.init) == json)
        #expect(result.bytes?.starts(with: "bplist00".utf8) == true)
    }

    @Test(arguments: [
        ("String", #"["a", "b"]"#), ("Int", "[1, -2]"), ("Double", "[1.0, 2.5]"),
        ("Bool", "[true, false]"), ("Date", #"["2001-01-01T00:00:00Z"]"#),
        ("UUID", #"["0D4C9A30-7A3C-4C5B-9B6E-5A7F0A3D6D11"]"#), ("Data", #"["AP8=", ""]"#),
        ("URL", #"["https://example.org"]"#), ("String", "[]"),
    ])
    func `a list of SwiftData's needs nothing that says its kind`(
        element: String,
        json: String
    ) throws {
        let result = try trip(json, of: "Array<\(element)>")
        #expect(result.json.map(String.init) == json)
        // Defaults are written as rows are.
        let attribute = try #require(model("Array<\(element)>").entities.first?.attributes.first)
        let bytes = try #require(result.bytes)
        #expect(rowText(of: .binary(bytes), as: attribute) == json)
    }

    @Test func `a list that is of other elements than its class says is written with its kind`()
        throws
    {
        let json = #"{"@archive": [1, "two"]}"#
        #expect(try trip(json, of: "Array<String>").json.map(String.init) == json)
    }

    @Test(arguments: [
        #"{"@archive": {"@date": "soon"}}"#, #"{"@archive": {"@uuid": "1"}}"#,
        #"{"@archive": {"@set": {}}}"#, #"{"@archive": {"@other": 1}}"#,
        #"{"@archive": {"a": 1, "a": 2}}"#, #"{"@archive": {"@date": 1, "b": 2}}"#,
        #"{"@archive": 1, "@bytes": ""}"#, #"{"@archive": }"#, #"{"@archive"}"#, "[1]",
        #"{"@archive": \#(String(repeating: "[", count: 5_000))"#,
    ])
    func `what says nothing is refused`(json: String) {
        #expect(throws: StoreError.self) { try trip(json) }
    }

    @Test func `random objects come back as they were`() throws {
        var generator = SeededGenerator(seed: 14)
        let objects = (0..<200).map { _ in ArchivedObject.random(depth: 0, &generator) }
        let rows = objects.enumerated().map { place, object in
            let archived = object.archive.withUnsafeBytes { ArchivedObject(archive: $0) }
            #expect(archived == object)
            var text = JSONText(capacity: 64)
            object.write(into: &text)
            let json = String(decoding: text.bytes, as: UTF8.self)
            return #"{"@id": "p\#(place + 1)", "value": {"@archive": \#(json)}}"#
        }
        try withFolder { folder in
            let path = folder.path + "/a.sqlite"
            let text = #"{"A": [\#(rows.joined(separator: ", "))]}"#
            let source = RowSource(bytes: Array(text.utf8), path: "rows.json")
            try createStore(at: path, model: model(nil), rows: source)
            let found = try StoreFile(path: path).connection
                .rows("SELECT ZVALUE FROM ZA ORDER BY Z_PK").map { $0[0].blob }
            #expect(found == objects.map { Data($0.archive) })
        }
    }

    @Test func `an archive that contains itself, or a class of an app, stays bytes`() throws {
        var archive = KeyedArchive()
        let root = archive.add(.null)
        let record = KeyedArchive.ClassRecord("NSArray")
        archive.objects[root.index] = .instance(.init(record, ["NS.objects": .references([root])]))
        _ = archive.add(.classRecord(record))
        archive.top = ["root": .reference(root)]
        #expect(archive.binaryData.withUnsafeBytes { ArchivedObject(archive: $0) } == nil)
        for name in ["NSMutableArray", "App.Colors"] {
            let record = KeyedArchive.ClassRecord(name, "NSArray")
            archive.objects[root.index] = .instance(.init(record, ["NS.objects": .references([])]))
            archive.objects[2] = .classRecord(record)
            #expect(archive.binaryData.withUnsafeBytes { ArchivedObject(archive: $0) } == nil)
            let json = "\"\(archive.binaryData.base64EncodedString())\""
            #expect(try trip(json).json.map(String.init) == json)
        }
    }
}

extension ArchivedObject {
    fileprivate static func random(depth: Int, _ generator: inout SeededGenerator) -> Self {
        func some() -> [Self] {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                random(depth: depth + 1, &generator)
            }
        }
        switch Int.random(in: 0...(depth < 4 ? 11 : 8), using: &generator) {
        case 0: return .null
        case 1: return .text(["", "a", "ü\n\"", "@x"].randomElement(using: &generator) ?? "")
        case 2: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3: return .real(Double.random(in: -1e9...1e9, using: &generator))
        case 4: return .boolean(Bool.random(using: &generator))
        case 5: return .bytes(Data([UInt8.random(in: 0...255, using: &generator)]))
        case 6: return .date(Double(Int.random(in: -9_999_999...9_999_999, using: &generator)))
        case 7: return .uuid(UUID())
        case 8: return .uri("https://example.org/\(Int.random(in: 0...9, using: &generator))")
        case 9: return .list(some())
        case 10: return .set(some())
        default:
            return .dictionary(some().enumerated().map { Entry(key: "k\($0)", value: $1) })
        }
    }
}
