import Foundation
import TestSupport
import Testing

struct WordTests {
    private struct Line {
        var place: String
        var text: Substring
    }

    /// The lines of prose in pages, without code and names of pages.
    private static let pages: [Line] = {
        let folder = Corpus.package.appending(path: "Sources/Library/Momtool/Momtool.docc")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let files = names.filter { $0.hasSuffix(".md") }.sorted()
            .map { folder.appending(path: $0) }
        return files.flatMap { file -> [Line] in
            let text = (try? fileText(file)) ?? ""
            var isCode = false
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .compactMap { number, line in
                    if line.hasPrefix("```") { isCode.toggle() }
                    let place = "\(file.lastPathComponent):\(number + 1)"
                    return isCode ? nil : Line(place: place, text: line)
                }
        }
    }()

    private static let comments: [Line] = SourceFile.sources.flatMap { file in
        var lines: [Line] = []
        var open: [Line] = []
        for (number, line) in file.lines.enumerated() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("///") {
                open.append(Line(place: "\(file.path):\(number + 1)", text: text))
            } else if !text.hasPrefix("@") {
                if text.hasPrefix("public ") { lines += open }
                open = []
            }
        }
        return lines
    }

    @Test(arguments: ["whoever", "nobody", "sixteens", "that there are"])
    func `what outsiders read is plain English`(word: String) {
        let lines = Self.pages + Self.comments
        let found = lines.filter { line in
            let text = line.text.replacing(/<doc:\w+>|`[^`]*`/, with: "")
            return text.lowercased().contains(word)
        }
        #expect(found.map(\.place) == [], "say it as others in the field do")
        #expect(Self.pages.count > 1_000 && Self.comments.count > 400)
    }
}
