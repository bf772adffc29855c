import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct RepairDateTests {
    private static let model =
        "<model><entity name='Loan'><attribute name='due' attributeType='Date' "
        + "usesScalarValueType='NO' DEFAULT/></entity></model>"

    private func withStore(default value: String?, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let text = value.map { "defaultDateTimeInterval='\($0)'" } ?? ""
            let source = Self.model.replacing("DEFAULT", with: text)
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(["M": source], current: "M", at: bundle)
            try Data(#"{"Loan": [{"@id": "p1", "due": "2020-01-01T00:00:00Z"}]}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let create = ["create", "S.sqlite", "--model", "M.xcdatamodeld", "--rows", "rows.json"]
            let made = try momtool(create, in: folder)
            #expect(made.status == 0, "\(made.errors)")
            let path = folder.appending(path: "S.sqlite").path
            try SQLiteConnection(path: path, mode: .readWrite)
                .execute("UPDATE ZLOAN SET ZDUE = NULL")
            try body(folder)
        }
    }

    @Test func `a missing date is asked for as it is written, and its default told so`() throws {
        try withStore(default: nil) { folder in
            let asked = try momtool(["repair", "S.sqlite"], in: folder).output
            #expect(asked.contains("--set 'Loan.due=<VALUE>', a date such as 2024-02-29T12:30:00Z"))
        }
        try withStore(default: "86400") { folder in
            let asked = try momtool(["repair", "S.sqlite"], in: folder).output
            #expect(asked.contains("the default of the model is 2001-01-02T00:00:00Z"), "\(asked)")
        }
    }

    @Test(arguments: [
        ("2024-02-29", "2024-02-29T00:00:00Z"), ("2024-02-29T12:30:00Z", "2024-02-29T12:30:00Z"),
        ("2024-02-29T14:30:00.25+02:00", "2024-02-29T12:30:00.25Z"),
        ("86400", "2001-01-02T00:00:00Z"),
    ])
    func `a date is taken in the forms of ISO 8601, and printed in one`(
        given: String,
        printed: String
    ) throws {
        try withStore(default: nil) { folder in
            let set = ["repair", "S.sqlite", "--set", "Loan.due=\(given)"]
            let shown = try momtool(set, in: folder)
            #expect(shown.output.contains("of 'Loan.due' the value \(printed)"), "\(shown.output)")
            let repaired = try momtool(set + ["-o", "New.sqlite"], in: folder)
            #expect(repaired.status == 0, "\(repaired.errors)")
            let rows = try momtool(["export", "New.sqlite"], in: folder).output
            #expect(rows.contains(printed.replacing(".250Z", with: ".25Z")), "\(rows)")
        }
    }

    @Test(arguments: ["soon", "2024-02-29T12:30", "2024-02-29 and more", "2024-02-29T12:30:00Zulu"])
    func `what is no date is refused with the form of one`(given: String) throws {
        try withStore(default: nil) { folder in
            let result = try momtool(
                ["repair", "S.sqlite", "--set", "Loan.due=\(given)"],
                in: folder
            )
            #expect(result.status == 64)
            #expect(result.errors.contains("write it as 2024-02-29"), "\(result.errors)")
        }
    }
}
