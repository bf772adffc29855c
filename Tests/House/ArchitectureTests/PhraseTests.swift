import Foundation
import TestSupport
import Testing

/// The phrases that CONTRIBUTING lists with better ones occur nowhere in sources, pages and recorded words.
struct PhraseTests {
    private static let guide = ".github/CONTRIBUTING.md"
    private static let header = "| not | but | except in |"

    private static func text(_ path: String) -> String {
        (try? fileText(Corpus.package.appending(path: path))) ?? ""
    }

    private static func paths(in folder: String, with suffix: String) -> [String] {
        let path = Corpus.package.appending(path: folder).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }

    private static let rows: [[String]] = text(guide).components(separatedBy: "\n")
        .drop { $0 != header }.dropFirst(2).prefix { $0.hasPrefix("|") }
        .map { row in row.split(separator: "|").map { $0.trimmingCharacters(in: [" "]) } }

    private static let better = Dictionary(
        rows.map { ($0[0], $0[1]) },
        uniquingKeysWith: { first, _ in first }
    )

    /// Exceptions come first, as the first alternative that matches is taken; a phrase may continue on the next line.
    private static let pattern: NSRegularExpression? = {
        let exceptions = rows.flatMap { $0[2].components(separatedBy: ", ") }
            .filter { !$0.isEmpty }
        let choices = (exceptions + rows.map { $0[0] }).joined(separator: "|")
        let spaced = choices.replacing(" ", with: #"(?: |[ \\]*\n *(?:\/+ )?)"#)
        return try? NSRegularExpression(
            pattern: #"\b(?:\#(spaced))\b(?!-)"#,
            options: .caseInsensitive
        )
    }()

    private static func findings(in text: String, of path: String) -> [String] {
        let matches = pattern?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? []
        return matches.compactMap { match in
            guard let range = Range(match.range, in: text) else { return nil }
            let phrase = text[range].split { !$0.isLetter }.joined(separator: " ").lowercased()
            guard let instead = better[phrase] else { return nil }
            let line = text[..<range.lowerBound].components(separatedBy: "\n").count
            return "\(path):\(line): instead of '\(phrase)' write: \(instead)"
        }
    }

    @Test func `sources use no translated phrases`() {
        let found = SourceFile.sources.flatMap { file in
            Self.findings(in: file.lines.joined(separator: "\n"), of: file.path)
        }
        #expect(found == [])
    }

    @Test func `pages use no translated phrases`() {
        let folder = "Sources/Library/Momtool/Momtool.docc"
        let pages = Self.paths(in: folder, with: ".md") + Self.paths(in: ".github", with: ".md")
        #expect(pages.count > 30)
        let found = (pages + ["README.md"]).flatMap { path in
            let text = Self.text(path).components(separatedBy: Self.header)[0]
            return Self.findings(in: text, of: path)
        }
        #expect(found == [])
    }

    @Test func `commands print no translated phrases`() {
        let records = Self.paths(in: "Fixtures/Words", with: ".txt")
        #expect(records.count > 100)
        let found = records.flatMap { path in
            let printed = Self.text(path).components(separatedBy: "\n")
                .map { $0.hasPrefix("|") || $0.hasPrefix("!") ? $0 : "" }
            return Self.findings(in: printed.joined(separator: "\n"), of: path)
        }
        #expect(found == [])
    }

    @Test(arguments: [
        ("It is told.", ["A:1: instead of 'is told' write: is reported, is printed"]),
        ("\n/// What it says\n    /// of it", ["A:2: instead of 'says of' write: says about"]),
        ("it is \\\nno file", ["A:1: instead of 'is no' write: is not a"]),
        ("there\n/// is no file, which is no longer there; it stands for a no-trace", []),
        (#"["is", "let"], `are` `no-trace`, understands"#, []),
    ])
    func `a phrase is found across lines, but not in its exceptions`(text: String, lines: [String])
    {
        #expect(Self.findings(in: text, of: "A") == lines)
    }
}
