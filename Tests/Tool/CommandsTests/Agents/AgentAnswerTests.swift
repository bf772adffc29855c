import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// What the tools answer, and do.
struct AgentAnswerTests {
    private static let name = EditedShop.model
    private static var model: Values { ["model": name] }
    private static var store: Values { ["store": "S.sqlite", "model": name] }

    private static func having(_ values: Values, _ more: Values) -> Values {
        values.merging(more) { $1 }
    }

    @Test func `a model of several versions is answered with the current one`() throws {
        try withAgent { client, _ in
            let names = #""versionNames":["Shop","Shop 2"],"#
            let whole = try client.call("inspect", ["path": Self.name], names, #""name":"Shop 2""#)
            #expect(whole.text.hasSuffix("status 0") && !whole.report.contains(#""name":"Shop""#))
            let path = Self.name + "#Shop"
            let older = try client.call("inspect", ["path": path], #""name":"Shop""#)
            #expect(!older.report.contains("Shop 2"), "\(older.report)")
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
            for (version, isStructured) in [("2025-06-18", true), ("2024-11-05", false)] {
                let client = try AgentClient(in: folder)
                try client.begin(version)
                var size = client.received
                func grown() -> Int {
                    defer { size = client.received }
                    return client.received - size
                }
                _ = try client.ask("tools/list")
                #expect(grown() <= 12_000)
                for path in ["Big.xcdatamodeld", "S.sqlite"] {
                    let brief = try client.call("inspect", ["path": path], "Entity119")
                    #expect(grown() <= 12_000, "\(brief.text.prefix(100))")
                    #expect((brief.report != "{}") == isStructured)
                    #expect(brief.text.contains("Entity119") != isStructured)
                    let seventh: Values = ["path": path, "entity": ["Entity7"]]
                    let some = try client.call("inspect", seventh, "attribute11")
                    #expect(grown() <= 4000 && !some.words.contains("Entity8"), "\(some.words)")
                    let none: Values = ["path": path, "entity": ["Entity"]]
                    try client.call("inspect", none, isError: true, "'Entity'")
                    _ = grown()
                }
                #expect(try client.end() == 0)
            }
        }
    }

    @Test func `inspect shows what an edit may change of a property`() throws {
        try withAgent { client, folder in
            let source = """
                <model><entity name='Item' elementID='Thing' versionHashModifier='2'>
                <attribute name='name' attributeType='String' defaultValueString='none' minValueString='2' \
                regularExpressionString='[a-z]+' elementID='label' versionHashModifier='x'/>
                </entity></model>
                """
            try writeBundle([source], "Items.xcdatamodeld", in: folder)
            let attribute =
                #"{"defaultValue":"none","minimum":"2","name":"name","optional":false,"#
                + #""regularExpression":"[a-z]+","renamingIdentifier":"label","transient":false,"#
                + #""type":"String","versionHashModifier":"x"}"#
            let entity = #""renamingIdentifier":"Thing","uniquenessConstraints":[],"#
            try client.call(
                "inspect",
                ["path": "Items.xcdatamodeld", "entity": ["Item"]],
                attribute,
                entity + #""versionHashModifier":"2""#
            )
            try expectRun("inspect Items.xcdatamodeld", in: folder, nil, "name: String = \"none\"")
        }
    }

    @Test func `a plan has statements where they are asked for, and names its verdicts`() throws {
        try withAgent { client, _ in
            try client.call("create_store", Self.store)
            let edits: Values = ["edits": [["remove": "attribute Book.isbn"]], "new_version": true]
            try client.call("edit_model", Self.having(Self.model, edits))
            for sql in [nil, false, true] as [Bool?] {
                let own = sql.map { ["sql": $0] } ?? [:]
                let plan = try client.call(
                    "plan",
                    Self.having(Self.store, own),
                    #""rule":"attribute-removed","summary":"loses data","verdict":"loses-data""#,
                    #""effort":"#
                )
                #expect(plan.report.contains(#""summary":"loses data","tables":"#))
                #expect(plan.report.hasSuffix(#""verdict":"loses-data"}"#), "\(plan.report)")
                let steps = plan.report.components(separatedBy: #""effort":"#).count - 1
                let statements = plan.report.components(separatedBy: #""sql":"#).count - 1
                #expect(statements == (sql == true ? steps : 0), "\(plan.report)")
            }
        }
    }

    @Test func `a refusal names the argument that lets it go on, also beside damage`() throws {
        try withAgent { client, folder in
            let rows = [
                "Stop": [["@id": "s", "label": "Central"]],
                "Book": [["@id": "b", "title": "Timetable", "isbn": "1", "stop": "Stop/s"]],
            ]
            try client.call("create_store", Self.having(Self.store, ["rows": rows]))
            let edits: Values = ["edits": [["remove": "attribute Book.isbn"]], "new_version": true]
            try client.call("edit_model", Self.having(Self.model, edits))
            let path = folder.appending(path: "S.sqlite").path
            try SQLiteConnection(path: path, mode: .readWrite)
                .execute("update ZBOOK set ZSTOP = 99")
            let copy = Self.having(Self.store, ["output": "N.sqlite"])
            try client.call("migrate_copy", copy, isError: true, "Book.isbn")
            let all = Self.having(copy, ["allow_losses": ["*"]])
            try client.call("migrate_copy", all, isError: true, "allow_losses")
        }
    }

    @Test func `rows are read with a model where the store carries none, and by entities`() throws {
        try withAgent { client, folder in
            let rows = ["Stop": [["label": "Central"]], "Book": [["title": "Timetable"]]]
            try client.call("create_store", Self.having(Self.store, ["rows": rows]))
            // The model of a store may be left out.
            try client.call("verify", ["store": "S.sqlite"])
            try client.call("doctor", ["paths": ["S.sqlite"]])
            let path = folder.appending(path: "S.sqlite").path
            try SQLiteConnection(path: path, mode: .readWrite).execute("delete from Z_MODELCACHE")
            try client.call("export", ["store": "S.sqlite"], isError: true)
            let books = Self.having(Self.store, ["entity": ["Book"]])
            let read = try client.call("export", books, "Timetable")
            #expect(!read.words.contains("Central"), "\(read.text)")
        }
    }

    @Test func `an edit of a version that git has is warned of where there is no lock`() throws {
        try withAgent { client, folder in
            try commit("one", in: folder)
            let edits: Values = ["edits": [["remove": "attribute Book.isbn"]]]
            let edited = Self.having(Self.model, edits)
            try client.call("preview_edit", edited, #""rule":"unlocked-edit""#)
        }
    }

    @Test func `every call that fails has findings`() throws {
        try withAgent { client, folder in
            try write("no store", "S.sqlite", in: folder)
            let calls: [(String, Values, String)] = [
                ("doctor", [:], "a store"), ("doctor", ["paths": []], "a store"),
                ("doctor", ["paths": "x"], #"such as [\"x\"]"#), ("check", ["nope": 1], "'nope'"),
                ("inspect", ["path": "/etc"], "'/etc'"),
                ("inspect", ["path": "Shpo.xcdatamodeld"], "'\(Self.name)'"),
                ("rules", ["rule": "nope"], "'nope'"),
                ("rules", ["rule": "134110"], "momtool doctor"),
                ("lock", ["models": [".."]], "'..'"),
                ("write_case", ["folder": "Cases", "name": "../x", "model": Self.name], "--new"),
            ]
            let form = #""notes":[],"rule":"usage","severity":"error"}],"formatVersion":1,"#
            for (tool, arguments, words) in calls {
                let counts = #""counts":{"error":1,"note":0,"warning":0}"#
                try client.call(tool, arguments, isError: true, words, counts, form)
            }
            let read = #""rule":"not-a-database","severity":"error"}],"formatVersion":1,"#
            try client.call("export", ["store": "S.sqlite"], isError: true, read)
            let verified = #""rule":"unverified-store","severity":"error"}],"formatVersion":1,"#
            try client.call("verify", Self.store, isError: true, verified)
        }
    }

    @Test func `an error is explained by its code, and by a pasted log, with a model or without`()
        throws
    {
        try withAgent { client, _ in
            let log = "12:00 App[1]\nError Domain=NSCocoaErrorDomain Code=134110 \"An error\"\n"
            for message: Any in ["134110", 134110, log] {
                for model in [[:], Self.model] {
                    try client.call("doctor", Self.having(model, ["message": message]), "134110")
                }
            }
        }
    }

    @Test func `tools that only look change no file`() throws {
        try withAgent { client, folder in
            let shop = EditedShop(folder: folder)
            try expectRun("create S.sqlite --model \(Self.name)", in: folder, 0)
            let before = try shop.files()
            let edits: Any = [["rename": "attribute Book.title", "to": "caption"]]
            let calls: [(String, Values)] = [
                ("inspect", ["path": Self.name]), ("inspect", ["path": "S.sqlite", "sql": true]),
                ("check", [:]), ("diff", Self.model),
                ("plan", ["model": Self.name, "from": "Shop"]),
                ("plan", Self.store), ("verify", Self.store), ("export", ["store": "S.sqlite"]),
                ("preview_edit", ["model": Self.name, "edits": edits, "new_version": true]),
                ("doctor", ["paths": ["S.sqlite"], "model": Self.name]),
                ("rules", ["rule": "missing-inverse"]),
            ]
            for (tool, arguments) in calls { try client.call(tool, arguments) }
            #expect(try shop.files() == before)
        }
    }
}

/// What agents do with the tools, one after the other.
struct AgentLoopTests {
    private static let name = EditedShop.model
    private static func model(_ more: Values = [:]) -> Values {
        more.merging(["model": name]) { $1 }
    }

    @Test func `every tool gives its report`() throws {
        try withAgent { client, _ in
            let edit: Values = [
                "add": "attribute Book.shelfmark", "with": ["attributeType": "String"],
            ]
            let added = Self.model(["edits": [edit]])
            let file = #""files":[{"path":"\#(Self.name)/Shop 3.xcdatamodel/contents""#
            try client.call("new_version", Self.model(["name": "Shop 3"]), file)
            try client.call(
                "preview_edit",
                added,
                #""patch":"diff --git"#,
                "shelfmark",
                #""isDry":true"#,
                #""verdict":""#
            )
            try client.call("edit_model", added, #""command":"model apply""#)
            let rows: Values = ["store": "S.sqlite", "rows": ["Book": [Values()]]]
            try client.call("create_store", Self.model(rows), #""command":"create""#)
            let one: Values = ["folder": "Cases", "name": "one"]
            let path = #""files":[{"path":"Cases/one/case.yml""#
            try client.call("write_case", Self.model(one), #""command":"test""#, path)
            try client.call("export", ["store": "S.sqlite"], #"{"Book":[{"@id":"p1"}]"#)
        }
    }

    @Test func `a migration in several steps is a list of reports`() throws {
        try withAgent { client, folder in
            let versions = ["size String?", "name String?", "size Integer 64?"].map {
                typedModel("Item(\($0))")
            }
            try writeBundle(versions, "Steps.xcdatamodeld", in: folder)
            let steps: Values = ["model": "Steps.xcdatamodeld", "from": "V1", "to": "V3"]
            let plan = try client.call("plan", steps, #""reports":["#)
            #expect(plan.report.components(separatedBy: #""changes":"#).count == 3)
        }
    }

    @Test func `a version is locked after a look, and a new one taken back`() throws {
        try withAgent { client, folder in
            func isLocked() -> Bool {
                let lock = folder.appending(path: "\(Self.name).lock")
                return FileManager.default.fileExists(atPath: lock.path)
            }
            let models: Values = ["models": [Self.name]]
            let look = models.merging(["dry_run": true]) { $1 }
            try client.call("lock", look, "+version", #""isDry":true"#)
            #expect(!isLocked())
            try client.call("lock", models)
            #expect(isLocked())
            try client.call("undo_version", Self.model(), isError: true)
            try client.call("new_version", Self.model(["name": "Shop 9"]))
            try client.call("undo_version", Self.model(), "removed 'Shop 9'")
        }
    }

    @Test func `a store keeps its rows through a rename that an agent made`() throws {
        try withAgent { client, folder in
            try expectRun("lock \(Self.name)", in: folder, 0)
            let rows = [
                "Stop": [["@id": "s", "label": "Central"]],
                "Book": [["@id": "b", "title": "Timetable", "stop": "Stop/s"]],
            ]
            try client.call("create_store", Self.model(["store": "S.sqlite", "rows": rows]))
            let edits = Self.model(["edits": [["rename": "attribute Book.title", "to": "caption"]]])
            try client.call("edit_model", edits, isError: true, "status 3")
            try client.call("new_version", Self.model(["name": "Shop 3"]), "'Shop 3'")
            let line = #"+        <attribute name=\"caption\""#
            try client.call("preview_edit", edits, line)
            try client.call("edit_model", edits, "Shop 3: lightweight")
            try client.call("plan", Self.model(["store": "S.sqlite"]), #""losses":[]"#)
            let rename: Values = ["folder": "Cases", "name": "rename", "from": "Shop 2"]
            try client.call("write_case", Self.model(rename))
            try client.call("run_cases", ["folders": ["Cases"]])
            let copy = Self.model(["store": "S.sqlite", "output": "N.sqlite"])
            try client.call("migrate_copy", copy)
            try client.call("migrate_copy", copy, isError: true)
            let book = #""Book":[{"@id":"p1","caption":"Timetable","stop":"Stop/p1"}]"#
            try client.call("export", ["store": "N.sqlite"], book)
            try expectRun("lock \(Self.name) --check", in: folder, 0)
        }
    }

    @Test(.enabled(if: Python.has("mcp"), "Python's mcp is not there"))
    func `tasks are done by Python's client`() throws {
        let done = try Python.run(script: "agent.py", [commandURL.path])
        #expect(done.status == 0, "\(done.output)\(done.errors)")
        #expect(done.output.contains("4 tasks done"))
    }
}
