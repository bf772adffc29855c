import Diagnostics
import Foundation
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RepairDecisionTests {
    /// A hierarchy with an abstract root, a link to a sub-entity, and a one-to-one link to a root with sub-entities.
    private static let model = modelOf(
        "*Animal: name!; Cat/Animal: lives:integer16; Dog/Animal: bark collar>Collar.dog",
        "Collar: dog>Dog.collar; Passport: person>Person.passport",
        "Person: passport>Passport.person; Worker/Person"
    )

    private static let layout = StoreLayout(model: model)

    private static func number(_ entity: String) -> Int { layout.number(of: entity) ?? -1 }

    private static var entityColumn: String {
        layout.links("person", of: "Passport")?.entityColumn ?? ""
    }

    private static let rows: [String] = {
        let (dog, cat, person) = (number("Dog"), number("Cat"), number("Person"))
        let (worker, passport) = (number("Worker"), number("Passport"))
        return [
            "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBARK, ZCOLLAR) VALUES (1, \(dog), 1, 'Rex', 'wau', 1)",
            "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLIVES) VALUES (2, \(cat), 1, 'Tom', 9), (3, \(cat), 1, 'Kit', 8)",
            "INSERT INTO ZCOLLAR (Z_PK, Z_ENT, Z_OPT, ZDOG) VALUES (1, \(number("Collar")), 1, 1)",
            "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZPASSPORT) VALUES (1, \(person), 1, 1), (2, \(worker), 1, 2)",
            "INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZPERSON, \(entityColumn)) VALUES "
                + "(1, \(passport), 1, 1, \(person)), (2, \(passport), 1, 2, \(worker))",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Animal'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Collar'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME IN ('Person', 'Passport')",
        ]
    }()

    private static func with(
        history: Bool = false,
        _ damage: String...,
        body: (TestStore) throws -> Void
    ) throws {
        try withStore(model, rows, history: history) { store in
            try store.execute(damage)
            try body(store)
        }
    }

    /// Damage, the query that shows what was repaired, its result, and whether links may be removed.
    private static let cures: [(damage: String, query: String, result: String, clears: Bool)] =
        [
            (
                // Both halves of a link come back in one run.
                "UPDATE ZPASSPORT SET ZPERSON = NULL, \(entityColumn) = NULL WHERE Z_PK = 2",
                "SELECT \(entityColumn) FROM ZPASSPORT WHERE Z_PK = 2", "\(number("Worker"))", false
            )
        ]
        + [false, true].map { clears in
            // A dangling link whose inverse knows the answer is restored, not removed.
            (
                "UPDATE ZPASSPORT SET ZPERSON = 77 WHERE Z_PK = 1",
                "SELECT ZPERSON, Z_MAX FROM ZPASSPORT AS p JOIN Z_PRIMARYKEY ON Z_NAME = 'Person' WHERE p.Z_PK = 1",
                "1|2", clears
            )
        }
        + ["NULL", "0", "99", "\(number("Animal"))", "\(number("Cat"))"].map { wrong in
            // A row gets the only entity that its values allow, and no link is lost.
            (
                "UPDATE ZANIMAL SET Z_ENT = \(wrong) WHERE Z_PK = 1",
                "SELECT a.Z_ENT, c.ZDOG FROM ZANIMAL AS a, ZCOLLAR AS c WHERE a.Z_PK = 1",
                "\(number("Dog"))|1", true
            )
        }

    @Test(arguments: cures.indices)
    func `what other values tell is restored, not removed`(_ index: Int) throws {
        let (damage, query, result, clears) = Self.cures[index]
        try Self.with(damage) { store in
            try store.cure(RepairOptions(clears ? [.clearLinks] : []))
            #expect(try store.texts(query) == [result])
        }
    }

    @Test func `a row of one of two entities is asked about, unless history knows`() throws {
        let damage = "UPDATE ZANIMAL SET Z_ENT = 99, ZLIVES = NULL WHERE Z_PK = 3"
        try Self.with(history: true, damage) { store in
            let problems = try store.repair().obstacles.map(\.problem)
            #expect(problems.contains { $0.contains("1 row of ZANIMAL (p3)") })
            let cat = Self.number("Cat")
            try store.execute(
                "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZENTITY, ZENTITYPK) VALUES (1, 16001, \(cat), 3)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16001"
            )
            try store.cure()
            let number = try store.value("SELECT Z_ENT FROM ZANIMAL WHERE Z_PK = 3")
            #expect(number?.integer == Int64(cat))
        }
    }

    @Test func `a link to an object that is there is not removed`() throws {
        try Self.with("UPDATE ZCOLLAR SET ZDOG = 2") { store in
            let repair = try store.repair(RepairOptions([.clearLinks]))
            let obstacle = try #require(repair.obstacles.first)
            #expect(obstacle.problem.contains("'Dog' (p1)"))
            #expect(!obstacle.remedy.text(in: .code).contains("clearLinks"))
            #expect(!repair.steps.contains { $0.change.sql.contains("ZDOG") })
        }
    }

    @Test func `the greatest key comes from history and CloudKit's tables too`() throws {
        try Self.with(
            history: true,
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (5, 16001, \(Self.number("Person")), 40, 7)",
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (7, 16002, 1)",
            "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, ZENTITYPK INTEGER)",
            "INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK) VALUES (1, \(Self.number("Cat")), 55)"
        ) { store in
            #expect(try store.findings().map(\.rule).count { $0 == "key-above-maximum" } == 4)
            try store.cure()
            let rows = try store.file().primaryKeys()
            let greatest = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.maximumKey) })
            #expect(greatest["Person"] == 40 && greatest["Animal"] == 55)
            #expect(greatest["CHANGE"] == 5 && greatest["TRANSACTION"] == 7)
        }
    }

    @Test func `missing required values are asked for by name and number, and set`() throws {
        try Self.with("UPDATE ZANIMAL SET ZNAME = NULL WHERE Z_PK > 1") { store in
            let asked = try store.repair()
            #expect(asked.obstacles.map(\.asksFor) == ["Animal.name"])
            #expect(asked.obstacles[0].problem.contains("2 rows (p2, p3)"))
            #expect(asked.steps.isEmpty && asked.remaining.isEmpty)
            try store.cure(RepairOptions(values: ["Animal.name": .string("it's")]))
            let names = try store.texts("SELECT ZNAME FROM ZANIMAL ORDER BY Z_PK")
            #expect(names == ["Rex", "it's", "it's"])
        }
    }

    @Test func `values are converted where that loses nothing, or asked for`() throws {
        try Self.with(
            "UPDATE ZANIMAL SET ZLIVES = CAST('7' AS BLOB) WHERE Z_PK = 2",
            "UPDATE ZANIMAL SET ZLIVES = 3.5 WHERE Z_PK = 3",
            "UPDATE ZANIMAL SET ZNAME = CAST(ZNAME AS BLOB) WHERE Z_PK = 1",
            "INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZNAME, ZLIVES) VALUES (4, \(Self.number("Cat")), 'Mau', 70000)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Animal'"
        ) { store in
            let asked = try store.repair().obstacles.map(\.asksFor)
            #expect(asked == ["Animal.name", "Cat.lives"])
            var options = RepairOptions([.convertValues], values: ["Animal.name": .string("?")])
            let some = try store.repair(options)
            #expect(some.obstacles.map(\.asksFor) == ["Cat.lives"])
            #expect(some.obstacles[0].problem.hasPrefix("3 values of 'Cat.lives' (p2, p3, p4)"))
            options.values["Cat.lives"] = .integer(1)
            try store.cure(options)
        }
    }

    @Test func `a text that is a number becomes it`() throws {
        try Self.with(
            "ALTER TABLE ZANIMAL DROP COLUMN ZLIVES",
            "ALTER TABLE ZANIMAL ADD COLUMN ZLIVES BLOB",
            "UPDATE ZANIMAL SET ZLIVES = '9' WHERE Z_PK = 2",
            "UPDATE ZANIMAL SET ZLIVES = 8.0 WHERE Z_PK = 3"
        ) { store in
            let remedy = try store.repair().obstacles[0].remedy.text(in: .code)
            #expect(remedy.contains("convert them with .convertValues"))
            try store.cure(RepairOptions([.convertValues]))
            let lives = try store.rows("SELECT ZLIVES FROM ZANIMAL ORDER BY Z_PK").map { $0[0] }
            #expect(lives == [.null, .integer(9), .integer(8)])
        }
    }

    @Test func `a lost table that had rows is created when that is allowed`() throws {
        try Self.with("DROP TABLE ZANIMAL", "UPDATE ZCOLLAR SET ZDOG = NULL") { store in
            let asked = try #require(store.repair().obstacles.first)
            #expect(asked.problem.contains("up to 3 objects"))
            #expect(asked.remedy.text(in: .code).contains("empty with .createEmptyTables"))
            let repair = try store.cure(RepairOptions([.createEmptyTables]))
            #expect(repair.steps.first?.lost == "up to 3 objects, already missing")
        }
    }

    @Test(arguments: [
        "UPDATE Z_METADATA SET Z_PLIST = x'00'", "UPDATE Z_METADATA SET Z_PLIST = NULL",
        "DELETE FROM Z_METADATA", "DELETE FROM Z_MODELCACHE",
        "UPDATE Z_MODELCACHE SET Z_CONTENT = x'1234'",
        "UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_CONTENT FROM Z_MODELCACHE)",
    ])
    func `metadata and model cache come back when the model fits every table`(
        _ damage: String
    ) throws {
        try Self.with(damage) { store in
            var other = Self.model
            other.entities[0].attributes.append(attributeOf("more"))
            let refused = try store.repair(against: other)
            #expect(refused.steps.isEmpty && refused.obstacles.count == 1)
            let uuid = try store.value("SELECT Z_UUID FROM Z_METADATA")?.text
            try store.cure()
            let metadata = try store.file().metadata()
            #expect(metadata.hashes == versionHashes(of: Self.model))
            #expect(uuid == nil || metadata.uuid == uuid)
            #expect(try store.file().modelArchive()?.isEmpty == false)
        }
    }

    @Test func `a repair is what it prints, and leaves other rows alone`() async {
        // The trace of SQLite has all connections of a process, so that this test has its own.
        await #expect(processExitsWith: .success) {
            try RepairDecisionTests.with(
                "UPDATE ZPASSPORT SET ZPERSON = NULL WHERE Z_PK = 2",
                "CREATE TRIGGER mine AFTER UPDATE ON ZPASSPORT BEGIN DELETE FROM ZPERSON; END",
                "CREATE VIEW people AS SELECT Z_PK FROM ZPERSON"
            ) { store in
                let repair = try store.repair()
                let said = repair.steps.map(\.change.sql)
                #expect(said.count == 3 && said.first?.hasPrefix("DROP TRIGGER") == true)
                let traced = try StatementTrace.statements {
                    try repair.run(inPlace: store.path, backup: nil)
                }
                let writing = ["UPDATE ", "DELETE ", "INSERT ", "CREATE ", "DROP ", "ALTER "]
                let run = traced.filter { sql in writing.contains(where: sql.hasPrefix) }
                #expect(run == said)
            }
        }
    }

    @Test func `a cancelled repair changes nothing and leaves nothing behind`() throws {
        try Self.with("UPDATE ZPASSPORT SET ZPERSON = NULL WHERE Z_PK = 2") { store in
            let repair = try store.repair()
            let before = try store.bytes()
            let stop = MigrationCancellation()
            stop.cancel()
            let backup = store.place("Backup.sqlite")
            #expect(throws: StoreMigrationError.self) {
                try repair.run(inPlace: store.path, backup: backup, cancellation: stop)
            }
            #expect(throws: StoreMigrationError.self) {
                try repair.run(from: store.file(), toNewFile: backup, cancellation: stop)
            }
            #expect(throws: StoreMigrationError.self) {
                try StoreRepair(of: store.file(), against: Self.model, cancellation: stop)
            }
            #expect(try store.bytes() == before)
            let left = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
            #expect(left.count == 1)
        }
    }

    @Test func `more rows than were announced are not removed`() throws {
        let insert = "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES"
        try Self.with(
            history: true,
            "\(insert) (1, 16002, 1)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT > 16000"
        ) { store in
            let repair = try store.repair(RepairOptions(historyStart: 5))
            try store.execute("\(insert) (2, 16002, 2)")
            #expect(throws: StoreMigrationError.self) {
                try repair.run(inPlace: store.path, backup: nil)
            }
            #expect(try store.value("SELECT count(*) FROM ATRANSACTION")?.integer == 2)
        }
    }
}
