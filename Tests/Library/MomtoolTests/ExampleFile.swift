import Foundation
import TestSupport

/// Makes a file of all examples, of the pages and of public comments, for the compiler.
enum ExampleFile {
    /// Pages whose Swift is not for this library, or is compiled elsewhere, with the reason.
    private static let others = ["UsingTheLibrary.md": "compiled and run by LibraryArticleTests"]

    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "DocumentedExamples+Generated.swift")

    static func text() throws -> String {
        var known: Set<String> = []
        let blocks = try (pageBlocks() + commentBlocks()).filter { known.insert($0).inserted }
        let (tests, bodies) = (
            blocks.filter { $0.contains("@Test") }, blocks.filter { !$0.contains("@Test") }
        )
        return head + bodies.enumerated().map { function($1, $0 + 1) }.joined(separator: "\n")
            + "}\n\n" + suite + tests.map { indented($0, by: 4) }.joined(separator: "\n\n")
            + "\n}\n"
    }

    private static let head = """
        // swift-format-ignore-file
        // Made of the pages and comments: run MOMTOOL_RECORD=1 swift test --filter DocumentedExampleTests.
        import Foundation
        import Momtool
        import MomtoolTesting
        import Testing

        /// What the examples take for granted.
        private struct DocumentedExamples {
            let model: Model
            let migrator: Migrator
            let store: Store
            let diff: Diff
            let row: Row
            var editor: ModelEditor


        """

    private static let suite = """
        @Suite(.disabled("the files of these examples are those of the reader"))
        private struct DocumentedTests {

        """

    private static func function(_ block: String, _ number: Int) -> String {
        let isAsync = block.contains("await") ? "async " : ""
        let isMutating =
            block.contains("editor.") && !block.contains("var editor") ? "mutating " : ""
        let names = block.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^(?:let|var) (\w+)/).map { "_ = \($0.1)" }
        }
        let body = [block] + names
        return """
                \(isMutating)func example\(number)() \(isAsync)throws {
            \(body.map { indented($0, by: 4) }.joined(separator: "\n"))
                }

            """
    }

    private static func indented(_ block: String, by depth: Int) -> String {
        block.components(separatedBy: "\n").filter { !$0.hasPrefix("import ") }
            .drop { $0.isEmpty }
            .map { $0.isEmpty ? "" : String(repeating: " ", count: depth) + $0 }
            .joined(separator: "\n")
    }

    private static func pageBlocks() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: pagesFolder.path).sorted()
            .filter { $0.hasSuffix(".md") && others[$0] == nil }
            .flatMap { try guideBlocks($0, "swift") }
            .map { $0.trimmingCharacters(in: .newlines) }
    }

    private static func commentBlocks() throws -> [String] {
        let sources = Corpus.package.appending(path: "Sources").path
        let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String }
        return try (files ?? []).filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
            return text.contains("/// ```swift") ? publicBlocks(text) : []
        }
    }

    private static func publicBlocks(_ text: String) -> [String] {
        var blocks: [String] = []
        var comment: [Substring] = []
        for line in text.components(separatedBy: "\n").map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("///") {
                comment.append(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3))
            } else if !line.hasPrefix("@") {
                if line.hasPrefix("public ") {
                    let parts = comment.joined(separator: "\n")
                        .components(separatedBy: "```swift\n").dropFirst()
                    blocks += parts.map { $0.components(separatedBy: "\n```")[0] }
                }
                comment = []
            }
        }
        return blocks
    }
}
