import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct HostileStoreTests {
    private static let model = StoreFixture.modelPath

    private func withStore(_ statements: String..., body: (URL, String) throws -> Void) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .plain)
            let work = folder.appending(path: "Work")
            let store = try fixture.fresh(in: work)
            let connection = try SQLiteConnection(path: store, mode: .readWrite)
            for statement in statements { try connection.execute(statement) }
            try body(work, store)
        }
    }

    private func withSchema(_ statement: String, body: (URL, String) throws -> Void) throws {
        try withStore(
            "PRAGMA writable_schema = ON",
            statement,
            "PRAGMA writable_schema = OFF",
            body: body
        )
    }

    private func rows(_ store: String) throws -> String {
        try momtool("export", store, "--model", Self.model, "--entity", "Loan").output
    }

    static let events = [
        "UPDATE ON Z_METADATA", "UPDATE ON z_metadata", "DELETE ON Z_MODELCACHE",
        "INSERT ON Z_MODELCACHE", "INSERT ON Z_PRIMARYKEY", "DELETE ON Z_PRIMARYKEY",
        "UPDATE ON zbook", "UPDATE ON Z_PRIMARYKEY",
    ]

    @Test(arguments: events)
    func `a trigger of somebody else does not run in a migration`(event: String) throws {
        let trigger = "CREATE TRIGGER t AFTER \(event) BEGIN DELETE FROM ZLOAN; END"
        try withStore(trigger) { work, store in
            let before = try rows(store)
            try expectRun(["verify", store, "--model", Self.model], nil, "trigger t")
            let new = work.appending(path: "New.sqlite").path
            try expectRun("migrate \(store) --allow-data-loss --model \(Self.model) -o \(new)", 0)
            try expectRun("migrate \(store) --allow-data-loss --model \(Self.model) --in-place", 0)
            for path in [store, new] {
                let after = try rows(path)
                #expect(after.split(separator: "\n").count == before.split(separator: "\n").count)
                try expectRun(["verify", path, "--model", Self.model], nil, not: ["trigger t"])
            }
        }
    }

    @Test func `a trigger of somebody else does not run in a stage's script`() throws {
        let trigger = "CREATE TRIGGER t AFTER UPDATE ON zBook BEGIN DELETE FROM ZLOAN; END"
        try withStore(trigger) { work, store in
            let stages = """
                model: \(Self.model)
                stages:
                  - custom: {from: V1, to: V2}
                    label: titles
                    willMigrate: titles.sql
                """
            try write(stages, "Stages.yml", in: work)
            try write("UPDATE Book SET title = 'changed';", "titles.sql", in: work)
            let result = try momtool(
                "migrate \(store) --stages Stages.yml -o New.sqlite --quiet --allow-data-loss --allow-outside",
                in: work
            )
            #expect(result.status == 0, "\(result.errors)")
            let after = try rows(work.appending(path: "New.sqlite").path)
            #expect(after.split(separator: "\n").count > 400)
        }
    }

    @Test func `a virtual table whose module is not there is left alone`() throws {
        try withSchema(
            "INSERT INTO sqlite_master VALUES ('table', 'vv', 'vv', 0, 'CREATE VIRTUAL TABLE vv USING nosuch(a)')"
        ) { _, store in
            let verified = try momtool("verify", store, "--model", Self.model)
            #expect([0, 1].contains(verified.status), "\(verified.errors)")
            try expectRun("migrate \(store) --allow-data-loss --model \(Self.model) --in-place", 0)
        }
    }

    @Test func `an index that needs what nobody has is a finding`() throws {
        try withSchema(
            "UPDATE sqlite_master SET sql = replace(sql, ')', ' COLLATE NOSUCH)') WHERE name LIKE 'ZLOAN%INDEX'"
        ) { _, store in
            try expectRun(["verify", store, "--model", Self.model], 1, "NOSUCH")
        }
    }

    @Test(arguments: [
        (0..<1200).map { "fine == \($0)" }.joined(separator: " OR "),
        (Array(repeating: "book.loans.book", count: 1) + ["title == 'x'"]).joined(separator: "."),
    ])
    func `a predicate that is too much for SQLite is refused`(predicate: String) throws {
        try withStore { _, store in
            let result = try momtool(
                "export",
                store,
                "--model",
                Self.model,
                "--entity",
                "Loan",
                "--where",
                predicate
            )
            #expect(result.status == 64)
            #expect(result.errors.contains("[unusable-predicate]"))
            #expect(result.errors.utf8.count < 2000)
        }
    }

    @Test func `names cannot speak to the terminal`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "Evil\u{1B}[31m\u{202E}.xcdatamodel")
            try copyFile(
                Corpus.package.appending(path: "Models/Library.xcdatamodeld/V1.xcdatamodel"),
                to: model
            )
            for command in ["hash", "lint"] {
                let result = try momtool(command, model.path)
                let said = (result.output + result.errors).unicodeScalars
                #expect(
                    !said.contains { $0.value < 0x09 || $0.value == 0x1B || $0.value == 0x202E }
                )
            }
        }
    }
}
