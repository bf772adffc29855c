import Foundation
import Momtool
import TestSupport
import Testing

/// Situations of whole apps with SwiftData.
struct WholeSwiftAppTests {
    /// The rules of the findings that a command prints, in order.
    private func rules(_ command: String, in folder: URL) throws -> [String] {
        let said = try momtool(command.split(separator: " ").map(String.init), in: folder)
        return (said.output + said.errors).split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /.+: .+ \[([a-z0-9-]+)\]/).map { String($0.1) }
        }
    }

    /// Two versions of a class, of which the second has other properties.
    private static func versions(of name: String, _ second: String) -> String {
        func version(_ number: Int, _ properties: String) -> String {
            """
            public enum V\(number): VersionedSchema {
                public static let versionIdentifier = Schema.Version(\(number), 0, 0)
                public static var models: [any PersistentModel.Type] { [\(name).self] }
                @Model
                public final class \(name) { \(properties); public init() {} }
            }

            """
        }
        return "import SwiftData\n" + version(1, "public var t: String = \"\"")
            + version(2, "\(second); public var u: Int = 0")
    }

    private static func plan(_ stage: String) -> String {
        """
        import SwiftData
        import A
        public enum APlan: SchemaMigrationPlan {
            public static var schemas: [any VersionedSchema.Type] { [A.V1.self, A.V2.self] }
            public static var stages: [MigrationStage] { [\(stage)] }
        }
        let c = try! ModelContainer(for: A.V2.Note.self, migrationPlan: APlan.self)

        """
    }

    private static let plain = "public var t: String = \"\""
    private static let unique = "@Attribute(.unique) public var t: String = \"\""
    private static let names = "fromVersion: A.V1.self, toVersion: A.V2.self"
    private static let mirrored = """
        import SwiftData
        import A
        let c = try! ModelContainer(
            for: A.V2.Note.self, configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.x")))

        """

    @Test(
        arguments: [
            (plain, ".lightweight(\(names))", []),
            (plain, "", ["stage-missing"]),
            (
                plain, ".lightweight(fromVersion: A.V2.self, toVersion: A.V1.self)",
                ["stage-missing", "stage-order"]
            ),
            (unique, ".lightweight(\(names))", ["rows-decide"]),
            (
                unique,
                ".custom(\(names), willMigrate: { c in try c.delete(model: A.V1.Note.self) }, didMigrate: nil)",
                ["custom-stage-not-run"]
            ),
        ] as [(String, String, [String])],
        ["", "import B\n"]
    )
    func `a plan in another target counts for the target that it imports`(
        _ change: (properties: String, stage: String, rules: [String]),
        _ imports: String
    ) throws {
        try withFolder { folder in
            try write("// swift-tools-version: 5.9\n", "Package.swift", in: folder)
            let note = Self.versions(of: "Note", change.properties)
            try write(note, "Sources/A/S.swift", in: folder)
            let blob = Self.versions(of: "Blob", Self.plain)
            try write(blob, "Sources/B/S.swift", in: folder)
            let plan = imports + Self.plan(change.stage)
            try write(plan, "Sources/Migrations/P.swift", in: folder)
            for command in ["check .", "check Sources/A", "lint Sources/A"] {
                let found = try rules(command, in: folder)
                #expect(found == change.rules, "\(command)")
            }
            #expect(try rules("check Sources/B", in: folder) == [])
        }
    }

    @Test(arguments: [("import A", true), ("import B", false), ("import A\nimport B", true)])
    func `a container in the folder of the app counts for the target that it imports`(
        imports: String,
        isFound: Bool
    ) throws {
        try withFolder { folder in
            try write("// swift-tools-version: 5.9\n", "Package.swift", in: folder)
            for name in ["A", "B"] {
                let source = Self.versions(of: name == "A" ? "Note" : "Blob", Self.unique)
                try write(source, "Sources/\(name)/S.swift", in: folder)
            }
            try write("losses: {V2: [Note.t, Blob.t]}\n", ".momtool.yml", in: folder)
            let app = Self.mirrored.replacing("import A", with: imports)
            try write(app, "App/M.swift", in: folder)
            // Another app in the folder has a target of the same name.
            let other = Self.versions(of: "Note", Self.plain)
            try write(other, "Two/Sources/A/S.swift", in: folder)
            try write(Self.mirrored, "Two/App/M.swift", in: folder)
            let expected = isFound ? ["cloudkit-unique-constraint"] : []
            #expect(try rules("check Sources/A", in: folder) == expected)
            #expect(try rules("check Sources/B", in: folder) == [])
        }
    }

    @Test(arguments: [
        (".target(name: \"App\", dependencies: [.target(name: \"Kit\")], path: \"Core/App\"), ", 2),
        (".testTarget(name: \"App\", path: \"Core/App\"), ", 1), ("", 1),
    ])
    func `targets of a package with a folder of their own are models`(target: String, count: Int)
        throws
    {
        try withFolder { folder in
            for name in ["App", "Watch"] {
                let source = "import SwiftData\n@Model\nfinal class Note { var t = 0 }\n"
                try write(source, "Core/\(name)/N.swift", in: folder)
            }
            let targets = target + ".target(name: \"Watch\", path: \"Core/Watch\")"
            let manifest = "let package = Package(name: \"Kit\", targets: [\(targets)])\n"
            try write(manifest, "Package.swift", in: folder)
            #expect(ProjectContents(below: folder.path).models.count == count)
            // A target whose classes are all excluded is none.
            for pattern in ["Core/Watch", "Core/Watch/**"] {
                try write("swift: {exclude: [\"\(pattern)\"]}\n", ".momtool.yml", in: folder)
                #expect(ProjectContents(below: folder.path).models == [folder.path])
                #expect(try rules("check .", in: folder) == [])
            }
        }
    }

    @Test(arguments: [false, true])
    func `a lock further up covers what commands name below it`(isRepository: Bool) throws {
        func source(_ name: String, _ more: String = "") -> String {
            "import SwiftData\n@Model\nfinal class \(name) {\n    var t = 0\n\(more)\n    init() {}\n}\n"
        }
        try withFolder { folder in
            if isRepository { try makeRepository(folder) }
            try write(source("Note", "    var u = 0"), "App/N.swift", in: folder)
            try write(source("Tag"), "Kit/T.swift", in: folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            let app = folder.appending(path: "App")
            let named = [
                "check App", "lint App", "check App Kit", "check App/N.swift", "lock --check App",
            ]
            for command in named { #expect(try rules(command, in: folder) == []) }
            try write(source("Note"), "App/N.swift", in: folder)
            for command in named {
                #expect(try rules(command, in: folder) == ["locked-version-edited"], "\(command)")
            }
            #expect(try rules("check Kit", in: folder) == [])
            guard isRepository else { return }
            for command in ["check", "lint", "lock --check"] {
                #expect(try rules(command, in: app) == ["locked-version-edited"], "\(command)")
            }
        }
    }

    @Test(arguments: [
        (["Note, Tag", "Note, Session"], "Note,Tag", true),
        (["Note, Tag", "Note, Session"], "Note,Session", true),
        (["Note, Tag", "Session"], "Note,Tag", true),
        (["Note, Tag, Session", "Note, Session"], "Note,Tag", false),
        (["Note, Tag", "Note, Session", "Tag, Session"], "Note,Tag", false),
    ])
    func `a store of one of several containers has the classes of that alone`(
        containers: [String],
        types: String,
        isOpened: Bool
    ) throws {
        let classes = ["Note", "Tag", "Session"].map {
            "@Model\nfinal class \($0) { var t: String = \"\"; init() {} }\n"
        }
        let calls = containers.enumerated().map { number, list in
            let types = list.split(separator: ", ").map { "\($0).self" }.joined(separator: ", ")
            let file = "configurations: ModelConfiguration(\"\(number)\")"
            return "let c\(number) = try! ModelContainer(for: \(types), \(file))\n"
        }
        try withFolder { folder in
            let source = "import SwiftData\n" + (classes + calls).joined()
            try write(source, "App/S.swift", in: folder)
            let create = ["create", "A.store", "--model", "App", "--model-types", types]
            #expect(try momtool(create, in: folder).status == 0)
            let model = ["A.store", "--model", "App"]
            for (command, status) in [("doctor", 1), ("identify", 3), ("verify", 1)] {
                let said = try momtool([command] + model, in: folder)
                #expect(said.status == (isOpened ? 0 : status), "\(command): \(said.output)")
            }
        }
    }

    private static func swiftData(_ file: String, _ properties: [String]) -> String {
        """
        import SwiftData
        @Model
        final class Note {
            \(properties.map { "var \($0): String?" }.joined(separator: "\n    "))
            init() {}
        }
        let c = try! ModelContainer(for: Note.self, configurations: ModelConfiguration(\(file)))

        """
    }

    private static let url = "url: URL.applicationSupportDirectory.appending(path: \"M.sqlite\")"

    @Test(
        arguments: [
            (url, ["t"], ["changed-since"]), (url, ["t", "u"], []), (url, ["t", "u", "v"], []),
            ("\"Notes\"", ["t"], []),
        ] as [(String, [String], [String])]
    )
    func `a model of SwiftData keeps what that of the last release has`(
        file: String,
        properties: [String],
        found: [String]
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let bundle = folder.appending(path: "App/M.xcdatamodeld")
            try writeBundle([textModel("Note", ["t", "u"])], at: bundle)
            try commit("one", in: folder)
            try tag("v1", in: folder)
            try FileManager.default.removeItem(at: bundle)
            try write(Self.swiftData(file, properties), "App/S.swift", in: folder)
            #expect(try rules("check .", in: folder) == found)
            try expectRun("lock --dry-run", in: folder, found.isEmpty ? 0 : 3)
            guard !found.isEmpty else { return }
            try write("losses: {unversioned: [Note.u]}\n", ".momtool.yml", in: folder)
            #expect(try rules("check .", in: folder) == [])
            try expectRun("lock", in: folder, 0)
            #expect(try rules("check .", in: folder) == [])
        }
    }

    @Test(arguments: [(["t"], 1), (["t", "u"], 0)])
    func `a model of Core Data keeps what that of the last release has`(
        attributes: [String],
        count: Int
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let source = Self.swiftData(Self.url, ["t", "u"])
            try write(source, "App/S.swift", in: folder)
            try commit("one", in: folder)
            try tag("v1", in: folder)
            try write("import CoreData\n", "App/S.swift", in: folder)
            let bundle = folder.appending(path: "App/M.xcdatamodeld")
            try writeBundle([textModel("Note", attributes)], at: bundle)
            let found = try rules("check .", in: folder).filter { $0 == "changed-since" }
            #expect(found.count == count)
        }
    }

    @Test(arguments: [
        (url, "App/P.swift", "M\")", ["t"], 1), (url, "App/P.swift", "M\")", ["t", "u"], 0),
        (url, "App/P.swift", "N\")", ["t"], 0), ("\"M\"", "App/P.swift", "M\")", ["t"], 0),
        (url, "App/Old/P.swift", "M\")", ["t"], 1), (url, "Mac/P.swift", "M\")", ["t"], 0),
        (url.replacing("applicationSupport", with: "caches"), "App/P.swift", "M\")", ["t"], 0),
        (url.replacing("M.", with: "Old/M."), "App/P.swift", "M\")", ["t"], 0),
        (url, "App/P.swift", "M\")\np.persistentStoreDescriptions.first?.url = file", ["t"], 0),
        (url, "App/P.swift", "M\")\nlet d = NSPersistentStoreDescription(url: file)", ["t"], 0),
        (url, "App/P.swift", "M\")\nif #unavailable(iOS 17) { open(p) }", ["t"], 0),
    ])
    func `Core Data and SwiftData have equal models of one file`(
        file: String,
        path: String,
        code: String,
        properties: [String],
        count: Int
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let bundle = folder.appending(path: "App/M.xcdatamodeld")
            try writeBundle([textModel("Note", ["t", "u"])], at: bundle)
            try write(Self.swiftData(file, properties), "App/S.swift", in: folder)
            let container = "let p = NSPersistentContainer(name: \"\(code)\n"
            try write("import CoreData\n" + container, path, in: folder)
            for command in ["check .", "lint App/S.swift", "lint ."] {
                let found = try rules(command, in: folder)
                #expect(found.count { $0 == "container-drops-classes" } == count, "\(command)")
            }
        }
    }

    @Test(arguments: [("Note.u", []), ("Note.v", ["changed-since", "unmatched-loss"])])
    func `what is allowed to be lost since the last release matches`(
        name: String,
        found: [String]
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            try write(Self.swiftData("\"N\"", ["t", "u"]), "App/S.swift", in: folder)
            try commit("one", in: folder)
            try tag("v1", in: folder)
            try write(Self.swiftData("\"N\"", ["t"]), "App/S.swift", in: folder)
            #expect(try rules("check .", in: folder) == ["changed-since"])
            try write("losses: {unversioned: [\(name)]}\n", ".momtool.yml", in: folder)
            #expect(try rules("check .", in: folder).sorted() == found)
            #expect(try rules("lint .", in: folder).contains("unmatched-loss") == !found.isEmpty)
        }
    }

    @Test func `the advised plan of one of two stores is followed`() throws {
        try withFolder { folder in
            for (name, entity) in [("Main", "Note"), ("Cache", "Blob")] {
                let versions = Self.versions(of: entity, Self.plain)
                    .replacing("import SwiftData", with: "").replacing("public ", with: "")
                let stage =
                    ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { c in try c.save() })"
                let source = """
                    import SwiftData
                    enum \(name) {
                        \(versions)
                        enum Plan: SchemaMigrationPlan {
                            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                            static var stages: [MigrationStage] { [\(stage)] }
                        }
                        static let c = try! ModelContainer(
                            for: V2.\(entity).self, migrationPlan: Plan.self, configurations: ModelConfiguration("\(name)"))
                    }

                    """
                try write(source, "App/\(name).swift", in: folder)
            }
            let create = ["create", "C.store", "--model", "App", "--version", "Cache.V1"]
            #expect(try momtool(create, in: folder).status == 0)
            let doctor = try momtool(["doctor", "C.store", "--model", "App"], in: folder)
            let advice = "momtool plan --stages App#Cache.Plan"
            #expect(doctor.output.contains(advice), "\(doctor.output)")
            let plan = try momtool(["plan", "--stages", "App#Cache.Plan"], in: folder)
            #expect(plan.status == 0 && !plan.errors.contains("[unlisted-version]"))
            let lines = plan.output.split(separator: "\n") + plan.errors.split(separator: "\n")
            #expect(lines.contains("model: App"))
            let stages =
                "stages:\n  - custom: {from: Cache.V1, to: Cache.V2}\n    didMigrate: S.sql\n"
            try write("model: App\n" + stages, "Stages.yml", in: folder)
            try write("UPDATE Blob SET u = 1;\n", "S.sql", in: folder)
            let migrate = ["migrate", "C.store", "--stages", "Stages.yml", "-o", "O.store"]
            let said = try momtool(migrate, in: folder)
            #expect(
                said.status == 0 && !said.errors.contains("[unlisted-version]"),
                "\(said.errors)"
            )
        }
    }

    @Test(
        arguments: [
            (".custom(\(names), willMigrate: { c in try dedup(c) }, didMigrate: nil)", [], 0),
            (".lightweight(\(names))", ["custom-stage-not-run", "rows-decide"], 3),
        ] as [(String, [String], Int32)]
    )
    func `a stages file that the app's plan contradicts does not count`(
        stage: String,
        found: [String],
        status: Int32
    ) throws {
        try withFolder { folder in
            let plan = Self.plan(stage).replacing("import A\n", with: "").replacing(
                "A.V",
                with: "V"
            )
            let source = Self.versions(of: "Note", Self.unique) + plan
            try write(source, "App/S.swift", in: folder)
            let stages = "stages:\n  - custom: {from: V1, to: V2}\n    willMigrate: S.sql\n"
            try write("model: App\n" + stages, "Stages.yml", in: folder)
            let script =
                "DELETE FROM Note WHERE objectID NOT IN (SELECT min(objectID) FROM Note GROUP BY t);\n"
            try write(script, "S.sql", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            let rows = #"{"Note": [{"@id": "p1", "t": "a"}, {"@id": "p2", "t": "a"}]}"#
            try write(rows, "Rows.json", in: folder)
            let create = ["create", "M.store", "--model", "App", "--version", "V1"]
            #expect(try momtool(create + ["--rows", "Rows.json"], in: folder).status == 0)
            #expect(try rules("check .", in: folder).sorted() == found)
            let planned = try momtool(["plan", "App", "--store", "M.store"], in: folder)
            #expect(planned.status == status, "\(planned.output)\(planned.errors)")
            let doctor = try momtool(["doctor", "M.store", "--model", "App"], in: folder)
            #expect(doctor.output.contains("of Stages.yml") == found.isEmpty)
        }
    }
}
