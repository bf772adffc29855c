import Foundation
import TestSupport
import Testing

/// Holds what README shows of the tool to the tool.
struct ReadmeTests {
    private static let readme = Corpus.package.appending(path: "README.md")

    @Test func `what README shows of check is what check says`() throws {
        let text = try String(contentsOf: Self.readme, encoding: .utf8)
        try withFolder { folder in
            let model = "Library.xcdatamodeld"
            try FileManager.default.copyItem(
                at: Corpus.package.appending(path: "Models/\(model)"),
                to: folder.appending(path: model)
            )
            let locked = try momtool(["lock", model, "--version", "V5"], in: folder)
            #expect(locked.status == 0, "\(locked.errors)")
            let said = try momtool(["check", model], in: folder)
            #expect(said.status == 1)
            let all = (said.output + said.errors).split(separator: "\n")
            // Notes are left out; those of an error stay.
            let lines = all.filter { !$0.contains(": note: ") || !$0.hasSuffix("]") }
            #expect(lines.count >= 3 && lines.allSatisfy { $0.count < 150 })
            #expect(all.count - lines.count == 3)
            #expect(text.contains("three notes are left out"))
            #expect(text.contains("```\n\(lines.joined(separator: "\n"))\n```"), "\(said.output)")
        }
    }

    @Test func `README's diagram is what graph writes of the fixture`() throws {
        let words = [
            "graph", "Models/Library.xcdatamodeld", "--from", "V5", "--entity", "Notice", "--depth",
            "1",
        ]
        let drawn = try momtool(words)
        #expect(drawn.status == 0)
        var text = try String(contentsOf: Self.readme, encoding: .utf8)
        let block = "```mermaid\n\(drawn.output)```\n"
        if DocumentationTests.isRecording {
            text.replace(/```mermaid\n[\s\S]*?```\n/, with: block)
            try Data(text.utf8).write(to: Self.readme)
        }
        #expect(
            text.contains(block),
            "the diagram is stale: run MOMTOOL_RECORD=1 swift test --filter ReadmeTests"
        )
    }

    @Test func `every page that README leads to is there`() throws {
        let text = try String(contentsOf: Self.readme, encoding: .utf8)
        let paths = text.matches(of: /\]\(([^)#]+)\)/).map { String($0.output.1) }
            .filter { !$0.contains("://") }
        #expect(paths.count >= 25)
        for path in paths {
            let target = Corpus.package.appending(path: path).path
            #expect(FileManager.default.fileExists(atPath: target), "\(path)")
        }
    }
}
