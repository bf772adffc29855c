import Foundation
import TestSupport
import Testing

struct MapStageTests {
    @Test(arguments: [(true, "note"), (false, "warning")])
    func `a map that Core Data's stages cannot have is found alike`(
        isLegal: Bool,
        severity: String
    ) throws {
        try withFolder { folder in
            let type = isLegal ? "String" : "Integer 64"
            let models = ["V1": "String", "V2": type].mapValues {
                "<model><entity name='A'><attribute name='a' optional='YES' attributeType='\($0)'/>"
                    + "</entity></model>"
            }
            let more = models["V2"]?.replacing(
                "</entity>",
                with: "<attribute name='b' optional='YES' attributeType='String'/></entity>"
            )
            let versions = ["V1": models["V1"] ?? "", "V2": more ?? ""]
            try writeBundle(versions, "M.xcdatamodeld", in: folder, current: "V2")
            let stages =
                "model: M.xcdatamodeld\nstages:\n  - custom: {from: V1, to: V2}\n    map: m.yml\n"
            try write(stages, "Stages.yml", in: folder)
            let map = "entities:\n  - {from: A, to: A, set: {a: {constant: 7}}}\n"
            try Data((isLegal ? map.replacing("7", with: "x") : map).utf8)
                .write(to: folder.appending(path: "m.yml"))
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            for words in [
                ["plan", "--stages", "Stages.yml"], ["check"], ["lint", "M.xcdatamodeld"],
            ] {
                let result = try momtool(words, in: folder)
                let said = result.output + result.errors
                let lines = said.split(separator: "\n")
                    .filter { $0.contains("[map-beyond-core-data]") }
                #expect(lines.count == 1, "\(words): \(said)")
                #expect(
                    lines.first?.hasPrefix("Stages.yml:3:") == true
                        && lines.first?.contains(": \(severity): stage 1: ") == true,
                    "\(words): \(said)"
                )
            }
            #expect(try momtool("rules", "map-beyond-core-data").status == 0)
            let create = ["create", "S.sqlite", "--model", "M.xcdatamodeld#V1"]
            #expect(try momtool(create, in: folder).status == 0)
            for (words, isTold) in [([], true), (["-q"], !isLegal)] {
                let name = words.isEmpty ? "N.sqlite" : "Q.sqlite"
                let migrate = ["migrate", "S.sqlite", "--stages", "Stages.yml", "-o", name] + words
                let said = try momtool(migrate, in: folder).errors
                #expect(said.contains("[map-beyond-core-data]") == isTold, "\(words): \(said)")
            }
        }
    }

    @Test(arguments: [
        (
            "UPDATE A\n  SET b = 1, a = old;",
            "did.sql:2:18: no such column: old, which exists only in 'V1': use willMigrate or a map"
        ),
        ("UPDATE A SET b = A.nowhere;", "did.sql:1:20: no such column: A.nowhere"),
    ])
    func `a script behind a step that reads a former column is told what helps`(
        script: String,
        message: String
    ) throws {
        try withFolder { folder in
            let models = ["V1": ["a", "old"], "V2": ["a", "b"]].mapValues { names in
                let attributes = names.map {
                    "<attribute name='\($0)' optional='YES' attributeType='String'/>"
                }
                return "<model><entity name='A'>\(attributes.joined())</entity></model>"
            }
            try writeBundle(models, "M.xcdatamodeld", in: folder, current: "V2")
            let text = """
                model: M.xcdatamodeld
                from: V1
                allowDataLoss: true
                before: {}
                after: {}
                stages: [{custom: {from: V1, to: V2}, didMigrate: did.sql}]

                """
            try write(text, "case.yml", in: folder)
            try write(script, "did.sql", in: folder)
            let run = try momtool("test .", in: folder)
            #expect(
                run.status == 1
                    && run.output.contains(
                        message.replacing(": no such", with: ": failed: no such")
                    ),
                "\(run.output)"
            )
        }
    }
}

struct MissingMappingModelTests {
    private let fault =
        ".momtool.yml:1:17: error: there is no 'Gone.xcmappingmodel' [unreadable-file]"

    @Test func `migrations of generated objects are run without it`() throws {
        try withFolder { folder in
            try ShopVersions.write(
                [
                    ShopVersions.source("a"), ShopVersions.source("a", "b"),
                    ShopVersions.source("a", "b", "c"),
                ],
                in: folder
            )
            #expect(try momtool("init", in: folder).status == 0)
            try ShopVersions.say("mappingModels: [Gone.xcmappingmodel]\n", in: folder)
            try expectRun("check", in: folder, 1, fault, "2 migrations, 1 case: 1 error")
            let test = try momtool("test MigrationCases", in: folder)
            #expect(test.status == 1 && test.output.contains(fault), "\(test.output)")
            #expect(try momtool("lock --relock", in: folder).status != 0)
        }
    }
}
