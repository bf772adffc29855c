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

    @Test(arguments: ["for: V2.A.self, B.self", "for: Schema(versionedSchema: V3.self)"])
    func `nothing is locked that the app does not open`(opened: String) throws {
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
            enum V3: VersionedSchema {
                static let versionIdentifier = Schema.Version(3, 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                @Model final class A { var a: String = ""; var c: String = ""; init() {} }
            }
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
            }
            @Model final class B { var x: Int = 0; init() {} }
            let app = try! ModelContainer(\(opened), migrationPlan: Plan.self)
            """
        try inApp(["App/M.swift": plan]) { folder in
            let lock = try expectRun(
                "lock App",
                in: folder,
                3,
                errors: ["[container-list-differs]"]
            )
            #expect(lock.output.isEmpty, "\(lock.output)")
            try expectRun("init", in: folder, 3, errors: ["[container-list-differs]"])
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!files.contains { $0.hasSuffix(".lock") })
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
}
