import Diagnostics
import Foundation
import PropertyLists
import TestSupport
import Testing

struct XMLListTests {
    static let values: [(String, PropertyList)] = [
        ("<string>a &amp; b</string>", .string("a & b")),
        ("<integer> -5 </integer>", .integer(-5)),
        ("<integer>0x1F</integer>", .integer(31)),
        ("<integer>18446744073709551615</integer>", .largeInteger(.max)),
        ("<real>1.5</real>", .real64(1.5)),
        ("<true/>", .boolean(true)),
        ("<false/>", .boolean(false)),
        ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
        ("<date>2024-02-29T12:00:01Z</date>", .date(730_900_801)),
        ("<date>1999-12-31T23:59:59Z</date>", .date(-31_622_401)),
        ("<data>\n AQ\n ID </data>", .data(Data([1, 2, 3]))),
        ("<array><true/><array/></array>", .array([.boolean(true), .array([])])),
        ("<dict><key>k</key><string/></dict>", .dictionary(["k": .string("")])),
    ]

    private func read(_ content: String) throws -> PropertyList {
        try readPropertyList(
            Data("<?xml version=\"1.0\"?><plist version=\"1.0\">\(content)</plist>".utf8)
        )
    }

    @Test(arguments: values)
    func `an XML value is read`(content: String, value: PropertyList) throws {
        #expect(try read(content) == value)
    }

    static let faults = [
        "", "<true/><true/>", "<integer>x</integer>", "<date>yesterday</date>", "<data>?</data>",
        "<dict><key>k</key></dict>", "<dict><string/><string/></dict>", "<model/>", "<string>",
        "<date>2024-13-01T00:00:00Z</date>",
    ]

    @Test(arguments: faults)
    func `XML that is no property list is refused`(content: String) {
        #expect(throws: PropertyListError.self) { try read(content) }
    }
}

struct KeyedArchiveTests {
    @Test func `a graph with a cycle is written and read back`() throws {
        let node = KeyedArchive.ClassRecord("Node", "Base")
        var archive = KeyedArchive()
        let name = archive.add(.plain(.string("loop")))
        let first = KeyedArchive.Reference(2)
        let second = KeyedArchive.Reference(3)
        _ = archive.add(
            .instance(.init(node, ["next": .reference(second), "name": .reference(name)]))
        )
        _ = archive.add(
            .instance(
                .init(node, ["next": .reference(first), "all": .references([first, second])])
            )
        )
        archive.top = ["root": .reference(first)]
        let decoded = try KeyedArchive(archive.binaryData)
        #expect(decoded.objects.dropLast() == archive.objects[...])
        #expect(decoded.objects.last == .classRecord(node))
        #expect(decoded.root == first)
        #expect(node.chain == ["Node", "Base", "NSObject"])
        #expect(decoded.binaryData == archive.binaryData)
    }

    @Test func `objects of one class may hold different keys in any order`() throws {
        let node = KeyedArchive.ClassRecord("Node")
        var archive = KeyedArchive()
        func number(_ value: Int64) -> KeyedArchive.Value { .plain(.integer(value)) }
        let values: [KeyedArchive.Values] = [
            ["b": number(1), "a": number(2)], ["a": number(3), "b": number(4)], [:],
            ["a": number(5)], ["b": number(6), "a": number(7)],
            ["\u{FFFD}": number(8), "𝄞": number(9)],
        ]
        for values in values { _ = archive.add(.instance(.init(node, values))) }
        #expect(try KeyedArchive(archive.binaryData).objects.dropLast() == archive.objects[...])
        let list = try readPropertyList(archive.binaryData)
        #expect(list["$version"] == .integer(100_000))
        #expect(list["$archiver"] == .string("NSKeyedArchiver"))
        #expect(try readPropertyList(list.binaryData) == list)
        #expect(archive.binaryData.count == list.binaryData.count)
    }

    static let faults: [PropertyList] = [
        .array([]),
        .dictionary(["$objects": .array([]), "$top": .dictionary([:])]),
        .dictionary(["$objects": .array([.string("$null")])]),
        archive(objects: [.dictionary([:])]),
        archive(objects: [.dictionary(["$class": .uid(9)])]),
        archive(objects: [.dictionary(["$class": .uid(1)])]),
        archive(objects: [.dictionary(["$class": .string("A")])]),
        archive(objects: [], root: .uid(5)),
    ]

