import Foundation
import TestSupport
import Testing

/// `momtool model prune`: what goes, what stays, and what is still known of what is gone.
struct PruneCommandTests {
    @Test func `versions go from every file that names them, and the rest stays byte for byte`()
        throws
    {
        try PrunedShop.with { shop in
            let before = try shop.files()
            let hashes = try momtool(["hash", "\(PrunedShop.model)#V3"], in: shop.folder).output
            let dry = try shop.run("--before", "V3", "--dry-run")
            #expect(dry.status == 0 && dry.output.contains("deleted file mode"), "\(dry.errors)")
            #expect(dry.errors.contains("cannot be migrated any more: stores of 'V1', 'V2'"))
            #expect(try shop.files() == before)

            let run = try shop.run("--before", "V3")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.hasPrefix("cannot be migrated any more: stores of 'V1', 'V2'\n"))
            #expect(run.output.contains("pruned 2 versions: 'V1', 'V2'"))
            let after = try shop.files()
            let gone = Set(before.keys).subtracting(after.keys)
            #expect(
                Set(
                    gone.filter {
                        !$0.contains("/") || $0.hasSuffix("model") || $0.hasSuffix("old")
                    }
                )
                    == [
                        "Shop.xcdatamodeld/V1.xcdatamodel", "Shop.xcdatamodeld/V2.xcdatamodel",
                        "Mappings/V1 to V2.xcmappingmodel", "Cases/old",
                    ]
            )
            #expect(Set(after.keys).isSubset(of: before.keys))
            let changed = after.filter { before[$0.key] != $0.value }.keys.sorted()
            #expect(
                changed == [
                    ".momtool.yml", "App.xcodeproj/project.pbxproj", "Cases/several/case.yml",
                    "Shop.xcdatamodeld.lock",
                ]
            )
            let project = try shop.text("App.xcodeproj/project.pbxproj")
            #expect(project == PrunedShop.project(isPruned: true))
            #expect(
                try shop.text(".momtool.yml") == """
                    order: [V3, V4]   # as they shipped

                    mappingModels:
                      - Mappings/V3 to V4.xcmappingmodel
                    lint:
                      ignore:
                        - rule: missing-inverse
                          reason: everywhere

                    """
            )
            #expect(
                try shop.text("Cases/several/case.yml") == """
                    model: ../../Shop.xcdatamodeld
                    allowDataLoss: true
                    cases:
                      # the one that counts
                      second:
                        from: V3
                        before: {Book: [{title: a}]}
                        after: {Book: [{title: a}]}

                    """
            )
            #expect(
                try momtool(["hash", "\(PrunedShop.model)#V3"], in: shop.folder).output == hashes
            )
            let check = try momtool(["check", "."], in: shop.folder)
            #expect(check.status == 0 && !check.output.contains("warning"), "\(check.output)")
        }
    }

    @Test func `stores of pruned versions are still named by every command`() throws {
        try PrunedShop.with { shop in
            #expect(try shop.run("V1", "V2").status == 0)
            let words = ["--model", PrunedShop.model]
            func run(_ command: String...) throws -> CommandResult {
                try momtool(command + words, in: shop.folder)
            }
            let identity = try run("identify", "Old.sqlite")
            #expect(identity.status == 3)
            #expect(identity.output.contains("it is of 'V1', which was pruned on 2026-11-24"))
            let json = try run("identify", "Old.sqlite", "--format", "json").output
            #expect(json.contains("\"pruned\" : \"V1\"") || json.contains("\"pruned\":\"V1\""))
            let doctor = try run("doctor", "Old.sqlite")
            #expect(doctor.output.contains("it is of 'V1', which was pruned on 2026-11-24"))
            #expect(!doctor.output.contains("momtool lock"))
            let check = try momtool(["lock", PrunedShop.model, "--check"], in: shop.folder)
            #expect(check.status == 0)
            #expect(check.output.contains("2 locked versions and 2 pruned: 'V1' (on 2026-11-24)"))
        }
    }

    @Test func `the mark stays when the lock is written again, and guards the name`() throws {
        try PrunedShop.with { shop in
            let old = try shop.text("Shop.xcdatamodeld/V1.xcdatamodel/contents")
            #expect(try shop.run("V1").status == 0)
            let lock = try shop.text("Shop.xcdatamodeld.lock")
            #expect(lock.components(separatedBy: "pruned 2026-11-24").count == 2)
            for option in [[], ["--relock"]] {
                let run = try momtool(["lock", PrunedShop.model] + option, in: shop.folder)
                #expect(run.status == 0, "\(run.errors)")
                #expect(try shop.text("Shop.xcdatamodeld.lock").contains("pruned 2026-11-24"))
            }
            // Another version under its name is told; the version itself is locked again.
            let path = "Shop.xcdatamodeld/V1.xcdatamodel/contents"
            try shop.write(old.replacing("\"old\"", with: "\"other\""), to: path)
            let other = try momtool(["lock", PrunedShop.model, "--check"], in: shop.folder)
            #expect(
                other.status == 1 && other.output.contains("[edited-version]"),
                "\(other.output)"
            )
            try shop.write(old, to: path)
            #expect(
                try momtool(["lock", PrunedShop.model, "--check"], in: shop.folder).status == 0
            )
            try shop.write("losses: {V2: [Book.old], V3: [Stop]}\n", to: ".momtool.yml")
            let locked = try momtool(["lock", PrunedShop.model], in: shop.folder)
            #expect(locked.status == 0, "\(locked.errors)")
            #expect(!(try shop.text("Shop.xcdatamodeld.lock").contains("pruned")))
        }
    }

    @Test func `what the step over pruned versions loses is named by the version behind them`()
        throws
    {
        try PrunedShop.with { shop in
            try shop.write(
                "losses:\n  V2: [Book.old]\n  V3:\n    - Stop\n",
                to: ".momtool.yml"
            )
            let run = try shop.run("V2")
            #expect(run.status == 0, "\(run.errors)")
            #expect(try shop.text(".momtool.yml") == "losses:\n  V3: [Book.old, Stop]\n")
            #expect(
                try shop.text("Shop.xcdatamodeld.lock").contains("loses Book.old\nloses Stop\n")
            )
            #expect(shop.has("Shop.xcdatamodeld/V1.xcdatamodel"))
            // What led from V1 to V2 leads nowhere.
            #expect(!shop.has("Mappings/V1 to V2.xcmappingmodel"))
            let check = try momtool(["check", "."], in: shop.folder)
            #expect(check.status == 0, "\(check.output)")
        }
    }

    @Test(
        arguments: [
            (["--before", "V1"], "none before 'V1'"), (["V4"], "never pruned"),
            (["V1", "V4"], "never pruned"), (["Vx"], "there is no version 'Vx'"),
            ([], "--before"), (["V1", "--day", "24.11.2026"], "is no day"),
        ]
    )
    func `what cannot be pruned is refused, and nothing is written`(
        words: [String],
        message: String
    ) throws {
        try PrunedShop.with { shop in
            let before = try shop.files()
            let run = try momtool(["model", "prune", PrunedShop.model] + words, in: shop.folder)
            #expect([3, 64].contains(run.status) && run.errors.contains(message), "\(run.errors)")
            #expect(try shop.files() == before)
            #expect(try shop.run("V1").status == 0)
            #expect(try shop.run("V1").errors.contains("was pruned on 2026-11-24 already"))
        }
    }

    @Test func `stages lose the versions, and a stage that stores still take keeps them`() throws {
        try PrunedShop.with { shop in
            let stages = """
                model: Shop.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    label: drop what is old
                    didMigrate: V2.sql
                  - lightweight: [V2, V3, V4]

                """
            try shop.write(stages, to: "Stages.yml")
            try shop.write("update Book set title = title;\n", to: "V2.sql")
            try shop.write(
                "losses:\n  V2: [Book.old]\n  V3: [Stop]\nstages: [Stages.yml]\n",
                to: ".momtool.yml"
            )
            let before = try shop.files()
            let refused = try shop.run("V2")
            #expect(refused.status == 3, "\(refused.output)")
            #expect(refused.errors.contains("Stages.yml:3:5: error: the stage 'V1' → 'V2'"))
            #expect(try shop.files() == before)
            #expect(try shop.run("--before", "V2").status == 0)
            #expect(
                try shop.text("Stages.yml")
                    == "model: Shop.xcdatamodeld\nstages:\n  - lightweight: [V2, V3, V4]\n"
            )
            #expect(try shop.run("V2", "V3").status == 0)
            #expect(!shop.has("Stages.yml"))
            #expect(try shop.text(".momtool.yml") == "\n")
        }
    }

    @Test func `a file in a form that is not edited surely is refused, and nothing is written`()
        throws
    {
        try PrunedShop.with { shop in
            try shop.write(
                "order: &all [V1, V2, V3, V4]\nlock: {unshipped: *all}\n",
                to: ".momtool.yml"
            )
            let before = try shop.files()
            let run = try shop.run("V1")
            #expect(run.status == 3, "\(run.output)")
            #expect(run.errors.contains(".momtool.yml: error: the file names what is pruned"))
            #expect(try shop.files() == before)
        }
    }

    @Test func `of a hundred versions one is left`() throws {
        try withFolder { folder in
            var sources: [String: String] = [:]
            for number in 1...100 {
                let name = "attribute\(number)"
                sources["V\(number)"] = EditedShop.source.replacing(
                    "\"title\"",
                    with: "\"\(name)\""
                )
            }
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(sources, current: "V100", at: bundle)
            let path = "Shop.xcdatamodeld"
            let run = try momtool(
                ["model", "prune", path, "--before", "V100", "--day", "2026-11-24"],
                in: folder
            )
            #expect(run.status == 0 && run.output.contains("pruned 99 versions"), "\(run.errors)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: bundle.path).sorted() == [
                    ".xccurrentversion", "V100.xcdatamodel",
                ]
            )
            let lock = folder.appending(path: "Shop.xcdatamodeld.lock")
            let text = try String(contentsOf: lock, encoding: .utf8)
            #expect(text.components(separatedBy: "\npruned 2026-11-24\n").count == 100)
            #expect(try momtool(["lock", path, "--check"], in: folder).status == 0)
            let again = try momtool(["lock", path], in: folder)
            #expect(again.status == 0, "\(again.errors)")
            #expect(
                try momtool(["lock", path, "--check"], in: folder).output.contains("99 pruned")
            )
        }
    }

    @Test func `versions of Swift are deleted by hand, and then marked by the same command`()
        throws
    {
        try withFolder { folder in
            let source = folder.appending(path: "Models.swift")
            func text(_ versions: [(String, String)]) -> String {
                let enums = versions.map { name, number in
                    """
                    enum \(name): VersionedSchema {
                        static var versionIdentifier = Schema.Version(\(number), 0, 0)
                        static var models: [any PersistentModel.Type] { [Item.self] }
                        @Model final class Item {
                            var name\(number): String?
                            init() {}
                        }
                    }
                    """
                }
                return "import SwiftData\n\n" + enums.joined(separator: "\n") + "\n"
            }
            try Data(text([("SchemaV1", "1"), ("SchemaV2", "2")]).utf8).write(to: source)
            try Data("losses:\n  SchemaV2: [Item.name1]\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            let lock = try momtool(["lock", "Models.swift"], in: folder)
            #expect(lock.status == 0, "\(lock.errors)")
            let words = ["model", "prune", "Models.swift", "SchemaV1", "--day", "2026-11-24"]
            let refused = try momtool(words, in: folder)
            #expect(refused.status == 3 && refused.errors.contains("delete its enum"))
            try Data(text([("SchemaV2", "2")]).utf8).write(to: source)
            #expect(try momtool(["lock", "Models.swift", "--check"], in: folder).status == 1)
            let run = try momtool(words, in: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try momtool(["lock", "Models.swift", "--check"], in: folder).status == 0)
        }
    }
}
