import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct FirstWordsTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Person" syncable="YES">
        <attribute name="full" optional="YES" attributeType="String"/></entity>
        </model>

        """

    private func withModel(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle([Self.model], "M.xcdatamodeld", in: folder)
            try body(folder)
        }
    }

    @Test(arguments: [
        ("new-version M", 64, "did you mean 'model new-version'"),
        ("rename M a b", 64, "did you mean 'model rename'"),
        ("model add M.xcdatamodeld attribut Person.zip String", 3, "did you mean 'attribute'"),
        ("model rename M.xcdatamodeld full name", 3, "write 'Person.full'"),
        ("model remove M.xcdatamodeld Person", 3, "write 'entity Person' to remove it"),
        (
            "model set M.xcdatamodeld Person.full --optional maybe", 3,
            "--optional take yes or no"
        ),
        ("check M.xcdatamodel", 66, "did you mean 'M.xcdatamodeld'"),
    ])
    func `a slip is answered, on a locked version too`(
        words: String,
        status: Int32,
        message: String
    ) throws {
        try withModel { folder in
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            let words = words.split(separator: " ").map(String.init)
            try expectRun(words, in: folder, status, errors: [message])
            let place = folder.appending(path: "M.xcdatamodeld/V1.xcdatamodel/contents")
            #expect(try fileText(place) == Self.model)
        }
    }

    @Test(arguments: [
        ("diff HEAD M.xcdatamodeld", 64, "'HEAD' is a revision of git; name it by --against HEAD"),
        ("diff M.xcdatamodeld HEAD~1", 64, "name it by --against 'HEAD~1'"),
        ("diff main~1..HEAD M.xcdatamodeld", 64, "name it by --against 'main~1'"),
        ("diff M.xcdatamodeld nothing", 66, "nothing: error: no such file or folder"),
        ("plan S.sqlite --from V1", 64, "'S.sqlite' is a store; name the model"),
        ("migrate S.sqlite --model M.xcdatamodeld --dry-run", 64, "momtool plan MODEL --store"),
        ("migrate M.xcdatamodeld --from V1", 64, "momtool plan MODEL --from VERSION"),
        ("export S.sqlite Person", 64, "an entity is named by --entity Person"),
        ("doctor S.sqlite M.xcdatamodeld", 64, "name it by --model M.xcdatamodeld"),
        ("verify S.sqlite M.xcdatamodeld", 64, "name it by --model M.xcdatamodeld"),
        ("doctor 999999", 65, "no error with this code is known"),
        ("rules missing-inverse --format markdown", 64, "text or json"),
        ("hash M.xcdatamodeld V1", 64, "a version is named by M.xcdatamodeld#V1"),
        ("version", 64, "give 'momtool --version'"),
        ("completion zsh", 64, "momtool --generate-completion-script zsh"),
        ("schema model", 64, "name a command of 'model'; there are: model "),
    ])
    func `what other tools take is answered with the words of this one`(
        words: String,
        status: Int32,
        message: String
    ) throws {
        try withModel { folder in
            for title in ["one", "two"] {
                try git("init", "-q", "-b", "main", in: folder)
                try write(title, "README", in: folder)
                try commit(title, in: folder)
            }
            #expect(try momtool("create S.sqlite --model M.xcdatamodeld", in: folder).status == 0)
            let run = try momtool(words.split(separator: " ").map(String.init), in: folder)
            #expect(run.status == status, "\(run.output)\(run.errors)")
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func `a locked version is not taken back, and no option is named that is not there`()
        throws
    {
        try withModel { folder in
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            let run = try momtool("model undo-version M.xcdatamodeld", in: folder)
            #expect(run.status == 3)
            #expect(run.errors.contains("momtool model new-version"), "\(run.errors)")
            #expect(!run.errors.contains("--new-version"), "\(run.errors)")
        }
    }

    @Test func `the configuration beside a folder that is named is found`() throws {
        try withModel { folder in
            try write("migration: stepwise\n", ".momtool.yml", in: folder)
            try expectRun("config .", in: folder, nil, ".momtool.yml")
        }
    }

    @Test func `a renamed attribute of a migrated store is no difference`() throws {
        try withModel { folder in
            let next = Self.model.replacing(
                "name=\"full\"",
                with: "name=\"whole\" elementID=\"full\""
            )
            .replacing("name=\"Person\"", with: "name=\"Human\" elementID=\"Person\"")
            try writeBundle([Self.model, next], "M.xcdatamodeld", in: folder)
            let rows = "{\"Person\": [{\"@id\": \"p1\", \"full\": \"Ada\"}, {\"@id\": \"p2\"}]}"
            try write(rows, "rows.json", in: folder)
            let create = ["create", "Old.sqlite", "--model", "M.xcdatamodeld", "--version", "V1"]
            #expect(try momtool(create + ["--rows", "rows.json"], in: folder).status == 0)
            let migrate = [
                "migrate", "Old.sqlite", "--model", "M.xcdatamodeld", "-o", "New.sqlite",
            ]
            #expect(try momtool(migrate, in: folder).status == 0)
            try expectRun("diff Old.sqlite New.sqlite --exit-code", in: folder, 0)
            let sql = "UPDATE ZHUMAN SET ZWHOLE = 'Eve' WHERE Z_PK = 1"
            let path = folder.appending(path: "New.sqlite").path
            try SQLiteConnection(path: path, mode: .readWrite).execute(sql)
            let other = try expectRun("diff Old.sqlite New.sqlite --exit-code", in: folder, 2)
            #expect(other.output.contains("\"Ada\"") && other.output.contains("\"Eve\""))
        }
    }
}
