import Testing
import YAMLReading

/// Holds what is read of YAML, and what is refused.
struct YAMLReadingTests {
    @Test func `values keep their order and places`() throws {
        let text = "# first\nb: 1\na:\n  - x\n  - 'y z'\n  - {k: v}\n"
        let mapping = try #require(try parseYAML(text)?.mapping)
        #expect(mapping.map(\.key.string) == ["b", "a"])
        #expect(mapping["b"]?.mark == YAMLNode.Mark(line: 2, column: 4))
        let items = try #require(mapping["a"]?.sequence)
        #expect(items.map(\.string) == ["x", "y z", nil])
        #expect(items[1].mark == YAMLNode.Mark(line: 5, column: 5))
        #expect(items[2].mapping?["k"]?.string == "v")
    }

    @Test(arguments: [
        ("true", true), ("Yes", true), ("on", true), ("off", false), ("No", false), ("'true'", nil),
        ("1", nil), ("truth", nil),
    ])
    func `plain words are truth values`(text: String, value: Bool?) throws {
        #expect(try parseYAML(text)?.bool == value)
    }

    @Test(arguments: [
        ("0", 0), ("12", 12), ("-7", -7), ("+7", 7), ("1_000", 1000), ("0x1F", 31), ("-0x10", -16),
        ("0b101", 5), ("0o17", 15), ("017", 15), ("'5'", nil), ("5.0", nil), ("--5", nil),
        ("0x-5", nil), ("9223372036854775808", nil), ("five", nil),
    ])
    func `plain digits are whole numbers`(text: String, value: Int?) throws {
        #expect(try parseYAML(text)?.int == value)
    }

    @Test(arguments: [
        ("1.5", 1.5), ("-1e3", -1000), (".5", 0.5), (".inf", .infinity), ("-.inf", -.infinity),
        ("infinity", nil), ("0x1p3", nil), ("'1.5'", nil),
    ])
    func `plain digits with a point are numbers`(text: String, value: Double?) throws {
        #expect(try parseYAML(text)?.float == value)
    }

    @Test(arguments: [("~", true), ("null", true), ("''", false), ("nil", false)])
    func `nothing can be said`(text: String, isNull: Bool) throws {
        #expect(try parseYAML(text)?.isNull == isNull)
    }

    @Test func `a reference is what it refers to`() throws {
        let mapping = try #require(try parseYAML("a: &x [1, 2]\nb: *x")?.mapping)
        #expect(mapping["b"]?.sequence?.map(\.int) == [1, 2])
    }

    @Test(arguments: ["", "# only words\n"])
    func `an empty text holds no document`(text: String) throws {
        #expect(try parseYAML(text) == nil)
    }

    @Test(arguments: [
        ("a: [1", 2), ("a: b: c", 1), ("\ta: 1", 1), ("a: 1\na: 2", 2), ("a: *b", 1),
        ("--- a\n--- b", 2), ("a: &a [*a]", 1), ("a: \u{0}", nil),
    ])
    func `what is no document is refused at its place`(text: String, line: Int?) {
        #expect(throws: YAMLFault.self) { try parseYAML(text) }
        do {
            _ = try parseYAML(text)
        } catch {
            #expect(error.mark?.line == line)
            #expect(!error.reason.isEmpty)
        }
    }

    @Test func `references that multiply are refused`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let list = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(list)]\n"
        }
        #expect(throws: YAMLFault.self) { try parseYAML(text) }
    }
}
