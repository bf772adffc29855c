import Diagnostics
import Foundation
import PropertyLists
import TestSupport
import Testing

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
