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
            !["Benchmarks", "Fuzz"].contains(source.module)
                && !source.path.hasSuffix("FilePaths.swift")
                && source.lines.contains { $0.contains("URL(fileURLWithPath:") }
        }
        #expect(faults.map(\.path) == [])
    }
}
