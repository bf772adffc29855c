import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct ValidateCommandTests {
    private func inFolder(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (name, limit) in [("Old", "10"), ("New", "3")] {
                let text =
                    "<model><entity name='A'><attribute name='a' optional='YES' attributeType='Integer 16' "
                    + "maxValueString='\(limit)'/>"
                    + (name == "New"
                        ? "<attribute name='b' attributeType='String' defaultValueString='x' "
                            + "minValueString='2'/>" : "") + "</entity></model>"
                try write(text, "\(name).xcdatamodel/contents", in: folder)
            }
            #expect(try momtool("create s.sqlite --model Old.xcdatamodel", in: folder).status == 0)
            let path = folder.appending(path: "s.sqlite").path
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 3)")
            try connection.execute("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (2, 1, 1, 11)")
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2")
            try body(folder)
        }
    }

    @Test func `verify says with --validate which rows a save refuses, in every format`() throws {
        try inFolder { folder in
            #expect(try momtool("verify s.sqlite", in: folder).status == 0)
            let validate = ["verify", "s.sqlite", "--validate"]
            for format in [["text"], ["json"], ["junit"], ["sarif"]] {
                let result = try momtool(validate + ["--format"] + format, in: folder)
                #expect(result.status == 1)
                #expect(result.output.contains("value-outside-limits"), "\(format)")
                #expect(result.output.contains("A.a: 1 row: above the maximum, 10"))
                #expect(result.output.contains("(1610) (p2)"), "\(format): \(result.output)")
            }
        }
    }

    @Test func `plan says what the new version refuses at the next save`() throws {
        try inFolder { folder in
            let plan = ["plan", "Old.xcdatamodel", "New.xcdatamodel", "--store", "s.sqlite"]
            let text = try momtool(plan, in: folder)
            #expect(text.status == 0, "\(text.errors)")
            #expect(text.output.contains("at the next save\n"))
            #expect(text.output.contains("A.a: 1 row: above the maximum, 3"))
            #expect(text.output.contains("A.b: 2 rows: shorter than 2"), "\(text.output)")
            try expectRun(plan + ["--format", "json"], in: folder, nil, "\"rejections\"")
        }
    }
}

struct UniqueIndexPlanTests {
    /// The new version has a constraint; the store has two titles of the old one.
    private func withStore(_ titles: [String], _ body: (URL) throws -> Void) throws {
        let title = "<attribute name='title' optional='YES' attributeType='String'/>"
        let constraint =
            "<uniquenessConstraints><uniquenessConstraint><constraint value='title'/>"
            + "</uniquenessConstraint></uniquenessConstraints>"
        try withFolder { folder in
            let versions = ["V1": "", "V2": constraint].mapValues {
                "<model><entity name='Song'>\(title)\($0)</entity></model>"
            }
            let bundle = folder.appending(path: "Music.xcdatamodeld")
            try writeBundle(versions, current: "V2", at: bundle)
            let rows = titles.enumerated().map { #"{"@id": "p\#($0 + 1)", "title": "\#($1)"}"# }
            try Data(#"{"Song": [\#(rows.joined(separator: ", "))]}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let create = ["create", "Old.sqlite", "--model", "Music.xcdatamodeld"]
            try expectRun(create + ["--version", "V1", "--rows", "rows.json"], in: folder, 0)
            try body(folder)
        }
    }

    private let fails = "rows with equal values make the migration fail (134110)"
    private let plan = ["plan", "Music.xcdatamodeld", "--store", "Old.sqlite"]

    @Test func `without a store the table is kept, and rows may stand against its index`() throws {
        try withStore(["a", "b"]) { folder in
            let text = try momtool("plan Music.xcdatamodeld --from V1", in: folder).output
            #expect(text.contains("ZSONG  keep, and a unique index: \(fails)"), "\(text)")
            #expect(text.contains("duplicates make the whole migration fail"), "\(text)")
        }
    }

    @Test func `the rows of a store that has no duplicates are not spoken of as such`() throws {
        try withStore(["a", "b"]) { folder in
            let text = try momtool(plan, in: folder).output
            #expect(text.contains("ZSONG  keep, and a unique index\n"), "\(text)")
            #expect(text.contains("no row of this store stands against it"), "\(text)")
            #expect(!text.contains("duplicate") && !text.contains("134110"), "\(text)")
            let json = try momtool(plan + ["--format", "json"], in: folder).output
            #expect(json.contains("\"uniqueIndexes\""), "\(json)")
            #expect(!json.contains("duplicate"), "\(json)")
        }
    }

    @Test func `the rows of a store that has duplicates are counted`() throws {
        try withStore(["a", "a"]) { folder in
            let text = try momtool(plan, in: folder).output
            #expect(text.contains("ZSONG  keep, and a unique index: \(fails)"), "\(text)")
            #expect(text.contains("Song: 1 row at stake (Z_PK 2)"), "\(text)")
            #expect(!text.contains("no row of this store"), "\(text)")
        }
    }
}

struct RepairDateTests {
    private static let model =
        "<model><entity name='Loan'><attribute name='due' attributeType='Date' "
        + "usesScalarValueType='NO' DEFAULT/></entity></model>"

    private func withStore(default value: String?, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let text = value.map { "defaultDateTimeInterval='\($0)'" } ?? ""
            let source = Self.model.replacing("DEFAULT", with: text)
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(["M": source], at: bundle)
            try Data(#"{"Loan": [{"@id": "p1", "due": "2020-01-01T00:00:00Z"}]}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let create = ["create", "S.sqlite", "--model", "M.xcdatamodeld", "--rows", "rows.json"]
            try expectRun(create, in: folder, 0)
            let path = folder.appending(path: "S.sqlite").path
            try SQLiteConnection(path: path, mode: .readWrite)
                .execute("UPDATE ZLOAN SET ZDUE = NULL")
            try body(folder)
        }
    }

    @Test func `a missing date is asked for as it is written, and its default told so`() throws {
        try withStore(default: nil) { folder in
            let asked = try momtool("repair S.sqlite", in: folder).output
            #expect(asked.contains("--set 'Loan.due=<VALUE>', a date such as 2024-02-29T12:30:00Z"))
        }
        try withStore(default: "86400") { folder in
            let asked = try momtool("repair S.sqlite", in: folder).output
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
            try expectRun(set, in: folder, nil, "of 'Loan.due' the value \(printed)")
            try expectRun(set + ["-o", "New.sqlite"], in: folder, 0)
            let rows = try momtool("export New.sqlite", in: folder).output
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
