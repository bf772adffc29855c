import Foundation
import TestSupport
import Testing

struct StageGateTests {
    private func source(
        stages: String,
        identifiers: [Int] = [1, 2, 3],
        bodies: [String] = [
            "var a: Int?", "var a: Int?; var b: Int?", "var a: Int?; var b: Int?; var c: Int?",
        ],
        models: [String] = ["Item", "Item", "Item"]
    ) -> String {
        let versions = zip(identifiers, bodies).enumerated().map { index, version in
            """
            enum V\(index + 1): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(version.0), 0, 0)
                static var models: [any PersistentModel.Type] { [\(models[index]).self] }
                @Model class Item { \(version.1) }
            }
            """
        }
        return """
            import SwiftData
            \(versions.joined(separator: "\n"))
            @Model class Live { var x: Int? }
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
                static var stages: [MigrationStage] { [\(stages)] }
            }
            """
    }

    private static func light(_ from: Int, _ to: Int) -> String {
        ".lightweight(fromVersion: V\(from).self, toVersion: V\(to).self)"
    }

    private func lint(_ source: String) throws -> CommandResult {
        try withFolder { folder in
            try Data(source.utf8).write(to: folder.appending(path: "Models.swift"))
            return try momtool("lint Models.swift", in: folder)
        }
    }

    private static let whole = light(1, 2) + ", " + light(2, 3)

    @Test func `a plan that can be walked is green`() throws {
        let result = try lint(
            source(stages: Self.whole).replacing("@Model class Live { var x: Int? }", with: "")
        )
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(!result.output.contains("error: "))
    }

    @Test(arguments: [
        (light(1, 2), "stage-missing"), ("", "stage-missing"), (whole, "identifier-reused"),
        (whole, "stages-fail"),
    ])
    func `a plan that fails at every start is an error`(_ stages: String, _ rule: String) throws {
        var text = source(stages: stages)
        switch rule {
        case "identifier-reused": text = source(stages: stages, identifiers: [1, 1, 3])
        case "stages-fail":
            let equal = ["var a: Int?", "var a: Int?", "var a: Int?; var c: Int?"]
            text = source(stages: stages, bodies: equal)
        default: break
        }
        let result = try lint(text)
        #expect(result.status == 1, "\(result.output)\(result.errors)")
        #expect(result.output.contains("error: "))
        #expect(result.output.contains("[\(rule)]"), "\(result.output)")
        #expect(!result.output.contains("[equal-checksums]"), "\(result.output)")
        if rule == "stages-fail" {
            #expect(result.output.contains("Duplicate version checksums"), "\(result.output)")
        }
    }

    private func withStore(
        _ source: String,
        _ body: (URL, ([String]) throws -> CommandResult) throws -> Void
    ) throws {
        try withFolder { folder in
            try Data(source.utf8).write(to: folder.appending(path: "Models.swift"))
            func run(_ words: [String]) throws -> CommandResult { try momtool(words, in: folder) }
            let made = try run(["create", "S.sqlite", "--model", "Models.swift#V1"])
            #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
            try body(folder, run)
        }
    }

    @Test(arguments: [
        ["test", "--matrix", "Models.swift"], ["doctor", "S.sqlite", "--model", "Models.swift"],
        ["migrate", "S.sqlite", "--model", "Models.swift", "-o", "N.sqlite"],
        ["plan", "Models.swift", "--from", "V1"],
    ])
    func `a plan that raises an exception is red on every road`(_ words: [String]) throws {
        let equal = ["var a: Int?", "var a: Int?", "var a: Int?; var c: Int?"]
        try withStore(source(stages: Self.whole, bodies: equal)) { _, run in
            let result = try run(words)
            let text = result.output + result.errors
            #expect(result.status != 0 && text.contains("NSInvalidArgumentException"), "\(text)")
        }
    }

    @Test func `a plan that raises an exception ends the app for a store of its last version too`()
        throws
    {
        let equal = ["var a: Int?", "var a: Int?", "var a: Int?; var c: Int?"]
        try withStore(source(stages: Self.whole, bodies: equal)) { _, run in
            let made = try run(["create", "N.sqlite", "--model", "Models.swift#V3"])
            #expect(made.status == 0, "\(made.errors)")
            let result = try run(["doctor", "N.sqlite", "--model", "Models.swift"])
            let text = result.output
            #expect(result.status != 0 && text.contains("NSInvalidArgumentException"), "\(text)")
            #expect(!text.contains("opens it as it is"), "\(text)")
        }
    }

