import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct ValidateCommandTests {
    private func inFolder(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (name, limit) in [("Old", "10"), ("New", "3")] {
                let version = folder.appending(path: "\(name).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: version,
                    withIntermediateDirectories: true
                )
                let text =
                    "<model><entity name='A'><attribute name='a' optional='YES' attributeType='Integer 16' "
                    + "maxValueString='\(limit)'/>"
                    + (name == "New"
                        ? "<attribute name='b' attributeType='String' defaultValueString='x' "
                            + "minValueString='2'/>" : "") + "</entity></model>"
                try Data(text.utf8).write(to: version.appending(path: "contents"))
            }
            let create = ["create", "s.sqlite", "--model", "Old.xcdatamodel"]
            #expect(try momtool(create, in: folder).status == 0)
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
            #expect(try momtool(["verify", "s.sqlite"], in: folder).status == 0)
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
            let plan = [
                "plan", "Old.xcdatamodel", "New.xcdatamodel", "--store", "s.sqlite",
            ]
            let text = try momtool(plan, in: folder)
            #expect(text.status == 0, "\(text.errors)")
            #expect(text.output.contains("at the next save\n"))
            #expect(text.output.contains("A.a: 1 row: above the maximum, 3"))
            #expect(text.output.contains("A.b: 2 rows: shorter than 2"), "\(text.output)")
            let json = try momtool(plan + ["--format", "json"], in: folder)
            #expect(json.output.contains("\"rejections\""))
        }
    }
}
