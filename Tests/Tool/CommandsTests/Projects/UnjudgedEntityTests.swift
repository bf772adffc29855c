import Foundation
import TestSupport
import Testing

struct UnjudgedEntityTests {
    private static let open = """
        @Model class Yard {
            @Relationship(inverse: \\Plant.yard) var front: [Plant] = []
            @Relationship(inverse: \\Plant.yard) var back: [Plant] = []
        }
        @Model class Plant { var yard: Yard? }
        @Model class Bird { var name: String = "" }
        """

    private static let summary = "2 of 3 entities are not judged: Plant, Yard [entities-not-judged]"

    private func write(_ text: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: "Models.swift"))
    }

    @Test(arguments: [["lint", "Models.swift"], ["check", "."]])
    func `a healthy team is green, and told once what is not judged`(command: [String]) throws {
        try withFolder { folder in
            try write(Self.open, in: folder)
            let result = try momtool(command, in: folder)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(!result.output.contains("warning: "), "\(result.output)")
            #expect(result.output.contains("Models.swift:5:26: note: Plant.yard: "))
            #expect(result.output.split(separator: "\n").count { $0.contains(Self.summary) } == 1)
            #expect(result.output.contains("momtool hash SOURCES --fit STORE"))
            let settings = """
                swift:
                  inverses: {Yard.front: Plant.yard, Yard.back: none}

                """
            try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
            let said = try momtool(command, in: folder)
            #expect(said.status == 0 && !said.output.contains("not judged"), "\(said.output)")
        }
    }

    @Test(arguments: ["text", "json", "sarif", "github", "gitlab", "junit", "markdown"])
    func `every format has the line`(format: String) throws {
        try withFolder { folder in
            try write(Self.open, in: folder)
            let result = try momtool(["check", "--format", format], in: folder)
            #expect(result.status == 0)
            #expect(result.output.contains("2 of 3 entities are not judged"), "\(result.output)")
        }
    }

    @Test func `an entity that the lock knows is a warning when it is not understood any more`()
        throws
    {
        try withFolder { folder in
            let text = """
                enum V1: VersionedSchema {
                    static let versionIdentifier = Schema.Version(1, 0, 0)
                    static var models: [any PersistentModel.Type] { [Seat.self, Row.self] }
                    @Model final class Seat { var numbers: [Int] = [] }
                    @Model final class Row { var numbers: Set<Int> = [] }
                }
                """
            try write(text, in: folder)
            #expect(try momtool("lock .", in: folder).status == 0)
            #expect(try momtool("lint .", in: folder).status == 0)
            try write(
                text.replacing("var numbers: [Int]", with: "var numbers: Set<Int>"),
                in: folder
            )
            for command in [["lint", "."], ["check"]] {
                let result = try momtool(command, in: folder)
                #expect(result.status == 1, "\(result.output)")
                #expect(result.output.contains("warning: Seat.numbers: type Set<Int>"))
                #expect(result.output.contains("note: the lock knows it as of 'V1'"))
                #expect(result.output.contains("note: Row.numbers: type Set<Int>"))
            }
        }
    }

    @Test func `without a lock the revision that is compared with knows it`() throws {
        try withFolder { folder in
            func text(_ type: String) -> String {
                """
                @Model final class Seat { var numbers: \(type) = [] }
                @Model final class Row { var numbers: Set<Int> = [] }
                """
            }
            try write(text("[Int]"), in: folder)
            _ = try git("init", "-q", in: folder)
            _ = try git("add", ".", in: folder)
            _ = try git("commit", "-qm", "One", in: folder)
            try write(text("Set<Int>"), in: folder)
            try expectRun("check", in: folder, 0)
            let result = try momtool("check --against HEAD", in: folder)
            #expect(result.status == 1, "\(result.output)\(result.errors)")
            #expect(result.output.contains("warning: Seat.numbers: type Set<Int>"))
            #expect(result.output.contains("note: it was understood at HEAD"), "\(result.output)")
            #expect(result.output.contains("note: Row.numbers: type Set<Int>"))
        }
    }

    @Test func `a lock of one Swift file is compared with that file`() throws {
        try withFolder { folder in
            let text = "@Model final class Seat { var number: Int = 0 }\n"
            try write(text, in: folder)
            #expect(try momtool("lock Models.swift", in: folder).status == 0)
            try expectRun("check .", in: folder, 0, "1 lock")
            try write(text.replacing("Int = 0", with: "Double = 0"), in: folder)
            try expectRun("check .", in: folder, 1, "[locked-version-edited]")
            try FileManager.default.removeItem(at: folder.appending(path: "Models.swift"))
            let gone = try momtool("check .", in: folder)
            #expect(gone.output.contains("Models.swift.lock: error: the model of this lock"))
        }
    }

    @Test func `so is one that a new version hides`() throws {
        try withFolder { folder in
            func version(_ number: Int, _ type: String) -> String {
                """
                enum V\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Seat.self] }
                    @Model final class Seat { var numbers: \(type) = [] }
                }

                """
            }
            try write(version(1, "[Int]"), in: folder)
            #expect(try momtool("lock .", in: folder).status == 0)
            try write(version(1, "[Int]") + version(2, "Set<Int>"), in: folder)
            let result = try momtool("check", in: folder)
            #expect(result.status == 1, "\(result.output)")
            #expect(result.output.contains("warning: Seat.numbers: type Set<Int>"))
            #expect(result.output.contains("not judged: 1 of 1 entity of 'V2' (Seat)"))
            #expect(!result.output.contains("error: "), "\(result.output)")
            try expectRun("lock .", in: folder, 0)
        }
    }

    @Test func `versions with a gap have no checksum that others could share`() throws {
        try withFolder { folder in
            func version(_ number: Int, _ more: String) -> String {
                """
                enum V\(number): VersionedSchema {
                    static let versionIdentifier = Schema.Version(\(number), 0, 0)
                    static var models: [any PersistentModel.Type] { [Seat.self] }
                    @Model final class Seat { var name: String = ""; \(more) }
                }

                """
            }
            let plan = """
                enum Second { static let version: any VersionedSchema.Type = V2.self }
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [V1.self, Second.version] }
                    static var stages: [MigrationStage] {
                        [.custom(fromVersion: V1.self, toVersion: Second.version,
                            willMigrate: nil, didMigrate: nil)]
                    }
                }
                """
            let versions = version(1, "") + version(2, "var numbers: Set<Int> = []")
            try write(versions + plan, in: folder)
            let lint = try expectRun("lint Models.swift", in: folder, 0)
            for word in ["checksum", "swift-not-readable"] {
                #expect(!lint.output.contains(word), "\(lint.output)")
            }
            let staged = try momtool("plan --stages Models.swift --from V1", in: folder)
            #expect(staged.status == 65, "\(staged.output)\(staged.errors)")
            #expect(staged.errors.contains("Seat.numbers is not understood [incomplete-model]"))
            try write(versions.replacing("Set<Int>", with: "[Int]") + plan, in: folder)
            try expectRun("plan --stages Models.swift --from V1", in: folder, 0)
        }
    }
}
