import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct DamageCommandTests {
    private struct Damage: Decodable {
        var rule: String
        var severity: String
        var element: String?
        var count: Int
        var message: String
        var remedy: String
        var command: String?
    }

    private struct Plan: Decodable {
        struct Loss: Decodable {
            var name: String
            var count: Int
        }
        var damage: [Damage]?
        var losses: [Loss]?
    }

    private struct Cases: Decodable {
        struct Case: Decodable {
            var lines: [String]
        }
        var cases: [Case]
    }

    private struct Outcomes: Decodable {
        struct Outcome: Decodable {
            var status: String
            var damage: [Damage]?
        }
        var stores: [Outcome]
    }

    private static func model(_ further: String = "", photo: Bool = true) -> String {
        let file =
            photo
            ? "<attribute name='photo' optional='YES' attributeType='Binary' allowsExternalBinaryDataStorage='YES'/>"
            : ""
        return """
            <model><entity name='Author'><attribute name='name' attributeType='String'/>
            <relationship name='books' optional='YES' toMany='YES' deletionRule='Nullify' destinationEntity='Book' inverseName='author' inverseEntity='Book'/></entity>
            <entity name='Book'><attribute name='title' optional='YES' attributeType='String'/>
            <attribute name='whole' optional='YES' attributeType='Integer 64' usesScalarValueType='NO'/>\(file)\(further)
            <relationship name='author' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='Author' inverseName='books' inverseEntity='Author'/>
            <relationship name='tags' optional='YES' toMany='YES' deletionRule='Nullify' destinationEntity='Tag' inverseName='books' inverseEntity='Tag'/></entity>
            <entity name='Tag'><attribute name='word' optional='YES' attributeType='String'/>
            <relationship name='books' optional='YES' toMany='YES' deletionRule='Nullify' destinationEntity='Book' inverseName='tags' inverseEntity='Book'/></entity></model>
            """
    }

    private static let extra = "<attribute name='extra' optional='YES' attributeType='String'/>"

    private static let rows = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c')",
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZWHOLE, ZAUTHOR) VALUES (1, 2, 1, 't', 1, 1), (2, 2, 1, 'u', 2, 1), (3, 2, 1, 'v', 3, 2), (4, 2, 1, 'w', 4, 3)",
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWORD) VALUES (1, 3, 1, 'x'), (2, 3, 1, 'y')",
        "INSERT INTO Z_2TAGS (Z_2BOOKS, Z_3TAGS) VALUES (1, 1), (2, 1), (3, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9",
    ]

    private static let marker =
        "x'02' || CAST('0E6C2F4A-6A0B-4C3B-9E57-3D1F2B4C5D6' || Z_PK AS BLOB) || x'00'"

    /// Statements that damage the store, with the broken rule, and a query that counts it.
    private static let damages: [(rule: String, statements: [String], count: String)] = [
        (
            "dangling-reference", ["UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK > 2"],
            "SELECT count(*) FROM ZBOOK WHERE ZAUTHOR NOT IN (SELECT Z_PK FROM ZAUTHOR)"
        ),
        (
            "missing-value", ["UPDATE ZAUTHOR SET ZNAME = NULL WHERE Z_PK < 3"],
            "SELECT count(*) FROM ZAUTHOR WHERE ZNAME IS NULL"
        ),
        (
            "wrong-type", ["UPDATE ZBOOK SET ZWHOLE = 'it''s' WHERE Z_PK < 4"],
            "SELECT count(*) FROM ZBOOK WHERE typeof(ZWHOLE) = 'text'"
        ),
        (
            "duplicate-link",
            [
                "ALTER TABLE Z_2TAGS RENAME TO old",
                "CREATE TABLE Z_2TAGS (Z_2BOOKS INTEGER, Z_3TAGS INTEGER)",
                "INSERT INTO Z_2TAGS SELECT * FROM old", "INSERT INTO Z_2TAGS SELECT * FROM old",
                "DROP TABLE old",
            ],
            "SELECT count(*) - (SELECT count(*) FROM (SELECT DISTINCT Z_2BOOKS, Z_3TAGS FROM Z_2TAGS)) FROM Z_2TAGS"
        ),
        ("missing-primary-key", [], "SELECT 1"),
        (
            "foreign-entity-number", ["UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2"],
            "SELECT count(*) FROM ZTAG WHERE Z_ENT <> 3"
        ),
        (
            "missing-external-file",
            ["UPDATE ZBOOK SET ZPHOTO = CAST(\(marker) AS BLOB) WHERE Z_PK < 4"],
            "SELECT count(ZPHOTO) FROM ZBOOK"
        ),
        (
            "key-above-maximum", ["UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Author'"],
            "SELECT 1"
        ),
        (
            "surplus-column",
            [
                "ALTER TABLE ZBOOK ADD COLUMN mine TEXT",
                "UPDATE ZBOOK SET mine = 'm' WHERE Z_PK < 3",
            ],
            "SELECT count(mine) FROM ZBOOK"
        ),
        ("surplus-index", ["CREATE INDEX myIndex ON ZBOOK (ZTITLE)"], "SELECT 1"),
        (
            "surplus-trigger",
            ["CREATE TRIGGER myTrigger AFTER UPDATE ON ZTAG BEGIN SELECT 1; END"], "SELECT 1"
        ),
    ]

    private func prepared(_ body: (URL, [String: Int]) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(
                [
                    "V1": Self.model(), "V2": Self.model(Self.extra),
                    "V3": Self.model(Self.extra, photo: false),
                    "V4": Self.model().replacing(
                        "optional='YES' maxCount='1'",
                        with: "optional='YES' toMany='YES'"
                    ),
                ],
                "M.xcdatamodeld",
                in: folder,
                current: "V2"
            )
            try expectRun("create Old.sqlite --model M.xcdatamodeld#V1", in: folder, 0)
            let store = folder.appending(path: "Old.sqlite")
            try body(folder, damaged(store))
        }
    }

    private func damaged(_ store: URL) throws -> [String: Int] {
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        for statement in Self.rows + Self.damages.flatMap(\.statements) {
            try connection.execute(statement)
        }
        var counts: [String: Int] = [:]
        for (rule, _, query) in Self.damages {
            counts[rule] = Int(try connection.value(query)?.integer ?? -1)
        }
        return counts
    }

    /// Damage in the schema alone.
    private static let ofSchema = ["surplus-column": 1, "surplus-index": 1, "surplus-trigger": 1]

    private func told(_ damage: [Damage]?) -> [String: Int] {
        Dictionary((damage ?? []).map { ($0.rule, $0.count) }, uniquingKeysWith: +)
    }

    private func decoded<Value: Decodable>(_ name: String, in folder: URL) throws -> Value {
        let data = try Data(contentsOf: folder.appending(path: name))
        return try JSONDecoder().decode(Value.self, from: data)
    }

    /// The plan of a version in which a to-one relationship becomes to-many: its links are rewritten.
    private func movedLinks(_ counts: [String: Int], in folder: URL) throws -> Plan {
        let words = ["plan", "M.xcdatamodeld#V4", "--store", "Old.sqlite", "--format", "json=4"]
        #expect(try momtool(words, in: folder).status == 0)
        let plan: Plan = try decoded("4", in: folder)
        let dangling = ["dangling-reference": try #require(counts["dangling-reference"])]
        #expect(told(plan.damage) == Self.ofSchema.merging(dangling) { $1 })
        return plan
    }

    @Test func `plan and migrate say what was wrong before, and migrate all the same`() throws {
        try prepared { folder, counts in
            let plan = try momtool(
                ["plan", "M.xcdatamodeld", "--store", "Old.sqlite", "--format", "text"]
                    + ["--format", "json=plan.json"],
                in: folder
            )
            #expect(plan.status == 0, "\(plan.errors)")
            #expect(plan.output.contains("before the migration"))
            let json: Plan = try decoded("plan.json", in: folder)
            #expect(told(json.damage) == Self.ofSchema)
            let moved = try movedLinks(counts, in: folder)
            for (name, arguments) in [
                ("copy", ["-o", "New.sqlite"]), ("place", ["--in-place", "--backup", "Backups"]),
            ] {
                let run = try momtool(
                    ["migrate", "Old.sqlite", "--model", "M.xcdatamodeld"] + arguments
                        + ["--format", "json=\(name).json"],
                    in: folder
                )
                #expect(run.status == 0, "\(run.errors)")
                for damage in json.damage ?? [] {
                    #expect(run.errors.contains(damage.message), "\(damage)")
                    #expect(run.errors.contains(damage.command ?? damage.remedy), "\(damage)")
                }
                let outcomes: Outcomes = try decoded("\(name).json", in: folder)
                #expect(outcomes.stores.map(\.status) == ["migrated"])
                #expect(told(outcomes.stores[0].damage) == Self.ofSchema)
            }
            // The store is of the newest version now, and the advice is still valid.
            let repairs = (moved.damage ?? []).compactMap(\.command).filter {
                $0.contains("momtool repair") && !$0.contains("<VALUE>")
            }
            #expect(!repairs.isEmpty)
            for repair in Set(repairs) {
                let run = try shell(repair, in: folder)
                #expect(run.output.contains("Old.sqlite\n"), "\(run.errors)")
                #expect(!run.output.contains("another version of the model"), "\(run.output)")
            }
            // What an app added to tables that stay is there as it was.
            let new = try SQLiteConnection(
                path: folder.appending(path: "New.sqlite").path,
                mode: .immutable
            )
            let own = "SELECT sql FROM sqlite_master WHERE name LIKE 'my%' ORDER BY name"
            #expect(
                try new.rows(own).compactMap(\.first?.text) == [
                    "CREATE INDEX myIndex ON ZBOOK (ZTITLE)",
                    "CREATE TRIGGER myTrigger AFTER UPDATE ON ZTAG BEGIN SELECT 1; END",
                ]
            )
            let values = "SELECT count(mine) FROM ZBOOK"
            #expect(try new.value(values)?.integer.map(Int.init) == counts["surplus-column"])
        }
    }

    @Test func `stages, a batch and tests say it too, and a quiet run writes the same report`()
        throws
    {
        try prepared { folder, counts in
            let stages = """
                stages:
                  - lightweight: [M.xcdatamodeld#V1, M.xcdatamodeld#V2, M.xcdatamodeld#V3]

                """
            try write(stages, "Stages.yml", in: folder)
            let plan = try momtool(
                "plan --stages Stages.yml --store Old.sqlite --format json=p.json",
                in: folder
            )
            #expect(plan.status == 0, "\(plan.errors)")
            let json: Plan = try decoded("p.json", in: folder)
            #expect(told(json.damage) == Self.ofSchema)
            let files = FileManager.default
            try files.createDirectory(
                at: folder.appending(path: "B"),
                withIntermediateDirectories: false
            )
            try files.copyItem(
                at: folder.appending(path: "Old.sqlite"),
                to: folder.appending(path: "B/Old.sqlite")
            )
            let batch = try momtool(
                ["migrate", "Old.sqlite", "B/Old.sqlite", "--model", "M.xcdatamodeld", "-o", "All"]
                    + ["--format", "json=batch.json"],
                in: folder
            )
            #expect(batch.status == 0, "\(batch.errors)")
            let outcomes: Outcomes = try decoded("batch.json", in: folder)
            #expect(outcomes.stores.map { told($0.damage) } == [Self.ofSchema, Self.ofSchema])
            let test = try momtool(
                "test --model M.xcdatamodeld --stores Old.sqlite --format json",
                in: folder
            )
            for rule in ["does not exist", "required, but without a value"] {
                #expect(test.output.contains(rule), "\(test.output)\(test.errors)")
            }
            let quiet = try momtool(
                ["migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "-o", "Quiet.sqlite", "-q"]
                    + ["--format", "json=quiet.json"],
                in: folder
            )
            #expect(quiet.status == 0 && quiet.errors == "")
            let silent: Outcomes = try decoded("quiet.json", in: folder)
            #expect(told(silent.stores[0].damage) == Self.ofSchema)
        }
    }

    @Test func `the commands that are named cure what they are named for`() throws {
        try prepared { folder, _ in
            let test = try momtool(
                "test --model M.xcdatamodeld --stores Old.sqlite --format json",
                in: folder
            )
            let cases = try JSONDecoder().decode(Cases.self, from: Data(test.output.utf8))
            let verify = ["--model", "M.xcdatamodeld#V1", "--format", "json"]
            func rules(_ store: String) throws -> Set<String> {
                let text = try momtool(["verify", store] + verify, in: folder).output
                return Set(text.matches(of: /"rule" *: *"([a-z-]+)"/).map { String($0.1) })
            }
            let before = try rules("Old.sqlite")
            var cured: Set<String> = []
            for line in cases.cases.flatMap(\.lines) {
                guard let place = line.firstRange(of: /: (?=momtool repair|sqlite3 )/) else {
                    continue
                }
                let command = String(line[place.upperBound...])
                let result = folder.appending(path: "Repaired.sqlite")
                try? FileManager.default.removeItem(at: result)
                if command.hasPrefix("sqlite3 Old.sqlite ") {
                    let copy = folder.appending(path: "Old.sqlite")
                    try copyFile(copy, to: result)
                    let word = command.dropFirst("sqlite3 Old.sqlite ".count)
                    let statement = try unquoted(String(word), in: folder)
                    let value = line.contains("value is no") ? "7" : "'v'"
                    try SQLiteConnection(path: result.path, mode: .readWrite)
                        .execute(statement.replacing("<VALUE>", with: value))
                } else {
                    _ = try momtool(
                        command.split(separator: " ").dropFirst().map(String.init),
                        in: folder
                    )
                }
                let gone = try before.subtracting(rules("Repaired.sqlite"))
                #expect(!gone.isEmpty, "\(command)")
                cured.formUnion(gone)
            }
            #expect(
                cured.isSuperset(of: [
                    "dangling-reference", "missing-value", "wrong-type", "duplicate-link",
                    "foreign-entity-number", "key-above-maximum", "missing-primary-key",
                ])
            )
        }
    }

    @Test func `rows that a damaged store loses are no loss of a version`() throws {
        try withFolder { folder in
            func entity(_ further: String) -> String {
                "<model><entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\(further)</entity></model>"
            }
            try writeBundle([entity(Self.extra), entity("")], "M.xcdatamodeld", in: folder)
            let create = ["create", "Old.sqlite", "--model", "M.xcdatamodeld#V1"]
            #expect(try momtool(create, in: folder).status == 0)
            let store = folder.appending(path: "Old.sqlite").path
            let connection = try SQLiteConnection(path: store, mode: .readWrite)
            try connection.execute(
                "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZEXTRA) VALUES (1, 1, 1, 'x'), (2, 77, 1, NULL)"
            )
            let test = try momtool("test --model M.xcdatamodeld --stores Old.sqlite", in: folder)
            let lines = test.output.split(separator: "\n")
            let lost = lines.filter { $0.contains("A: 1 row at stake: the store is damaged") }
            #expect(lost.count == 1, "\(test.output)")
            #expect(!lost.contains { $0.contains("losses:") }, "\(test.output)")
            #expect(lines.contains { $0.contains("losses: {V2: [A.extra]}") }, "\(test.output)")
            #expect(lines.contains { $0.contains("momtool repair Old.sqlite") }, "\(test.output)")
        }
    }

    private func unquoted(_ word: String, in folder: URL) throws -> String {
        let shell = URL(fileURLWithPath: "/bin/sh")
        return try result(of: shell, ["-c", "printf %s \(word)"], in: folder).output
    }
}
