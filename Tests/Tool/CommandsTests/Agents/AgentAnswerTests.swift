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
            try writeBundle(["<model>\(entities.joined())</model>"], "Big.xcdatamodeld", in: folder)
            try expectRun("create S.sqlite --model Big.xcdatamodeld", in: folder, 0)
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
            try writeBundle([source], "Items.xcdatamodeld", in: folder)
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
            try expectRun("mcp S.sqlite", in: folder, 64, errors: ["this is a file; name"])
            try expectRun("mcp None", in: folder, 66, errors: ["no such folder"])
        }
    }

    @Test func `an edit of a version that git has is warned of where there is no lock`() throws {
        try EditedShop.with { shop in
            let words = ["model", "remove", Self.model, "Book.isbn", "--dry-run"]
            func findings(_ more: String...) throws -> String {
                let run = try expectRun(words + more, in: shop.folder, 0)
                return run.errors
            }
            #expect(try !findings().contains("unlocked-edit"))
            try git("init", "-q", in: shop.folder)
            #expect(try !findings().contains("unlocked-edit"))
            try commit("one", in: shop.folder)
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

struct AgentWordsTests {
    private static let model = EditedShop.model
    @Test func `the server says what commands and options are called`() throws {
        try withAgent { client, _ in
            let words = try client.begin()["instructions"] as? String ?? ""
            for wanted in [
                "momtool model new-version is new_version", "momtool test is run_cases",
                "--allow-data-loss is allow_losses",
            ] {
                #expect(words.contains(wanted), "\(words)")
            }
        }
    }

    @Test func `a wrong path or list is answered with one that is meant`() throws {
        try withAgent { client, _ in
            try client.begin()
            let path = try client.call("inspect", ["path": "Shpo.xcdatamodeld"])
            #expect(
                path.isError && path.words.contains("did you mean '\(Self.model)'"),
                "\(path.text)"
            )
            let list = try client.call("check", ["paths": "Shop"])
            #expect(list.isError && list.words.contains("such as [\"Shop\"]"), "\(list.text)")
        }
    }

    @Test func `a version is locked after a look, and a new one taken back`() throws {
        try withAgent { client, folder in
            let lock = folder.appending(path: "\(Self.model).lock").path
            try client.begin()
            let tried = try client.call("lock", ["models": [Self.model], "dry_run": true])
            #expect(!tried.isError && tried.words.contains("+version"), "\(tried.text)")
            #expect(tried.report["isDry"] as? Bool == true)
            #expect(!FileManager.default.fileExists(atPath: lock))
            #expect(try !client.call("lock", ["models": [Self.model]]).isError)
            #expect(FileManager.default.fileExists(atPath: lock))
            let model = ["model": Self.model]
            let locked = try client.call("undo_version", model)
            #expect(locked.isError, "\(locked.text)")
            let made = try client.call("new_version", ["model": Self.model, "name": "Shop 9"])
            #expect(!made.isError, "\(made.text)")
            let undone = try client.call("undo_version", model)
            #expect(
                !undone.isError && undone.words.contains("took back 'Shop 9'"),
                "\(undone.text)"
            )
            #expect(try client.call("lock", ["models": [".."]]).isError)
        }
    }
}

struct AgentLoopTests {
    @Test func `a store keeps its rows through a rename that an agent made`() throws {
        try withAgent { client, folder in
            let model = EditedShop.model
            #expect(try momtool(["lock", model], in: folder).status == 0)
            try client.begin()
            let rows = [
                "Stop": [["@id": "s", "label": "Central"]],
                "Book": [["@id": "b", "title": "Timetable", "stop": "Stop/s"]],
            ]
            let made = try client.call(
                "create_store",
                ["store": "S.sqlite", "model": model, "rows": rows]
            )
            #expect(!made.isError, "\(made.text)")
            let edits = [["rename": "attribute Book.title", "to": "caption"]]
            let locked = try client.call("edit_model", ["model": model, "edits": edits])
            #expect(locked.isError)
            #expect(locked.words.contains("status 3"))
            let fresh = try client.call("new_version", ["model": model, "name": "Shop 3"])
            #expect(fresh.words.contains("'Shop 3'"))
            let patch = try client.call("preview_edit", ["model": model, "edits": edits])
            let lines = patch.report["patch"] as? String ?? ""
            #expect(lines.contains("+        <attribute name=\"caption\""), "\(lines)")
            let edited = try client.call("edit_model", ["model": model, "edits": edits])
            #expect(edited.words.contains("Shop 3: lightweight"), "\(edited.words)")
            let plan = try client.call("plan", ["model": model, "store": "S.sqlite"])
            #expect((plan.report["losses"] as? [Any])?.isEmpty == true)
            let written = try client.call(
                "write_case",
                ["folder": "Cases", "name": "rename", "model": model, "from": "Shop 2"]
            )
            #expect(!written.isError, "\(written.text)")
            #expect(try !client.call("run_cases", ["folders": ["Cases"]]).isError)
            let copied = try client.call(
                "migrate_copy",
                ["store": "S.sqlite", "model": model, "output": "N.sqlite"]
            )
            #expect(!copied.isError, "\(copied.text)")
            let again = try client.call(
                "migrate_copy",
                ["store": "S.sqlite", "model": model, "output": "N.sqlite"]
            )
            #expect(again.isError)
            let after = try client.call("export", ["store": "N.sqlite"]).report
            let books = after["Book"] as? [[String: Any]] ?? []
            #expect(books.map { $0["caption"] as? String } == ["Timetable"], "\(after)")
            #expect(try momtool(["lock", model, "--check"], in: folder).status == 0)
        }
    }

    @Test(.enabled(if: Python.has("mcp"), "Python's mcp is not there"))
    func `tasks are done by Python's client`() throws {
        let done = try Python.run(script: "try-agent.py", [commandURL.path])
        #expect(done.status == 0, "\(done.output)\(done.errors)")
        #expect(done.output.contains("4 tasks done"))
    }
}
