import Foundation
import TestSupport
import Testing

struct McpTests {
    private static let model = EditedShop.model

    @Test(arguments: [
        ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25"),
    ])
    func `the version of the protocol is agreed on`(asked: String, agreed: String) throws {
        try withAgent { client, _ in
            let result = try client.begin(asked)
            #expect(result["protocolVersion"] as? String == agreed)
            #expect((result["serverInfo"] as? [String: Any])?["name"] as? String == "momtool")
            #expect((result["instructions"] as? String)?.contains("momtool://skill") == true)
        }
    }

    @Test func `requests that carry their version need no beginning`() throws {
        try withAgent { client, _ in
            let meta: [String: Any] = [
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": [:],
            ]
            let found = try client.ask("server/discover", ["_meta": meta])
            let result = try #require(found["result"] as? [String: Any])
            #expect((result["supportedVersions"] as? [String])?.contains("2026-07-28") == true)
            #expect(result["resultType"] as? String == "complete")
            let list = try client.ask("tools/list", ["_meta": meta])["result"] as? [String: Any]
            #expect(list?["cacheScope"] as? String == "private")
            let other = ["io.modelcontextprotocol/protocolVersion": "2099-01-01"]
            #expect(try client.code("tools/list", ["_meta": other]) == -32022)
        }
    }

    @Test func `what is wrong with a message is said by its code, and the next one is answered`()
        throws
    {
        try withAgent { client, _ in
            func code() throws -> Int? {
                (try client.receive()["error"] as? [String: Any])?["code"] as? Int
            }
            #expect(try client.code("tools/list") == -32600)
            try client.begin()
            for (line, wanted) in [
                ("{", -32700), ("[]", -32600),
                (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600), ("7", -32600),
                ("{\"id\": 1}", -32600),
                ("{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}", -32600),
                (String(repeating: "[", count: 100_000), -32700),
                ("\"" + String(repeating: "x", count: 5 << 20) + "\"", -32600),
            ] {
                try client.send(line: line)
                #expect(try code() == wanted, "\(line.prefix(50))")
            }
            #expect(try client.code("no/such/method") == -32601)
            #expect(try client.code("tools/call", ["name": "rm"]) == -32602)
            #expect(try client.code("tools/call", ["name": "plan", "arguments": [1]]) == -32602)
            #expect(try client.code("tools/list", ["cursor": "2"]) == -32602)
            #expect(try client.code("resources/read", ["uri": "momtool://nothing"]) == -32002)
            #expect(try client.code("resources/read", ["uri": "file:///etc/passwd"]) == -32002)
            let pong = try client.ask("ping")
            #expect(pong["result"] != nil)
        }
    }

