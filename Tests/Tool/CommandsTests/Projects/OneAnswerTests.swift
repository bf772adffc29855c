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

    @Test(arguments: [
        (["V1", "V2", "V3"], "", true), (["V2", "V3"], "", false),
        (["V1", "V2", "V3"], ", B.self", false),
    ])
    func `a plan ends with an error where the stages of the app fail`(
        _ names: [String],
        _ more: String,
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
        let stages = zip(names, names.dropFirst()).map {
            ".lightweight(fromVersion: \($0).self, toVersion: \($1).self)"
        }
        let plan = """
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [\(names.map { $0 + ".self" }.joined(separator: ", "))] }
                static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
            }
            @Model final class B { var x: Int = 0; init() {} }
            let app = try! ModelContainer(for: V3.A.self\(more), migrationPlan: Plan.self)
            """
        try inApp(["App/M.swift": versions.joined() + plan]) { folder in
            try expectRun("create S.sqlite --model App --version V1", in: folder, 0)
            for words in ["plan App --from V1", "plan App --store S.sqlite"] {
                let said = try expectRun(words, in: folder, isSound ? 0 : 3)
                #expect(said.errors.contains("error: ") != isSound, "\(said.errors)")
            }
            let doctor = try expectRun("doctor S.sqlite --model App --format json", in: folder, nil)
            #expect(doctor.output.contains("\"refuses\"") != isSound, "\(doctor.output)")
        }
    }

    @Test func `a container with more classes than its plan is what the app opens`() throws {
        let versions = ["", "var b = 0; "].enumerated().map {
            """
            enum V\($0 + 1): VersionedSchema {
                static let versionIdentifier = Schema.Version(\($0 + 1), 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                @Model final class A { var a: Int = 0; \($1)init() {} }
            }

            """
        }
        let plan = """
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
            }
            """
        let other = "@Model final class B { var x: Int = 0; init() {} }\n"
        let old = "import SwiftData\n@Model final class A { var a: Int = 0; init() {} }\n" + other
        let app = "let app = try! ModelContainer(for: V2.A.self, B.self, migrationPlan: Plan.self)"
        try inApp(["App/M.swift": versions.joined() + other + plan + "\n" + app]) { folder in
            try write(old, "Old.swift", in: folder)
            try write(#"{"A": [{"a": 1}], "B": [{"x": 1}]}"#, "rows.json", in: folder)
            try expectRun("create S.sqlite --model Old.swift --rows rows.json", in: folder, 0)
            try expectRun("hash App", in: folder, 0, "unversioned (current)")
            let doctor = try expectRun("doctor S.sqlite --model App", in: folder, 1).output
            #expect(!doctor.contains("not in"), "\(doctor)")
            let plan = try momtool("plan App --store S.sqlite", in: folder).output
            #expect(!plan.contains("entity removed"), "\(plan)")
        }
    }

    @Test(arguments: [
        (#".target(name: "Kit", exclude: ["M.xcdatamodeld"])"#, "M", true),
        (#".target(name: "Kit", exclude: ["M.xcdatamodeld"])"#, "Other", false),
        (#".target(name: "Kit", exclude: ["Old.xcdatamodeld"])"#, "M", false),
        (#".target(name: "Kit", dependencies: [.target(name: "A")])"#, "M", false),
        (
            #".target(name: "A", path: "Sources/Kit", exclude: ["./M.xcdatamodeld", "B.md"])"#, "M",
            true
        ),
        (
            #".target(name: "A", path: "Sources", exclude: ["Kit"]), .target(name: "Kit")"#, "M",
            false
        ),
        (
            #".binaryTarget(name: "A", url: "https://a.b/c.zip", checksum: "d"), .target(name: "Kit", dependencies: [.product(name: "P", package: "p", condition: .when(platforms: [.iOS]))], exclude: ["M.xcdatamodeld"])"#,
            "M", true
        ),
        (#".testTarget(name: "A", path: "Tests", exclude: ["M.xcdatamodeld"])"#, "M", false),
        (#".target(name: "Kit", resources: [.process("M.xcdatamodeld")])"#, "M", false),
    ])
    func `a package that excludes a model which its code loads is reported`(
        _ target: String,
        _ name: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            let place = "Sources/Kit/M.xcdatamodeld"
            try writeBundle([textModel("A", ["a"])], place, in: folder)
            let code = "let c = NSPersistentContainer(name: \"\(name)\")\n"
            try write(code, "Sources/Kit/Stack.swift", in: folder)
            try write(
                "let package = Package(\n  targets: [\(target)]\n)\n",
                "Package.swift",
                in: folder
            )
            for command in ["check", "lint \(place)"] {
                let said = try expectRun(command, in: folder, isFound ? 1 : 0).output
                #expect(said.contains("Package.swift:2: warning: ") == isFound, "\(said)")
            }
        }
    }

    @Test(arguments: [
        ("NSManagedObjectModel.mergedModel(from: nil)", ["b"], "", true),
        ("NSManagedObjectModel(byMerging: [one, two])", ["b"], "", true),
        ("NSManagedObjectModel(contentsOf: url)", ["b"], "", false),
        ("NSManagedObjectModel.mergedModel(from: nil)", ["a"], "", false),
        ("NSManagedObjectModel.mergedModel(from: nil)", ["b"], "Two/", false),
        ("NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: d)", ["b"], "", false),
        ("NSManagedObjectModel.mergedModel(from: nil,\n  forStoreMetadata: d)", ["b"], "", false),
    ])
    func `models that code merges are compared`(
        _ code: String,
        _ attributes: [String],
        _ place: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            try writeBundle([textModel("A", ["a"])], "One/M.xcdatamodeld", in: folder)
            let other = "\(place)Two/N.xcdatamodeld"
            try writeBundle([textModel("A", attributes)], other, in: folder)
            try write("let model = \(code)\n", "One/Stack.swift", in: folder)
            if !place.isEmpty {
                try write("let p = 1\n", "One/Project.swift", in: folder)
            }
            let said = try expectRun("check", in: folder, isFound ? 1 : 0).output
            #expect(said.contains("[models-share-entity]") == isFound, "\(said)")
        }
    }

    @Test(arguments: [
        ("project.yml", "targets: {A: {sources: [One]}, B: {sources: [Two]}}", false),
        ("project.yml", "targets: {A: {sources: [One, Two]}, B: {sources: [Two]}}", true),
        ("A.xcodeproj/project.pbxproj", project(["M", "S"], ["N"]), false),
        ("A.xcodeproj/project.pbxproj", project(["M", "S", "N"], ["N"]), true),
        ("One/Package.swift", "", false),
        (
            "Package.swift", #".target(name: "A", path: "One"), .target(name: "B", path: "Two")"#,
            false
        ),
        ("Package.swift", "", true),
    ])
    func `models of other targets than the code that merges are left out`(
        _ file: String,
        _ text: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            try writeBundle([textModel("A", ["a"])], "One/M.xcdatamodeld", in: folder)
            try writeBundle([textModel("A", ["b"])], "Two/N.xcdatamodeld", in: folder)
            for place in ["One", "Two"] where place == "One" || !isFound {
                let code = "let m = NSManagedObjectModel.mergedModel(from: nil)\n"
                try write(code, "\(place)/Stack.swift", in: folder)
            }
            try write(text, file, in: folder)
            let said = try momtool("check", in: folder).output
            #expect(said.contains("[models-share-entity]") == isFound, "\(said)")
        }
    }

    /// A project with two targets that compile some of the files.
    private static func project(_ targets: [String]...) -> String {
        let paths = [
            "M": "One/M.xcdatamodeld", "N": "Two/N.xcdatamodeld", "S": "One/Stack.swift",
        ]
        let files = paths.map { name, path in
            "\(name) = {isa = PBXFileReference; path = \(path);}; B\(name) = {isa = PBXBuildFile; fileRef = \(name);};"
        }
        let phases = targets.enumerated().map { number, files in
            let list = files.map { "B\($0)" }.joined(separator: ", ")
            return "P\(number) = {isa = PBXSourcesBuildPhase; files = (\(list));}; "
                + "T\(number) = {isa = PBXNativeTarget; buildPhases = (P\(number));};"
        }
        return "{objects = {\((files.sorted() + phases).joined(separator: " "))};}"
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
            let plan = """
                enum P: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                    static var stages: [MigrationStage] {
                        [.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { _ in })]
                    }
                }
                """
            try write(versions.joined() + plan, "App/M.swift", in: folder)
            for words in ["check", "lint App"] {
                try expectRun(words, in: folder, 0, "note: A.k: ", "[enum-case-removed]")
            }
        }
    }

    @Test func `what the last step and a revision both show is reported once, and allowed once`()
        throws
    {
        let versions = [("a, b", ""), ("a", "var more: K; ")].enumerated().map {
            """
            enum V\($0 + 1): VersionedSchema {
                static let versionIdentifier = Schema.Version(\($0 + 1), 0, 0)
                static var models: [any PersistentModel.Type] { [A.self] }
                enum K: String, Codable { case \($1.0) }
                @Model final class A { var k: K = K.a; \($1.1)init() {} }
            }

            """
        }
        try withFolder { folder in
            try makeRepository(folder)
            try write("import SwiftData\n" + versions[0], "App/M.swift", in: folder)
            try commit("one", in: folder)
            try write("import SwiftData\n" + versions.joined(), "App/M.swift", in: folder)
            func count(_ rule: String) throws -> Int {
                let said = try expectRun("check --against HEAD", in: folder, nil)
                return said.output.components(separatedBy: "[\(rule)]").count - 1
            }
            #expect(try count("enum-case-removed") == 1)
            #expect(try count("missing-swift-value") == 1)
            try write("losses: {V2: [A.more]}\n", ".momtool.yml", in: folder)
            #expect(try count("missing-swift-value") == 0)
            #expect(try count("unmatched-loss") == 0)
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
