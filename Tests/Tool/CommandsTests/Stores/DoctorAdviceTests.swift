import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct DoctorAdviceTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    private struct Report: Decodable {
        struct Way: Decodable {
            var advice: String
            var command: String?
        }
        struct Writer: Decodable {
            var outcome: String
            var forecast: [String]
            var remark: String?
        }
        var writers: [Writer]
        var waysOut: [Way]

        var commands: [String] { waysOut.compactMap(\.command) }
    }

    private func report(_ arguments: [String], in folder: URL) throws -> Report {
        let result = try momtool(["doctor"] + arguments + ["--format", "json"], in: folder)
        #expect(result.errors.isEmpty, "\(result.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    /// Runs a command as advised, which names only files of the folder.
    private func run(_ command: String, in folder: URL) throws -> CommandResult {
        try momtool(command.split(separator: " ").dropFirst().map(String.init), in: folder)
    }

    private func withStore(_ sql: String?, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let store = folder.appending(path: "Shop.sqlite")
            try copyFile(Self.fixture, to: store)
            for statement in (sql ?? "").split(separator: "; ") {
                try SQLiteConnection(path: store.path, mode: .readWrite)
                    .execute(String(statement))
            }
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "Library.xcdatamodeld").path,
                withDestinationPath: Self.library
            )
            try body(folder)
        }
    }

    private let model = ["--model", "Library.xcdatamodeld"]

    /// The result of such a migration for the rows is unknown.
    @Test(arguments: ["UPDATE ZNOSUCH SET ZTITLE = 1", nil])
    func `a migration that cannot be foretold is not advised`(script: String?) throws {
        try withStore(nil) { folder in
            // Without a script the stages file cannot be read.
            let stage = script == nil ? "will: gone" : "willMigrate: first.sql"
            let stages = """
                stages:
                  - custom: {from: V1, to: V2}
                    \(stage)
                  - lightweight: [V3, V4, V5, V6]
                """
            let texts = [
                ("Stages.yml", stages), ("first.sql", script ?? ""),
                (".momtool.yml", "stages: [Stages.yml]"),
            ]
            for (name, text) in texts {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            let found = try momtool(["doctor", "Shop.sqlite"] + model, in: folder).output
            #expect(found.contains(script == nil ? "cannot be read" : "no such table"), "\(found)")
            #expect(found.contains("mend what keeps the migration from being foretold"))
            #expect(found.contains("momtool plan"), "\(found)")
            #expect(!found.contains("momtool migrate"), "\(found)")
        }
    }

    /// Run in order, the commands once froze the edited version.
    @Test func `a version that was edited is put back before it is locked`() throws {
        try withFolder { folder in
            func write(_ names: [String]) throws {
                let attributes = names.map {
                    "<attribute name='\($0)' optional='YES' attributeType='String'/>"
                }
                let source = "<model><entity name='A'>\(attributes.joined())</entity></model>"
                let bundle = folder.appending(path: "M.xcdatamodeld")
                try writeBundle([source], at: bundle)
            }
            try write(["a"])
            try Data("{}".utf8).write(to: folder.appending(path: "rows.json"))
            let create = ["create", "S.sqlite", "--model", "M.xcdatamodeld", "--rows", "rows.json"]
            #expect(try momtool(create, in: folder).status == 0)
            try write(["a", "b"])
            let ways = try report(["S.sqlite", "--model", "M.xcdatamodeld"], in: folder).waysOut
            let lock = try #require(ways.firstIndex { $0.command?.contains(" lock ") == true })
            let search = try #require(ways.firstIndex { $0.command?.contains("identify") == true })
            let back = try #require(ways.firstIndex { $0.advice.hasPrefix("put the version back") })
            #expect(search < back && back < lock)
            #expect(ways[lock].advice.hasPrefix("only then "), "\(ways)")
        }
    }

    @Test(arguments: [
        "ALTER TABLE ZAUTHOR DROP COLUMN ZBORN", "ALTER TABLE ZBOOK DROP COLUMN ZTITLE",
    ])
    func `a store that lacks a column is repaired before it is migrated`(sql: String) throws {
        try withStore(sql) { folder in
            let commands = try report(["Shop.sqlite"] + model, in: folder).commands
            let repair = try #require(commands.first)
            #expect(repair.hasPrefix("momtool repair Shop.sqlite "), "\(commands)")
            #expect(commands.count { $0.hasPrefix("momtool repair ") } == 1, "\(commands)")
            let value = repair.replacing("'Book.title=<VALUE>'", with: "Book.title=unknown")
            let repaired = try run(value, in: folder)
            #expect(repaired.status == 0, "\(repaired.output)\(repaired.errors)")
            let next = try report(["Repaired.sqlite"] + model, in: folder).commands
            let migrate = try #require(next.first { $0.hasPrefix("momtool migrate ") })
            let migrated = try run(migrate, in: folder)
            #expect(migrated.status == 0, "\(migrated.errors)")
        }
    }

    @Test(arguments: [
        "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = x'abcdef'",
        "UPDATE Z_METADATA SET Z_PLIST = CAST('<plist><dict/></plist>' AS BLOB)",
        "DELETE FROM Z_METADATA; DROP TABLE Z_MODELCACHE", "DROP TABLE Z_METADATA",
    ])
    func `lost metadata are written again, and nothing is salvaged`(sql: String) throws {
        try withStore(sql) { folder in
            let commands = try report(["Shop.sqlite"] + model, in: folder).commands
            #expect(!commands.contains { $0.contains(".recover") }, "\(commands)")
            let repair =
                "momtool repair Shop.sqlite --model Library.xcdatamodeld#V1 -o Repaired.sqlite"
            #expect(commands.first == repair)
            #expect(try run(repair, in: folder).status == 0)
            let version = model + ["--version", "V1"]
            try expectRun(["doctor", "Repaired.sqlite"] + version, in: folder, 0)
            let verify = ["verify", "Repaired.sqlite", "--model", "Library.xcdatamodeld#V1"]
            #expect(try momtool(verify, in: folder).status == 0)
        }
    }

    @Test func `metadata of a store that no version fits are not written`() throws {
        let sql = "DELETE FROM Z_METADATA; DROP TABLE Z_MODELCACHE; DROP TABLE ZLOAN"
        try withStore(sql) { folder in
            let commands = try report(["Shop.sqlite"] + model, in: folder).commands
            #expect(!commands.contains { $0.hasPrefix("momtool repair Shop.sqlite") })
            #expect(!commands.contains { $0.contains(".recover") }, "\(commands)")
            let adoption = try #require(commands.last)
            #expect(adoption.hasPrefix("mkdir Shop-metadata && cp Shop.sqlite Shop-metadata/ && "))
            #expect(adoption.contains("sqlite3 Shop-metadata/Shop.sqlite 'ATTACH "), "\(adoption)")
            let rescue = folder.appending(path: "Shop-metadata")
            try makeFolder(rescue)
            let place = rescue.appending(path: "Empty.sqlite").path
            let create = ["create", place, "--version", "V1"] + model
            #expect(try momtool(create, in: folder).status == 0)
            let copied = rescue.appending(path: "Shop.sqlite")
            try copyFile(folder.appending(path: "Shop.sqlite"), to: copied)
            let copy = try SQLiteConnection(path: copied.path, mode: .readWrite)
            let sql = try #require(adoption.split(separator: " 'ATTACH ").last)
            let end = try #require(sql.range(of: "' && momtool repair"))
            let text = "ATTACH " + sql[..<end.lowerBound].replacing("'\\''", with: "'")
            for statement in text.split(separator: "; ") {
                try copy.execute(
                    String(statement).replacing("Shop-metadata/Empty.sqlite", with: place)
                )
            }
            let repair = ["repair", copied.path, "--model", "Library.xcdatamodeld#V1"]
            try expectRun(repair, in: folder, nil, "the table ZLOAN is missing")
        }
    }

    @Test func `an empty file with the name of a store is one, and has a way on`() throws {
        try withFolder { folder in
            for name in ["Shop.sqlite", "shop.log"] {
                try Data().write(to: folder.appending(path: name))
            }
            let result = try momtool("doctor Shop.sqlite", in: folder)
            #expect(result.status == 1)
            #expect(result.output.contains("the store is empty"), "\(result.output)")
            #expect(result.output.contains("Shop.sqlite-wal"), "\(result.output)")
            #expect(try momtool("doctor shop.log", in: folder).status == 65)
        }
    }

    @Test func `a store of another app is said to be of another model`() throws {
        try withStore(nil) { folder in
            let source = #"<model><entity name="Song"/></model>"#
            let other = folder.appending(path: "Other.xcdatamodeld")
            try writeBundle(["Other": source], at: other)
            let found = try report(["Shop.sqlite", "--model", "Other.xcdatamodeld"], in: folder)
            let remark = try #require(found.writers.first?.remark)
            #expect(remark.contains("another model"))
            #expect(remark.contains("Author, Book, Loan"))
            #expect(remark.hasSuffix("[unknown-store-version]"))
            for command in ["migrate", "lock", "identify"] {
                #expect(!found.commands.contains { $0.hasPrefix("momtool \(command)") })
            }
        }
    }

    @Test(arguments: [
        "NSCocoaErrorDomain Code=134100", "Can't find model for source store", "error 134110",
        "Cannot use staged migration with an unknown model version.",
        "SQLite error code 11: database disk image is malformed",
    ])
    func `the advice of a log is not for a store that has nothing wrong`(text: String) throws {
        try withStore(nil) { folder in
            try Data(text.utf8).write(to: folder.appending(path: "crash.log"))
            let version = model + ["--version", "V1"]
            let found = try report(["Shop.sqlite", "crash.log"] + version, in: folder)
            #expect(found.writers.map(\.outcome) == ["opens"])
            #expect(
                found.waysOut.first?.advice.contains("nothing is wrong with this store") == true
            )
            #expect(!found.commands.contains { $0.contains("Shop.sqlite") }, "\(found.commands)")
            let ill = try report(["Shop.sqlite", "crash.log"] + model, in: folder)
            #expect(!ill.waysOut.contains { $0.advice.contains("nothing is wrong") })
        }
    }

    @Test func `versions that stages list twice are told from versions with equal hashes`() throws {
        let message = "Duplicate version checksums across stages detected."
        try withRefusedStep { folder in
            let named = [message, "--model", "Shop.xcdatamodeld"]
            let unknown = try report(named, in: folder)
            #expect(unknown.commands.contains("momtool plan --stages Stages.yml"))
            #expect(unknown.commands.last == "momtool lint Shop.xcdatamodeld --all-versions")
            #expect(unknown.waysOut.first?.advice.contains("that two stages list") == true)
            let stages = "  - lightweight: [V1, V2]\n  - custom: {from: V2, to: V3}\n"
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            try write("model: Shop.xcdatamodeld\nstages:\n\(stages)", "Stages.yml", in: folder)
            let found = try report(named, in: folder)
            #expect(found.commands == ["momtool plan --stages Stages.yml"])
            let told = try #require(found.waysOut.first?.advice)
            #expect(told.contains("Stages.yml:4:5: "), "\(told)")
            #expect(told.contains("'V2' is listed already in stage 1"), "\(told)")
        }
        let words = try momtool("doctor", message).output
        #expect(words.contains("a version is listed in two stages"), "\(words)")
    }

    /// Core Data refuses the step from the first version to the last; the store is of the first.
    private func withRefusedStep(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let versions = ["String", "", "Binary"].enumerated().map { number, type in
                let value =
                    type.isEmpty
                    ? "" : "<attribute name='v' optional='YES' attributeType='\(type)'/>"
                let name = "<attribute name='n' optional='YES' attributeType='String'/>"
                let text = "<model><entity name='Item'>\(name)\(value)</entity></model>"
                return ("V\(number + 1)", text)
            }
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(Dictionary(uniqueKeysWithValues: versions), current: "V3", at: bundle)
            let create = ["create", "Old.sqlite", "--model", "Shop.xcdatamodeld"]
            #expect(try momtool(create + ["--version", "V1"], in: folder).status == 0)
            try body(folder)
        }
    }

    @Test func `the forecast is that of the configuration`() throws {
        try withRefusedStep { folder in
            let arguments = ["Old.sqlite", "--model", "Shop.xcdatamodeld"]
            func found(_ settings: String, _ stages: String = "") throws -> Report {
                try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
                try Data("model: Shop.xcdatamodeld\nstages:\n\(stages)".utf8)
                    .write(to: folder.appending(path: "Stages.yml"))
                return try report(arguments, in: folder)
            }
            func check() throws -> String { try momtool("check .", in: folder).output }
            #expect(try found("order: []\n").writers.map(\.outcome) == ["refuses"])
            #expect(try check().contains("'V1'"))

            let stepwise = try found("migration: stepwise\n")
            #expect(stepwise.writers.map(\.outcome) == ["migrates"])
            #expect(stepwise.writers.first?.forecast.first?.contains("V1 → V2 → V3") == true)
            let migrate = try #require(stepwise.commands.last)
            #expect(try run(migrate, in: folder).status == 0)

            let late = try found("stages: [Stages.yml]\n", "  - lightweight: [V2, V3]\n")
            #expect(late.writers.map(\.outcome) == ["refuses"])
            #expect(late.writers.first?.forecast.first?.contains("no stage lists") == true)

            let stages = "  - custom: {from: V1, to: V2}\n    label: Drop\n  - lightweight: [V3]\n"
            let staged = try found("stages: [Stages.yml]\n", stages)
            #expect(staged.writers.map(\.outcome) == ["migrates"], "\(staged.writers)")
            #expect(staged.commands.contains { $0.contains("--stages Stages.yml") })
            let last = try #require(staged.commands.last)
            try FileManager.default.removeItem(at: folder.appending(path: "Migrated.sqlite"))
            let run = try run(last, in: folder)
            #expect(run.status == 0, "\(last): \(run.errors)")
        }
    }
}
