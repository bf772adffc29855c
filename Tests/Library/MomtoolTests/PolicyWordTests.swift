import Foundation
import ModelCompiling
import ModelLoading
import Momtool
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct PolicyWordTests {
    private func inProject(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let models = ["V1": ["name", "full"], "V2": ["name", "first"]].mapValues {
                textModel("A", $0)
            }
            try makeRepository(folder)
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(models, current: "V2", at: bundle)
            let versions = try ModelPlace(bundle.path).read().value.versions
            try writeMapping(
                of: ["name": "$source.name", "first": "$source.full"],
                policy: "App.Splitter",
                from: versions[0].model,
                to: versions[1].model,
                at: folder.appending(path: "One.cdm")
            )
            try createStore(
                at: folder.appending(path: "Old.sqlite").path,
                model: versions[0].model
            ) { connection, _ throws(StoreError) in
                try connection.execute(
                    "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZFULL) VALUES (1, 1, 1, 'x y')"
                )
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
            }
            try body(folder)
        }
    }

    private func say(_ settings: String, _ folder: URL) throws {
        try write(settings, ".momtool.yml", in: folder)
    }

    private let plan = ["plan", "M.xcdatamodeld", "--store", "Old.sqlite"]
    private let field = ["test", "--stores", "Old.sqlite", "--model", "M.xcdatamodeld"]

    @Test func `a real store loses nothing unnamed, and the report says who named it`() throws {
        try inProject { folder in
            let migrate = [
                "migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "-o", "New.sqlite",
            ]
            #expect(try momtool(migrate, in: folder).status == 3)
            let unnamed = try momtool(field, in: folder)
            #expect(unnamed.status == 1, "\(unnamed.output)")
            #expect(unnamed.output.contains("losses: {V2: [A.full]}"), "\(unnamed.output)")
            #expect(unnamed.output.contains("One.cdm: note: "))
            let matrix = try momtool("test --matrix M.xcdatamodeld", in: folder)
            #expect(matrix.output.contains(" A.full: "), "\(matrix.output)")
            #expect(matrix.output.contains("One.cdm: note: "))
            try say("losses: {V2: [A.full]}\n", folder)
            let named = try momtool(field, in: folder)
            #expect(named.status == 0, "\(named.output)")
            #expect(named.output.contains(" A.full: 1 value "), "\(named.output)")
            #expect(named.output.contains("(.momtool.yml "), "\(named.output)")
            #expect(try momtool(migrate, in: folder).status == 0)
            #expect(try momtool(field + ["--quiet"], in: folder).output == "")
        }
    }

    /// Inference would take the step, and lose what the map was written for.
    @Test(arguments: [
        ("{from: A, to: Other}", "'AToA' (A → A)"),
        ("{from: A, to: A, set: {frist: $source.full}}", "'frist'"),
    ])
    func `a map that is declared and cannot be carried out is one error everywhere`(
        entity: String,
        name: String
    ) throws {
        try inProject { folder in
            try say("policies: {Splitter: map.yml}\nlosses: {V2: [A.full]}\n", folder)
            try write("entities:\n  - \(entity)\n", "map.yml", in: folder)
            let runs = [
                ["check"], ["lint", "M.xcdatamodeld"], ["lock", "M.xcdatamodeld"],
                ["test", "--matrix", "M.xcdatamodeld"], field,
                ["migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "-o", "New.sqlite"],
            ]
            for words in runs {
                let run = try momtool(words, in: folder)
                let said = run.output + run.errors
                #expect(run.status != 0, "\(words): \(said)")
                #expect(said.ranges(of: name).count == 1, "\(words): \(said)")
                #expect(said.contains("map.yml:2:"), "\(words): \(said)")
            }
        }
    }

    @Test func `a map that is declared and not there is asked for once`() throws {
        try inProject { folder in
            try say("policies: {Splitter: map.yml}\nlosses: {V2: [A.full]}\n", folder)
            let check = try momtool("check", in: folder)
            #expect(check.status == 1, "\(check.output)")
            #expect(check.output.contains(".momtool.yml:1:22: error: "), "\(check.output)")
        }
    }

    @Test func `a loss that the lock recorded is agreed to by it`() throws {
        try inProject { folder in
            try say("policies: {Splitter: copy}\nlosses: {V2: [A.full]}\n", folder)
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            try say("", folder)
            try expectRun(field, in: folder, 0, "(the lock ")
        }
    }

    @Test func `the copying form of a policy can be pasted`() throws {
        try inProject { folder in
            try expectRun(plan, in: folder, nil, errors: ["policies: {App.Splitter: copy}"])
            try say("policies: {App.Splitter: copy}\n", folder)
            #expect(try momtool(plan, in: folder).status == 0)
        }
    }

    @Test func `a declared map that lacks the entity is told so`() throws {
        try inProject { folder in
            let map = "entities:\n  - {from: A, to: B}\n"
            try write(map, "map.yml", in: folder)
            try say("mappingModels: [One.cdm]\npolicies: {Splitter: map.yml}\n", folder)
            let result = try momtool(plan, in: folder)
            #expect(
                result.errors.contains("map.yml:2:")
                    && result.errors.contains("(A → A)"),
                "\(result.errors)"
            )
        }
    }

    @Test func `a misspelt policy is named`() throws {
        try inProject { folder in
            try say("policies:\n  Spliter: copy\n", folder)
            for words in [["lint", "M.xcdatamodeld"], ["check"], plan] {
                let result = try momtool(words, in: folder)
                let said = result.output + result.errors
                #expect(said.contains(".momtool.yml:2:3: warning: "), "\(said)")
                #expect(said.contains("'Splitter'"), "\(said)")
            }
            try say("policies:\n  Splitter: copy\n", folder)
            try expectRun("lint M.xcdatamodeld", in: folder, nil, not: [".momtool.yml:2:"])
        }
    }

    @Test func `a path that is not there is told once, at its line`() throws {
        try inProject { folder in
            let words = ["test", "Cases", "--write-case", "--model", "M.xcdatamodeld"]
            #expect(try momtool(words, in: folder).status == 0)
            let file = folder.appending(path: "Cases/V1-to-V2/case.yml")
            let text = try fileText(file)
            #expect(text.contains("\nskip: "), "\(text)")
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("skip:") }
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            try say("policies:\n  Splitter: Maps/gone.yml\n", folder)
            let check = try momtool("check", in: folder)
            let told = check.output.split(separator: "\n").filter { $0.contains("gone.yml") }
            #expect(told.count == 1, "\(check.output)")
            #expect(told.first?.hasPrefix(".momtool.yml:2:13: error: ") == true)
            #expect(told.first?.hasSuffix("[unreadable-file]") == true)
        }
    }

    @Test func `a new case of a mapped step is what init writes`() throws {
        try inProject { folder in
            let words = ["test", "New", "--write-case", "--model", "M.xcdatamodeld"]
            #expect(try momtool("init", in: folder).status == 0)
            #expect(try momtool(words, in: folder).status == 0)
            func text(_ path: String) throws -> String {
                try fileText(folder.appending(path: path))
            }
            let new = try text("New/V1-to-V2/case.yml")
            #expect(try text("MigrationCases/V1-to-V2/case.yml") == new)
            let skip = "skip: \"describe App.Splitter under policies:\""
            #expect(new.contains("\n" + skip), "\(new)")
            try say("policies: {Splitter: copy}\nlosses: {V2: [A.full]}\n", folder)
            let open = ["test", "Open", "--write-case", "--model", "M.xcdatamodeld"]
            #expect(try momtool(open, in: folder).status == 0)
            let declared = try text("Open/V1-to-V2/case.yml")
            #expect(!declared.contains("\nskip: "), "\(declared)")
            #expect(!declared.contains("x y"), "\(declared)")
        }
    }
}
