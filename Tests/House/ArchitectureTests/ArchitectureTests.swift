import Foundation
import TestSupport
import Testing

struct ArchitectureTests {
    /// What SwiftPM and Xcode make there is not in the repository.
    @Test func `nothing new lies at the top level`() throws {
        let known: Set = [
            "Package.swift", "Sources", "Tests", "Models", "Fixtures", "README.md", "LICENSE",
            "Package.resolved",
        ]
        let names = try FileManager.default.contentsOfDirectory(atPath: Corpus.package.path)
        let new = names.filter { !$0.hasPrefix(".") && !$0.hasSuffix(".xcodeproj") }
        #expect(new.filter { !known.contains($0) } == [])
    }

    @Test func `files are short enough to read`() {
        let long = (SourceFile.sources + SourceFile.tests).filter { $0.lines.count > 401 }
        #expect(long.map(\.path) == [])
    }

    @Test func `functions are short enough to read`() {
        let long = (SourceFile.sources + SourceFile.tests).flatMap { file in
            file.functions.filter { $0.length > 60 }.map { "\(file.path):\($0.line)" }
        }
        #expect(long == [])
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

    /// A single file of the program that imports Foundation brings ICU's data with it.
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

    @Test func `a folder holds no more files than a reader takes in`() {
        let folders = Dictionary(grouping: SourceFile.sources + SourceFile.tests) {
            $0.path.split(separator: "/").dropLast().joined(separator: "/")
        }
        let full = folders.filter { $0.value.count > 40 }
        #expect(full.keys.sorted() == [], "make folders by step or by kind")
    }

    /// A suite's limit counts the time in which it waits for the processor, so that a busy machine breaks it.
    @Test func `no test waits by the clock`() {
        let faults = SourceFile.tests.filter { file in
            file.lines.contains { $0.contains(".time" + "Limit(.") }
        }
        #expect(faults.map(\.path) == [])
    }

    @Test func `every file that the way to a change names is there`() throws {
        let page = Corpus.package
            .appending(path: ".github/WhereThingsAre.md")
        let text = try fileText(page)
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
}
