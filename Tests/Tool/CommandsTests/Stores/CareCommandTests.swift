import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct CareCommandTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private static let rows = """
        {"Author": [{"@id": "a", "name": "Ada Lovelace"}, {"@id": "b", "name": "Bob"}]}
        """

    private func store(
        _ name: String,
        _ rows: String = CareCommandTests.rows,
        in folder: URL
    ) throws -> String {
        let path = folder.appending(path: name).path
        let list = folder.appending(path: name + ".json").path
        try Data(rows.utf8).write(to: URL(fileURLWithPath: list))
        try expectRun("create \(path) --model \(Self.model) --version V1 --rows \(list)", 0)
        return path
    }

    private func leaveFreePages(in path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute("CREATE TABLE filler (b BLOB)")
        try connection.execute("INSERT INTO filler VALUES (zeroblob(300000))")
        try connection.execute("DROP TABLE filler")
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func `two stores are compared by rows`() throws {
        try withFolder { folder in
            let old = try store("A.sqlite", in: folder)
            let new = try store("B.sqlite", Self.rows.replacing("Bob", with: "Eve"), in: folder)
            let text = try momtool("diff", old, new)
            #expect(text.status == 0, "\(text.errors)")
            #expect(text.output.contains("~ Author/p2\n    name  \"Bob\" → \"Eve\"\n"))
            #expect(text.output.contains("0 added, 0 removed, 1 changed, 1 the same"))
            #expect(try momtool("diff", old, new, "--exit-code").status == 2)
            #expect(try momtool("diff", old, old, "--exit-code").status == 0)
            let json = try momtool("diff", old, new, "--format", "json", "--by", "Author.name")
            let report = try object(json.output)
            let differences = try #require(report["differences"] as? [[String: Any]])
            #expect(
                differences.map { $0["object"] as? String } == [
                    "Author[name=\"Bob\"]", "Author[name=\"Eve\"]",
                ]
            )
            #expect(differences.map { $0["change"] as? String } == ["removed", "added"])
            let short = try object(
                momtool("diff", old, new, "--summary", "--format", "json").output
            )
            #expect(short["differences"] == nil)
            let entities = try #require(short["entities"] as? [[String: Any]])
            let author = entities.first { $0["entity"] as? String == "Author" }
            #expect(author?["changed"] as? Int == 1)
        }
    }

    @Test func `one store is no comparison, and options go with what they are for`() throws {
        try withFolder { folder in
            let path = try store("A.sqlite", in: folder)
            for arguments in [
                [path], [path, path, "--from", "V1"],
                [path, path, "--by", "Author"], [path, path, "--entity", "Nobody"],
                [path, path, "--format", "markdown"], [Self.model, "--summary"],
            ] {
                try expectRun(["diff"] + arguments, 64)
            }
        }
    }

    @Test
    func `inspect gives the entities of a store as those of a model, and the bytes of each table`()
        throws
    {
        try withFolder { folder in
            let path = try store("A.sqlite", in: folder)
            let report = try object(momtool("inspect", path, "--bytes", "--format", "json").output)
            let entities = try #require(report["entities"] as? [[String: Any]])
            let model = try object(
                momtool("inspect", Self.model + "#V1", "--format", "json").output
            )
            let version = try #require((model["versions"] as? [[String: Any]])?.first)
            let known = try #require(version["entities"] as? [[String: Any]])
            for entity in known {
                let name = entity["name"] as? String
                let own = entities.first { $0["name"] as? String == name }?["model"]
                let stored = try #require(own as? [String: Any])
                let attributes = try #require(stored["attributes"] as? [[String: Any]])
                let expected = try #require(entity["attributes"] as? [[String: Any]])
                #expect(
                    Set(attributes.compactMap { $0["name"] as? String })
                        == Set(expected.compactMap { $0["name"] as? String })
                )
            }
            let sizes = try #require(report["sizes"] as? [[String: Any]])
            let total = sizes.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) }
            #expect(total <= report["bytes"] as? Int ?? 0)
            #expect(total * 2 > report["bytes"] as? Int ?? .max)
            let author = sizes.first { $0["name"] as? String == "ZAUTHOR" }
            #expect(author?["entities"] as? [String] == ["Author"])
            #expect(author?["kind"] as? String == "entity")
            #expect(sizes.contains { $0["kind"] as? String == "index" })
            let text = try momtool("inspect", path, "--bytes").output
            #expect(text.contains("all of"), "\(text)")
        }
    }

    @Test func `an export takes the rows that are asked for`() throws {
        try withFolder { folder in
            let path = try store("A.sqlite", in: folder)
            let by = try momtool("export", path, "--where", "SELF == 'Author/p2'")
            #expect(by.output.contains("Bob") && !by.output.contains("Ada"))
        }
    }

    @Test func `repair takes back room and says how much`() throws {
        try withFolder { folder in
            let path = try store("A.sqlite", in: folder)
            try leaveFreePages(in: path)
            let backups = folder.appending(path: "Backups").path
            let backup = backups + "/A.sqlite"
            try expectRun(["repair", path, "--compact"], 1, "in free pages")
            let before = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            let done = try expectRun(["repair", path, "--compact", "--backup", backups], 0)
            let after = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            #expect((after ?? 0) + 200_000 < before ?? 0)
            #expect(done.output.contains("afterwards"), "\(done.output)")
            #expect(FileManager.default.fileExists(atPath: backup))
            #expect(try momtool("verify", path).status == 0)
            #expect(try momtool("repair", path, "--drop-ownerless", "Nobody").status == 64)
            let copy = folder.appending(path: "Copy.sqlite").path
            try expectRun(["repair", backup, "--compact", "-o", copy], 0, "afterwards")
        }
    }
}
