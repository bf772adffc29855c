import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct RowCommandTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let rows = """
        {"Author": [{"@id": "a", "name": "Ada"}]}
        """

    private func write(_ text: String, _ name: String, in folder: URL) throws -> String {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private func create(_ store: String, rows: String) throws -> CommandResult {
        try momtool("create", store, "--model", Self.model, "--version", "V1", "--rows", rows)
    }

    @Test func `a store is created with rows and exports them`() throws {
        try withFolder { folder in
            let rows = try write(Self.rows, "rows.json", in: folder)
            let store = folder.appending(path: "a.sqlite").path
            let created = try create(store, rows: rows)
            #expect(created.status == 0, "\(created.errors)")
            #expect(created.output == "\(store): V1, 1 row\n")
            let export = try expectRun(["export", store], 0)
            let expected = """
                {
                "Author": [
                {"@id": "p1", "name": "Ada"}
                ]
                }

                """
            #expect(export.output == expected)
            let file = folder.appending(path: "out.json").path
            let toFile = try momtool("export", store, "--model", Self.model, "-o", file)
            #expect(toFile.output == "\(file): 1 row\n")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == expected)
        }
    }

    @Test func `a store that lacks a column says so, and gives the rows of other entities`() throws
    {
        try withFolder { folder in
            let rows = try write(Self.rows, "rows.json", in: folder)
            let store = folder.appending(path: "a.sqlite").path
            _ = try create(store, rows: rows)
            do {
                let connection = try SQLiteConnection(path: store, mode: .readWrite)
                try connection.execute("ALTER TABLE ZBOOK DROP COLUMN ZNOTES")
            }
            let words = "the layout is not that of its model; missing: ZBOOK.ZNOTES"
            let said = "\(store): error: \(words) [unexpected-layout]\n"
            for command in [["export", store], ["diff", store, store]] {
                let refused = try momtool(command, in: folder)
                #expect((refused.status, refused.errors) == (65, said))
            }
            try expectRun(["export", store, "--entity", "Author"], 0, "Ada")
        }
    }

    @Test func `an export chooses entities and rows`() throws {
        try withFolder { folder in
            let rows = try write(Self.rows, "rows.json", in: folder)
            let store = folder.appending(path: "a.sqlite").path
            _ = try create(store, rows: rows)
            let none = try momtool(
                "export",
                store,
                "--entity",
                "Author",
                "--where",
                "name == 'Eve'"
            )
            #expect((none.status, none.output) == (0, "{}\n"))
            let refused = try momtool("export", store, "--where", "name MATCHES 'x'")
            #expect(refused.status == 64)
            #expect(refused.errors.contains("[unusable-predicate]"))
            #expect(try momtool("export", store, "--entity", "Nobody").status == 64)
            #expect(try momtool("export", folder.appending(path: "no.sqlite").path).status == 66)
        }
    }

    @Test func `a store that is there is replaced by force alone`() throws {
        try withFolder { folder in
            let store = folder.appending(path: "a.sqlite").path
            let arguments = ["create", store, "--model", Self.model, "--version", "V1"]
            #expect(try momtool(arguments).status == 0)
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            try expectRun(arguments, 73, errors: ["[file-exists]"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
            #expect(try momtool(arguments + ["--force", "--quiet"]).output == "")
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)) != before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.sqlite"]
            )
            let text = try write("mine", "mine.txt", in: folder)
            #expect(try momtool(["create", text, "--model", Self.model, "--force"]).status == 65)
            #expect(try String(contentsOfFile: text, encoding: .utf8) == "mine")
        }
    }

    @Test(
        arguments: [
            ("{\"Author\": [{\"name\": 1}]}", 65, "1:22: error: Author.name: "),
            ("{\"Author\": [", 65, "1:13: error: "), ("{\"Nobody\": []}", 65, "1:2: error: "),
        ] as [(String, Int32, String)]
    )
    func `bad rows end with their place and leave nothing`(
        text: String,
        status: Int32,
        message: String
    ) throws {
        try withFolder { folder in
            let rows = try write(text, "rows.json", in: folder)
            let store = folder.appending(path: "a.sqlite").path
            let result = try create(store, rows: rows)
            #expect(result.status == status)
            #expect(result.errors.hasPrefix("\(rows):\(message)"), "\(result.errors)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["rows.json"]
            )
        }
    }

    @Test func `rows that cannot be opened are no input`() throws {
        try withFolder { folder in
            let result = try momtool(
                "create \(folder.path)/a.sqlite --model \(Self.model) --rows \(folder.path)/no"
            )
            #expect(result.status == 66)
        }
    }

    @Test func `verify ends with 1 when there are findings`() throws {
        try withFolder { folder in
            let rows = try write(Self.rows, "rows.json", in: folder)
            let store = folder.appending(path: "a.sqlite").path
            _ = try create(store, rows: rows)
            let sound = try momtool("verify", store)
            #expect(sound.status == 0 && sound.output.hasSuffix(": nothing found\n"))
            try expectRun(["verify", store, "--model", Self.model + "#V6"], 0)
            try damage(store)
            try expectRun(["verify", store, "--format", "json"], 1, "\"entity-numbers\"")
        }
    }

    /// Changes the name of an entity in `Z_PRIMARYKEY`, which is plain bytes.
    private func damage(_ store: String) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: store))
        let name = Data("Author\u{0}".utf8)
        let other = Data("Member\u{0}".utf8)
        while let range = data.range(of: name.dropLast()) {
            data.replaceSubrange(range, with: other.dropLast())
        }
        try data.write(to: URL(fileURLWithPath: store))
    }

    @Test func `inspect shows the schema in the names of the model`() throws {
        try withFolder { folder in
            let store = folder.appending(path: "a.sqlite").path
            _ = try momtool("create", store, "--model", Self.model, "--version", "V1")
            try expectRun(["inspect", store, "--sql"], 0, "ZNAME VARCHAR -- Author.name")
        }
    }
}
