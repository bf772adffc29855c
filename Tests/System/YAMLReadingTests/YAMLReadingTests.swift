import Testing
@testable import YAMLReading

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

    @Test(arguments: [("[{a: ", 20_000), ("[", 201), ("- ", 201), ("a:\n", 1)])
    func `nodes that lie too deep in each other are refused before they are composed`(
        bracket: String,
        count: Int
    ) throws {
        let text = String(repeating: bracket, count: count)
        guard count > 200 else {
            #expect(try parseYAML(text) != nil)
            return
        }
        let fault = #expect(throws: YAMLFault.self) { try parseYAML(text) }
        #expect(fault?.reason.contains("too much") == true, "\(fault?.reason ?? "")")
        #expect(fault?.mark != nil)
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

/// Compares texts that are written into YAML with what libyaml reads.
struct YAMLWritingTests {
    /// Words that mean something else without quotation marks, or that end their context.
    private static let words: [String] =
        [
            "", " ", "a ", " a", "a b", "a  b", "true", "Yes", "NO", "off", "y", "N", "null",
            "Null",
            "NULL", "~", "1", "01", "0x1F", "_1", "_0b1", "__", "1_000", "1e3", ".5", "_.5", ".inf",
            ".nan", "-1", "-", "- a", "---", "...", "... a", "..", "../../Shop.xcdatamodeld", "./a",
            "/a", "a:", "a: b", "a:b", "a #b", "#a", "a,b", "[a]", "{a}", "a]", "&a", "*a", "!a",
            "|",
            ">", "%a", "@a", "`a", "'a'", "a'b", "\"a\"", "a\"b", "a\\b", "a\nb", "a\r\nb", "\ta",
            "a\u{301}\"b", "\"\u{301}", "\\\u{301}", "a\u{0}b", "a\u{85}b", "a\u{2028}b",
            "\u{FEFF}a",
            "a\u{FEFF}b", "a\u{FFFE}b", "\u{FFFF}", "\u{1F4A9}", "\u{10FFFF}", "a\u{202E}b",
            "Größe",
            "日本語", "²", "Ⅳ", "V2", "Shop 2", "Book.notes", "Stop-2", "a ", "? a", "? ", "<<", "=",
            "2001-01-01", "12:30:45", "e1", "e_1", "a.", "0o7", "Infinity", "NaN", "x: {y: [z]}",
        ]

    @Test(arguments: words)
    func `a text reads back as itself, as a key and as a value, in blocks and between brackets`(
        word: String
    ) throws {
        let text = yamlText(word)
        let block = try #require(
            try parseYAML("k: \(text)\n\(text): v\nl:\n  - \(text)\n")?.mapping
        )
        let flow = try #require(
            try parseYAML("{f: [\(text), \(text)], m: {\(text): \(text)}}")?.mapping
        )
        let nodes = [
            block["k"], block[1].key, block["l"]?.sequence?.first, flow["f"]?.sequence?.last,
            flow["m"]?.mapping?[0].key, flow["m"]?.mapping?[0].value,
        ]
        for node in nodes {
            let node = try #require(node)
            #expect(node.string.map { Array($0.utf8) } == Array(word.utf8), "\(text)")
            #expect(node.bool == nil && node.int == nil && node.float == nil && !node.isNull)
            #expect(node.scalar?.isPlain == isPlainYAML(word))
        }
        #expect(!text.unicodeScalars.contains("\n"))
    }

    @Test func `names as people give them need no quotation marks`() {
        for name in ["Shop 2", "V2", "Book.notes", "../Shop.xcdatamodeld", "Größe", "snake_case"] {
            #expect(yamlText(name) == name)
        }
    }
}
