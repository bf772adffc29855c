import Foundation
import TestSupport
import Testing

/// Holds the shape of files: how long they may be, and what may not stand in them.
@Suite(.timeLimit(.minutes(10)))
struct ArchitectureTests {
    @Test func `files are short enough to read`() {
        let long = (SourceFile.sources + SourceFile.tests).filter { $0.lines.count > 401 }
        #expect(long.map(\.path) == [])
    }

    @Test(arguments: ["try!", "as!", "fatalError(", "TODO", "FIXME", "// MARK:"])
    func `sources hold none of the words that hide trouble`(word: String) {
        let faults = SourceFile.sources.filter { source in
            source.lines.contains { $0.contains(word) && !$0.contains("\"\(word)") }
        }
        #expect(faults.map(\.path) == [])
    }

    @Test func `paths become URLs in one way, which leaves tildes alone`() {
        let faults = SourceFile.sources.filter { source in
            !["Benchmarks", "CommandPlugin", "CompileModelsPlugin", "Fuzz"].contains(source.module)
                && !source.path.hasSuffix("FilePaths.swift")
                && source.lines.contains { $0.contains("URL(fileURLWithPath:") }
        }
        #expect(faults.map(\.path) == [])
    }

    /// What is in the program: a single file that imports Foundation brings ICU's data with it.
    @Test func `nothing that is in the program imports Foundation`() {
        let tools = [
            "Benchmarks", "CommandPlugin", "CompileModelsPlugin", "Essentials", "Fuzz",
            "FuzzTargets",
        ]
        let faults = SourceFile.sources.filter { source in
            !tools.contains(source.module) && source.imports.contains("Foundation")
        }
        #expect(faults.map(\.path) == [])
    }

    @Test func `every suite has a time limit`() throws {
        var suites = 0
        for file in SourceFile.tests {
            var head: [Substring] = []
            for (index, line) in file.lines.enumerated() {
                if Self.typeBeginnings.contains(where: line.hasPrefix) {
                    head = Self.lines(above: index, in: file) + [line]
                }
                guard line.hasPrefix("    @Test"), let type = head.last,
                    !type.hasPrefix("extension ")
                else { continue }
                suites += 1
                #expect(
                    head.contains { $0.contains(".timeLimit(") },
                    "\(file.path): write @Suite(.timeLimit(.minutes(30))) above the suite"
                )
                head = []
            }
        }
        #expect(suites >= 100)
    }

    @Test func `every file that the way to a change names is there`() throws {
        let page = Corpus.package
            .appending(path: "Sources/Momtool/Momtool.docc/WhereThingsAre.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let paths = Set(
            text.matches(of: /`((?:Sources|Tests|Fixtures)\/[^`]+|README\.md)`/).map {
                String($0.1)
            }
        )
        #expect(paths.count >= 30)
        let missing = paths.filter { path in
            !FileManager.default.fileExists(atPath: Corpus.package.appending(path: path).path)
        }
        #expect(missing.sorted() == [])
    }

    private static let typeBeginnings = [
        "struct ", "enum ", "class ", "final class ", "actor ", "extension ",
    ]

    /// Returns the lines between the last empty one and another.
    private static func lines(above index: Int, in file: SourceFile) -> [Substring] {
        Array(file.lines[..<index].reversed().prefix { !$0.isEmpty }.reversed())
    }
}
