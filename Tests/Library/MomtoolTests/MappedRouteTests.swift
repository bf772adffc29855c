import Diagnostics
import Foundation
import ModelCompiling
import ModelLanguage
import ModelLoading
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MappedRouteTests {
    private static let models = [
        "V1": ["name", "full"], "V2": ["name", "first"], "V3": ["name", "first", "more"],
    ].mapValues { textModel("A", $0) }

    /// Runs with the mapping model `One.cdm` from the first to the second version, and a lock of both.
    private func inProject(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try makeRepository(folder)
            try write(Self.models.filter { $0.key != "V3" }, current: "V2", folder)
            try writeMapping(
                of: ["name": "$source.name", "first": "$source.full"],
                from: model("V1", folder),
                to: model("V2", folder),
                at: folder.appending(path: "One.cdm")
            )
            try expectRun("check", in: folder, 0)
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            try body(folder)
        }
    }

    private func write(_ models: [String: String], current: String, _ folder: URL) throws {
        try writeBundle(models, "M.xcdatamodeld", in: folder, current: current)
    }

    private func model(_ name: String, _ folder: URL) throws -> ManagedObjectModel {
        let path = folder.appending(path: "M.xcdatamodeld").path
        return try #require(readModelBundle(at: path).value.version(named: name)).model
    }

    private func say(_ settings: String, _ folder: URL) throws {
        try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
    }

    @Test func `a later version is not reached by the mapping model of an earlier step`() throws {
        try inProject { folder in
            try write(Self.models, current: "V3", folder)
            for words in [["check"], ["lint", "M.xcdatamodeld"], ["lock", "M.xcdatamodeld"]] {
                let result = try momtool(words, in: folder)
                let told = result.output + result.errors
                #expect(result.status != 0, "\(words): \(told)")
                #expect(told.contains(" from 'V1' to 'V3'"), "\(words): \(told)")
                #expect(told.contains(" A.full: "), "\(words): \(told)")
            }
            let matrix = try momtool("test --matrix M.xcdatamodeld", in: folder)
            #expect(matrix.status == 1 && matrix.output.contains("A.full"), "\(matrix.output)")
            #expect(matrix.output.contains("losses: {V3: [A.full]}"), "\(matrix.output)")
            try expectRun("check", in: folder, nil, "migration: stepwise", "One.cdm")
        }
    }

    @Test(arguments: ["migration: stepwise\n", "losses: {V3: [A.full]}\n"])
    func `an app that takes every step, or that means the loss, is green`(settings: String) throws {
        try inProject { folder in
            try write(Self.models, current: "V3", folder)
            try say(settings, folder)
            for words in [
                ["check"], ["lint", "M.xcdatamodeld"], ["test", "--matrix", "M.xcdatamodeld"],
                ["lock", "M.xcdatamodeld"],
            ] {
                try expectRun(words, in: folder, 0)
            }
        }
    }

    @Test func `stores and the matrix are judged alike`() throws {
        try inProject { folder in
            let store = folder.appending(path: "Old.sqlite").path
            try createStore(at: store, model: model("V1", folder)) {
                connection,
                _ throws(StoreError) in
                try connection.execute(
                    "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZFULL) VALUES (1, 1, 1, 'x y')"
                )
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
            }
            let words = ["test", "--stores", "Old.sqlite", "--model", "M.xcdatamodeld"]
            try expectRun(words, in: folder, 0)
            try write(Self.models, current: "V3", folder)
            try expectRun(words, in: folder, 1, "A.full")
        }
    }

    @Test func `a chain of mapping models asks whether the app takes every step`() throws {
        try withFolder { folder in
            try makeRepository(folder)
            try write(mappedModels, current: "V3", folder)
            for (name, from, to, values) in [
                ("One", "V1", "V2", ["a": "$source.a", "b": "$source.a"]),
                ("Two", "V2", "V3", ["a": "7", "b": "$source.b"]),
            ] {
                try writeMapping(
                    of: values,
                    from: model(from, folder),
                    to: model(to, folder),
                    at: folder.appending(path: "\(name).cdm")
                )
            }
            let check = try momtool("check", in: folder)
            #expect(check.status == 1, "\(check.output)")
            #expect(check.output.contains("V1 → V2 → V3"), "\(check.output)")
            #expect(check.output.contains("[several-steps]"), "\(check.output)")
            let matrix = ["test", "--matrix", "M.xcdatamodeld"]
            try expectRun(matrix, in: folder, 1, "refused: ")
            try say("migration: stepwise\n", folder)
            for words in [["check"], matrix] { try expectRun(words, in: folder, 0) }
        }
    }

    @Test func `a mapping model that skips versions is told where the app takes every step`() throws
    {
        try withFolder { folder in
            try makeRepository(folder)
            try write(Self.models, current: "V3", folder)
            try writeMapping(
                of: ["name": "$source.name", "first": "$source.full"],
                from: model("V1", folder),
                to: model("V3", folder),
                at: folder.appending(path: "Far.cdm")
            )
            let rule = "[mapping-model-skips-versions]"
            try expectRun("check", in: folder, nil, not: [rule])
            try say("migration: stepwise\n", folder)
            let place = "Far.cdm: warning: "
            for command in [["check"], ["lint", "M.xcdatamodeld"]] {
                let run = try expectRun(command, in: folder, 1)
                #expect(run.output.components(separatedBy: rule).count == 2, "\(run.output)")
                #expect(run.output.contains(place) && run.output.contains("'V2'"), "\(run)")
            }
            for command in [
                ["plan", "M.xcdatamodeld", "--from", "V1"], ["test", "--matrix", "M.xcdatamodeld"],
            ] {
                let run = try momtool(command, in: folder)
                #expect((run.output + run.errors).contains(place), "\(run.output)\(run.errors)")
            }
            let newer = try momtool("plan M.xcdatamodeld --from V2", in: folder)
            #expect(!newer.errors.contains("Far.cdm"), "\(newer.errors)")
        }
    }

    @Test func `the mapping model of the version itself is named before one behind it`() throws {
        try withFolder { folder in
            try makeRepository(folder)
            var models = [
                "V1": textModel("A", ["full"]), "V2": textModel("A", ["full", "first"]),
                "V3": textModel("A", ["first"]),
            ]
            try write(models, current: "V3", folder)
            for (name, from, old) in [("Far", "V1", "full"), ("Two", "V2", "first")] {
                try writeMapping(
                    of: ["first": "$source.\(old)"],
                    from: model(from, folder),
                    to: model("V3", folder),
                    at: folder.appending(path: "\(name).cdm")
                )
            }
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            models["V4"] = textModel("A", ["first", "more"])
            try write(models, current: "V4", folder)
            let check = try momtool("check", in: folder)
            #expect(check.output.contains("from 'V1' to 'V4'"), "\(check.output)")
            #expect(check.output.contains("Far.cdm: note: "), "\(check.output)")
            #expect(!check.output.contains("Two.cdm: note: "), "\(check.output)")
        }
    }

    @Test func `a version without entities is migrated to like any other`() throws {
        try withFolder { folder in
            let text = try #require(Self.models["V1"])
            try write(["V1": text, "V2": "<model/>"], current: "V2", folder)
            try expectRun("check", in: folder, 1, "A: ", not: ["INSERT INTO"])
            try say("losses: {V2: [A]}\n", folder)
            try expectRun("test --matrix M.xcdatamodeld", in: folder, 0)
        }
    }

    @Test func `init writes the case of a policy that nobody declared, which waits for it`() throws
    {
        try withFolder { folder in
            try makeRepository(folder)
            try write(Self.models.filter { $0.key != "V3" }, current: "V2", folder)
            try writePart("One", "TRUEPREDICATE", folder, policy: "Shop.Policy")
            let first = try expectRun("init", in: folder, 0)
            let path = "MigrationCases/V1-to-V2/case.yml"
            #expect(first.output.contains("wrote \(path)\n"), "\(first.output)")
            #expect(first.output.contains("Shop.Policy"), "\(first.output)")
            let file = folder.appending(path: path)
            let text = try fileText(file)
            #expect(text.contains("# policies:\n#   Shop.Policy: copy\n"), "\(text)")
            let test = try momtool("test MigrationCases", in: folder)
            #expect(test.output.contains("Shop.Policy"))
            try expectRun("check", in: folder, 0)
            // As it says: the policy is declared, and the line removed.
            let done = text.split(separator: "\n").filter { !$0.hasPrefix("skip:") }
                .joined(separator: "\n")
                .replacing("# policies:\n#   Shop.Policy", with: "policies:\n  Shop.Policy")
            try Data(done.utf8).write(to: file)
            try expectRun("test MigrationCases", in: folder, nil, "1 passed")
        }
    }

    @Test func `init says why it writes no case, and what writes one`() throws {
        try withFolder { folder in
            try makeRepository(folder)
            try write(Self.models.filter { $0.key != "V3" }, current: "V2", folder)
            try writePart("One", "TRUEPREDICATE", folder)
            let first = try expectRun("init", in: folder, 0)
            let next = "momtool test MigrationCases --write-case --model M.xcdatamodeld"
            #expect(first.output.contains(next), "\(first.output)")
            let words = next.split(separator: " ").dropFirst().map(String.init)
            #expect(try momtool(words, in: folder).status == 0)
        }
    }

    private func writePart(
        _ name: String,
        _ condition: String,
        _ folder: URL,
        policy: String? = nil
    ) throws {
        var mapping = MappingModelSource.EntityMapping(
            sourceName: "A",
            destinationName: "A",
            policyClassName: policy,
            number: 1,
            attributes: [
                MappingModelSource.PropertyMapping(
                    name: "name",
                    valueExpression: try PredicateExpression(parsing: "$source.name")
                )
            ]
        )
        mapping.sourcePredicate = try Predicate(parsing: condition)
        let compiled = compileMappingModel(
            MappingModelSource(entityMappings: [mapping]),
            from: try model("V1", folder),
            to: try model("V2", folder)
        )
        try compiled.value.binaryData.write(to: folder.appending(path: "\(name).cdm"))
    }

    @Test func `several mapping models for one step are told, and rows left out are not agreed to`()
        throws
    {
        try withFolder { folder in
            try makeRepository(folder)
            try write(Self.models.filter { $0.key != "V3" }, current: "V2", folder)
            try writePart("First", "name BEGINSWITH 'zz'", folder)
            let matrix = ["test", "--matrix", "M.xcdatamodeld"]
            try expectRun(matrix, in: folder, 1, "A: ")
            #expect(try !momtool("check", in: folder).output.contains("[several-mapping-models]"))
            try writePart("Second", "name BEGINSWITH 'yy'", folder)
            try expectRun("check", in: folder, 1, "[several-mapping-models]")
            let plan = try momtool("plan M.xcdatamodeld --from V1", in: folder)
            #expect(plan.errors.contains("First.cdm"), "\(plan.errors)")
            // A named one is chosen; what it leaves out is intended when it is named too.
            try say("mappingModels: [First.cdm]\nlosses: {V2: [A]}\n", folder)
            for words in [["check"], matrix] { try expectRun(words, in: folder, 0) }
        }
    }
}
