import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct RepairStepsTests {
    private static func source(owns rule: String) -> String {
        """
        <model><entity name="Person" representedClassName="Person">
        <attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
        <relationship name="orders" optional="YES" toMany="YES" deletionRule="\(rule)"
            destinationEntity="Order" inverseName="customer" inverseEntity="Order"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify"
            destinationEntity="Tag" inverseName="people" inverseEntity="Tag"/></entity>
        <entity name="Employee" representedClassName="Employee" parentEntity="Person"/>
        <entity name="Order" representedClassName="Order">
        <attribute name="number" attributeType="Integer 32" usesScalarValueType="YES"/>
        <relationship name="customer" maxCount="1" deletionRule="Nullify"
            destinationEntity="Person" inverseName="orders" inverseEntity="Person"/></entity>
        <entity name="Tag" representedClassName="Tag">
        <attribute name="label" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" deletionRule="Nullify"
            destinationEntity="Person" inverseName="tags" inverseEntity="Person"/></entity></model>
        """
    }

    private static let rows = """
        {"Person": [{"@id": "p1", "name": "Ann", "age": 30, "tags": ["Tag/p1", "Tag/p2"]},
        {"@id": "p2", "name": "Bob", "tags": ["Tag/p1"]}], "Employee": [{"@id": "p3", "name": "Cy"}],
        "Order": [{"@id": "p1", "number": 1, "customer": "Person/p1"},
        {"@id": "p2", "number": 2, "customer": "Person/p2"}],
        "Tag": [{"@id": "p1", "label": "x"}, {"@id": "p2", "label": "y"}]}
        """

    private func withStore(
        owns rule: String = "Cascade",
        _ sql: String...,
        body: (Place) throws -> Void
    ) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle([Self.source(owns: rule)], at: bundle)
            try write(Self.rows, "rows.json", in: folder)
            let place = Place(folder: folder)
            let create = ["create", "S.sqlite", "--model", "M.xcdatamodeld", "--rows", "rows.json"]
            try #require(try place.run(create).status == 0)
            for statement in sql { try place.execute(statement) }
            try body(place)
        }
    }

    private struct Place {
        let folder: URL

        func run(_ words: [String]) throws -> CommandResult { try momtool(words, in: folder) }

        func repair(_ store: String = "S.sqlite", _ words: String...) throws -> CommandResult {
            try run(["repair", store, "--model", "M.xcdatamodeld"] + words)
        }

        func execute(_ sql: String, in store: String = "S.sqlite") throws {
            let path = folder.appending(path: store).path
            try SQLiteConnection(path: path, mode: .readWrite).execute(sql)
        }

        func advised() throws -> [String] {
            let doctor = try run(["doctor", "S.sqlite", "--model", "M.xcdatamodeld"]).output
            let line = doctor.split(separator: "\n").first { $0.contains("momtool repair") }
            let command = try #require(line).trimmingCharacters(in: .whitespaces)
            return command.replacing("'", with: "").split(separator: " ").dropFirst().map(
                String.init
            )
        }

        func requireSound(_ store: String = "Repaired.sqlite") throws {
            let verified = try run(["verify", store, "--model", "M.xcdatamodeld"])
            #expect(verified.status == 0, "\(verified.output)")
        }

        func statements(in text: String) -> [String] {
            text.components(separatedBy: "sqlite3 S.sqlite '").dropFirst().map {
                String($0.prefix { $0 != "'" })
            }
        }
    }

    @Test(
        arguments: [
            "UPDATE ZORDER SET ZNUMBER = NULL, ZCUSTOMER = NULL WHERE Z_PK = 1",
            "UPDATE ZORDER SET ZCUSTOMER = NULL WHERE Z_PK = 1",
            "DELETE FROM ZPERSON WHERE Z_PK = 2",
            "DROP TABLE ZTAG", "DROP TABLE ZPERSON", "UPDATE ZPERSON SET ZAGE = 'many'",
            "UPDATE ZORDER SET ZCUSTOMER = 'p1' WHERE Z_PK = 1",
        ]
    )
    func `the repair that doctor prints makes all decisions at once`(damage: String) throws {
        try withStore(damage) { place in
            let command = try place.advised().map { $0.replacing("=<VALUE>", with: "=7") }
            let repaired = try place.run(command)
            #expect(repaired.status == 0, "\(command): \(repaired.output)\(repaired.errors)")
            try place.requireSound()
        }
    }

    @Test(arguments: [
        "UPDATE ZORDER SET ZCUSTOMER = NULL WHERE Z_PK = 1", "DELETE FROM ZPERSON WHERE Z_PK = 2",
    ])
    func `where no owner takes objects along, SQL gives them a link or deletes them`(
        damage: String
    ) throws {
        for number in [0, 1] {
            try withStore(owns: "Nullify", damage) { place in
                let asked = try place.repair()
                #expect(asked.status == 3)
                let statements = place.statements(in: asked.output)
                try #require(statements.count == 2, "\(asked.output)")
                #expect(throws: StoreError.self) { try place.execute(statements[0]) }
                try place.execute(statements[number].replacing("<KEY>", with: "3"))
                let repaired = try place.repair("S.sqlite", "--clear-links", "-o", "R.sqlite")
                #expect(repaired.status == 0, "\(repaired.output)\(repaired.errors)")
                try place.requireSound("R.sqlite")
            }
        }
    }

    @Test func `what no repair is known of has a next step`() throws {
        try withStore("UPDATE ZPERSON SET ZNAME = CAST(x'ff' AS TEXT) WHERE Z_PK = 1") { place in
            let doctor = try place.run(["doctor", "S.sqlite", "--model", "M.xcdatamodeld"]).output
            #expect(doctor.contains("correct these objects in the app"), "\(doctor)")
            let repair = try place.repair().output
            #expect(repair.contains("correct it in the app, or take the store"), "\(repair)")
        }
    }

    @Test func `a value of another type becomes nil where it may`() throws {
        try withStore("UPDATE ZPERSON SET ZAGE = 'many' WHERE Z_PK = 1") { place in
            let asked = try place.repair()
            #expect(asked.output.contains("make them nil with --clear-values Person.age"))
            #expect(asked.output.contains("replace them with --set 'Person.age=<VALUE>'"))
            let words = ["--clear-values", "Person.age", "-o", "R.sqlite"]
            let repaired = try place.run(
                ["repair", "S.sqlite", "--model", "M.xcdatamodeld"] + words
            )
            #expect(repaired.status == 0, "\(repaired.output)\(repaired.errors)")
            #expect(
                repaired.output.contains("make 1 value of 'Person.age' that is no Integer 16 nil")
            )
            let path = place.folder.appending(path: "R.sqlite").path
            let ages = try SQLiteConnection(path: path, mode: .readWrite)
                .rows("SELECT ZAGE FROM ZPERSON ORDER BY Z_PK").map { $0[0] }
            #expect(ages == [.null, .null, .null])
            for name in ["Person.name", "Order.number"] {
                let refused = try place.repair("S.sqlite", "--clear-values", name)
                #expect(refused.status == 64 && refused.errors.contains("is required"))
            }
            let both = try place.repair(
                "S.sqlite",
                "--clear-values",
                "Person.age",
                "--set",
                "Person.age=1"
            )
            #expect(both.status == 64)
        }
    }

    @Test func `what stands for a value is never stored`() throws {
        try withStore("UPDATE ZPERSON SET ZNAME = NULL") { place in
            let asked = try place.repair().output
            #expect(asked.contains("--set 'Person.name=<VALUE>'"), "\(asked)")
            let refused = try place.repair(
                "S.sqlite",
                "--set",
                "Person.name=<VALUE>",
                "-o",
                "R.sqlite"
            )
            #expect(refused.status == 64)
            #expect(refused.errors.contains("put what is meant in place of <VALUE>"))
            let words = ["model", "set", "M.xcdatamodeld", "Person.name", "--default", "<VALUE>"]
            #expect(try place.run(words).status == 64)
        }
    }

    @Test func `a text in place of a key is told as one`() throws {
        try withStore("UPDATE ZORDER SET ZCUSTOMER = 'p1' WHERE Z_PK = 1") { place in
            let verified = try place.run(["verify", "S.sqlite", "--model", "M.xcdatamodeld"]).output
            #expect(verified.contains("what is stored is no key of an object"), "\(verified)")
            #expect(!verified.contains("deleted the row"))
            #expect(try place.repair().output.contains("as text is stored in place of a key"))
            let exported = try place.run(["export", "S.sqlite", "--model", "M.xcdatamodeld"]).output
            #expect(exported.contains("\"customer\": {\"@text\": \"p1\"}"), "\(exported)")
        }
    }

    @Test func `an export of some rows says which links it leaves, and a store of it can be made`()
        throws
    {
        try withStore { place in
            let words = ["export", "S.sqlite", "--entity", "Tag", "--where", "label == \"x\""]
            let exported = try place.run(words + ["-o", "sub.json"])
            #expect(exported.status == 0)
            #expect(exported.errors.contains("2 links lead to rows that are not exported"))
            let create = ["create", "N.sqlite", "--model", "M.xcdatamodeld", "--rows", "sub.json"]
            let refused = try place.run(create)
            #expect(refused.status == 65 && refused.errors.contains("remove with --clear-links"))
            let created = try place.run(create + ["--clear-links"])
            #expect(created.status == 0, "\(created.errors)")
            try place.requireSound("N.sqlite")
            #expect(try place.run(["export", "S.sqlite", "-o", "all.json"]).errors.isEmpty)
            let orders = ["export", "S.sqlite", "--where", "number == 1", "--entity", "Order"]
            let told = try place.run(orders + ["-o", "orders.json"]).errors
            #expect(told.contains("1 link leads to rows that are not exported; 1 of"), "\(told)")
            #expect(told.contains("--with-required exports these rows too"), "\(told)")
            let part = orders + ["--with-required", "-o", "part.json"]
            #expect(try place.run(part).output == "part.json: 2 rows\n")
            let whole = ["create", "O.sqlite", "--model", "M.xcdatamodeld", "--rows", "part.json"]
            #expect(try place.run(whole).status == 65)
            let made = try place.run(whole + ["--clear-links"])
            #expect(made.status == 0, "\(made.errors)")
            try place.requireSound("O.sqlite")
        }
    }

    @Test func `a store that is not there is told as that where stores are compared`() throws {
        try withStore { place in
            let words = ["diff", "S.sqlite", "missing.sqlite", "--model", "M.xcdatamodeld"]
            let compared = try place.run(words)
            #expect(compared.errors.contains("missing.sqlite: error: no such file"))
        }
    }
}