    static func archive(objects: [PropertyList], root: PropertyList = .uid(0)) -> PropertyList {
        .dictionary([
            "$objects": .array([.string("$null")] + objects), "$top": .dictionary(["root": root]),
        ])
    }

    @Test(arguments: faults)
    func `a list that is no archive is refused`(list: PropertyList) {
        #expect(throws: PropertyListError.self) { try KeyedArchive(list) }
    }

    @Test func `a number beyond the archive is nil`() {
        #expect(KeyedArchive()[.init(5)] == .null)
        #expect(KeyedArchive()[.init(-1)] == .null)
        #expect(KeyedArchive().root == nil)
    }
}

struct OpenStepListTests {
    private func read(_ text: String) throws -> PropertyList {
        try readOpenStepPropertyList(Array(text.utf8)).value
    }

    @Test(
        arguments: [
            ("{}", PropertyList.dictionary([:])),
            ("()", .array([])),
            ("// !$*UTF8*$!\n{ a = b; }", .dictionary(["a": .string("b")])),
            (
                "{ a /* x = y; */ = (b, \"c d\",); }",
                .dictionary(["a": .array([.string("b"), .string("c d")])])
            ),
            ("<0fBC 42>", .data(Data([0x0F, 0xBC, 0x42]))),
            (#""a\"b\\c\n\t\101\U00e9""#, .string("a\"b\\c\n\tAé")),
            ("'single \"quotes\"'", .string("single \"quotes\"")),
            ("com.apple.product-type.application", .string("com.apple.product-type.application")),
            ("../Shared/M.xcdatamodeld", .string("../Shared/M.xcdatamodeld")),
            ("{ a = 1; a = 2; }", .dictionary(["a": .string("1")])),
            ("\u{FEFF}{ ü = 1; }", nil),
            ("{ \"ü\" = \"grün\"; }", .dictionary(["ü": .string("grün")])),
        ] as [(String, PropertyList?)]
    )
    func `a list is what it says`(text: String, value: PropertyList?) throws {
        guard let value else {
            #expect(throws: PropertyListError.self) { try read(text) }
            return
        }
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        ("{ a = b }", 1, 9), ("{ a b; }", 1, 5), ("(a b)", 1, 4), ("{\n\ta = \"x;\n}", 2, 6),
        ("/* never", 1, 1), ("<0>", 1, 4), ("<0x>", 1, 4), ("", 1, 1), ("{} {}", 1, 4),
        ("{\n<<<<<<< HEAD\n}", 2, 1), ("{ a = ; }", 1, 7),
    ])
    func `a fault is found where it stands`(text: String, line: Int, column: Int) throws {
        do throws(PropertyListError) {
            _ = try readOpenStepPropertyList(Array(text.utf8), path: "p")
            Issue.record("read \(text)")
        } catch {
            guard case .malformedText(let fault) = error else { throw error }
            #expect(fault.location?.line == line, "\(fault)")
            #expect((fault.location?.column ?? 0) >= column - 1, "\(fault)")
        }
    }

    @Test func `keys of the second level have places`() throws {
        let list = try readOpenStepPropertyList(
            Array("{\n\tobjects = {\n\t\tA0 = { isa = X; };\n\t\tA1 = 2;\n\t};\n}\n".utf8),
            path: "p"
        )
        #expect(list.places["A0"] == FileLocation(path: "p", line: 3, column: 3))
        #expect(list.places["A1"] == FileLocation(path: "p", line: 4, column: 3))
        #expect(list.places["isa"] == nil)
    }

    @Test func `depth is bounded, and damaged lists are refused`() throws {
        for sign in ["(", "{a=", "{ a = ("] {
            let text = String(repeating: sign, count: 100_000)
            #expect(throws: PropertyListError.self) { try read(text) }
        }
        var random = SeededGenerator(seed: 7)
        let sound = Array("{ objects = { A0 = (\"a\\U00e9\", <00>, b); /* c */ }; } // d".utf8)
        for _ in 0..<3000 {
            var bytes = sound
            for _ in 0..<3 {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] =
                    Array("{}()<>\"';,=/*\\\u{0}".utf8).randomElement(using: &random) ?? 0
            }
            bytes.removeLast(Int.random(in: 0...9, using: &random))
            _ = try? readOpenStepPropertyList(bytes)
        }
    }
}