    /// An edit of the type would move the hashes of what shipped; until then the app starts.
    @Test func `a version that reaches a live class is a risk, and stops nothing`() throws {
        let text = source(
            stages: Self.whole,
            models: ["Item", "Item.self, Live", "Item.self, Live"]
        )
        let rule = "[frozen-version-reaches-live-type]"
        try withStore(text) { folder, run in
            let lint = try run(["lint", "Models.swift"])
            #expect(lint.output.contains("warning: V2 reaches the class Live"), "\(lint.output)")
            #expect(!lint.output.contains("error: "), "\(lint.output)")
            for words in [
                ["plan", "--stages", "Models.swift", "--store", "S.sqlite"],
                ["migrate", "S.sqlite", "--stages", "Models.swift", "-o", "N.sqlite"],
                ["identify", "S.sqlite", "--model", "Models.swift"],
            ] {
                let result = try run(words)
                #expect(result.status == 0, "\(words): \(result.errors)")
                #expect(!(result.output + result.errors).contains(rule), "\(result.errors)")
            }
            let settings = folder.appending(path: ".momtool.yml")
            try Data("lint: {rules: {frozen-version-reaches-live-type: off}}\n".utf8)
                .write(to: settings)
            #expect(try !run(["lint", "Models.swift"]).output.contains(rule))
        }
    }

    @Test func `a stages file that the configuration names is walked from every version`() throws {
        try withFolder { folder in
            try ModelEdit.harmless[0].write(in: folder)
            let stages = folder.appending(path: "Stages.yml")
            func write(_ text: String) throws { try Data(text.utf8).write(to: stages) }
            try Data("stages: [Stages.yml]\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            try write("model: Stops.xcdatamodeld\nstages:\n  - lightweight: [Stops, Stops 2]\n")
            try expectRun("lint Stops.xcdatamodeld", in: folder, 0)
            try write("model: Stops.xcdatamodeld\nstages:\n  - lightweight: [Stops 2]\n")
            let bad = try momtool("lint Stops.xcdatamodeld", in: folder)
            #expect(bad.status == 1, "\(bad.output)")
            #expect(bad.output.contains("stores of 'Stops' do not open"))
            #expect(bad.output.contains("134504"))
            try FileManager.default.removeItem(at: folder.appending(path: ".momtool.yml"))
            try expectRun("check", in: folder, 1, "[stages-fail]")
        }
    }

    @Test func `models that became those of a first schema keep their lock`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "Models.swift")
            let body = "@Model class Item { var a: Int?; var b: String? }"
            try Data("import SwiftData\n\(body)\n".utf8).write(to: file)
            #expect(try momtool("lock Models.swift", in: folder).status == 0)
            func schema(_ body: String) -> String {
                """
                import SwiftData
                enum SchemaV1: VersionedSchema {
                    static let versionIdentifier = Schema.Version(1, 0, 0)
                    static var models: [any PersistentModel.Type] { [Item.self] }
                    \(body)
                }
                """
            }
            try Data(schema(body).utf8).write(to: file)
            let same = try momtool("lint Models.swift", in: folder)
            #expect(same.status == 0, "\(same.output)")
            #expect(same.output.contains("note: 'unversioned' shipped and is now named 'SchemaV1'"))
            try expectRun("lock Models.swift", in: folder, 0)
            let text = try fileText(folder.appending(path: "Models.swift.lock"))
            #expect(text.contains("version SchemaV1\n") && !text.contains("unversioned"))
            try Data(schema(body.replacing("; var b: String?", with: "")).utf8).write(to: file)
            try Data(text.replacing("SchemaV1", with: "unversioned").utf8)
                .write(to: folder.appending(path: "Models.swift.lock"))
            let lacking = try momtool("lint Models.swift", in: folder)
            #expect(lacking.status == 1)
            #expect(lacking.output.contains("nearest is 'SchemaV1': 'Item.b' was removed"))
        }
    }

    @Test func `lock searches a folder as lint does`() throws {
        try withFolder { folder in
            for name in ["A", "B"] {
                let text =
                    "<model><entity name='E'><attribute name='a' optional='YES' attributeType='Date'/></entity></model>"
                try writeBundle([text], "\(name)/\(name).xcdatamodeld", in: folder)
            }
            let lock = try momtool("lock .", in: folder)
            #expect(lock.status == 0, "\(lock.errors)")
            #expect(lock.output.contains("A/A.xcdatamodeld.lock: 1 version locked"))
            #expect(lock.output.contains("B/B.xcdatamodeld.lock: 1 version locked"))
            let check = try momtool("lock . --check", in: folder)
            #expect(
                check.status == 0
                    && check.output.contains("2 models: 2 locked versions: nothing found"),
                "\(check.output)"
            )
        }
    }
}
