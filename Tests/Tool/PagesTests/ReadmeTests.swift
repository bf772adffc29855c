import Foundation
import TestSupport
import Testing

/// Holds what README shows of the tool to the tool.
struct ReadmeTests {
    private static let readme = Corpus.package.appending(path: "README.md")

    @Test func `what README shows of check is what check says`() throws {
        let text = try fileText(Self.readme)
        try withFolder { folder in
            let model = "Library.xcdatamodeld"
            try copyFile(
                Corpus.package.appending(path: "Models/\(model)"),
                to: folder.appending(path: model)
            )
            try expectRun(["lock", model, "--version", "V5"], in: folder, 0)
            let said = try expectRun(["check", model], in: folder, 1)
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
        let drawn = try expectRun(
            "graph Models/Library.xcdatamodeld --from V5 --entity Notice --depth 1",
            0
        )
        var text = try fileText(Self.readme)
        let block = "```mermaid\n\(drawn.output)```\n"
        if isRecording {
            text.replace(/```mermaid\n[\s\S]*?```\n/, with: block)
            try Data(text.utf8).write(to: Self.readme)
        }
        #expect(
            text.contains(block),
            "the diagram is stale: run MOMTOOL_RECORD=1 swift test --filter ReadmeTests"
        )
    }

    @Test func `every page that README leads to is there`() throws {
        let text = try fileText(Self.readme)
        let paths = text.matches(of: /\]\(([^)#]+)\)/).map { String($0.output.1) }
            .filter { !$0.contains("://") }
        #expect(paths.count >= 25)
        for path in paths {
            let target = Corpus.package.appending(path: path).path
            #expect(FileManager.default.fileExists(atPath: target), "\(path)")
        }
    }
}

struct SkillTests {
    @Test func `the skill is short, has its heading, and fits no name that is not there`() throws {
        let text = try momtool("skill").output
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 150)
        #expect(lines[0] == "---" && lines[1] == "name: momtool")
        #expect(lines[2].hasPrefix("description: ") && lines[2].count <= 1024)
        let rules = try momtool("rules").output
        for rule in text.matches(of: /`([a-z]+(?:-[a-z]+){2,})`/) {
            #expect(rules.contains(rule.1), "\(rule.1)")
        }
    }

    @Test func `every command of the skill runs, each in a folder of its own`() throws {
        let text = try momtool("skill").output
        let commands = text.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("momtool ") }
        #expect(commands.count >= 20)
        try withFolder { folder in
            let space = try PageWorkspace(.first, at: folder.appending(path: "space"))
            for (place, command) in commands.enumerated() {
                let result = try space.result(
                    of: String(command),
                    at: folder.appending(path: "\(place)")
                )
                #expect(
                    result.status == (command.hasPrefix("momtool doctor") ? 1 : 0),
                    "\(command): \(result.output)\(result.errors)"
                )
            }
        }
    }
}

/// The walk of the page "The first hour", step by step.
struct FirstHourTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
                <attribute name="title" optional="YES" attributeType="String"/>
            </entity>
        </model>

        """

    @Test func `the commands of the page do what it says, one after the other`() throws {
        try withFolder { folder in
            try writeBundle([Self.model], "Shop.xcdatamodeld", in: folder)
            let rows = "{\"Book\": [{\"title\": \"Emma\"}, {\"title\": \"Ulysses\"}]}"
            try write(rows, "rows.json", in: folder)
            let create = ["create", "Shop.sqlite", "--model", "Shop.xcdatamodeld"]
            #expect(try momtool(create + ["--rows", "rows.json"], in: folder).status == 0)
            let lines = try guideBlocks("TheFirstHour.md", "sh")
                .flatMap { $0.split(separator: "\n").map(String.init) }
            #expect(lines.count == 11)
            var last = ""
            for line in lines {
                let words = line.split(separator: " ").dropFirst().map(String.init)
                let run = try expectRun(words, in: folder, 0)
                last = run.output
            }
            #expect(last.contains("rating"), "\(last)")
            #expect(!last.contains("title") && !last.contains("→ nothing"), "\(last)")
        }
    }
}
