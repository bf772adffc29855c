import Foundation
import TestSupport
import Testing

/// What commands once said twice, in part, or beside the point.
struct OneAnswerTests {
    private func inApp(_ sources: [String: String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (path, text) in sources {
                try write(
                    path.hasSuffix(".swift") ? "import SwiftData\n" + text : text,
                    path,
                    in: folder
                )
            }
            try body(folder)
        }
    }

    @Test(arguments: [
        ("[Two.swift]", "[One.swift, B.swift]", "", true), ("[Two.swift]", "[]", "", false),
        (
            "[Two.swift]", "[One.swift]", "ModelConfiguration(groupContainer: .identifier(\"g\"))",
            false
        ),
    ])
    func `containers of two targets have a file each, but for that of a group`(
        _ first: String,
        _ second: String,
        _ group: String,
        _ areApart: Bool
    ) throws {
        func target(_ name: String, _ excluded: String) -> String {
            "  \(name):\n    type: application\n    sources: [{path: App, excludes: \(excluded)}]\n"
        }
        let more = group.isEmpty ? "" : ", configurations: \(group)"
        let sources = [
            "App/A.swift": "@Model final class A { var a = 1; init() {} }\n",
            "App/B.swift": "@Model final class B { var b = 1; init() {} }\n",
            "App/One.swift": "let one = try! ModelContainer(for: A.self, B.self\(more))\n",
            "App/Two.swift": "let two = try! ModelContainer(for: A.self\(more))\n",
            "project.yml": "targets:\n" + target("One", first) + target("Two", second),
        ]
        try inApp(sources) { folder in
            for command in ["check", "lint ."] {
                let said = try expectRun(command, in: folder, areApart ? 0 : 1)
                #expect(said.output.contains("[container-drops-classes]") != areApart)
            }
        }
    }

    @Test func `nothing is locked that the app does not open`() throws {
        let plan = """
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                @Model final class A { var a: String = ""; init() {} }
            }
            enum V2: VersionedSchema {
                static let versionIdentifier = Schema.Version(2, 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                @Model final class A { var a: String = ""; var b: String = ""; init() {} }
            }
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
            }
            @Model final class B { var x: Int = 0; init() {} }
            let app = try! ModelContainer(for: V2.A.self, B.self, migrationPlan: Plan.self)
            """
        try inApp(["App/M.swift": plan]) { folder in
            let lock = try expectRun(
                "lock App",
                in: folder,
                3,
                errors: ["[container-list-differs]"]
            )
            #expect(lock.output.isEmpty, "\(lock.output)")
            let path = folder.appending(path: "App.lock").path
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test(arguments: [
        ("", "", true), ("V1.self, ", "", false), ("V3.A.self", "V3.A.self, B.self", false),
    ])
    func `a plan ends with an error where the stages of the app fail`(
        _ old: String,
        _ new: String,
        _ isSound: Bool
    ) throws {
        let versions = ["", "var b = 0; ", "var b = 0; var c = 0; "].enumerated().map {
            """
            enum V\($0 + 1): VersionedSchema {
                static let versionIdentifier = Schema.Version(\($0 + 1), 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                @Model final class A { var a: Int = 0; \($1)init() {} }
            }
            """
        }
        let (first, second) = (
            isSound || !old.hasPrefix("V1")
                ? ".lightweight(fromVersion: V1.self, toVersion: V2.self)," : "",
            ".lightweight(fromVersion: V2.self, toVersion: V3.self)"
        )
        let plan = """

            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
                static var stages: [MigrationStage] { [\(first)\(second)] }
            }
            @Model final class B { var x: Int = 0; init() {} }
            let app = try! ModelContainer(for: V3.A.self, migrationPlan: Plan.self)
            """
        let changed = old.isEmpty ? plan : plan.replacing(old, with: new)
        try inApp(["App/M.swift": versions.joined(separator: "\n") + changed]) { folder in
            try expectRun("create S.sqlite --model App --version V1", in: folder, 0)
            for words in ["plan App --from V1", "plan App --store S.sqlite"] {
                let said = try expectRun(words, in: folder, isSound ? 0 : 3)
                #expect(said.errors.contains("error: ") != isSound, "\(said.errors)")
            }
            let words = "doctor S.sqlite --model App --format json"
            let doctor = try expectRun(words, in: folder, nil).output
            #expect(doctor.contains("\"refuses\"") != isSound, "\(doctor)")
        }
    }

    @Test func `a single store has a journal too, and one plan`() throws {
        try withFolder { folder in
            let old = textModel("A", ["a"])
            let new = old.replacing("String", with: "Integer 16")
            try writeBundle([old, new], "M.xcdatamodeld", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            let stages = "model: M.xcdatamodeld\nstages: [{lightweight: [V1, V2]}]\n"
            try write(stages, "Stages.yml", in: folder)
            try write("NSCocoaErrorDomain Code=134140\n", "app.log", in: folder)
            try expectRun("create S.sqlite --model M.xcdatamodeld#V1", in: folder, 0)
            let doctor = "doctor S.sqlite app.log --model M.xcdatamodeld"
            let said = try expectRun(doctor, in: folder, 1, "momtool plan ").output
            #expect(said.components(separatedBy: "momtool plan ").count == 2, "\(said)")
            try expectRun("\(doctor) --journal done.jsonl", in: folder, 64)
            let alone = "doctor S.sqlite --model M.xcdatamodeld --journal done.jsonl"
            try expectRun(alone, in: folder, 1)
            let journal = try fileText(folder.appending(path: "done.jsonl"))
            #expect(journal.contains(#""store":"S.sqlite""#), "\(journal)")
        }
    }

    @Test func `an inverse is taken back by none`() throws {
        try withFolder { folder in
            let entities = typedModel("A(r > B.q); B(q >> A.r)")
            try writeBundle([entities], "M.xcdatamodeld", in: folder)
            try expectRun("model set M.xcdatamodeld A.r --inverse none", in: folder, 0)
            let file = folder.appending(path: "M.xcdatamodeld/V1.xcdatamodel/contents")
            let text = try fileText(file)
            #expect(!text.contains("inverse") && !text.contains("none"), "\(text)")
        }
    }

    @Test func `a raw value that is that of another case now is reported by every command`() throws
    {
        let versions = [("", "a, b"), ("var u: Int = 0; ", "x, a, b")].enumerated().map {
            """
            enum V\($0 + 1): VersionedSchema {
                static let versionIdentifier = Schema.Version(\($0 + 1), 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                enum K: Int, Codable { case \($1.1) }
                @Model final class A { var k: K = K.a; \($1.0)init() {} }
            }

            """
        }
        try inApp(["App/M.swift": versions.joined()]) { folder in
            for words in ["check", "lint App", "plan App --from V1"] {
                let said = try expectRun(words, in: folder, nil)
                let found = (said.output + said.errors).contains("[enum-case-removed]")
                #expect(found, "\(words): \(said)")
            }
            try expectRun("diff App --from V1 --format json", in: folder, nil, "removedCases")
        }
    }

    @Test(arguments: [
        "lock App", "init .", "generate --swiftdata --frozen V --from App -o F.swift",
    ])
    func `nothing is written beside a merge conflict`(words: String) throws {
        let source = """
            @Model final class A {
                var a: Int = 0
            <<<<<<< HEAD
                var b: Int = 0
            =======
                var b: Int = 1
            >>>>>>> theirs
                init() {}
            }
            """
        try inApp(["App/M.swift": source]) { folder in
            try expectRun(words, in: folder, 65, errors: ["[swift-syntax]"])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasSuffix(".lock") || $0 == "F.swift" }, "\(names)")
        }
    }
}
