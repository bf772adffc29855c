import Foundation
import TestSupport
import Testing

/// Tests ask for values; what the tool prints is recorded in `Fixtures/Words`, so that a change of words is one difference.
struct QuotedWordTests {
    /// What an expectation compares with, and any text in the line of a run.
    private static let expected = pattern(
        #"(?:contains\(|has(?:Pre|Suf)fix\(|ranges\(of: |[=!]= \[?|(?:errors|not): \[|message: )\s*"#
            + #""((?:[^"\\\n]|\\.)*)"|(?<=expectRun\(|expectFailure\()(.*)"#
    )
    private static let words = pattern(#"[A-Za-z][A-Za-z']*(?: [a-z][a-z']*){2,}"#)

    /// The words of these are their subject.
    private static let exceptions = ["HintTests", "ReadmeTests", "QuotedWordTests"]

    private static func pattern(_ text: String) -> NSRegularExpression? {
        try? NSRegularExpression(pattern: text)
    }

    private static func matches(_ pattern: NSRegularExpression?, in text: String) -> [String] {
        let found = pattern?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? []
        return found.compactMap { match in
            let groups = (0..<match.numberOfRanges).compactMap {
                Range(match.range(at: $0), in: text)
            }
            return groups.last.map { String(text[$0]) }
        }
    }

    /// Three words in a row of what a text expects.
    private static func phrases(in text: String) -> Set<String> {
        let runs = matches(expected, in: text).flatMap { matches(words, in: $0) }
        return Set(
            runs.flatMap { run in
                let words = run.split(separator: " ")
                return (2..<words.count).map { words[($0 - 2)...$0].joined(separator: " ") }
            }
        )
    }

    @Test func `no expectation quotes three words of what the tool prints`() {
        let lines = SourceFile.sources.flatMap(\.lines).filter { line in
            !line.drop { $0 == " " }.hasPrefix("//")
        }
        let sources = lines.joined(separator: "\n")
        let quoted = SourceFile.tests.flatMap { file -> [String] in
            guard !Self.exceptions.contains(where: { file.path.hasSuffix("/\($0).swift") }) else {
                return []
            }
            let text = file.lines.joined(separator: "\n")
            return Self.phrases(in: text).sorted().map { "\(file.path): \($0)" }
        }
        let found = sources.withCString { sources in
            quoted.filter { line in strstr(sources, line.split(separator: ": ")[1] + "") != nil }
        }
        #expect(found == [])
    }

    @Test func `a phrase is found in what is expected, wherever it is`() {
        #expect(
            Self.phrases(in: #"x.contains("it is gone now")"#) == ["it is gone", "is gone now"]
        )
        #expect(Self.phrases(in: #"#expect(x == ["a b c [r]"])"#) == ["a b c"])
        #expect(
            Self.phrases(in: #"try expectRun(x, 0, "a b", "no file here")"#) == ["no file here"]
        )
        #expect(Self.phrases(in: #"let x = "not in an expectation""#) == [])
    }
}
