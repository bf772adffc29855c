import Diagnostics
import Foundation
import MigrationPlanning
import MigrationTesting
import ModelCompiling
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MappingModelChoiceTests {
    private func inFolder(_ policy: String? = nil, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(mappedModels, "M.xcdatamodeld", in: folder, current: "V3")
            let mappings = folder.appending(path: "Mappings")
            try makeFolder(mappings)
            try write("One", "V1", "V2", policy, ["a": "$source.a", "b": "$source.a"], folder)
            try write("Two", "V2", "V3", nil, ["a": "7", "b": "$source.b"], folder)
            let store = folder.appending(path: "Old.sqlite").path
            let model = try versions(folder)["V1"]?.model ?? ManagedObjectModel()
            try createStore(at: store, model: model) { connection, _ throws(StoreError) in
                try connection.execute(
                    "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')"
                )
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
            }
            try body(folder)
        }
    }

    private func versions(_ folder: URL) throws -> [String: ModelVersion] {
        let bundle = try ModelPlace(folder.appending(path: "M.xcdatamodeld").path).read().value
        return Dictionary(uniqueKeysWithValues: bundle.versions.map { ($0.name, $0) })
    }

    private func write(
        _ name: String,
        _ from: String,
        _ to: String,
        _ policy: String?,
        _ values: [String: String],
        _ folder: URL
    ) throws {
        let known = try versions(folder)
        try writeMapping(
            of: values,
            policy: policy,
            from: try #require(known[from]).model,
            to: try #require(known[to]).model,
            at: folder.appending(path: "Mappings/\(name).cdm")
        )
    }

    private func rows(_ path: String, _ sql: String) throws -> [[SQLiteValue]] {
        try SQLiteConnection(path: path, mode: .readWrite).rows(sql)
    }

    @Test(arguments: [nil, "App.Policy"])
    func `several for one step are told of, also before their policies are declared`(
        _ policy: String?
    ) throws {
        try inFolder { folder in
            try write("Other", "V2", "V3", policy, ["a": "8", "b": "$source.b"], folder)
            try write("Two", "V2", "V3", policy, ["a": "7", "b": "$source.b"], folder)
            try Data("migration: stepwise\nmappingModels: [Mappings]\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            for words in [["check"], ["lint", "M.xcdatamodeld"]] {
                let text = try momtool(words, in: folder).output
                #expect(text.components(separatedBy: "[several-mapping-models]").count == 2)
                #expect(text.contains("Other.cdm") && text.contains("Two.cdm"), "\(text)")
            }
            let matrix = try momtool("test --matrix M.xcdatamodeld", in: folder)
            #expect(policy == nil || matrix.output.contains("Two.cdm"), "\(matrix)")
        }
    }

    @Test func `a new case that is skipped says so`() throws {
        try inFolder("App.Policy") { folder in
            let words = "test Cases --new one --model M.xcdatamodeld --from V1 --to V2"
            try Data("mappingModels: [Mappings]\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            let new = try momtool(words.split(separator: " ").map(String.init), in: folder)
            #expect(new.status == 0, "\(new.errors)")
            #expect(new.output.contains("App.Policy"), "\(new.output)")
            try expectRun("test Cases", in: folder, 66, errors: ["remove skip:"])
        }
    }

    @Test func `one that cannot be read is ignored, unless it is named or alone`() throws {
        try inFolder { folder in
            func migrate(_ mappings: String, to new: String) throws -> CommandResult {
                try momtool(
                    "migrate Old.sqlite --model M.xcdatamodeld --to V2 --mapping-models "
                        + "\(mappings) -o \(new)",
                    in: folder
                )
            }
            for place in ["Mappings/Broken.cdm", "Bad/Broken.cdm"] {
                let file = folder.appending(path: place)
                try makeFolder(file.deletingLastPathComponent())
                try Data("text".utf8).write(to: file)
            }
            let beside = try migrate("Mappings", to: "New.sqlite")
            #expect(beside.status == 0, "\(beside.errors)")
            #expect(beside.errors.contains("Mappings/Broken.cdm:1:1: warning: "))
            #expect(beside.errors.contains("[malformed-xml]"))
            let new = folder.appending(path: "New.sqlite").path
            #expect(try rows(new, "SELECT ZA, ZB FROM ZA") == [[.text("x"), .text("x")]])
            for named in ["Mappings/Broken.cdm", "Bad"] {
                let refused = try migrate(named, to: "Other.sqlite")
                #expect(refused.status == 65, "\(named)")
                #expect(refused.errors.contains("Broken.cdm:1:1: error: "))
            }
        }
    }

    @Test func `a step takes its mapping model before inference`() throws {
        try inFolder { folder in
            let migrate = [
                "migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "--to", "V2",
                "--mapping-models",
                "Mappings", "-o", "New.sqlite",
            ]
            try expectRun(migrate, in: folder, 0)
            let new = folder.appending(path: "New.sqlite").path
            #expect(try rows(new, "SELECT ZA, ZB FROM ZA") == [[.text("x"), .text("x")]])
            #expect(try momtool("verify", new).status == 0)
            let plan = try momtool(
                ["plan", "M.xcdatamodeld", "--store", "Old.sqlite", "--to", "V2"]
                    + ["--mapping-models", "Mappings"],
                in: folder
            )
            #expect(plan.output.contains("One.cdm"), "\(plan.output)")
            let bare = try momtool(
                ["plan", "M.xcdatamodeld", "--from", "V1", "--to", "V2"]
                    + ["--mapping-models", "Mappings"],
                in: folder
            )
            #expect(bare.output.contains("One.cdm"), "\(bare.output)")
        }
    }

    @Test func `a refused step goes by mapping models through the versions between`() throws {
        try inFolder { folder in
            let plan = ["plan", "M.xcdatamodeld", "--store", "Old.sqlite"]
            #expect(try momtool(plan, in: folder).status == 3)
            let mapped = try momtool(plan + ["--mapping-models", "Mappings"], in: folder)
            #expect(mapped.status == 1, "\(mapped.errors)")
            for (step, name) in [("V1 → V2: ", "One.cdm"), ("V2 → V3: ", "Two.cdm")] {
                let lines = mapped.output.split(separator: "\n").filter { $0.contains(step) }
                #expect(lines.contains { $0.hasSuffix(name) }, "\(mapped.output)")
            }
            let migrate = [
                "migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "--mapping-models",
                "Mappings", "-o", "New.sqlite", "--allow-data-loss", "A.a",
            ]
            try expectRun(migrate, in: folder, 0)
            let new = folder.appending(path: "New.sqlite").path
            #expect(try rows(new, "SELECT ZA, ZB FROM ZA") == [[.integer(7), .text("x")]])
        }
    }

    @Test func `one that is for another step is refused by its name`() throws {
        try inFolder { folder in
            let migrate = [
                "migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "--to", "V2",
                "--mapping-models",
                "Mappings/Two.cdm", "-o", "New.sqlite",
            ]
            let result = try momtool(migrate, in: folder)
            #expect(result.status == 3, "\(result.errors)")
            #expect(result.errors.contains("V2 → V3"), "\(result.errors)")
            #expect(result.errors.contains("[other-mapping-model]"))
        }
    }

    @Test func `policies do what the configuration says, and nothing unsaid`() throws {
        for (policy, expected) in [("delete", 0), ("copy", 1), ("map.yml", 1)] {
            try inFolder("App.Splitter") { folder in
                let arguments = [
                    "migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "--to", "V2", "-o",
                    "New.sqlite", "--allow-data-loss", "A",
                ]
                let settings = folder.appending(path: ".momtool.yml")
                try Data("mappingModels: [Mappings]\n".utf8).write(to: settings)
                try expectRun(arguments, in: folder, 3, errors: ["policies: {App.Splitter: copy}"])
                let text = "mappingModels: [Mappings]\npolicies: {Splitter: \(policy)}\n"
                try Data(text.utf8).write(to: settings)
                let map = "entities:\n  - {from: A, to: A, set: {b: {constant: from the map}}}\n"
                try Data(map.utf8).write(to: folder.appending(path: "map.yml"))
                try expectRun(arguments, in: folder, 0)
                let new = folder.appending(path: "New.sqlite").path
                let found = try rows(new, "SELECT ZB FROM ZA")
                #expect(found.count == expected, "\(policy)")
                if policy == "copy" { #expect(found == [[.text("x")]]) }
                if policy == "map.yml" { #expect(found == [[.text("from the map")]]) }
            }
        }
    }

    @Test func `the doctor foretells what a mapping model does, declared or not`() throws {
        try inFolder("App.Splitter") { folder in
            let settings = folder.appending(path: ".momtool.yml")
            func doctor(_ text: String) throws -> String {
                try Data("mappingModels: [Mappings]\n\(text)".utf8).write(to: settings)
                let store = ["Old.sqlite", "--model", "M.xcdatamodeld"]
                return try momtool(["doctor"] + store + ["--version", "V2"], in: folder).output
            }
            let undeclared = try doctor("")
            #expect(undeclared.contains("policies:"), "\(undeclared)")
            #expect(!undeclared.contains("momtool migrate "), "\(undeclared)")
            let declared = try doctor("policies: {Splitter: delete}\n")
            #expect(declared.contains(" A: 1 row"), "\(declared)")
            #expect(declared.contains("momtool migrate "), "\(declared)")
        }
    }

    @Test(arguments: [
        ("    map: Mappings/One.cdm\n", ""), ("", "mappingModels: [Mappings/One.cdm]\n"),
    ])
    func `a stage takes what the configuration says of policies and mapping models`(
        map: String,
        settings: String
    ) throws {
        try inFolder("App.Splitter") { folder in
            let stages =
                "model: M.xcdatamodeld\nstages:\n  - custom: {from: V1, to: V2}\n    label: one\n"
                + map
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            try Data((settings + "policies: {Splitter: copy}\n").utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            try expectRun("plan --stages Stages.yml --store Old.sqlite", in: folder, 0)
            let result = try momtool(
                ["migrate", "Old.sqlite", "--stages", "Stages.yml", "-o", "New.sqlite"],
                in: folder
            )
            #expect(result.status == 0, "\(result.errors)")
            let new = folder.appending(path: "New.sqlite").path
            #expect(try rows(new, "SELECT ZB FROM ZA") == [[.text("x")]])
        }
    }

    @Test func `a case takes the mapping models that it names`() throws {
        try inFolder { folder in
            let test = folder.appending(path: "Cases/mapped")
            try makeFolder(test)
            let text =
                "model: ../../M.xcdatamodeld\nfrom: V1\nto: V2\nmappingModels: [../../Mappings]\n"
            try Data(text.utf8).write(to: test.appending(path: "case.yml"))
            try Data(#"{"A": [{"@id": "1", "a": "x"}]}"#.utf8)
                .write(to: test.appending(path: "before.json"))
            try Data(#"{"A": [{"@id": "1", "a": "x", "b": "x"}]}"#.utf8)
                .write(to: test.appending(path: "after.json"))
            try expectRun("test Cases", in: folder, 0)
        }
    }

    private func versions(of project: String) -> [ModelVersion] {
        let paths = Corpus.paths { path in
            path.hasPrefix(project + "/")
                && (path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".xcdatamodel"))
        }
        return paths.flatMap { readModelBundle(at: Corpus.path($0)).value.versions }
    }

    /// Runs a map on generated rows, with any declared policies, and verifies the result; returns whether the rows go
    /// through.
    private func run(
        _ map: StageMap,
        _ from: ModelVersion,
        _ to: ModelVersion,
        _ title: String
    ) throws -> Bool {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeSampleStore(at: path, model: from.model)
            let store = try StoreFile(path: path)
            let stage = CustomMigrationStage(
                migratingFrom: ManagedObjectModelReference(from),
                to: ManagedObjectModelReference(to)
            )
            let result = folder.appending(path: "New.sqlite").path
            do throws(StoreMigrationError) {
                let migration = try Migration(
                    of: store,
                    by: StagedMigrationManager([.custom(stage)]),
                    works: [0: CustomStageWork(map: map)]
                )
                try migration.run(
                    from: store,
                    toNewFile: result,
                    options: MigrationOptions(acceptsLosses: .all)
                )
            } catch {
                // Generated rows may lack what a new mandatory property needs.
                switch error {
                case .stageFindings, .rows: return false
                default: throw error
                }
            }
            let findings = try verify(StoreFile(path: result), against: to.model)
            // A declaration does not make the values that the code of a policy made.
            let values = ["missing-value", "missing-destination", "destination-count"]
            let errors = findings.filter {
                $0.severity == .error && !values.contains($0.rule.rawValue)
            }
            #expect(errors.isEmpty, "\(title): \(errors)")
            return true
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `mapping models of the corpus are found for their steps alone`() throws {
        let files = Corpus.paths { $0.hasSuffix("/xcmapping.xml") || $0.hasSuffix(".cdm") }
        var (found, other, verified) = (0, 0, 0)
        var refused: [String] = []
        var projects: [String: [ModelVersion]] = [:]
        for file in files {
            let path = file.hasSuffix(".xml") ? String(file.dropLast("/xcmapping.xml".count)) : file
            let source = readMappingModel(at: Corpus.path(path)).value
            let names = Set(source.entityMappings.compactMap(\.policyClassName))
            let policies = Dictionary(uniqueKeysWithValues: names.map { ($0, MappingPolicy.copy) })
            let models = try MappingModels(at: [Corpus.path(path)], policies: policies)
            let project = path.split(separator: "/").first.map(String.init) ?? ""
            let versions = projects[project] ?? versions(of: project)
            projects[project] = versions
            var steps: Set<String> = []
            var hasRun = false
            for from in versions {
                for to in versions where from.hashes != to.hashes {
                    guard let map = try models.map(from: from, to: to) else {
                        other += 1
                        continue
                    }
                    #expect(map.map.entities.count <= source.entityMappings.count)
                    steps.insert("\(from.name) → \(to.name)")
                    let isRecorded =
                        source.destinationModelPath?.hasSuffix("/\(to.name).xcdatamodel") ?? true
                    guard isRecorded, !hasRun else { continue }
                    hasRun = true
                    do {
                        if try run(map.map, from, to, path) { verified += 1 }
                    } catch StoreMigrationError.map(_, let diagnostics)
                        where diagnostics.contains(where: { $0.message.contains("$entityPolicy") })
                    {
                        // What an expression asks of a policy is code, whatever is declared.
                        refused.append(path)
                    }
                }
            }
            #expect(!steps.isEmpty, "\(path)")
            if !steps.isEmpty { found += 1 }
        }
        print("\(found) of \(files.count) mapping models are found, \(verified) results verified")
        #expect(found == files.count)
        #expect(refused.map { $0.hasSuffix("APCMappingModel4ToModel6.xcmappingmodel") } == [true])
        #expect(verified + refused.count + 5 >= found, "\(verified) of \(found)")
        #expect(other > found)
    }
}