    @Test func `each tool says what it does to files, and what it takes`() throws {
        try withAgent { client, _ in
            try client.begin()
            let result = try client.ask("tools/list")["result"] as? [String: Any]
            let tools = try #require(result?["tools"] as? [[String: Any]])
            var writers: [String] = []
            for tool in tools {
                let name = try #require(tool["name"] as? String)
                let input = try #require(tool["inputSchema"] as? [String: Any])
                #expect(input["type"] as? String == "object")
                #expect(input["additionalProperties"] as? Bool == false)
                #expect((tool["description"] as? String)?.isEmpty == false)
                let properties = try #require(input["properties"] as? [String: [String: Any]])
                for (parameter, schema) in properties {
                    let about = schema["description"] as? String ?? ""
                    #expect(!about.isEmpty, "\(name): \(parameter)")
                }
                let hints = try #require(tool["annotations"] as? [String: Any])
                if hints["readOnlyHint"] as? Bool == false { writers.append(name) }
            }
            #expect(
                writers == [
                    "new_version", "edit_model", "undo_version",
                    "lock", "write_case", "create_store", "migrate_copy",
                ]
            )
            #expect(tools.count == 17)
        }
    }

    @Test func `every tool gives its report`() throws {
        try withAgent { client, folder in
            try client.begin()
            let model: [String: Any] = ["model": Self.model]
            func call(_ tool: String, _ own: [String: Any]) throws -> [String: Any] {
                let result = try client.call(tool, model.merging(own) { $1 })
                #expect(!result.isError, "\(tool): \(result.text)")
                return result.report
            }
            let edits: Any = [
                ["add": "attribute Book.shelfmark", "with": ["attributeType": "String"]]
            ]
            let made = try call("new_version", ["name": "Shop 3"])
            #expect((made["files"] as? [Any])?.isEmpty == false, "\(made)")
            let tried = try call("preview_edit", ["edits": edits])
            #expect((tried["patch"] as? String)?.contains("shelfmark") == true, "\(tried)")
            #expect(tried["isDry"] as? Bool == true && tried["verdict"] is String)
            let edited = try call("edit_model", ["edits": edits])
            #expect(edited["command"] as? String == "model apply")
            let stored = try call("create_store", ["store": "S.sqlite", "rows": ["Book": [[:]]]])
            #expect(stored["command"] as? String == "create", "\(stored)")
            let written = try call("write_case", ["folder": "Cases", "name": "one"])
            #expect(written["command"] as? String == "test", "\(written)")
            let files = written["files"] as? [[String: Any]]
            #expect(files?.first?["path"] as? String == "Cases/one/case.yml", "\(written)")
            let rows = try client.call("export", ["store": "S.sqlite"])
            #expect((rows.report["Book"] as? [[String: Any]])?.count == 1, "\(rows.text)")
        }
    }

    @Test func `a migration in several steps is a list of reports`() throws {
        try withAgent { client, folder in
            func source(_ type: String?) -> String {
                let size = type.map {
                    "<attribute name='size' optional='YES' attributeType='\($0)'/>"
                }
                return "<model><entity name='Item'>\(size ?? "")</entity></model>"
            }
            try writeBundle(
                [source("String"), source(nil), source("Integer 64")],
                "Steps.xcdatamodeld",
                in: folder
            )
            try client.begin()
            let plan = try client.call(
                "plan",
                ["model": "Steps.xcdatamodeld", "from": "V1", "to": "V3"]
            )
            #expect((plan.report["reports"] as? [Any])?.count == 2, "\(plan.text)")
        }
    }

    @Test func `tools that only look change no file`() throws {
        try withAgent { client, folder in
            let shop = EditedShop(folder: folder)
            try expectRun("create S.sqlite --model \(Self.model)", in: folder, 0)
            try client.begin()
            let before = try shop.files()
            let model = ["model": Self.model]
            let edits: Any = [["rename": "attribute Book.title", "to": "caption"]]
            for (tool, arguments): (String, [String: Any]) in [
                ("inspect", ["path": Self.model]), ("inspect", ["path": "S.sqlite", "sql": true]),
                ("check", [:]), ("diff", model), ("plan", ["model": Self.model, "from": "Shop"]),
                ("plan", ["model": Self.model, "store": "S.sqlite"]),
                ("preview_edit", ["model": Self.model, "edits": edits, "new_version": true]),
                ("doctor", ["paths": ["S.sqlite"], "model": Self.model]),
                ("verify", ["store": "S.sqlite", "model": Self.model]),
                ("export", ["store": "S.sqlite"]), ("rules", ["rule": "missing-inverse"]),
            ] {
                let result = try client.call(tool, arguments)
                #expect(!result.isError, "\(tool): \(result.text)")
            }
            #expect(try shop.files() == before)
        }
    }

    @Test func `an error is explained by its code, and by a pasted log, with a model or without`()
        throws
    {
        try withAgent { client, _ in
            try client.begin()
            let rule = try client.call("rules", ["rule": "134110"])
            #expect(rule.isError && rule.words.contains("momtool doctor"), "\(rule.text)")
            let log = "12:00 App[1]\nError Domain=NSCocoaErrorDomain Code=134110 \"An error\"\n"
            for message: Any in ["134110", 134110, log] {
                let alone = ["message": message]
                for values in [alone, alone.merging(["model": Self.model]) { $1 }] {
                    let result = try client.call("doctor", values)
                    #expect(result.words.contains("134110"), "\(message): \(result.text)")
                    #expect(!result.isError, "\(message): \(result.text)")
                }
            }
            let nothing = try client.call("doctor", [:])
            #expect(nothing.isError && nothing.words.contains("name a store"), "\(nothing.text)")
        }
    }

    @Test func `nothing outside the folder is read or written, through links neither`() throws {
        try withFolder { outside in
            let secret = outside.appending(path: "Secret.xcdatamodeld/V.xcdatamodel")
            try makeFolder(secret)
            try write("<model><entity name='Hidden'/></model>", "contents", in: secret)
            try withAgent { client, folder in
                for (link, target) in [
                    ("Link.xcdatamodeld", "Secret.xcdatamodeld"), ("Gone.sqlite", "Gone.sqlite"),
                    ("\(Self.model)/Link.xcdatamodel", "Secret.xcdatamodeld/V.xcdatamodel"),
                ] {
                    try FileManager.default.createSymbolicLink(
                        at: folder.appending(path: link),
                        withDestinationURL: outside.appending(path: target)
                    )
                }
                try client.begin()
                for (tool, arguments): (String, [String: Any]) in [
                    ("inspect", ["path": secret.path]), ("inspect", ["path": "../"]),
                    ("inspect", ["path": "Link.xcdatamodeld"]), ("inspect", ["path": Self.model]),
                    ("inspect", ["path": "none/../../\(outside.lastPathComponent)"]),
                    ("inspect", ["path": "HEAD:Shop.xcdatamodeld"]), ("inspect", ["path": "-h"]),
                    ("inspect", ["path": "~/.bashrc"]), ("inspect", ["path": "a\nb"]),
                    ("inspect", ["path": ""]), ("inspect", [:]), ("inspect", ["path": 1]),
                    ("inspect", ["path": "x", "output": "y"]), ("check", ["paths": "."]),
                    ("check", ["paths": ["."]]),
                    ("create_store", ["store": "Gone.sqlite", "model": Self.model]),
                    (
                        "create_store",
                        ["store": outside.appending(path: "N.sqlite").path, "model": Self.model]
                    ),
                    ("write_case", ["folder": "../C", "name": "c", "model": Self.model]),
                    ("diff", ["model": Self.model, "against": "--output=x"]),
                ] {
                    let result = try client.call(tool, arguments)
                    #expect(result.isError, "\(tool) \(arguments): \(result.text)")
                    #expect(!result.words.contains("Hidden"), "\(tool) \(arguments)")
                }
                let left = try FileManager.default.contentsOfDirectory(atPath: outside.path)
                #expect(left == ["Secret.xcdatamodeld"])
            }
        }
    }

    @Test func `a file that refers to another folder does not lead there`() throws {
        try withFolder { outside in
            try writeBundle(
                ["<model><entity name='Hidden'/></model>"],
                "Secret.xcdatamodeld",
                in: outside
            )
            try withAgent { client, folder in
                try client.begin()
                let stages = """
                    model: \(outside.path)/Secret.xcdatamodeld
                    stages: [{lightweight: [V1]}]
                    """
                try write(stages, "Stages.yml", in: folder)
                let plan = try client.call("plan", ["model": Self.model, "stages": "Stages.yml"])
                #expect(plan.isError)
                #expect(!plan.words.contains("Hidden"))
            }
        }
    }

    @Test func `resources are read`() throws {
        try withAgent { client, _ in
            try client.begin()
            let list = try client.ask("resources/list")["result"] as? [String: Any]
            let uris = (list?["resources"] as? [[String: Any]] ?? []).compactMap {
                $0["uri"] as? String
            }
            #expect(uris.contains("momtool://schema/cloudkit/diff"))
            for uri in uris {
                let result = try client.ask("resources/read", ["uri": uri])["result"]
                let contents = (result as? [String: Any])?["contents"] as? [[String: Any]]
                let text = contents?.first?["text"] as? String ?? ""
                #expect(text.count > 100, "\(uri): \(text)")
            }
        }
    }

    @Test func `a cancelled request is not answered, and ends its command`() throws {
        try withAgent { client, _ in
            try client.begin()
            try client.send([
                "jsonrpc": "2.0", "id": "slow", "method": "tools/call",
                "params": ["name": "check", "arguments": [String: Any]()],
            ])
            try client.send([
                "jsonrpc": "2.0", "method": "notifications/cancelled",
                "params": ["requestId": "slow"],
            ])
            try client.send([
                "jsonrpc": "2.0", "method": "notifications/cancelled",
                "params": ["requestId": "unknown"],
            ])
            #expect(try client.ask("ping")["result"] != nil)
            let after = try client.call("rules", ["rule": "missing-inverse"])
            #expect(!after.isError)
            #expect(after.report["rule"] as? String == "missing-inverse")
        }
    }
}
