import Foundation
import TestSupport
import Testing

struct CitationTests {
    /// The pages about formats and behaviour, which comments cite by name and heading: `SQLiteStores, "Values"`.
    private static let pages = [
        "SQLiteStores", "VersionHashes", "CompiledModels", "MigrationBehaviour", "CloudKitSchemas",
        "SourceFormat",
    ]

    private static let headings = Dictionary(
        uniqueKeysWithValues: pages.map { page in
            let file = pagesFolder.appending(path: "\(page).md")
            let text = (try? fileText(file)) ?? ""
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("#") }
            return (page, Set(lines.map { $0.trimmingCharacters(in: ["#", " "]) }))
        }
    )

    private struct Paragraph {
        var path: String
        var text: String

        /// Whether it has one of some words: faster than a pattern, which most paragraphs do not need.
        func mentions(_ words: [String]) -> Bool {
            text.withCString { bytes in words.contains { strstr(bytes, $0) != nil } }
        }
    }

    private static let paragraphs: [Paragraph] = (SourceFile.sources + SourceFile.tests).flatMap {
        file in
        var texts: [String] = []
        var isOpen = false
        for line in file.lines {
            let first = line.utf8.firstIndex { $0 != UInt8(ascii: " ") }
            guard let first, line[first...].hasPrefix("//") else {
                isOpen = false
                continue
            }
            let words = line[first...].drop { $0 == "/" }.drop { $0 == " " }
            if words.isEmpty {
                isOpen = false
            } else if isOpen {
                texts[texts.count - 1] += " " + words
            } else {
                texts.append(String(words))
                isOpen = true
            }
        }
        return texts.map { Paragraph(path: file.path, text: $0) }
    }

    @Test func `what a comment cites is a heading of a page`() {
        let citation = Regex<(Substring, Substring, Substring?, Substring?)>(citing: Self.pages)
        var count = 0
        for paragraph in Self.paragraphs where paragraph.mentions(Self.pages) {
            for match in paragraph.text.matches(of: citation) {
                let page = String(match.output.1)
                for heading in [match.output.2, match.output.3].compactMap(\.self) {
                    count += 1
                    #expect(
                        Self.headings[page]?.contains(String(heading)) == true,
                        "\(paragraph.path): the page \(page) has no heading '\(heading)'"
                    )
                }
                #expect(
                    match.output.2 != nil || paragraph.mentions(["he page"]),
                    "\(paragraph.path): say which heading of \(page)"
                )
            }
        }
        #expect(count >= 80, "\(count)")
    }

    @Test func `no comment cites a document that a reader does not have`() {
        let others = [
            "STORE_LAYOUT", "VERSION_HASH", "_MODEL section", "_BEHAVIOUR", "shared/spec",
        ]
        let numbers = /\b[Ss]ections? \d/
        for paragraph in Self.paragraphs {
            #expect(!paragraph.mentions(others), "\(paragraph.path): \(paragraph.text)")
            // Numbers of sections are those of a standard, which the paragraph names.
            guard paragraph.mentions(["ection "]) else { continue }
            #expect(
                paragraph.text.firstMatch(of: numbers) == nil
                    || paragraph.mentions(["sqlite.org", "RFC ", "FIPS "]),
                "\(paragraph.path): \(paragraph.text)"
            )
        }
    }

    @Test
    func
        `the names that the walk through the house mentions are those of types, files and folders`()
        throws
    {
        let file = Corpus.package.appending(path: ".github/AStoreOnItsWay.md")
        let text = try fileText(file)
        let rooms = SourceFile.sources.flatMap { source in
            source.path.split(separator: "/").map {
                $0.replacingOccurrences(of: ".swift", with: "")
            }
        }
        let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "typealias"]
        let types = SourceFile.sources.flatMap { source in
            source.lines.compactMap { line -> String? in
                guard line.utf8.last == UInt8(ascii: "{") else { return nil }
                let words = line.split(separator: " ")
                guard let kind = words.firstIndex(where: kinds.contains) else { return nil }
                return words.dropFirst(kind + 1).first.map { String($0.prefix { $0.isLetter }) }
            }
        }
        let known = Set(rooms + types)
        let names = Set(text.matches(of: /`([A-Z][a-z]\w+(?:\/\w+)?)`/).map { String($0.1) })
        #expect(names.count >= 25)
        let strangers = names.filter { name in
            !name.split(separator: "/").allSatisfy { known.contains(String($0)) }
        }
        #expect(strangers.sorted() == [])
    }

    @Test func `every page that another page refers to is there`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: pagesFolder.path)
            .filter { $0.hasSuffix(".md") }
        var count = 0
        for name in names {
            let file = pagesFolder.appending(path: name)
            let text = try fileText(file)
            for match in text.matches(of: /<doc:(\w+)(?:#([^>]+))?>/) {
                count += 1
                let page = String(match.1)
                #expect(names.contains(page + ".md"), "\(name): \(page)")
                guard let anchor = match.2, let headings = Self.headings[page] else { continue }
                let anchors = headings.map { $0.replacingOccurrences(of: " ", with: "-") }
                #expect(anchors.contains(String(anchor)), "\(name): \(page)#\(anchor)")
            }
        }
        #expect(count >= 50, "\(count)")
    }
}

extension Regex where Output == (Substring, Substring, Substring?, Substring?) {
    /// Matches the name of one of the pages, followed by a quoted heading, and a second one.
    fileprivate init(citing names: [String]) {
        let words = names.joined(separator: "|")
        let pattern = "\\b(\(words))\\b(?:, \"([^\"]+)\"(?: and \"([^\"]+)\")?)?"
        // The names are letters and digits, so that the pattern is valid.
        guard let regex = try? Regex(pattern, as: Output.self) else { preconditionFailure(pattern) }
        self = regex
    }
}
