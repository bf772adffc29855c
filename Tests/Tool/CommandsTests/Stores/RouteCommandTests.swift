import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct RouteCommandTests {
    private func withVersions(_ attributes: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let versions = attributes.enumerated().map { number, type in
                let value =
                    type.isEmpty
                    ? "" : "<attribute name='value' optional='YES' attributeType='\(type)'/>"
                let text =
                    "<model><entity name='Item'>"
                    + "<attribute name='name' optional='YES' attributeType='String'/>"
                    + "\(value)</entity></model>"
                return ("V\(number + 1)", text)
            }
            try writeBundle(
                Dictionary(uniqueKeysWithValues: versions),
                current: "V\(attributes.count)",
                at: bundle
            )
            try Data(#"{"Item": [{"@id": "a", "name": "n", "value": "v"}]}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let made = try momtool(
                "create Old.sqlite --model Shop.xcdatamodeld --version V1 --rows rows.json",
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            try body(folder)
        }
    }

    private let migrate = [
        "migrate", "Old.sqlite", "--model", "Shop.xcdatamodeld", "-o", "New.sqlite",
    ]

    @Test func `a refused step is taken in several, when it is agreed what that drops`() throws {
        try withVersions(["String", "", "Binary"]) { folder in
            let refused = try momtool(migrate, in: folder)
            #expect(refused.status == 3)
            #expect(refused.errors.contains("it goes V1 → V2 → V3"))
            #expect(refused.errors.contains("Item.value: 1 value at stake (Z_PK 1)"))
            #expect(refused.errors.contains("allow this with --allow-data-loss Item.value"))
            let new = folder.appending(path: "New.sqlite").path
            #expect(!FileManager.default.fileExists(atPath: new))
            try expectRun(migrate + ["--allow-data-loss"], in: folder, 0, "2 stages to V3")
            try expectRun("verify New.sqlite --model Shop.xcdatamodeld", in: folder, 0)
            let rows = try StoreFile(path: new).connection.rows("SELECT ZNAME, ZVALUE FROM ZITEM")
            #expect(rows == [[.text("n"), .null]])
        }
    }

    @Test(arguments: [["--from", "V1"], ["--store", "Old.sqlite"]])
    func `a plan shows the steps of the way`(arguments: [String]) throws {
        try withVersions(["String", "", "Binary"]) { folder in
            let plan = ["plan", "Shop.xcdatamodeld"] + arguments
            let result = try expectRun(plan, in: folder, 0, "V1 → V2: ", "V2 → V3: ")
            let told = result.output + result.errors
            let words = arguments[0] == "--store" ? "1 value at stake" : "the steps drop: "
            #expect(told.contains(words))
            #expect(told.contains("Item.value"))
            let json = try momtool(plan + ["--format", "json"], in: folder)
            let reports = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            #expect((reports as? [Any])?.count == 2)
        }
    }

    @Test(arguments: [["migrate"], ["plan", "--from", "V1"], ["plan", "--store", "Old.sqlite"]])
    func `where no way leads a version between is proposed`(command: [String]) throws {
        try withVersions(["String", "Binary"]) { folder in
            let arguments =
                command[0] == "migrate" ? migrate : ["plan", "Shop.xcdatamodeld"] + command[1...]
            let result = try expectRun(arguments, in: folder, 3)
            for line in [
                "Source and destination attribute types are incompatible (134190",
                "missing: V1 → V2",
                "between 'V1' and 'V2' add a version that is 'V2' with these differences:",
                "Item.newValue: optional Binary attribute added",
                "Item.value: type: Binary → String",
                "in 'V2' give Item.value the renaming identifier 'newValue'",
                "custom stage from the version between to 'V2'",
            ] {
                #expect(result.errors.contains(line), "\(line) in \(result.errors)")
            }
        }
    }

    @Test(arguments: [
        (["String", "", "Binary"], "momtool goes another way: V1 → V2 → V3"),
        (["String", "Binary"], "no chain of the versions and mapping models at hand leads there"),
    ])
    func `the doctor names the way around a refused step, or says that there is none`(
        versions: [String],
        words: String
    ) throws {
        try withVersions(versions) { folder in
            let result = try momtool("doctor Old.sqlite --model Shop.xcdatamodeld", in: folder)
            #expect(result.status == 1)
            #expect(result.output.contains(words), "\(result.output)")
            let leads = versions.count > 2
            #expect(result.output.contains("-o Migrated.sqlite"))
            #expect(result.output.contains("--stages Stages.yml") != leads)
        }
    }

    @Test(
        .enabled(if: Corpus.isPresent),
        arguments: [
            (4, "migrates it by the mapping model"), (5, "'Moody 5' → 'Moody 6', and is not used"),
        ]
    )
    func `the doctor sees the mapping model that Core Data would take`(
        version: Int,
        words: String
    ) throws {
        try withFolder { folder in
            let model = Corpus.path("objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld")
            let store = folder.appending(path: "Old.sqlite").path
            let (old, new) = ("Moody \(version)", "Moody \(version + 1)")
            try expectRun(["create", store, "--model", model, "--version", old], 0)
            let result = try momtool("doctor", store, "--model", model, "--version", new)
            #expect(result.output.contains(words), "\(result)")
            #expect(result.output.contains("\(old)-\(new).xcmappingmodel"))
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a mapping model beside the model is named where nobody did`() throws {
        let folder = "objcio+core-data/Migrations/Migrations/"
        let model = Corpus.path(folder + "Moody.xcdatamodeld")
        let mapping = Corpus.path(folder + "Moody 5-Moody 6.xcmappingmodel")
        let step = ["plan", model, "--from", "Moody 5", "--to", "Moody 6"]
        let words =
            "Moody 5-Moody 6.xcmappingmodel: note: this mapping model is for the step 'Moody 5'"
        #expect(try momtool(step).errors.contains(words))
        let named = try momtool(step + ["--mapping-models", mapping])
        #expect(!named.errors.contains("this mapping model"), "\(named.errors)")
        let other = try momtool("plan", model, "--from", "Moody", "--to", "Moody 2")
        #expect(!other.errors.contains("this mapping model"))
    }

    @Test func `a store of another app is not taken for one that loses everything`() throws {
        try withVersions(["String"]) { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld").path
            let result = try momtool(
                "migrate",
                Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path,
                "--model",
                bundle,
                "-o",
                folder.appending(path: "New.sqlite").path,
                "--allow-data-loss"
            )
            #expect(result.status == 3)
            #expect(result.errors.contains("none of its entities is in 'V1'"), "\(result.errors)")
            let known = try momtool(
                "plan",
                Corpus.package.appending(path: "Models/Library.xcdatamodeld").path,
                bundle,
                "--store",
                Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            )
            #expect(known.status == 0 && known.output.contains("entity removed"), "\(known)")
        }
    }

    @Test func `objects that a stage deletes are told, and need no agreement`() throws {
        try withVersions(["String", ""]) { folder in
            try write("DELETE FROM Item WHERE name = 'n';\n", "d.sql", in: folder)
            let stages = "stages:\n  - custom: {from: V1, to: V2}\n    willMigrate: d.sql\n"
            try write(stages, "Stages.yml", in: folder)
            let plan = ["plan", "--stages", "Stages.yml", "--store", "Old.sqlite"]
            let told = try momtool(plan + ["Shop.xcdatamodeld"], in: folder)
            let words = "Item: 1 row at stake (Z_PK 1): the stage deletes these objects"
            #expect(told.output.contains(words), "\(told.output)\(told.errors)")
            try expectRun(migrate + ["--stages", "Stages.yml"], in: folder, 0, "Item (1 row)")
        }
    }

    @Test func `what a step loses is told under that step`() throws {
        try withFolder { folder in
            func model(_ names: String...) -> String {
                let lines = names.map {
                    "<attribute name='\($0)' optional='YES' attributeType='String'/>"
                }
                return "<model><entity name='Item'>\(lines.joined())</entity></model>"
            }
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let versions = ["V1": model("a", "b"), "V2": model("a"), "V3": model("c")]
            try writeBundle(versions, current: "V3", at: bundle)
            for (name, text) in [
                ("rows.json", #"{"Item": [{"a": "x", "b": "y"}]}"#),
                (".momtool.yml", "migration: stepwise\n"),
            ] { try write(text, name, in: folder) }
            let create = "create S.sqlite --model Shop.xcdatamodeld --version V1 --rows rows.json"
            try expectRun(create.split(separator: " ").map(String.init), in: folder, 0)
            let plan = ["plan", "Shop.xcdatamodeld", "--store", "S.sqlite"]
            let parts = try momtool(plan, in: folder).output.components(separatedBy: "V2 → V3")
            #expect(parts.count == 2 && parts[0].contains("Item.b: 1 value at stake"))
            #expect(!parts[0].contains("Item.a: 1 value"), "\(parts[0])")
            #expect(parts.last?.contains("Item.a: 1 value at stake") == true)
            let json = try momtool(plan + ["--format", "json"], in: folder)
            let reports = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            let losses = (reports as? [[String: Any]] ?? []).map { report in
                (report["losses"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            }
            #expect(losses == [["Item.b"], ["Item.a"]], "\(json.output)")
            let migrate = ["migrate", "S.sqlite", "--model", "Shop.xcdatamodeld", "-o", "T.sqlite"]
            let refused = try expectRun(migrate, in: folder, 3)
            for name in ["Item.a", "Item.b"] {
                #expect(refused.errors.contains("\(name): 1 value at stake"), "\(refused.errors)")
            }
            let named = ["Item.a", "Item.b"].flatMap { ["--allow-data-loss", $0] }
            #expect(try momtool(migrate + named, in: folder).status == 0)
        }
    }
}
