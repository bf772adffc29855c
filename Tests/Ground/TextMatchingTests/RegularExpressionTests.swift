import Foundation
import TestSupport
import Testing
import TextMatching

/// Compares regular expressions with Foundation's, which is in the tests and not in the program.
struct RegularExpressionTests {
    private func found(_ pattern: String, _ text: String) -> [[String?]]? {
        guard let expression = try? RegularExpression(pattern) else { return nil }
        let bytes = Array(text.utf8)
        var (found, start): ([[String?]], Int) = ([], 0)
        while start <= bytes.count,
            let match = try? expression.firstMatch(in: text, from: start)
        {
            found.append(match.groups.map { $0.map { String(decoding: bytes[$0], as: UTF8.self) } })
            start = match.range.upperBound
            guard match.range.isEmpty else { continue }
            repeat { start += 1 } while start < bytes.count && bytes[start] & 0xC0 == 0x80
        }
        return found
    }

    private func foundByFoundation(_ pattern: String, _ text: String) -> [[String?]]? {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).map { match in
            (0..<match.numberOfRanges).map { group in
                let range = match.range(at: group)
                return range.location == NSNotFound
                    ? nil : (text as NSString).substring(with: range)
            }
        }
    }

    private static let patterns = [
        "a", "a.c", "^a", "c$", "a|b", "a|ab", "(a|ab)(c|bcd)(d*)", "a*", "a+?", "a??b", "(a*)*",
        "(a*)+", "(a|b)*?c", "(?:ab)+", "((a)|(b))+", "[abc]+", "[^abc]+", "[a-c]{2,3}", "a{2}",
        "a{2,}", "a{0,1}b", "\\d+", "\\D+", "\\w+", "\\W+", "\\s+", "\\S+", "\\bfoo\\b", "\\Bo",
        "(?i)ABC", "(?i:a)B", "(?i)straße", "(?i)[a-c]+", "(?i)[^a]+", "(?i)K", "(?i)ς",
        "(?m)^b", "(?m)a$", "(?s)a.b", "a.b", "(?x) a b # comment", "(?x: a b )c", "a(?=b)",
        "a(?!b)", "(?<=a)b", "(?<!a)b", "(?<=ab|c)d", "(a)\\1", "(?<n>a)b\\k<n>", "(?>a+)ab",
        "a++b", "a*+", "(a)?b\\1", "\\Aab", "ab\\Z", "ab\\z", "\\Gab", "\\Qa.b\\E", "\\Qab\\E+",
        "\\x41", "\\x{e9}", "\\u00e9", "\\U0001F600", "\\011", "\\t", "\\cI", "\\.", "\\h+",
        "\\v+", "\\R", "\\X", "[\\w&&[^\\d]]+", "[a-z--[aeiou]]+", "[[a-c][x-z]]+", "[]a]+",
        "[a-]+",
        "[-a]+", "[a\\]]+", "[[:alpha:]]+", "[[:^alpha:]]+", "[[:digit:][:space:]]+", "\\p{L}+",
        "\\p{Lu}", "\\P{L}+", "\\p{Letter}", "\\p{Greek}+", "\\p{Script=Han}+", "\\p{sc=Cyrillic}",
        "[\\p{Latin}--[a-z]]+", "\\p{Alphabetic}+", "[^\\d\\s]+", "[\\d\\-x]+", "(?#note)a", "",
        "()", "(|a)+", "(a|)+b", "(?:a?){3}b", "(x+x+)+y", "é", "e\u{301}", "[é]", ".", "..", "^$",
        "$", "^", "(?m)$", "(?m)^", "(?i)ﬁ", "[α-ω]+", "(?i)[Α-Ω]+", "(?-i)a", "(?im-s)^A.",
        "(a)(?:b)(c)", "(?<year>\\d{4})-(?<month>\\d\\d)", "^(\\+\\d{1,3})?[ -]?(\\d+)$",
        "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "([01]?\\d|2[0-3]):[0-5]\\d", "(.)(.)\\2\\1",
        "(?:(?=a)a)+", "(?=(a+))a*b\\1", "(?<=(a))b", "(?!(a))b", "a{1,2}{2}", "a**", "a{", "a}",
        "(", ")", "[", "[a", "[z-a]", "\\", "\\q", "\\p{Nothing}", "(?z)", "*a", "?", "a{2,1}",
        "(?<a)",
        "\\k<no>", "\\2(a)", "(?<=a*)b", "[[:nothing:]]", "a|*", "(?<1>a)", "]", "a]", "{", "x{,2}",
        "[a&&]", "[]", "[^]a]", "[a-\\d]", "\\_", "\\-", "\\ ", "[\\b]", "[\\n\\t]", "(?i)\\x41",
        "\\N", "\\K", "\\1", "(?'n'a)", "(?P<n>a)", "\\8", "[a-c&&b-d]+", "[\\s\\S]+", "(?s).+?b",
    ]

    private static let texts = [
        "", "a", "ab", "abc", "aabb", "abcd", "aaab", "xxxxxy", "xxxxxxxxz", "foo bar", "food foo",
        "a\nb", "a\r\nb\r\n", "ab\n", "ab\n\n", "ABC abc", "Straße STRASSE", "12 34\t5",
        "é e\u{301}É",
        "😀👨‍👩‍👧 x", "αβγ ΑΒΓ σς", "漢字かな", "a.b a+b", "[a]-b", "K\u{212A}k", "+49 12345",
        "name@example.org", "23:59 7:05", "abba xyyx", "2024-05 1999-12", "a\u{2028}b\u{85}c",
        "x_1-2 y", "ﬁ fi FI", "caab", "\u{0}A\t\\", "b\na\nb", "Привет мир", "} { ]", "zab]-",
    ]

    @Test(arguments: patterns)
    func `a pattern finds what Foundation finds`(pattern: String) {
        for text in Self.texts {
            let (own, theirs) = (found(pattern, text), foundByFoundation(pattern, text))
            // Texts are compared by scalars here, not by what they look like.
            #expect(own?.debugDescription == theirs?.debugDescription, "\(pattern) in \(text)")
        }
    }

    @Test func `templates are filled in as Foundation fills them in`() throws {
        let patterns = ["(a)(b)?", "\\d", "()", "(x)|(y)", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)"]
        let templates = [
            "", "$0", "[$1|$2]", "\\$1", "$", "$9x", "$11", "a\\\\b", "$1$1", "$$", "$01",
        ]
        let texts = ["ab a", "a1b2", "xyx", "", "abcdefghijk", "äöü"]
        for (pattern, template) in patterns.flatMap({ p in templates.map { (p, $0) } }) {
            let own = try RegularExpression(pattern)
            let theirs = try NSRegularExpression(pattern: pattern)
            for text in texts {
                let range = NSRange(text.startIndex..., in: text)
                #expect(
                    try own.replaceMatches(in: text, by: template)
                        == theirs.stringByReplacingMatches(
                            in: text,
                            range: range,
                            withTemplate: template
                        ),
                    "\(pattern) by \(template) in \(text)"
                )
            }
        }
    }

    @Test func `random patterns find what Foundation finds`() {
        var numbers = SeededGenerator(seed: 1)
        let pieces = [
            "a", "b", "c", ".", "[ab]", "[^a]", "(a)", "(b|c)", "(a+)", "(?:ab|a)", "(?=a)",
            "(?!b)",
            "(?<=a)", "\\b", "\\w", "(?>a|ab)", "(a|b)",
        ]
        let counts = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}", "*+"]
        for _ in 0..<Sweep.count(3000, every: 6) {
            let head = ["", "", "^"].randomElement(using: &numbers) ?? ""
            let tail = ["", "", "$"].randomElement(using: &numbers) ?? ""
            let middle = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
                (pieces.randomElement(using: &numbers) ?? "")
                    + (counts.randomElement(using: &numbers) ?? "")
            }.joined()
            let pattern = head + middle + tail
            let text = String(
                (0..<Int.random(in: 0...7, using: &numbers)).map { _ in
                    "abc".randomElement(using: &numbers) ?? "a"
                }
            )
            #expect(
                found(pattern, text) == foundByFoundation(pattern, text),
                "\(pattern) in \(text)"
            )
        }
    }

    @Test(arguments: ["(x+x+)+[yz]", "(x|xx)+[yz]", "(x+x+)+y"])
    func `a search that goes on and on ends with an error`(pattern: String) throws {
        let expression = try RegularExpression(pattern)
        let text = String(repeating: "x", count: 60) + "!"
        #expect(throws: RegularExpressionFault.self) {
            try expression.firstMatch(in: text, limit: 100_000)
        }
        let quick = try? expression.firstMatch(in: "xxy", limit: 1000)
        #expect(quick?.range == 0..<3)
    }

    private static let refused = [
        ("(?<=a{1,2})b", "lookbehind"),
        ("(?i)\\p{Lu}", "\\p{Lu}"),
        ("\\p{InGreek}", "'InGreek'"),
        ("\\N{BULLET}", "\\N{NAME}"),
        ("(?w)a", "'w'"),
        ("(a*)*+b", "'*+'"),
        ("(a)\\1*+b", "'*+'"),
    ]

    @Test(arguments: refused)
    func `what is decided otherwise is refused by name`(pattern: String, name: String) {
        let fault = #expect(throws: RegularExpressionFault.self) { try RegularExpression(pattern) }
        #expect(fault?.message.contains(name) == true)
    }

    private static let written = [
        "(?i)ss", "(?i)weiss", "(?i)ﬃ", "(?i)ffi", "(?i)s{2}", "(?i)[ß]", "(?i)İ", "(?d)a.b",
        "(?md)^b", "(?md)a$", "(?x)[a b]+", "[[:graph:]]+", "[[:print:]]+", "[[:alnum:]]+",
        "[[:xdigit:]]+", "\\p{Emoji}", "\\p{Hex_Digit}+", "\\p{gc=Lu}", "\\p{script=latin}+",
        "\\p{sc=Hani}+", "[^\\p{L}--[0-9]]+", "[^a&&b]", "[a-c--b]+", "[[a]&&[^b]]", "\\b",
        "\\B", "(?s).", "\\p{Assigned}+", "a(?i)b|c", "[[:^digit:]]", "(?:){3}", "\\X+?b",
    ]

    @Test(arguments: written)
    func `what the two write otherwise finds the same`(pattern: String) {
        let texts = [
            "weiß WEISS weiss sss", "o\u{301}x", "co\u{AD}op x", "!\u{301}x", "a\r\n", "İi̇ı",
            "ﬃ ffi FFI", "\r\n\r\n", "\u{85}", "ａＡ１", "ⅷ ² ½", "👍🏽👍🇩🇪🇫🇷", "각ᄀ",
        ]
        for text in Self.texts + texts {
            #expect(
                found(pattern, text).debugDescription
                    == foundByFoundation(pattern, text).debugDescription,
                "\(pattern) in \(text)"
            )
        }
    }

    @Test(arguments: [
        String(repeating: "(", count: 100_000), String(repeating: "[", count: 100_000),
        String(repeating: "(a{1000}){1000}", count: 10), String(repeating: "\\", count: 9),
        String(repeating: "(?=", count: 5000),
    ])
    func `a pattern that asks for too much is none`(pattern: String) {
        #expect(throws: RegularExpressionFault.self) { try RegularExpression(pattern) }
    }

    @Test func `a long text needs no deep stack`() throws {
        let expression = try RegularExpression("(?:a|b)*c")
        let text = String(repeating: "ab", count: 200_000)
        #expect(try expression.firstMatch(in: text + "c")?.range == 0..<400_001)
    }
}
