import Foundation
import TestSupport
import Testing

/// What the pages show is what the tool takes.
@Suite(.timeLimit(.minutes(30)))
struct GuideExampleTests {
    @Test func `the stages of the guide lead from the first version to the last`() throws {
        try withFolder { folder in
            for number in 1...4 {
                let version = folder.appending(path: "Shop.xcdatamodeld/V\(number).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: version,
                    withIntermediateDirectories: true
                )
                let attributes = (1...number).map {
                    "<attribute name='a\($0)' optional='YES' attributeType='String'/>"
                }
                let text = "<model><entity name='A'>\(attributes.joined())</entity></model>"
                try Data(text.utf8).write(to: version.appending(path: "contents"))
            }
            for name in ["V2-V3.will.sql", "V2-V3.did.sql"] {
                try Data("SELECT 1".utf8).write(to: folder.appending(path: name))
            }
            try Data("copyRest: true\n".utf8).write(to: folder.appending(path: "V3-V4.map.yml"))
            let stages = try #require(guideBlocks("MigratingInStages.md", "yaml").first)
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            let plan = try momtool(["plan", "--stages", "Stages.yml"], in: folder)
            #expect(plan.status == 0, "\(plan.errors)")
            #expect(!plan.errors.contains(": error:"), "\(plan.errors)")
            let make = ["create", "S.sqlite", "--model", "Shop.xcdatamodeld", "--version", "V1"]
            #expect(try momtool(make, in: folder).status == 0)
            let migrate = ["migrate", "S.sqlite", "--stages", "Stages.yml", "-o", "New.sqlite"]
            let result = try momtool(migrate, in: folder)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func `every flag of every command in the pages is one of the command's`() throws {
        let pages = try FileManager.default
            .contentsOfDirectory(atPath: DocumentationTests.catalog.path)
            .filter { $0.hasSuffix(".md") }.sorted()
        var help: [String: String] = [:]
        var count = 0
        for page in pages {
            let file = DocumentationTests.catalog.appending(path: page)
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /\bmomtool ((?:cloudkit )?[a-z]+)((?:[ \t][^\n`|&]*)?)/) {
                let command = String(match.1)
                let flags = match.2.matches(of: /[ \[(]--[a-z][a-z-]*/).map {
                    String($0.output)
                }
                guard !flags.isEmpty else { continue }
                if help[command] == nil {
                    let words = ["help"] + command.split(separator: " ").map(String.init)
                    help[command] = try momtool(words).output
                }
                for flag in flags where flag != "--help" {
                    count += 1
                    let isThere = help[command]?.contains(flag) == true
                    #expect(isThere, "\(page): momtool \(command) has no \(flag)")
                }
            }
        }
        #expect(count >= 80, "\(count)")
    }

    @Test func `every option that a message names is one of a command's`() throws {
        let page = DocumentationTests.catalog.appending(path: "CommandReference.md")
        let reference = try String(contentsOf: page, encoding: .utf8)
        let known = Set(reference.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
        let sources = Corpus.package.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter {
            // What is said to git, and to developers of this repository, is no message of the command.
            $0.hasSuffix(".swift") && !$0.contains("FileSystem/Git")
                && !["Benchmarks/", "Fuzz"].contains(where: $0.hasPrefix)
        }
        var count = 0
        for path in paths {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.contains("///") {
                for literal in line.matches(of: /"(?:[^"\\]|\\.)*"/) {
                    for option in literal.output.matches(of: /--[a-z][a-z-]+/) {
                        count += 1
                        #expect(known.contains(String(option.output)), "\(path): \(literal.output)")
                    }
                }
            }
        }
        #expect(count >= 60, "\(count)")
    }
}
