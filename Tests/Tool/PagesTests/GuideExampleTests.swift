import Foundation
import TestSupport
import Testing

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

    @Test func `each question that nobody can answer is what the plan of its models says`() throws {
        let questions = try guideBlocks("WhatNobodyKnows.md", "xml")
        #expect(questions.count >= 6)
        for question in questions {
            try withFolder { folder in
                let parts = question.components(separatedBy: "<!-- ").dropFirst().map { part in
                    part.components(separatedBy: " -->")
                }
                let models = Dictionary(
                    uniqueKeysWithValues: parts.prefix(2).map { ($0[0], $0[1]) }
                )
                let words = try #require(parts.dropFirst(2).first?.first)
                #expect(models.keys.sorted() == ["V1", "V2"])
                try writeBundle(
                    models,
                    current: "V2",
                    at: folder.appending(path: "M.xcdatamodeld")
                )
                let name = try #require(parts.last?.first).dropFirst("kit: ".count)
                let own = Corpus.package.appending(
                    path: "Fixtures/Questions/\(name)/Model.xcdatamodeld"
                )
                for model in ["M.xcdatamodeld", own.path] {
                    let plan = try momtool(
                        ["plan", model, "--from", "V1", "--to", "V2"],
                        in: folder
                    )
                    #expect(
                        (plan.output + plan.errors).contains(words.dropFirst("plan: ".count)),
                        "\(words)\n\(plan.output)\(plan.errors)"
                    )
                }
                let page = pagesFolder.appending(path: "WhatNobodyKnows.md")
                let text = try String(contentsOf: page, encoding: .utf8)
                #expect(text.contains("```sh\n.ci/accept --only \(name)\n```"))
            }
        }
    }

    @Test func `a new case passes, and fails when a value in it is wrong`() throws {
        try withFolder { folder in
            let company = """
                <entity name='Company'><attribute name='name' attributeType='String'/>
                <relationship name='staff' optional='YES' toMany='YES' deletionRule='Cascade'
                  destinationEntity='Person' inverseName='employer' inverseEntity='Person'/></entity>
                """
            let rest = """
                <attribute name='age' attributeType='Integer 16'/>
                <relationship name='employer' optional='YES' maxCount='1' deletionRule='Nullify'
                  destinationEntity='Company' inverseName='staff' inverseEntity='Company'/></entity>
                """
            for (version, name) in [
                ("V1", "name='name'"), ("V2", "name='fullName' elementID='name'"),
            ] {
                let model = folder.appending(path: "Shop.xcdatamodeld/\(version).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: model,
                    withIntermediateDirectories: true
                )
                let person = "<entity name='Person'><attribute \(name) attributeType='String'/>"
                try Data("<model>\(person)\(rest)\(company)</model>".utf8)
                    .write(to: model.appending(path: "contents"))
            }
            let new = ["test", "New", "--new", "first", "--model", "Shop.xcdatamodeld"]
            let versions = ["--from", "V1", "--to", "V2"]
            #expect(try momtool(new + versions, in: folder).status == 0)
            #expect(try momtool(new + versions, in: folder).status == 3)
            let written = try momtool(["test", "New"], in: folder)
            #expect(written.output.contains("1 passed, 0 failed"), "\(written.output)")
            let file = folder.appending(path: "New/first/case.yml")
            let first = try String(contentsOf: file, encoding: .utf8)
            #expect(first.contains("age: 0 # Integer 16, required"), "\(first)")
            #expect(first.contains("fullName: \"name 1\" # was name"), "\(first)")
            let wrong = first.replacing("fullName: \"name 1\"", with: "fullName: Eve")
            try Data(wrong.utf8).write(to: file)
            let failed = try momtool(["test", "New"], in: folder).output
            let difference = "Person/person \"name 1\": fullName is \"name 1\", expected \"Eve\""
            #expect(failed.contains(difference), "\(failed)")
        }
    }

    @Test func `a new case passes with unique values that are inherited and values that go`() throws
    {
        try withFolder { folder in
            func model(_ region: String, _ more: String) -> String {
                let code =
                    "<attribute name='code' attributeType='Integer 16' defaultValueString='0'/>"
                return """
                    <model><entity name='Region' isAbstract='YES'>\(code)\(region)<uniquenessConstraints>\
                    <uniquenessConstraint><constraint value='code'/></uniquenessConstraint>\
                    </uniquenessConstraints></entity>
                    <entity name='City' parentEntity='Region'/><entity name='Country' parentEntity='Region'/>
                    \(more)</model>
                    """
            }
            let count =
                "<attribute name='count' attributeType='Integer 16' defaultValueString='3'/>"
            let versions = ["V1": model(count, ""), "V2": model("", "<entity name='New'/>")]
            try writeBundle(
                versions,
                current: "V2",
                at: folder.appending(path: "M.xcdatamodeld")
            )
            let new = ["test", "New", "--new", "one", "--model", "M.xcdatamodeld", "--from", "V1"]
            #expect(try momtool(new, in: folder).status == 0)
            let text = try String(
                contentsOf: folder.appending(path: "New/one/case.yml"),
                encoding: .utf8
            )
            #expect(text.contains("allowDataLoss: [City.count, Country.count]"), "\(text)")
            let result = try momtool(["test", "New"], in: folder)
            #expect(result.status == 0, "\(text)\n\(result.output)")
        }
    }

    @Test func `every flag of every command in the pages is one of the command's`() throws {
        let pages = try FileManager.default
            .contentsOfDirectory(atPath: pagesFolder.path)
            .filter { $0.hasSuffix(".md") }.sorted()
        var help: [String: String] = [:]
        var count = 0
        for page in pages {
            let file = pagesFolder.appending(path: page)
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(
                of: /\bmomtool ((?:(?:accept|cloudkit|model) )?[a-z][a-z-]*)((?:[ \t][^\n`|&]*)?)/
            ) {
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
        let page = pagesFolder.appending(path: "CommandReference.md")
        let reference = try String(contentsOf: page, encoding: .utf8)
        // The parser's own options are in the README.
        let known = Set(reference.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
            .union(["--generate-completion-script", "--allow-outside"])
            .union(["--theirs", "--source"])
        let sources = Corpus.package.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter {
            // Input for git, and text for developers of this repository, is no message of the command.
            $0.hasSuffix(".swift") && !$0.contains("FileSystem/Git")
                && !$0.hasPrefix("Development/") && !$0.hasSuffix("/Removed.swift")
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
