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
    private static func one(
        _ name: String,
        _ destination: String,
        _ inverse: String
    ) -> Relationship {
        Relationship.one(name, destination, inverse)
    }

    /// A hierarchy with an abstract root, a link to a sub-entity, and a one-to-one link to a root with sub-entities.
    private static let model: ManagedObjectModel = {
        let name = Attribute("name", .string, isOptional: false)
        let animal = Entity("Animal", isAbstract: true, [name])
        let dog = Entity(
            "Dog",
            parentEntity: "Animal",
            [Attribute("bark", .string)],
            relationships: [one("collar", "Collar", "dog")]
        )
        let cat = Entity("Cat", parentEntity: "Animal", [Attribute("lives", .integer16)])
        return ManagedObjectModel([
            animal, cat, dog, Entity("Collar", relationships: [one("dog", "Dog", "collar")]),
            Entity("Passport", relationships: [one("person", "Person", "passport")]),
            Entity("Person", relationships: [one("passport", "Passport", "person")]),
            Entity("Worker", parentEntity: "Person"),
        ])
    }()

    private static let layout = StoreLayout(model: model)

    private static func number(_ entity: String) -> Int { layout.number(of: entity) ?? -1 }

    private static var entityColumn: String {
        guard
            case .foreignKey(_, _, let column?, _)? = layout.storage(
                of: "person",
                declaredBy: "Passport"
            )
        else { return "" }
        return column
    }

    private func store(_ folder: URL, history: Bool = false, _ damage: String...) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try createStore(
            at: path,
            model: Self.model,
            options: StoreCreationOptions(keepsHistory: history)
        )
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let (dog, cat, person, worker) = (
            Self.number("Dog"), Self.number("Cat"), Self.number("Person"), Self.number("Worker")
        )
        for sql in [
            "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBARK, ZCOLLAR) VALUES (1, \(dog), 1, 'Rex', 'wau', 1)",
            "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLIVES) VALUES (2, \(cat), 1, 'Tom', 9), (3, \(cat), 1, 'Kit', 8)",
            "INSERT INTO ZCOLLAR (Z_PK, Z_ENT, Z_OPT, ZDOG) VALUES (1, \(Self.number("Collar")), 1, 1)",
            "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZPASSPORT) VALUES (1, \(person), 1, 1), (2, \(worker), 1, 2)",
            "INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZPERSON, \(Self.entityColumn)) VALUES "
                + "(1, \(Self.number("Passport")), 1, 1, \(person)), (2, \(Self.number("Passport")), 1, 2, \(worker))",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Animal'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Collar'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME IN ('Person', 'Passport')",
        ] + damage { try connection.execute(sql) }
        return path
    }

    private func execute(_ statements: String..., in path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for sql in statements { try connection.execute(sql) }
    }

    private func repair(
        _ path: String,
        _ options: RepairOptions = RepairOptions()
    ) throws -> StoreRepair {
        try StoreRepair(of: path, against: Self.model, options: options)
    }

    /// Repairs in one run, after which verification and repair find nothing.
    private func cure(_ path: String, _ options: RepairOptions = RepairOptions()) throws {
        let repair = try repair(path, options)
        #expect(repair.obstacles.isEmpty && !repair.steps.isEmpty, "\(repair.obstacles)")
        #expect(repair.remaining.isEmpty)
        try repair.run(inPlace: path, backup: nil)
        let left = try verify(StoreFile(path: path), against: Self.model)
        #expect(left.filter { $0.severity != .note }.isEmpty, "\(left)")
        #expect(try self.repair(path).isEmpty)
    }

    private func value(_ path: String, _ sql: String) throws -> SQLiteValue? {
        try StoreFile(path: path).connection.value(sql)
    }

    @Test func `both halves of a link come back in one run`() throws {
        try withFolder { folder in
            let column = Self.entityColumn
            let path = try store(
                folder,
                "UPDATE ZPASSPORT SET ZPERSON = NULL, \(column) = NULL WHERE Z_PK = 2"
            )
            try cure(path)
            let number = try value(path, "SELECT \(column) FROM ZPASSPORT WHERE Z_PK = 2")
            #expect(number?.integer == Int64(Self.number("Worker")))
        }
    }

    @Test(arguments: [false, true])
    func `a dangling link whose inverse knows the answer is restored, not removed`(
        _ clearsLinks: Bool
    ) throws {
        try withFolder { folder in
            let path = try store(folder, "UPDATE ZPASSPORT SET ZPERSON = 77 WHERE Z_PK = 1")
            try cure(path, RepairOptions(clearsLinks: clearsLinks))
            #expect(try value(path, "SELECT ZPERSON FROM ZPASSPORT WHERE Z_PK = 1")?.integer == 1)
            let greatest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'"
            #expect(try value(path, greatest)?.integer == 2)
        }
    }

    @Test(arguments: ["NULL", "0", "99", "\(number("Animal"))", "\(number("Cat"))"])
    func `a row gets the only entity that its values allow, and no link is lost`(
        _ wrong: String
    ) throws {
        try withFolder { folder in
            let path = try store(folder, "UPDATE ZANIMAL SET Z_ENT = \(wrong) WHERE Z_PK = 1")
            try cure(path, RepairOptions(clearsLinks: true))
            let number = try value(path, "SELECT Z_ENT FROM ZANIMAL WHERE Z_PK = 1")
            #expect(number?.integer == Int64(Self.number("Dog")))
            #expect(try value(path, "SELECT ZDOG FROM ZCOLLAR")?.integer == 1)
        }
    }

    @Test func `a row that may be of two entities is asked about by its key, unless history knows`()
        throws
    {
        try withFolder { folder in
            let path = try store(
                folder,
                history: true,
                "UPDATE ZANIMAL SET Z_ENT = 99, ZLIVES = NULL WHERE Z_PK = 3"
            )
            let asked = try repair(path)
            #expect(
                asked.obstacles.map(\.problem).contains { $0.contains("1 row of ZANIMAL (p3)") }
            )
            try execute(
                "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZENTITY, ZENTITYPK) VALUES (1, 16001, \(Self.number("Cat")), 3)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16001",
                in: path
            )
            try cure(path)
            let number = try value(path, "SELECT Z_ENT FROM ZANIMAL WHERE Z_PK = 3")
            #expect(number?.integer == Int64(Self.number("Cat")))
        }
    }

    @Test
    func `a link to an object that is there is never removed, and its removal is not offered`()
        throws
    {
        try withFolder { folder in
            let path = try store(folder, "UPDATE ZCOLLAR SET ZDOG = 2")
            let repair = try repair(path, RepairOptions(clearsLinks: true))
            let obstacle = try #require(repair.obstacles.first)
            #expect(obstacle.problem.contains("an object that is no Dog (p1)"))
            #expect(!obstacle.remedy.text(in: .code).contains("clearLinks"))
            #expect(!repair.steps.contains { $0.change.sql.contains("ZDOG") })
        }
    }

    @Test func `the greatest key comes from history and CloudKit's tables too`() throws {
        try withFolder { folder in
            let person = Self.number("Person")
            let path = try store(
                folder,
                history: true,
                "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (5, 16001, \(person), 40, 7)",
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (7, 16002, 1)",
                "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, ZENTITYPK INTEGER)",
                "INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK) VALUES (1, \(Self.number("Cat")), 55)"
            )
            let rules = try verify(StoreFile(path: path), against: Self.model).map(\.rule)
            #expect(rules.count { $0 == "key-above-maximum" } == 4)
            try cure(path)
            let rows = try StoreFile(path: path).primaryKeys()
            let greatest = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.maximumKey) })
            #expect(greatest["Person"] == 40 && greatest["Animal"] == 55)
            #expect(greatest["CHANGE"] == 5 && greatest["TRANSACTION"] == 7)
        }
    }

    @Test func `missing required values are asked for by name and number, and set`() throws {
        try withFolder { folder in
            let path = try store(folder, "UPDATE ZANIMAL SET ZNAME = NULL WHERE Z_PK > 1")
            let asked = try repair(path)
            #expect(asked.obstacles.map(\.asksFor) == ["Animal.name"])
            #expect(asked.obstacles[0].problem.contains("2 rows (p2, p3)"))
            #expect(asked.steps.isEmpty && asked.remaining.isEmpty)
            try cure(path, RepairOptions(values: ["Animal.name": .string("it's")]))
            let names = try StoreFile(path: path).connection
                .rows("SELECT ZNAME FROM ZANIMAL ORDER BY Z_PK").compactMap(\.first?.text)
            #expect(names == ["Rex", "it's", "it's"])
        }
    }

    @Test
    func
        `values of another type are converted where that loses nothing, and the rest is asked for`()
        throws
    {
        try withFolder { folder in
            let path = try store(
                folder,
                "UPDATE ZANIMAL SET ZLIVES = CAST('7' AS BLOB) WHERE Z_PK = 2",
                "UPDATE ZANIMAL SET ZLIVES = 3.5 WHERE Z_PK = 3",
                "UPDATE ZANIMAL SET ZNAME = CAST(ZNAME AS BLOB) WHERE Z_PK = 1",
                "INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZNAME, ZLIVES) VALUES (4, \(Self.number("Cat")), 'Mau', 70000)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Animal'"
            )
            #expect(try repair(path).obstacles.map(\.asksFor) == ["Animal.name", "Cat.lives"])
            let some = try repair(
                path,
                RepairOptions(values: ["Animal.name": .string("?")], convertsValues: true)
            )
            #expect(some.obstacles.map(\.asksFor) == ["Cat.lives"])
            #expect(some.obstacles[0].problem.hasPrefix("3 values of 'Cat.lives' (p2, p3, p4)"))
            let values = ["Animal.name": AttributeValue.string("?"), "Cat.lives": .integer(1)]
            try cure(path, RepairOptions(values: values, convertsValues: true))
        }
    }

    @Test func `a text that is a number becomes it, and a number in a text column becomes text`()
        throws
    {
        try withFolder { folder in
            let path = try store(folder)
            try execute(
                "ALTER TABLE ZANIMAL DROP COLUMN ZLIVES",
                "ALTER TABLE ZANIMAL ADD COLUMN ZLIVES BLOB",
                "UPDATE ZANIMAL SET ZLIVES = '9' WHERE Z_PK = 2",
                "UPDATE ZANIMAL SET ZLIVES = 8.0 WHERE Z_PK = 3",
                in: path
            )
            #expect(
                try repair(path).obstacles[0].remedy.text(in: .code).contains(
                    "convert them with .convertValues"
                )
            )
            try cure(path, RepairOptions(convertsValues: true))
            let lives = try StoreFile(path: path).connection
                .rows("SELECT ZLIVES FROM ZANIMAL ORDER BY Z_PK").map { $0[0] }
            #expect(lives == [.null, .integer(9), .integer(8)])
        }
    }

    @Test
    func `a lost table that had rows is created when that is allowed, and the number is said`()
        throws
    {
        try withFolder { folder in
            let path = try store(folder, "DROP TABLE ZANIMAL", "UPDATE ZCOLLAR SET ZDOG = NULL")
            let asked = try repair(path)
            #expect(asked.obstacles.first?.problem.contains("up to 3 objects") == true)
            #expect(
                asked.obstacles.first?.remedy.text(in: .code).contains(
                    "empty with .createEmptyTables"
                ) == true
            )
            let repair = try repair(path, RepairOptions(allowsDataLoss: true))
            #expect(repair.steps.first?.lost == "up to 3 objects were already lost")
            try cure(path, RepairOptions(allowsDataLoss: true))
        }
    }

    @Test(arguments: [
        "UPDATE Z_METADATA SET Z_PLIST = x'00'", "UPDATE Z_METADATA SET Z_PLIST = NULL",
        "DELETE FROM Z_METADATA", "DELETE FROM Z_MODELCACHE",
        "UPDATE Z_MODELCACHE SET Z_CONTENT = x'1234'",
        "UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_CONTENT FROM Z_MODELCACHE)",
    ])
    func `metadata and model cache are written again when the model fits every table`(
        _ damage: String
    ) throws {
        try withFolder { folder in
            let path = try store(folder, damage)
            var other = Self.model
            other.entities[0].attributes.append(Attribute("more", .string))
            let refused = try StoreRepair(of: path, against: other)
            #expect(refused.steps.isEmpty && refused.obstacles.count == 1)
            let uuid = try value(path, "SELECT Z_UUID FROM Z_METADATA")?.text
            try cure(path)
            let metadata = try StoreFile(path: path).metadata()
            #expect(metadata.hashes == versionHashes(of: Self.model))
            #expect(uuid == nil || metadata.uuid == uuid)
            #expect(try StoreFile(path: path).modelArchive()?.isEmpty == false)
        }
    }

    @Test
    func `a repair is the program that it prints, and leaves rows alone that it does not name`()
        async
    {
        // The trace of SQLite has all connections of a process, so that this test has its own.
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let suite = RepairDecisionTests()
                let path = try suite.store(
                    folder,
                    "UPDATE ZPASSPORT SET ZPERSON = NULL WHERE Z_PK = 2",
                    "CREATE TRIGGER mine AFTER UPDATE ON ZPASSPORT BEGIN DELETE FROM ZPERSON; END",
                    "CREATE VIEW people AS SELECT Z_PK FROM ZPERSON"
                )
                let repair = try suite.repair(path)
                let said = repair.steps.map(\.change.sql)
                #expect(said.count == 3 && said.first?.hasPrefix("DROP TRIGGER") == true)
                let traced = try StatementTrace.statements {
                    try repair.run(inPlace: path, backup: nil)
                }
                let writing = ["UPDATE ", "DELETE ", "INSERT ", "CREATE ", "DROP ", "ALTER "]
                let run = traced.filter { sql in writing.contains(where: sql.hasPrefix) }
                #expect(run == said)
            }
        }
    }

    @Test func `a cancelled repair changes nothing and leaves nothing behind`() throws {
        try withFolder { folder in
            let path = try store(folder, "UPDATE ZPASSPORT SET ZPERSON = NULL WHERE Z_PK = 2")
            let repair = try repair(path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let cancellation = MigrationCancellation()
            cancellation.cancel()
            let backup = folder.appending(path: "Backup.sqlite").path
            #expect(throws: StoreMigrationError.self) {
                try repair.run(inPlace: path, backup: backup, cancellation: cancellation)
            }
            #expect(throws: StoreMigrationError.self) {
                let file = try StoreFile(path: path)
                try repair.run(from: file, toNewFile: backup, cancellation: cancellation)
            }
            #expect(throws: StoreMigrationError.self) {
                try StoreRepair(
                    of: StoreFile(path: path),
                    against: Self.model,
                    cancellation: cancellation
                )
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        }
    }

    @Test func `more rows than were announced are not removed`() throws {
        try withFolder { folder in
            let path = try store(
                folder,
                history: true,
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 1)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT > 16000"
            )
            let repair = try repair(path, RepairOptions(historyStart: 5))
            let insert = "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (2, 16002, 2)"
            try execute(insert, in: path)
            #expect(throws: StoreMigrationError.self) { try repair.run(inPlace: path, backup: nil) }
            #expect(try value(path, "SELECT count(*) FROM ATRANSACTION")?.integer == 2)
        }
    }
}
