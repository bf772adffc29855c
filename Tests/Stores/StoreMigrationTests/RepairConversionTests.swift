import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RepairConversionTests {
    private static let model = ManagedObjectModel(entities: [
        Entity(
            name: "Book",
            attributes: [
                Attribute(name: "cover", type: .binary, allowsExternalBinaryDataStorage: true),
                Attribute(name: "notes", type: .string), Attribute(name: "page", type: .binary),
                Attribute(name: "due", type: .date),
            ]
        )
    ])

    /// Repairs a book with one value in a column without a type; returns the stored value.
    private func repaired(
        _ column: String,
        _ value: String,
        _ options: RepairOptions = RepairOptions(convertsValues: true)
    ) throws -> SQLiteValue? {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.model) { connection, _ throws(StoreError) in
                for sql in [
                    "ALTER TABLE ZBOOK DROP COLUMN \(column)",
                    "ALTER TABLE ZBOOK ADD COLUMN \(column) BLOB",
                    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES (1, 1, 1, \(value))",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
                ] { try connection.execute(sql) }
            }
            let file = try StoreFile(path: path)
            let repair = try StoreRepair(of: file, against: Self.model, options: options)
            #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty, "\(repair)")
            try repair.run(inPlace: path, backup: nil)
            let result = try StoreFile(path: path)
            #expect(try verify(result, against: Self.model) == [])
            return try result.connection.value("SELECT \(column) FROM ZBOOK")
        }
    }

    @Test(arguments: [
        ("0.1 + 0.2", "0.30000000000000004"), ("0.5", "0.5"), ("1e22", "1e+22"),
        ("9007199254740992.0", "9007199254740992.0"),
        ("9223372036854775807", "9223372036854775807"),
    ])
    func `a number becomes a text that has all of its digits`(
        _ number: String,
        _ text: String
    ) throws {
        #expect(try repaired("ZNOTES", number) == .text(text))
    }

    @Test func `bytes that may live in a file say that they are in the store`() throws {
        let text = "CAST(x'0168656C6C6F' AS TEXT)"
        #expect(try repaired("ZCOVER", text) == .blob(Data([1, 1] + Array("hello".utf8))))
        #expect(try repaired("ZPAGE", text) == .blob(Data([1] + Array("hello".utf8))))
        let given = RepairOptions(values: ["Book.cover": .binary(Data([7, 8]))])
        #expect(try repaired("ZCOVER", "12", given) == .blob(Data([1, 7, 8])))
    }

    @Test(arguments: [
        ("2001-01-02T00:00:00Z", SQLiteValue.integer(86_400)),
        ("2001-01-01T00:00:00.25Z", .real(0.25)),
        ("2001-01-01T02:00:00.500+02:00", .real(0.5)),
        ("2000-12-31T23:59:59.999999Z", .real(-0.000001)), ("86400", .integer(86_400)),
    ])
    func `a text in ISO 8601 becomes the date that it says`(
        _ text: String,
        _ value: SQLiteValue
    ) throws {
        let stored = try repaired("ZDUE", quotedText(text))
        #expect(stored.flatMap(Self.seconds) == Self.seconds(value))
    }

    private static func seconds(_ value: SQLiteValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .blob: nil
        }
    }

    /// Words, a day without a time and a zone, a time without a zone, and more decimals than a date keeps.
    @Test(arguments: [
        "soon", "2024-02-29", "2024-02-29T12:30:00", "2024-02-30T12:30:00Z",
        "2024-02-29T12:30:00.12345678901234567Z",
    ])
    func `what is no date, or more than one keeps, stays and is told`(_ text: String) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.model) { connection, _ throws(StoreError) in
                try connection.execute(
                    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZDUE) "
                        + "VALUES (1, 1, 1, \(quotedText(text))), (2, 1, 1, '2001-01-01T00:00:01Z')"
                )
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2")
            }
            let repair = try StoreRepair(
                of: StoreFile(path: path),
                against: Self.model,
                options: RepairOptions(convertsValues: true)
            )
            #expect(repair.steps.map(\.purpose) == ["convert 1 value of 'Book.due' to date"])
            let problems = repair.obstacles.map(\.problem)
            #expect(problems == ["1 value of 'Book.due' (p1) is no date"], "\(problems)")
        }
    }
}
