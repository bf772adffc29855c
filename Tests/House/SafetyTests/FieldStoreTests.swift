import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct FieldStoreTests {
    private func change(_ folder: URL, _ statements: String...) throws {
        let path = folder.appending(path: "S.sqlite").path
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.registerTriggerFunctions()
        for statement in statements { try connection.execute(statement) }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static let photo = "<attribute name='d' optional='YES' attributeType='Binary'"
    private static let large = Data(repeating: 7, count: 300_000).base64EncodedString()

    private func withPhotos(
        _ body: (_ folder: URL, _ run: (String) throws -> CommandResult) throws -> Void
    ) throws {
        try withVersions(
            "<entity name='Pic'>\(Self.photo) allowsExternalBinaryDataStorage='YES'/></entity>",
            "<entity name='Pic'>\(Self.photo)/></entity>",
            rows: "{\"Pic\": [{\"d\": \"\(Self.large)\"}]}",
            body
        )
    }

    @Test(arguments: [true, false])
    func `files beside a store stay where a copy of it has the same`(isCopied: Bool) throws {
        for command in [
            "migrate S.sqlite --model M.xcdatamodeld --in-place",
            "create S.sqlite --model 'M.xcdatamodeld#V1' --force",
        ] {
            try withPhotos { folder, run in
                let files = folder.appending(path: ".S_SUPPORT/_EXTERNAL_DATA")
                if isCopied {
                    try copyFile(
                        folder.appending(path: "S.sqlite"),
                        to: folder.appending(path: "S.bak")
                    )
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
                let done = try run(command)
                #expect(done.status == 0, "\(done.errors)")
                #expect(FileManager.default.fileExists(atPath: files.path) == isCopied)
                #expect(try run("verify S.sqlite").status == 0)
                guard isCopied else { return }
                #expect(try run("verify S.bak").status == 0)
            }
        }
    }

    /// A replacement that was killed before it changed the store has copied `left`, one after that has not dropped it.
    @Test func `the next replacement drops what a killed one left, and nothing else`() throws {
        let (left, foreign) = (UUID().uuidString, UUID().uuidString)
        try withPhotos { folder, run in
            let files = folder.appending(path: ".S_SUPPORT/_EXTERNAL_DATA")
            let own = try FileManager.default.contentsOfDirectory(atPath: files.path)
            for name in [left, foreign] { try write("x", name, in: files) }
            let outside = "../../\(foreign)"
            let record = ([left, outside] + own).joined(separator: "\n") + "\n"
            try write(record, ".S.sqlite.momtool-replaced", in: folder)
            try write("x", foreign, in: folder)
            let done = try run("create S.sqlite --model 'M.xcdatamodeld#V1' --force")
            #expect(done.status == 0, "\(done.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [foreign])
            let rest = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!rest.contains { $0.hasSuffix("momtool-replaced") } && rest.contains(foreign))
        }
    }

    @Test func `the room in place holds what files beside the store bring`() throws {
        struct Plan: Decodable {
            struct Room: Decodable { var inPlaceBytes: Int }
            var room: Room
        }
        try withPhotos { _, run in
            let said = try run("plan M.xcdatamodeld --store S.sqlite --format json")
            let plan = try JSONDecoder().decode(Plan.self, from: Data(said.output.utf8))
            #expect(plan.room.inPlaceBytes > 300_000)
        }
    }

    @Test func `a key of any size is no number of rows`() throws {
        let number = "<attribute name='a' optional='YES' attributeType='Integer 64'/>"
        let index = """
            <fetchIndex name='byA'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>
            """
        try withVersions(
            "<entity name='T'>\(number)</entity>",
            "<entity name='T'>\(number)<attribute name='b' optional='YES' attributeType='String'/>\(index)</entity>"
        ) { folder, run in
            try change(
                folder,
                "INSERT INTO ZT VALUES (\(Int64.max), 1, 1, 5)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max)"
            )
            let plan = try run("plan M.xcdatamodeld --store S.sqlite")
            #expect(plan.status == 0 && plan.errors.contains(" and 0.0"), "\(plan.errors)")
            let done = try run("migrate S.sqlite --model M.xcdatamodeld -o N.sqlite")
            #expect(done.status == 0, "\(done.errors)")
        }
    }

    @Test func `a program gives back every number that it was handed`() throws {
        let numbers = """
            <attribute name='d' optional='YES' attributeType='Decimal'/>
            <attribute name='f' optional='YES' attributeType='Double' usesScalarValueType='NO'/>
            <attribute name='t' optional='YES' attributeType='Date' usesScalarValueType='NO'/>
            """
        try withVersions(
            "<entity name='T'>\(numbers)</entity>",
            "<entity name='T'>\(numbers)<attribute name='n' optional='YES' attributeType='String'/></entity>",
            rows: #"{"T": [{"d": "NaN", "f": "-Infinity"}, {"d": "1.5"}]}"#
        ) { folder, run in
            try change(folder, "UPDATE ZT SET ZT = 9e999 WHERE ZD = 1.5")
            let stages = """
                model: M.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    didMigrate: {program: [cat], entities: [T]}
                """
            try write(stages, "Stages.yml", in: folder)
            let done = try run("migrate S.sqlite --stages Stages.yml --allow-programs -o N.sqlite")
            #expect(done.status == 0, "\(done.errors)")
            let path = folder.appending(path: "N.sqlite").path
            let new = try SQLiteConnection(path: path, mode: .immutable)
            let rows = try new.rows("SELECT ZD, ZF, ZT FROM ZT ORDER BY Z_PK")
            #expect(
                rows == [
                    [.text("NaN"), .real(-.infinity), .null],
                    [.real(1.5), .null, .real(.infinity)],
                ]
            )
        }
    }

    @Test(arguments: ["20010101", "2001", "12", "1e3", "0x10"])
    func `a program gives back no date that is a number in quotes`(text: String) throws {
        let date = "<attribute name='d' optional='YES' attributeType='Date'/>"
        let other = "<attribute name='x' optional='YES' attributeType='String'/>"
        try withVersions(
            "<entity name='T'>\(date)</entity>",
            "<entity name='T'>\(date)\(other)</entity>",
            rows: #"{"T": [{"@id": "p1"}]}"#
        ) { folder, run in
            try write(
                "#!/bin/sh\necho '{\"@id\": \"T/p1\", \"d\": \"\(text)\"}'\n",
                "date.sh",
                in: folder
            )
            try Data(
                """
                model: M.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    didMigrate: {program: [sh, date.sh], entities: [T]}
                """.utf8
            ).write(to: folder.appending(path: "Stages.yml"))
            let done = try run("migrate S.sqlite --stages Stages.yml --allow-programs -o N.sqlite")
            #expect(done.status == 4, "\(done.errors)")
            #expect(done.errors.contains(" Date"), "\(done.errors)")
        }
    }

    /// The column of the relationship stays, and rows of entities that lost it would show up in its inverse.
    @Test(arguments: [true, false])
    func `links go down with a relationship to those alone that have it`(isSplit: Bool) throws {
        func link(_ name: String, _ settings: String, _ other: String, _ inverse: String) -> String
        {
            "<relationship name='\(name)' optional='YES' \(settings) destinationEntity='\(other)' "
                + "inverseName='\(inverse)' inverseEntity='\(other)'/>"
        }
        let (one, many) = ("maxCount='1'", "toMany='YES'")
        let abstract = isSplit ? "isAbstract='YES'" : ""
        let old =
            "<entity name='P' \(abstract)>\(link("r", one, "X", "s"))</entity>"
            + "<entity name='C' parentEntity='P'/><entity name='D' parentEntity='P'/>"
            + "<entity name='X'>\(link("s", many, "P", "r"))</entity>"
        let new =
            "<entity name='P' \(abstract)/>"
            + "<entity name='C' parentEntity='P'>\(link("r", one, "X", "s"))</entity>"
            + "<entity name='D' parentEntity='P'>\(isSplit ? link("r", one, "X", "t") : "")</entity>"
            + "<entity name='X'>\(link("s", many, "C", "r"))\(isSplit ? link("t", many, "D", "r") : "")</entity>"
        try withVersions(
            old,
            new,
            rows: #"{"C": [{"r": "X/p1"}], "D": [{"r": "X/p1"}], "X": [{"@id": "p1"}]}"#
        ) { _, run in
            let done = try run("migrate S.sqlite --model M.xcdatamodeld -o N.sqlite")
            #expect(done.status == (isSplit ? 0 : 3), "\(done.errors)")
            if !isSplit {
                let again = try run(
                    "migrate S.sqlite --model M.xcdatamodeld -o N.sqlite --allow-data-loss"
                )
                #expect(again.status == 0, "\(again.errors)")
            }
            let rows = try run("export N.sqlite --model M.xcdatamodeld -o out.json")
            #expect(rows.status == 0, "\(rows.errors)")
            let made = try run("create E.sqlite --model M.xcdatamodeld --rows out.json")
            #expect(made.status == 0, "\(made.errors)")
            let rule = try run("test --matrix M.xcdatamodeld")
            #expect((rule.status == 0) == isSplit, "\(rule.output)")
        }
    }

    /// Triggers of derived attributes call functions that SQLite's shell lacks.
    @Test func `what is advised for damage works where attributes are derived`() throws {
        func entities(_ further: String) -> String {
            """
            <entity name='Book'><attribute name='title' optional='YES' attributeType='String'/>\(further)
            <relationship name='pages' optional='YES' toMany='YES' destinationEntity='Page' inverseName='book' inverseEntity='Page'/></entity>
            <entity name='Page'><attribute name='t' optional='YES' attributeType='String' derived='YES' derivationExpression='book.title'/>
            <relationship name='book' optional='YES' maxCount='1' destinationEntity='Book' inverseName='pages' inverseEntity='Book'/></entity>
            """
        }
        try withVersions(
            entities(""),
            entities("<attribute name='x' optional='YES' attributeType='String'/>"),
            rows: #"{"Book": [{"title": "A"}]}"#
        ) { folder, run in
            try change(folder, "UPDATE ZBOOK SET ZTITLE = x'4141'")
            let test = try run("test --model M.xcdatamodeld --stores S.sqlite --format json")
            let start = try #require(test.output.firstRange(of: "momtool repair"), "\(test.output)")
            let command = String(test.output[start.lowerBound...].prefix { $0 != "\"" })
            #expect(command.contains("--set 'Book.title=<VALUE>'"), "\(command)")
            let done = try shell(command.replacing("<VALUE>", with: "B"), in: folder)
            #expect(done.status == 0, "\(done.errors)")
            #expect(try run("verify Repaired.sqlite").status == 0)
        }
    }

    @Test func `a plan of stages asks for the join table by its option`() throws {
        func entity(_ further: String) -> String {
            """
            <entity name='P'>\(further)
            <relationship name='f' optional='YES' toMany='YES' destinationEntity='P' inverseName='g' inverseEntity='P'/>
            <relationship name='g' optional='YES' toMany='YES' destinationEntity='P' inverseName='f' inverseEntity='P'/></entity>
            """
        }
        try withVersions(
            entity(""),
            entity("<attribute name='n' optional='YES' attributeType='String'/>")
        ) { folder, run in
            try write(
                "model: M.xcdatamodeld\nstages:\n  - lightweight: [V1, V2]\n",
                "Stages.yml",
                in: folder
            )
            let plan = try run("plan --stages Stages.yml --store S.sqlite")
            #expect(plan.output.contains("--join-table P.f"), "\(plan.output)\(plan.errors)")
            #expect(!plan.output.contains("nameJoinTable"), "\(plan.output)")
        }
    }
}
