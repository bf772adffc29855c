import Foundation
import TestSupport
import Testing

/// What is unusual in a model stops only the commands that need it, and these say why.
struct UnusualModelTests {
    private func model(_ type: String, _ more: String = "") -> String {
        "<model><entity name='Book'><attribute name='label' optional='YES' attributeType='\(type)'/>"
            + "\(more)</entity></model>"
    }

    private func withModel(
        _ versions: [String: String],
        current: String = "V1",
        _ body: (URL, (String) throws -> CommandResult) throws -> Void
    ) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
            try writeBundle(versions, current: current, at: bundle)
            try body(folder) { try momtool($0.split(separator: " ").map(String.init), in: folder) }
        }
    }

    @Test func `what cannot be compiled has an error`() throws {
        for versions in [["V1": model("Strange 9")], [:]] {
            try withModel(versions) { _, run in
                let result = try run("compile M.xcdatamodeld -o out")
                #expect(result.status == 65 && result.errors.contains("error: "), "\(result)")
            }
        }
    }

    @Test func `a current version that is not there stops what needs it alone`() throws {
        try withModel(["V1": model("String"), "V2": model("Date")], current: "V9") { _, run in
            for words in [
                "hash M.xcdatamodeld", "inspect M.xcdatamodeld", "hash M.xcdatamodeld#V1",
                "diff M.xcdatamodeld --from V1 --to V2",
            ] {
                let result = try run(words)
                #expect(result.status == 0 && result.errors.contains("warning: "), "\(result)")
            }
            let made = try run("create S.sqlite --model M.xcdatamodeld")
            #expect(made.status != 0 && made.errors.contains("error: "), "\(made)")
        }
    }

    @Test func `a model of a revision is compiled`() throws {
        try withModel(["V1": model("String")]) { folder, run in
            let here = try run("compile M.xcdatamodeld -o here")
            #expect(here.status == 0, "\(here.errors)")
            try commit("one", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: "M.xcdatamodeld"))
            for words in [
                "compile HEAD:M.xcdatamodeld -o there",
                "compile HEAD:./M.xcdatamodeld/V1.xcdatamodel -o there",
            ] {
                let there = try run(words)
                #expect(there.status == 0, "\(there.errors)")
            }
            for (own, other) in [("here/M.momd/V1.mom", "there/M.momd/V1.mom")] {
                let manager = FileManager.default
                let paths = [own, other].map { folder.appending(path: $0).path }
                #expect(manager.contentsEqual(atPath: paths[0], andPath: paths[1]))
            }
            #expect(try run("compile HEAD:Gone.xcdatamodeld -o there").status == 66)
        }
    }

    @Test func `a property comes before a constraint of its name`() throws {
        let constraint =
            "<uniquenessConstraints><uniquenessConstraint><constraint value='label'/>"
            + "</uniquenessConstraint></uniquenessConstraints>"
        try withModel(["V1": model("String", constraint)]) { _, run in
            let renamed = try run("model rename M.xcdatamodeld Book.label caption")
            #expect(renamed.status == 0, "\(renamed.errors)")
        }
    }

    @Test func `an index that the version has and the store lacks is noted, and made`() throws {
        let index =
            "<fetchIndex name='byLabel'><fetchIndexElement property='label' type='Binary' "
            + "order='ascending'/></fetchIndex>"
        let versions = ["V1": model("String"), "V2": model("String", index)]
        try withModel(versions, current: "V2") { _, run in
            #expect(try run("create S.sqlite --model M.xcdatamodeld#V1").status == 0)
            let verified = try run("verify S.sqlite --model M.xcdatamodeld")
            #expect(verified.output.contains("[missing-index]"), "\(verified)")
            let older = try run("verify S.sqlite --model M.xcdatamodeld#V1")
            #expect(!older.output.contains("[missing-index]"), "\(older)")
            #expect(try run("repair S.sqlite --model M.xcdatamodeld -o R.sqlite").status == 0)
            let repaired = try run("verify R.sqlite --model M.xcdatamodeld")
            #expect(!repaired.output.contains("[missing-index]"), "\(repaired)")
        }
    }

    @Test func `a required element of a composite is missed where another one has a value`() throws
    {
        let text = """
            <model><entity name='A'><attribute name='c' optional='YES' attributeType='Composite' \
            composite='C'/></entity><composite name='C'><attribute name='x' attributeType='String'/>\
            <attribute name='y' attributeType='String'/></composite></model>
            """
        try withModel(["V1": text]) { folder, run in
            #expect(try run("create S.sqlite --model M.xcdatamodeld").status == 0)
            for (values, count) in [("NULL, NULL", 0), ("'x', NULL", 1), ("'x', 'y'", 1)] {
                let row = "INSERT INTO ZA (Z_ENT, Z_OPT, ZX, ZY) VALUES (1, 1, \(values))"
                let made = try shell("sqlite3 S.sqlite \"\(row)\"", in: folder)
                try #require(made.status == 0, "\(made.errors)")
                let found = try run("verify S.sqlite --model M.xcdatamodeld --validate")
                let lines = found.output.split(separator: "\n").filter {
                    $0.contains("[missing-value]")
                }
                #expect(lines.count == count, "\(found)")
            }
        }
    }
}
