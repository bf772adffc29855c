import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct GuideExampleTests {
    @Test func `the stages of the guide lead from the first version to the last`() throws {
        try withFolder { folder in
            for number in 1...4 {
                let attributes = (1...number).map {
                    "<attribute name='a\($0)' optional='YES' attributeType='String'/>"
                }
                let text = "<model><entity name='A'>\(attributes.joined())</entity></model>"
                try write(text, "Shop.xcdatamodeld/V\(number).xcdatamodel/contents", in: folder)
            }
            for name in ["V2-V3.will.sql", "V2-V3.did.sql"] {
                try write("SELECT 1", name, in: folder)
            }
            try write("copyRest: true\n", "V3-V4.map.yml", in: folder)
            let stages = try #require(guideBlocks("MigratingInStages.md", "yaml").first)
            try write(stages, "Stages.yml", in: folder)
            let plan = try expectRun("plan --stages Stages.yml", in: folder, 0)
            #expect(!plan.errors.contains(": error:"), "\(plan.errors)")
            let make = ["create", "S.sqlite", "--model", "Shop.xcdatamodeld", "--version", "V1"]
            #expect(try momtool(make, in: folder).status == 0)
            let migrate = ["migrate", "S.sqlite", "--stages", "Stages.yml", "-o", "New.sqlite"]
            try expectRun(migrate, in: folder, 0)
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
                try writeBundle(models, "M.xcdatamodeld", in: folder, current: "V2")
                let name = try #require(parts.last?.first).dropFirst("kit: ".count)
                let own = Corpus.package.appending(
                    path: "Fixtures/Questions/\(name)/Model.xcdatamodeld"
                )
                for model in ["M.xcdatamodeld", own.path] {
                    let plan = try momtool("plan \(model) --from V1 --to V2", in: folder)
                    #expect(
                        (plan.output + plan.errors).contains(words.dropFirst("plan: ".count)),
                        "\(words)\n\(plan.output)\(plan.errors)"
                    )
                }
                let page = pagesFolder.appending(path: "WhatNobodyKnows.md")
                #expect(try fileText(page).contains("```sh\n.ci/accept --only \(name)\n```"))
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
                try makeFolder(model)
                let person = "<entity name='Person'><attribute \(name) attributeType='String'/>"
                try write("<model>\(person)\(rest)\(company)</model>", "contents", in: model)
            }
            let new = ["test", "New", "--new", "first", "--model", "Shop.xcdatamodeld"]
            let versions = ["--from", "V1", "--to", "V2"]
            #expect(try momtool(new + versions, in: folder).status == 0)
            #expect(try momtool(new + versions, in: folder).status == 3)
            try expectRun("test New", in: folder, nil, "1 passed, 0 failed")
            let file = folder.appending(path: "New/first/case.yml")
            let first = try fileText(file)
            #expect(first.contains("age: 0 # Integer 16, required"), "\(first)")
            #expect(first.contains("fullName: \"name 1\" # was name"), "\(first)")
            let wrong = first.replacing("fullName: \"name 1\"", with: "fullName: Eve")
            try Data(wrong.utf8).write(to: file)
            let failed = try momtool("test New", in: folder).output
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
            try writeBundle(versions, "M.xcdatamodeld", in: folder, current: "V2")
            let new = ["test", "New", "--new", "one", "--model", "M.xcdatamodeld", "--from", "V1"]
            #expect(try momtool(new, in: folder).status == 0)
            let text = try fileText(folder.appending(path: "New/one/case.yml"))
            #expect(text.contains("allowDataLoss: [City.count, Country.count]"), "\(text)")
            try expectRun("test New", in: folder, 0)
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
            let text = try fileText(file)
            for match in text.matches(
                of: /\bmomtool ((?:(?:accept|cloudkit|model) )?[a-z][a-z-]*)((?:[ \t][^\n`|&]*)?)/
            ) {
                let command = String(match.1)
                let flags = match.2.matches(of: /[ \[(]--[a-z][a-z-]*/).map { String($0.output) }
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
        let reference = try fileText(page)
        // The parser's own options are in the README.
        let known = Set(reference.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
            .union(["--generate-completion-script", "--allow-outside"])
            .union(["--theirs", "--source"])
        let sources = Corpus.package.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter {
            // Input for git, and text for developers of this repository, is no message of the command.
            $0.hasSuffix(".swift") && !$0.contains("FileSystem/Git")
                && !$0.hasPrefix("Development/")
        }
        var count = 0
        for path in paths {
            let text = try fileText(sources.appending(path: path))
            for line in text.split(separator: "\n")
            where line.contains("--") && !line.contains("///") {
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

struct RowExampleTests {
    private static let model = """
        <model><entity name='Person'>\(attributes)
        <attribute name='points' attributeType='Integer 16' defaultValueString='3'/>
        <attribute name='folded' attributeType='String' optional='YES' derived='YES'
          derivationExpression='canonical:(name)'/>
        <attribute name='photo' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES'/>
        <attribute name='place' attributeType='Composite' composite='Place' optional='YES'/>
        <attribute name='marks' attributeType='Transformable' optional='YES'
          valueTransformerName='NSSecureUnarchiveFromData'/>
        <relationship name='boss' optional='YES' maxCount='1' deletionRule='Nullify'
          destinationEntity='Person' inverseName='staff' inverseEntity='Person'/>
        <relationship name='staff' optional='YES' toMany='YES' deletionRule='Nullify'
          destinationEntity='Person' inverseName='boss' inverseEntity='Person'/></entity>
        <composite name='Place'><attribute name='city' attributeType='String' optional='YES'/></composite>
        </model>
        """

    private static let attributes = [
        "Integer 16": ["age"], "Integer 64": ["big"], "Double": ["height", "limit"],
        "Float": ["weight"], "Boolean": ["isNew"], "Decimal": ["price", "discount"],
        "Date": ["born", "seen", "left", "never"], "UUID": ["token"], "URI": ["home"],
        "Binary": ["key", "stops"], "String": ["name", "nick"],
    ].flatMap { type, names in
        names.map { "<attribute name='\($0)' attributeType='\(type)' optional='YES'/>" }
    }.joined()

    private static func examples() throws -> [String] {
        let page = pagesFolder.appending(path: "StableOutput.md")
        let text = try fileText(page)
        return text.matches(of: /\| `(\{.*\})` \|/).map { String($0.output.1) }
    }

    @Test func `every form of a value on the page is read, written and read again`() throws {
        let examples = try Self.examples()
        #expect(examples.count == 11)
        for example in examples {
            try withFolder { folder in
                let model = folder.appending(path: "M.xcdatamodel")
                try makeFolder(model)
                try write(Self.model, "contents", in: model)
                var rows = #"{"Person": [\#(example), {"@id": "ada"}]}"#
                var exports: [String] = []
                for number in 1...2 {
                    let path = folder.appending(path: "rows\(number).json")
                    try Data(rows.utf8).write(to: path)
                    let store = "S\(number).sqlite"
                    let create = ["create", store, "--model", "M.xcdatamodel", "--rows", path.path]
                    try expectRun(create, in: folder, 0)
                    let export = ["export", store, "--model", "M.xcdatamodel"]
                    rows = try momtool(export, in: folder).output
                    exports.append(rows)
                }
                #expect(exports[0] == exports[1], "\(example)")
                for key in example.matches(of: /"(@?\w+)":/) where key.output.1 != "nick" {
                    #expect(exports[0].contains("\"\(key.output.1)\""), "\(example)")
                }
            }
        }
    }
}

struct ProgramExampleTests {
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/bin/python3"),
            "there is no Python"
        )
    )
    func `the program of the guide splits names`() throws {
        try withFolder { folder in
            let name = "<attribute name='name' attributeType='String'/>"
            let parts = ["firstName", "lastName"].map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            for (version, attributes) in [("V2", name), ("V3", name + parts.joined())] {
                let model = folder.appending(path: "Shop.xcdatamodeld/\(version).xcdatamodel")
                try makeFolder(model)
                try write(
                    "<model><entity name='Person'>\(attributes)</entity></model>",
                    "contents",
                    in: model
                )
            }
            let stage = try #require(
                guideBlocks("MigratingInStages.md", "yaml").dropFirst().first {
                    $0.contains("program:")
                }
            )
            let text =
                "model: Shop.xcdatamodeld\nstages:\n"
                + stage
                .replacing("./split.py, --verbose", with: "python3, \(folder.path)/split.py")
            try write(text, "Stages.yml", in: folder)
            let program = try #require(guideBlocks("MigratingInStages.md", "python").first)
            try write(program, "split.py", in: folder)
            try write("{\"Person\": [{\"name\": \"Ada Lovelace\"}]}", "rows.json", in: folder)
            let make = [
                "create", "S.sqlite", "--model", "Shop.xcdatamodeld", "--version", "V2", "--rows",
                "rows.json",
            ]
            try expectRun(make, in: folder, 0)
            let migrate = ["migrate", "S.sqlite", "--stages", "Stages.yml", "-o", "New.sqlite"]
            #expect(try momtool(migrate, in: folder).status == 3)
            try expectRun(migrate + ["--allow-programs"], in: folder, 0)
            let new = try StoreFile(path: folder.appending(path: "New.sqlite").path)
            let rows = try new.connection.rows("SELECT ZFIRSTNAME, ZLASTNAME FROM ZPERSON")
            #expect(rows == [[.text("Ada"), .text("Lovelace")]])
        }
    }
}
