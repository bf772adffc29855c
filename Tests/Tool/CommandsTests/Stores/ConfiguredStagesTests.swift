import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct ConfiguredStagesTests {
    private static let stages = """
        stages:
          - custom: {from: V1, to: V2}
            map: map.yml
          - lightweight: [V3]

        """
    private static let remark =
        "Stages.yml: note: these stages lead to 'V3' and are used, as .momtool.yml names them"

    /// Runs with an app whose second version changes a type, only by a map, and a store of a version; no stage lists
    /// V0.
    private func withApp(
        _ stages: String = stages,
        store: String = "V1",
        _ body: (URL, (String) throws -> CommandResult) throws -> Void
    ) throws {
        try withFolder { folder in
            func model(_ attributes: [(String, String)]) -> String {
                let lines = attributes.map {
                    "<attribute name='\($0)' optional='YES' attributeType='\($1)'/>"
                }
                return "<model><entity name='A'>\(lines.joined())</entity></model>"
            }
            let versions = [
                "V0": model([("z", "String")]), "V1": model([("a", "String")]),
                "V2": model([("a", "Integer 32")]),
                "V3": model([("a", "Integer 32"), ("b", "String")]),
            ]
            try writeBundle(versions, "M.xcdatamodeld", in: folder, current: "V3")
            func write(_ text: String, _ name: String) throws {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            try write(stages, "Stages.yml")
            try write("entities:\n  - from: A\n    to: A\n    set: {a: {constant: 7}}\n", "map.yml")
            try write("stages: [Stages.yml]\nlosses: {V2: [A.a]}\n", ".momtool.yml")
            try write(#"{"A": [{"@id": "a"}]}"#, "rows.json")
            func run(_ words: String) throws -> CommandResult {
                try momtool(words.split(separator: " ").map(String.init), in: folder)
            }
            let made = try run(
                "create S.sqlite --model M.xcdatamodeld --version \(store) --rows rows.json"
            )
            #expect(made.status == 0, "\(made.errors)")
            try body(folder, run)
        }
    }

    private func value(in store: String, _ folder: URL) throws -> [[SQLiteValue]] {
        try StoreFile(path: folder.appending(path: store).path).connection
            .rows("SELECT ZA FROM ZA")
    }

    @Test func `a store goes through the stages of the configuration, and one line says so`() throws
    {
        try withApp { folder, run in
            let result = try run("migrate S.sqlite --model M.xcdatamodeld -o N.sqlite")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.split(separator: "\n").count { $0 == Self.remark[...] } == 1)
            #expect(try value(in: "N.sqlite", folder) == [[.integer(7)]])
            let named = try run(
                "migrate S.sqlite --model M.xcdatamodeld --stages Stages.yml -o P.sqlite"
            )
            #expect(named.status == 0, "\(named.errors)")
            #expect(!named.errors.contains("are used"))
            #expect(try value(in: "P.sqlite", folder) == [[.integer(7)]])
        }
    }

    @Test func `a batch, in place and JSON go through them too, and the line comes once`() throws {
        try withApp { folder, run in
            let files = FileManager.default
            for name in ["1.sqlite", "2.sqlite"] {
                try files.copyItem(
                    at: folder.appending(path: "S.sqlite"),
                    to: folder.appending(path: name)
                )
            }
            try Data("1.sqlite\n2.sqlite\n".utf8).write(to: folder.appending(path: "list"))
            let result = try run(
                "migrate --from-list list --model M.xcdatamodeld --in-place --backup B "
                    + "--timeout 600 --format json"
            )
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.split(separator: "\n").count { $0 == Self.remark[...] } == 1)
            for name in ["1.sqlite", "2.sqlite"] {
                #expect(try value(in: name, folder) == [[.integer(7)]])
            }
            #expect(result.output.contains(#""kind" : "map""#), "\(result.output)")
        }
    }

    @Test(arguments: ["", "--sql", "--format json", "--store S.sqlite --format json"])
    func `a plan is that of the named stages`(words: String) throws {
        try withApp { folder, run in
            let start = words.contains("--store") ? "" : "--from V1"
            let plan = "plan M.xcdatamodeld \(start) \(words)"
            let found = try run(plan)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.errors.contains(Self.remark))
            let named = try run("\(plan) --stages Stages.yml")
            #expect(found.output == named.output)
            #expect(named.output.contains("map"))
            #expect(!named.errors.contains(Self.remark))
        }
    }

    @Test func `the plan of an edit is that of the named stages`() throws {
        try withApp { folder, run in
            let edit = "model set M.xcdatamodeld#V2 A.a --optional no --plan --dry-run"
            let found = try run(edit)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.errors.contains("lead to 'V2' and are used"), "\(found.errors)")
            #expect(found.errors.contains("map V1 → V2"), "\(found.errors)")
            try FileManager.default.removeItem(at: folder.appending(path: ".momtool.yml"))
            #expect(try !run(edit).errors.contains("map V1 → V2"))
        }
    }

    @Test func `without a version a plan starts from the one before`() throws {
        try withApp { folder, run in
            let plan = try run("plan M.xcdatamodeld")
            #expect(plan.status == 0, "\(plan.errors)")
            #expect(plan.output == "lightweight V2 → V3\n")
        }
    }

    @Test func `a version that they do not list is led to without them, and a line says so`() throws
    {
        try withApp(store: "V0") { folder, run in
            let line = "Stages.yml: note: these stages are not used: they do not lead to 'V0'"
            let plan = try run("plan M.xcdatamodeld --from V1 --to V0")
            #expect(plan.status == 0, "\(plan.errors)")
            #expect(plan.errors.contains(line), "\(plan.errors)")
            #expect(plan.output.contains("V1 → V0"), "\(plan.output)")
        }
    }

    @Test func `stores of a version that they do not list are refused, as the app refuses them`()
        throws
    {
        try withApp(store: "V0") { folder, run in
            for words in ["plan M.xcdatamodeld --from V0", "plan M.xcdatamodeld --store S.sqlite"] {
                let plan = try run(words)
                #expect(plan.status == 3, "\(plan.output)")
                #expect(plan.output.contains("134504"), "\(plan.output)")
            }
            let result = try run("migrate S.sqlite --model M.xcdatamodeld -o N.sqlite")
            #expect(result.status == 3)
            #expect(result.errors.contains("134504"), "\(result.errors)")
            let doctor = try run("doctor S.sqlite --model M.xcdatamodeld")
            #expect(doctor.output.contains("134504"), "\(doctor.output)")
        }
    }

    @Test func `stores of newer versions come back without them, when that is allowed`() throws {
        try withApp(store: "V3") { folder, run in
            let migrate = "migrate S.sqlite --model M.xcdatamodeld --to V2 -o N.sqlite"
            let refused = try run(migrate)
            #expect(refused.status == 3)
            #expect(refused.errors.contains("[backward-migration]"), "\(refused.errors)")
            let back = try run("\(migrate) --allow-backward --allow-data-loss")
            #expect(back.status == 0, "\(back.errors)")
            #expect(back.errors.contains("these stages are not used: they lead forward"))
            let plan = try run("plan M.xcdatamodeld --store S.sqlite --to V2")
            #expect(plan.status == 0, "\(plan.errors)")
            #expect(plan.errors.contains("this goes back"), "\(plan.errors)")
        }
    }

    @Test func `a version that they list is led to through them`() throws {
        try withApp { folder, run in
            let result = try run("migrate S.sqlite --model M.xcdatamodeld --to V2 -o N.sqlite")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains("lead to 'V2' and are used"))
            #expect(try value(in: "N.sqlite", folder) == [[.integer(7)]])
        }
    }

    @Test func `a case goes through them as the app does`() throws {
        try withApp { folder, run in
            let place = folder.appending(path: "Cases/one")
            try makeFolder(place)
            let text = """
                model: ../../M.xcdatamodeld
                from: V1
                to: V3
                before:
                  A: [{a: x}]
                expect: migrated
                after:
                  A: [{a: 7}]

                """
            try Data(text.utf8).write(to: place.appending(path: "case.yml"))
            let result = try run("test Cases")
            #expect(result.status == 0, "\(result.output)\(result.errors)")
        }
    }

    @Test func `what is wrong with them keeps a store from being touched`() throws {
        try withApp(Self.stages + "  - lightweight: [V2, V3]\n") { folder, run in
            for words in [
                "migrate S.sqlite --model M.xcdatamodeld -o N.sqlite",
                "plan M.xcdatamodeld --store S.sqlite",
            ] {
                let result = try run(words)
                #expect(result.status == 3, "\(result.output)")
                #expect(result.errors.contains("[duplicate-stage-checksum]"), "\(result.errors)")
            }
        }
    }

    /// Core Data raises an exception when an app makes its list of stages, whatever store it opens.
    @Test(arguments: [
        "plan M.xcdatamodeld --stages Stages.yml", "plan M.xcdatamodeld --store S.sqlite",
        "plan M.xcdatamodeld --from V2", "migrate S.sqlite --model M.xcdatamodeld -o N.sqlite",
        "test --matrix M.xcdatamodeld", "test --stores S.sqlite --model M.xcdatamodeld",
        "test Cases", "doctor S.sqlite --model M.xcdatamodeld", "check", "lint M.xcdatamodeld",
    ])
    func `stages that crash the app are red on every road`(_ words: String) throws {
        let crashing = """
            stages:
              - lightweight: [V2]
              - custom: {from: V2, to: V3}

            """
        try withApp(crashing, store: "V2") { folder, run in
            let place = folder.appending(path: "Cases/one")
            try makeFolder(place)
            let text = """
                model: ../../M.xcdatamodeld
                from: V2
                to: V3
                before:
                  A: [{a: 7}]
                expect: migrated
                after:
                  A: [{a: 7}]

                """
            try Data(text.utf8).write(to: place.appending(path: "case.yml"))
            let result = try run(words)
            let all = result.output + result.errors
            #expect(result.status != 0, "\(all)")
            #expect(
                all.contains(
                    "stage 2: 'V2' is listed already in stage 1 (NSInvalidArgumentException: "
                        + "Duplicate version checksums across stages detected.)"
                ),
                "\(all)"
            )
            #expect(!all.contains("1 passed") && !all.contains("migrates it"), "\(all)")
        }
    }

    @Test func `a time limit needs stages, whoever names them`() throws {
        try withApp { folder, run in
            let migrate = "migrate S.sqlite --model M.xcdatamodeld -o N.sqlite --timeout 600"
            let result = try run(migrate)
            #expect(result.status == 0, "\(result.errors)")
            try FileManager.default.removeItem(at: folder.appending(path: ".momtool.yml"))
            let without = try run(migrate)
            #expect(without.status == 64)
            #expect(without.errors.contains("--timeout and --keep-stages go with --stages"))
        }
    }
}
