import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct AgentAnswerTests {
    private static let model = EditedShop.model

    @Test func `a model of several versions is answered with the current one`() throws {
        try withAgent { client, _ in
            try client.begin()
            let whole = try client.call("inspect", ["path": Self.model])
            let versions = whole.report["versions"] as? [[String: Any]] ?? []
            #expect(versions.map { $0["name"] as? String } == ["Shop 2"], "\(whole.text)")
            #expect(whole.report["versionNames"] as? [String] == ["Shop", "Shop 2"])
            #expect(whole.text.hasSuffix("status 0"), "\(whole.text)")
            let older = try client.call("inspect", ["path": "\(Self.model)#Shop"])
            let shown = older.report["versions"] as? [[String: Any]] ?? []
            #expect(shown.map { $0["name"] as? String } == ["Shop"], "\(older.text)")
        }
    }

    @Test func `lists and models are answered in at most 12 kB, and in one form`() throws {
        try withFolder { folder in
            let properties = (0..<12).map {
                "<attribute name='attribute\($0)' optional='YES' attributeType='String'/>"
            }.joined()
            let entities = (0..<120).map { "<entity name='Entity\($0)'>\(properties)</entity>" }
            try writeBundle(
                ["V1": "<model>\(entities.joined())</model>"],
                current: "V1",
                at: folder.appending(path: "Big.xcdatamodeld")
            )
            let made = try momtool(
                ["create", "S.sqlite", "--model", "Big.xcdatamodeld"],
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            for version in ["2025-06-18", "2024-11-05"] {
                let client = try AgentClient(in: folder)
                try client.begin(version)
                let isStructured = version == "2025-06-18"
                var size = client.received
                func grown() -> Int {
                    defer { size = client.received }
                    return client.received - size
                }
                _ = try client.ask("tools/list")
                #expect(grown() <= 12_000)
                for path in ["Big.xcdatamodeld", "S.sqlite"] {
                    let brief = try client.call("inspect", ["path": path])
                    #expect(grown() <= 12_000, "\(brief.text.prefix(100))")
                    #expect(brief.report.isEmpty != isStructured)
                    #expect(brief.text.contains("Entity119") != isStructured)
                    let some = try client.call("inspect", ["path": path, "entity": ["Entity7"]])
                    #expect(grown() <= 4000)
                    let words = some.words
                    #expect(words.contains("attribute11") && !words.contains("Entity8"), "\(words)")
                    let none = try client.call("inspect", ["path": path, "entity": ["Entity"]])
                    #expect(none.isError && none.words.contains("'Entity'"), "\(none.text)")
                    _ = grown()
                }
                #expect(try client.end() == 0)
            }
        }
    }

    @Test func `inspect shows what an edit may change of a property`() throws {
        try withAgent { client, folder in
            try client.begin()
            let source = """
                <model><entity name='Item' elementID='Thing' versionHashModifier='2'>
                <attribute name='name' attributeType='String' defaultValueString='none' minValueString='2' \
                regularExpressionString='[a-z]+' elementID='label' versionHashModifier='x'/>
                </entity></model>
                """
            try writeBundle(
                ["V1": source],
                current: "V1",
                at: folder.appending(path: "Items.xcdatamodeld")
            )
            let report = try client.call(
                "inspect",
                ["path": "Items.xcdatamodeld", "entity": ["Item"]]
            ).report
            let version = (report["versions"] as? [[String: Any]])?.first
            let entity = try #require((version?["entities"] as? [[String: Any]])?.first)
            #expect(entity["renamingIdentifier"] as? String == "Thing")
            #expect(entity["versionHashModifier"] as? String == "2")
            let attribute = (entity["attributes"] as? [[String: Any]])?.first ?? [:]
            for (key, value) in [
                "defaultValue": "none", "minimum": "2", "regularExpression": "[a-z]+",
                "renamingIdentifier": "label", "versionHashModifier": "x",
            ] {
                #expect(attribute[key] as? String == value, "\(key): \(attribute)")
            }
            let text = try momtool("inspect", folder.path + "/Items.xcdatamodeld").output
            #expect(text.contains("name: String = \"none\""), "\(text)")
        }
    }

    @Test func `a plan has statements where they are asked for, and names its verdicts`() throws {
        try withAgent { client, folder in
            try client.begin()
            let edits = [["remove": "attribute Book.isbn"]]
            let made = try client.call("create_store", ["store": "S.sqlite", "model": Self.model])
            #expect(!made.isError, "\(made.text)")
            let edited = try client.call(
                "edit_model",
                ["model": Self.model, "edits": edits, "new_version": true]
            )
            #expect(!edited.isError, "\(edited.text)")
            for sql in [nil, false, true] as [Bool?] {
                var arguments: [String: Any] = ["model": Self.model, "store": "S.sqlite"]
                arguments["sql"] = sql
                let plan = try client.call("plan", arguments)
                let steps = plan.report["steps"] as? [[String: Any]] ?? []
                #expect(!steps.isEmpty, "\(plan.text)")
                #expect(steps.allSatisfy { ($0["sql"] != nil) == (sql == true) }, "\(plan.text)")
                #expect(plan.report["verdict"] as? String == "loses-data")
                #expect(plan.report["summary"] as? String == "loses data")
                let changes = plan.report["changes"] as? [[String: Any]] ?? []
                #expect(changes.contains { $0["verdict"] as? String == "loses-data" })
            }
        }
    }

    @Test func `a refusal names the argument that lets it go on, also beside damage`() throws {
        try withAgent { client, folder in
            try client.begin()
            let rows = [
                "Stop": [["@id": "s", "label": "Central"]],
                "Book": [["@id": "b", "title": "Timetable", "isbn": "1", "stop": "Stop/s"]],
            ]
            let store = ["store": "S.sqlite", "model": Self.model] as [String: Any]
            let made = try client.call("create_store", store.merging(["rows": rows]) { $1 })
            #expect(!made.isError, "\(made.text)")
            let edited = try client.call(
                "edit_model",
                [
                    "model": Self.model, "edits": [["remove": "attribute Book.isbn"]],
                    "new_version": true,
                ]
            )
            #expect(!edited.isError, "\(edited.text)")
            let path = folder.appending(path: "S.sqlite").path
            try SQLiteConnection(path: path, mode: .readWrite)
                .execute("update ZBOOK set ZSTOP = 99")
            let copy = store.merging(["output": "N.sqlite"]) { $1 }
            let refused = try client.call("migrate_copy", copy)
            #expect(refused.isError && refused.words.contains("Book.isbn"), "\(refused.text)")
            let all = try client.call("migrate_copy", copy.merging(["allow_losses": ["*"]]) { $1 })
            #expect(all.isError && all.words.contains("takes the names of losses"), "\(all.text)")
        }
    }

    @Test func `the model of a store may be left out, and a file is no folder to serve`() throws {
        try withAgent { client, folder in
            try client.begin()
            let store = ["store": "S.sqlite", "model": Self.model]
            #expect(try !client.call("create_store", store).isError)
            let verified = try client.call("verify", ["store": "S.sqlite"])
            #expect(!verified.isError, "\(verified.text)")
            let examined = try client.call("doctor", ["paths": ["S.sqlite"]])
            #expect(!examined.isError, "\(examined.text)")
            let file = try momtool(["mcp", "S.sqlite"], in: folder)
            #expect(file.status == 64 && file.errors.contains("this is a file; name"), "\(file)")
            let none = try momtool(["mcp", "None"], in: folder)
            #expect(none.status == 66 && none.errors.contains("no such folder"), "\(none)")
        }
    }

    @Test func `an edit of a version that git has is warned of where there is no lock`() throws {
        try EditedShop.with { shop in
            let words = ["model", "remove", Self.model, "Book.isbn", "--dry-run"]
            func findings(_ more: String...) throws -> String {
                let run = try momtool(words + more, in: shop.folder)
                #expect(run.status == 0, "\(run.errors)")
                return run.errors
            }
            #expect(try !findings().contains("unlocked-edit"))
            try git("init", "-q", in: shop.folder)
            #expect(try !findings().contains("unlocked-edit"))
            try git("add", "-A", in: shop.folder)
            try git("commit", "-qm", "one", in: shop.folder)
            let warned = try findings()
            #expect(warned.contains("no lock says whether 'Shop 2' has shipped"), "\(warned)")
            #expect(warned.contains("momtool model new-version Shop.xcdatamodeld"), "\(warned)")
            #expect(try !findings("--new-version").contains("unlocked-edit"))
            let client = try AgentClient(in: shop.folder)
            try client.begin()
            let tried = try client.call(
                "preview_edit",
                ["model": Self.model, "edits": [["remove": "attribute Book.isbn"]]]
            )
            let found = tried.report["findings"] as? [[String: Any]] ?? []
            #expect(found.contains { $0["rule"] as? String == "unlocked-edit" }, "\(tried)")
            #expect(try client.end() == 0)
            let lock = ["lock", Self.model, "--version", "Shop"]
            #expect(try momtool(lock, in: shop.folder).status == 0)
            #expect(try !findings().contains("unlocked-edit"))
        }
    }

    @Test func `an empty text is the value of an option and of a setting`() throws {
        try EditedShop.with { shop in
            let add = ["model", "add", Self.model, "attribute", "Book.note", "String"]
            let before = try shop.files()
            let dry = try momtool(add + ["--default=", "--dry-run"], in: shop.folder)
            #expect(dry.status == 0 && dry.output.contains("defaultValueString=\"\""), "\(dry)")
            #expect(try shop.files() == before)
            let none = try momtool(add + ["--type=", "--dry-run"], in: shop.folder)
            #expect(none.status == 64 && none.errors.contains("'--type='"), "\(none.errors)")
            #expect(try shop.files() == before)
        }
    }
}
