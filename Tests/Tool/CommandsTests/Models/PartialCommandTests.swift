import Foundation
import TestSupport
import Testing

struct PartialCommandTests {
    private static let sources = """
        enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self, Seat.self] }
            @Model final class Item { var name: String = "" }
            @Model final class Seat { var label: String?; var numbers: Set<Int> = [] }
        }
        enum V2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self, Seat.self] }
            @Model final class Item { var name: String = ""; var count: Int? }
            @Model final class Seat { var label: String?; var numbers: Set<Int> = [] }
        }

        """

    private func withSources(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let file = folder.appending(path: "Models.swift")
            let known = Self.sources.replacing("Set<Int>", with: "[Int]")
            try Data(known.utf8).write(to: file)
            try expectRun("create App.store --model Models.swift#V1", in: folder, 0)
            try Data(Self.sources.utf8).write(to: file)
            try body(folder)
        }
    }

    private func files(in folder: URL) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path))
    }

    @Test func `what needs all of a model is refused with names, lines and the cure`() throws {
        try withSources { folder in
            let before = try files(in: folder)
            for command in [
                ["compile", "Models.swift", "-o", "Out"],
                ["compile", "Models.swift#V2", "-o", "Out/V2.mom"],
                ["create", "New.store", "--model", "Models.swift"],
                ["migrate", "App.store", "--model", "Models.swift", "-o", "New.store"],
                [
                    "generate", "--swiftdata", "--frozen", "V1", "--from", "Models.swift", "-o",
                    "Out/V1.swift",
                ],
            ] {
                let result = try momtool(command, in: folder)
                #expect(result.status == 65, "\(command): \(result.errors)")
                #expect(result.errors.contains("Models.swift:"), "\(command): \(result.errors)")
                #expect(result.errors.contains("Seat"), "\(command): \(result.errors)")
                #expect(result.errors.contains("[incomplete-model]"), "\(result.errors)")
                #expect(try files(in: folder) == before, "\(command)")
            }
            let create = try momtool("create New.store --model Models.swift", in: folder)
            #expect(create.errors.contains("Models.swift:5:55: error: all of the model is needed"))
            #expect(create.errors.contains("Seat.numbers is not understood"))
            #expect(create.errors.contains("momtool hash SOURCES --fit STORE"))
            #expect(!create.errors.contains("--partial"))
        }
    }

    @Test func `compile --partial writes what is understood, and says whose hash is a guess`()
        throws
    {
        try withSources { folder in
            let refused = try momtool("compile Models.swift -o Out", in: folder)
            #expect(refused.errors.contains("note: --partial compiles what is understood"))
            let run = try momtool("compile Models.swift -o Out --partial", in: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("the hash of 'Seat' in 'V1' is a guess: Seat.numbers"))
            #expect(!run.errors.contains("'Item'"), "\(run.errors)")
            let compiled = try momtool("hash Out/Models.momd#V2", in: folder)
            let sources = try momtool("hash Models.swift#V2", in: folder)
            func line(_ result: CommandResult) -> Substring? {
                result.output.split(separator: "\n").first { $0.contains("Item ") }
            }
            #expect(line(compiled) != nil && line(compiled) == line(sources))
            let one = try momtool("compile Models.swift#V2 -o V2.mom --partial", in: folder)
            #expect(one.status == 0, "\(one.errors)")
            #expect(one.errors.contains("the hash of 'Seat' in 'V2' is a guess"))
        }
    }

    @Test func `classes and CloudKit schemas have what is understood`() throws {
        try withSources { folder in
            let classes = try momtool(
                ["generate", "--swiftdata", "Models.swift", "-o", "Classes.swift"],
                in: folder
            )
            #expect(classes.status == 1, "\(classes.errors)")
            #expect(classes.errors.contains("Seat.numbers: type Set<Int> is not understood"))
            #expect(classes.output.contains("1 of 2 entity hashes equal"), "\(classes.output)")
            let written = try fileText(folder.appending(path: "Classes.swift"))
            #expect(written.contains("var count: Int?") && written.contains("var label: String?"))
            #expect(!written.contains("numbers"))
            let schema = try expectRun("cloudkit schema Models.swift", in: folder, 1)
            #expect(schema.output.contains("CD_Item") && schema.output.contains("CD_label"))
            #expect(!schema.output.contains("CD_numbers"))
            #expect(schema.errors.contains("Models.swift:11:55: note: Seat.numbers"))
        }
    }

    @Test func `plan, identify and doctor go by what is understood`() throws {
        try withSources { folder in
            let plan = try momtool("plan Models.swift --from V1", in: folder)
            #expect(plan.status == 1, "\(plan.errors)")
            #expect(plan.output.contains("Item"), "\(plan.output)")
            #expect(plan.errors.contains("Seat.numbers: type Set<Int> is not understood"))
            let identify = try momtool("identify App.store --model Models.swift", in: folder)
            #expect(identify.output.contains("V1"), "\(identify.output)\(identify.errors)")
            #expect(!identify.output.contains("V2"), "\(identify.output)")
            #expect((identify.output + identify.errors).contains("Seat"))
            let doctor = try momtool("doctor App.store --model Models.swift", in: folder)
            #expect([0, 1].contains(doctor.status), "\(doctor.errors)")
            #expect(doctor.errors.contains("Seat"), "\(doctor.errors)")
        }
    }

    @Test func `a relationship to an entity that is not understood is no difference`() throws {
        try withFolder { folder in
            let source = """
                @Model final class Safe {
                    var numbers: Set<Int> = []
                    @Relationship(inverse: \\Coin.safe) var coins: [Coin] = []
                }
                @Model final class Coin {
                    var name: String = ""
                    var safe: Safe?
                }

                """
            let (old, new) = ("Old.swift", "New.swift")
            try write(source, old, in: folder)
            try write(source, new, in: folder)
            let same = try momtool(["diff", old, new], in: folder)
            #expect(same.output.contains("no difference"), "\(same.output)")
            #expect(same.output.contains("not compared, as they are not understood: Safe"))
            try write(source.replacing("name: String", with: "title: String"), new, in: folder)
            try expectRun(["diff", old, new], in: folder, nil, "Coin.title", not: ["Coin.safe"])
        }
    }

    @Test func `cloudkit check and diff judge what is understood, and name the rest`() throws {
        try withSources { folder in
            // The app saw to it that Production has a field for the set, whatever its type is.
            let full = """
                DEFINE SCHEMA
                    RECORD TYPE CD_Item ( CD_entityName STRING QUERYABLE, CD_name STRING QUERYABLE );
                    RECORD TYPE CD_Seat (
                        CD_entityName STRING QUERYABLE, CD_label STRING QUERYABLE, CD_numbers BYTES
                    );

                """
            try write(full, "full.ckdb", in: folder)
            let check = try momtool("cloudkit check Models.swift full.ckdb", in: folder)
            #expect(check.status == 1, "\(check.errors)")
            #expect(check.output.contains("CD_count"), "\(check.output)")
            #expect(!check.output.contains("'numbers'"), "\(check.output)")
            #expect(check.output.contains("1 of 2 entities is not judged: Seat"))
            #expect(check.output.contains("Models.swift:11:24: note: Seat.numbers"))
            let diff = try momtool("cloudkit diff full.ckdb Models.swift", in: folder)
            #expect(diff.status == 1, "\(diff.errors)")
            #expect(diff.output.contains("CD_count"), "\(diff.output)")
            #expect(!diff.output.contains("CD_numbers"), "\(diff.output)")
            #expect(diff.errors.contains("Models.swift:11:55: note: Seat.numbers"))
        }
    }
}
