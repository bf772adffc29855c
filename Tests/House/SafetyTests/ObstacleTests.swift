import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct ObstacleTests {
    private static let endless =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT"

    private func withStore(_ statements: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let item =
                "<model><entity name='A'><attribute name='n' optional='YES' attributeType='Integer 64'/>"
                + "<attribute name='x' optional='YES' attributeType='Binary'/>"
            let number = "<attribute name='m' attributeType='Integer 64' defaultValueString='7'/>"
            try writeBundle(
                [
                    "\(item)</entity></model>",
                    "\(item)\(number)</entity><entity name='B'/></model>",
                ],
                "M.xcdatamodeld",
                in: folder
            )
            try Data(#"{"A": [{"@id": "p1", "n": 5}]}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let made = try momtool(
                ["create", "S.sqlite", "--model", "M.xcdatamodeld#V1", "--rows", "rows.json"],
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            do {
                let path = folder.appending(path: "S.sqlite").path
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                for statement in statements { try connection.execute(statement) }
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try body(folder)
        }
    }

    /// `timeout` ends a hanging command with status 124.
    private func bounded(_ line: String, in folder: URL) throws -> CommandResult {
        let words = line.split(separator: " ").map(String.init)
        return try result(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            ["timeout", "600", commandURL.path] + words,
            in: folder
        )
    }

    private static let commands = [
        "inspect S.sqlite", "identify S.sqlite --model M.xcdatamodeld", "verify S.sqlite",
        "verify S.sqlite --model M.xcdatamodeld", "export S.sqlite --model M.xcdatamodeld",
        "plan M.xcdatamodeld --store S.sqlite", "hash S.sqlite",
        "migrate S.sqlite --model M.xcdatamodeld -o N.sqlite",
        "doctor S.sqlite --model M.xcdatamodeld",
    ]

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/timeout")),
        arguments: [
            [
                "DROP TABLE ZA",
                "CREATE VIEW ZA AS \(endless) x AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT, x AS ZN, NULL AS ZX FROM c",
            ],
            [
                "DROP TABLE Z_PRIMARYKEY",
                "CREATE VIEW Z_PRIMARYKEY AS \(endless) x AS Z_ENT, 'E' AS Z_NAME, 0 AS Z_SUPER, 0 AS Z_MAX FROM c",
            ],
            [
                "DROP TABLE Z_METADATA",
                "CREATE VIEW Z_METADATA AS \(endless) x AS Z_VERSION, 'u' AS Z_UUID, x'00' AS Z_PLIST FROM c WHERE x < 0",
            ],
            [
                "DROP TABLE Z_MODELCACHE",
                "CREATE VIEW Z_MODELCACHE AS \(endless) x AS Z_CONTENT FROM c WHERE x < 0",
            ],
            ["CREATE VIEW ACHANGE AS \(endless) x AS Z_PK, 1 AS ZENTITY FROM c"],
        ]
    )
    func `a query without end in the place of a table holds no command up`(
        statements: [String]
    ) throws {
        try withStore(statements) { folder in
            for command in Self.commands {
                let run = try bounded(command, in: folder)
                #expect(run.status != 124 && !run.wasKilled, "\(command)")
                if statements.count == 2, ["export", "migrate"].contains(where: command.hasPrefix),
                    !(command.hasPrefix("export") && statements[1].contains("Z_MODELCACHE"))
                {
                    #expect(run.status != 0, "\(command)")
                }
            }
        }
    }

    @Test(arguments: [
        (["CREATE TABLE ZB (y)"], "the table ZB"), (["CREATE VIEW ZB AS SELECT 1"], "the view ZB"),
        (["CREATE TABLE other (y)", "CREATE INDEX ZB ON other (y)"], "the index ZB"),
        (["CREATE INDEX ZB ON ZA (ZN)"], "the index ZB"),
        (
            [
                "ALTER TABLE ZA RENAME TO old",
                "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZN INTEGER CHECK (ZN < 9), ZX BLOB )",
                "INSERT INTO ZA SELECT * FROM old", "DROP TABLE old",
            ], "a CHECK constraint of the table ZA"
        ),
        (
            ["DROP TABLE Z_MODELCACHE", "CREATE VIEW Z_MODELCACHE AS SELECT 1 AS Z_CONTENT"],
            "the view Z_MODELCACHE"
        ),
    ])
    func `what is in the way is refused before anything is written`(
        statements: [String],
        what: String
    ) throws {
        try withStore(statements) { folder in
            let store = folder.appending(path: "S.sqlite")
            let before = try Data(contentsOf: store)
            for place in ["-o N.sqlite", "--in-place"] {
                let run = try momtool(
                    "migrate S.sqlite --model M.xcdatamodeld \(place)",
                    in: folder
                )
                #expect(run.status == 3, "\(run.errors)")
                #expect(run.errors.contains(": \(what);"))
                #expect(run.errors.contains("[object-in-the-way]"))
            }
            #expect(try Data(contentsOf: store) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.contains("N.sqlite") })
        }
    }

    private static let same = "<entity name='A'>\(number)"
    private static let renamed = "<entity name='C' elementID='A'>\(number)"
    private static let otherName =
        "<entity name='A'><attribute name='m' optional='YES' attributeType='Integer 64' elementID='n'/>"
    private static let number = "<attribute name='n' optional='YES' attributeType='Integer 64'/>"
    private static let bytes = "<attribute name='x' optional='YES' attributeType='Binary'/>"
    private static let trigger =
        "CREATE TRIGGER mine AFTER INSERT ON log BEGIN UPDATE ZA SET ZX = new.pk; END"

    @Test(arguments: [
        (["CREATE VIEW mine AS SELECT ZN FROM ZA"], renamed, "view mine, which uses ZA"),
        (["CREATE VIEW mine AS SELECT ZX FROM ZA"], same, "view mine, which uses ZA.ZX"),
        (["CREATE VIEW mine AS SELECT ZN FROM ZA"], otherName, "view mine, which uses ZA.ZN"),
        (["CREATE VIEW mine AS SELECT ZN FROM ZA"], same, nil),
        (["CREATE VIEW mine AS SELECT y FROM gone"], same, "view mine, which SQLite"),
        (["CREATE TABLE log (pk)", trigger], same, "trigger mine, which uses ZA.ZX"),
        (["CREATE TABLE log (pk)", trigger], renamed, "trigger mine, which uses ZA"),
        (
            ["CREATE VIRTUAL TABLE mine USING fts4(content='ZA', ZX)"], same,
            "table mine, which uses ZA.ZX"
        ),
        (["CREATE TABLE mine (a REFERENCES ZA (Z_PK))"], renamed, "table mine, which uses ZA"),
        (["CREATE TABLE mine (ZX, a REFERENCES ZA (Z_PK))"], same, nil),
        (["CREATE TABLE mine (ZX, ZA)"], renamed, nil),
        (["CREATE TABLE log (pk)", "CREATE TABLE mine (ZA, a REFERENCES log (pk))"], renamed, nil),
    ])
    func `what the app made itself is in the way where it names what goes`(
        statements: [String],
        entity: String,
        what: String?
    ) throws {
        try withStore(statements) { folder in
            try writeBundle(
                [
                    "<model><entity name='A'>\(Self.number)\(Self.bytes)</entity></model>",
                    "<model>\(entity)</entity></model>",
                ],
                "R.xcdatamodeld",
                in: folder
            )
            for command in [
                "plan R.xcdatamodeld --store S.sqlite",
                "migrate S.sqlite --model R.xcdatamodeld -o N.sqlite --allow-data-loss",
            ] {
                let run = try momtool(command, in: folder)
                #expect(
                    (run.status == 3) == (what != nil) || command.hasPrefix("plan"),
                    "\(run.errors)"
                )
                let isTold = run.errors.contains("[object-in-the-way]")
                #expect(isTold == (what != nil), "\(run.errors)")
                #expect(what.map { run.errors.contains(": the \($0)") } != false, "\(run.errors)")
            }
            guard what == nil else { return }
            let path = folder.appending(path: "N.sqlite").path
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            #expect(try !connection.rows("SELECT name FROM pragma_table_info('mine')").isEmpty)
        }
    }

    @Test(arguments: [
        ([], nil), (["CREATE TABLE ZB (y)"], "the table ZB"),
        (["CREATE TABLE mine (y)", "CREATE INDEX Z_B_n ON mine (y)"], "the index Z_B_n"),
    ])
    func `an entity that goes and comes back in a later stage is not in its own way`(
        statements: [String],
        what: String?
    ) throws {
        try withStore([]) { folder in
            let item =
                "\(Self.number)<fetchIndex name='n'><fetchIndexElement property='n'"
                + " type='Binary' order='ascending'/></fetchIndex></entity>"
            let (first, second) = ("<entity name='A'>\(item)", "<entity name='B'>\(item)")
            let other = "<entity name='O'>\(Self.number)</entity>"
            try writeBundle(
                [
                    "<model>\(first)\(other)</model>", "<model>\(other)</model>",
                    "<model>\(first)\(second)\(other)</model>",
                ],
                "R.xcdatamodeld",
                in: folder
            )
            try Data(
                """
                model: R.xcdatamodeld
                stages:
                  - lightweight: [V1]
                  - custom: {from: V2, to: V3}
                """.utf8
            ).write(to: folder.appending(path: "Stages.yml"))
            let made = try momtool(
                ["create", "R.sqlite", "--model", "R.xcdatamodeld#V1", "--rows", "rows.json"],
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            let store = try SQLiteConnection(
                path: folder.appending(path: "R.sqlite").path,
                mode: .readWrite
            )
            for statement in statements { try store.execute(statement) }
            let run = try momtool(
                "migrate R.sqlite --stages Stages.yml -o N.sqlite --allow-data-loss",
                in: folder
            )
            #expect(run.status == (what == nil ? 0 : 3), "\(run.errors)")
            #expect(what.map { run.errors.contains(": \($0);") } != false, "\(run.errors)")
        }
    }

    @Test(arguments: [
        "UPDATE A SET x = zeroblob(900000000)", "UPDATE A SET n = length(hex(zeroblob(400000000)))",
        "UPDATE A SET n = (\(endless) count(*) FROM c)",
        "INSERT INTO A (x) SELECT zeroblob(100000000) FROM (\(endless) x FROM c)",
    ])
    func `the time of a script holds inside of one statement`(script: String) throws {
        try withStore([]) { folder in
            try Data(
                """
                model: M.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    willMigrate: work.sql
                """.utf8
            ).write(to: folder.appending(path: "Stages.yml"))
            try write(script, "work.sql", in: folder)
            let run = try bounded(
                "migrate S.sqlite --stages Stages.yml --timeout 1 -o N.sqlite",
                in: folder
            )
            #expect(run.status == 4, "\(run.errors)")
            #expect(run.errors.contains("too "))
            #expect(
                !FileManager.default.fileExists(atPath: folder.appending(path: "N.sqlite").path)
            )
        }
    }
}
