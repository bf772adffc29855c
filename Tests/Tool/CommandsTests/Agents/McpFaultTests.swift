import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct McpFaultTests {
    private static let model = EditedShop.model

    @Test func `a message with an ID and no method is answered, and only real IDs are repeated`()
        throws
    {
        try withAgent { client, _ in
            try client.begin()
            for (line, id) in [
                (#"{"jsonrpc":"2.0","id":7,"method":5}"#, 7), (#"{"jsonrpc":"2.0","id":8}"#, 8),
                (#"{"jsonrpc":"2.0","method":5}"#, nil),
                (#"{"jsonrpc":"2.0","id":100000000000000000000,"method":"ping"}"#, nil),
                (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, nil),
            ] as [(String, Int?)] {
                try client.send(line: line)
                let answer = try client.receive()
                #expect((answer["error"] as? [String: Any])?["code"] as? Int == -32600, "\(line)")
                #expect(answer["id"] as? Int == id, "\(line)")
                #expect(id != nil || answer["id"] is NSNull, "\(line)")
            }
            try client.send(line: #"{"jsonrpc":"2.0","id":9,"result":{}}"#)
            #expect(try client.ask("ping")["result"] != nil)
        }
    }

    @Test func `every call that fails has findings`() throws {
        try withAgent { client, folder in
            try client.begin()
            try write("no store", "S.sqlite", in: folder)
            let calls: [(String, [String: Any], String)] = [
                ("doctor", ["paths": []], "usage"),
                ("doctor", ["paths": "x"], "usage"),
                ("check", ["nope": 1], "usage"),
                ("inspect", ["path": "/etc"], "usage"),
                ("write_case", ["folder": "Cases", "name": "../x", "model": Self.model], "usage"),
                ("export", ["store": "S.sqlite"], "not-a-store"),
                ("verify", ["store": "S.sqlite", "model": Self.model], "not-a-store"),
                ("rules", ["rule": "nope"], "usage"),
            ]
            for (tool, arguments, rule) in calls {
                let result = try client.call(tool, arguments)
                #expect(result.isError || tool == "verify", "\(tool) \(result.text)")
                let findings = result.report["findings"] as? [[String: Any]] ?? []
                #expect(
                    findings.contains { $0["rule"] as? String == rule || rule == "not-a-store" },
                    "\(tool): \(result.report)"
                )
                #expect(result.report["formatVersion"] as? Int == 1, "\(tool)")
                #expect(result.report["counts"] is [String: Any], "\(tool)")
            }
        }
    }

    @Test func `changes that are asked for at once are made one after the other`() throws {
        try withAgent { client, folder in
            try client.begin()
            let edits = (0..<4).map { number in
                ["add": "attribute Book.number\(number)", "with": ["attributeType": "Double"]]
                    as [String: Any]
            }
            for (number, edit) in edits.enumerated() {
                let arguments: [String: Any] = ["model": Self.model, "edits": [edit]]
                try send("edit_model", arguments, number, client)
                try send("new_version", ["model": Self.model], 10 + number, client)
            }
            for _ in 0..<8 {
                let result = try client.receive()["result"] as? [String: Any]
                #expect(result?["isError"] as? Bool == false, "\(result ?? [:])")
            }
            // Each version has the edits that were requested before it.
            for number in 0..<4 {
                let file = "\(Self.model)/Shop \(number + 3).xcdatamodel/contents"
                let text = try fileText(folder.appending(path: file))
                for edit in 0..<4 {
                    // The last version is no longer edited, those before once after they were made.
                    let has = edit <= min(number + 1, 3)
                    #expect(text.contains("number\(edit)") == has, "\(number) \(edit)")
                }
            }
        }
    }

    private func send(
        _ tool: String,
        _ arguments: [String: Any],
        _ id: Int,
        _ client: AgentClient
    ) throws {
        let parameters: [String: Any] = ["name": tool, "arguments": arguments]
        try client.send([
            "jsonrpc": "2.0", "id": 100 + id, "method": "tools/call", "params": parameters,
        ])
    }

    @Test func `rows are read with a model where the store carries none, and by entities`() throws {
        try withAgent { client, folder in
            try client.begin()
            let rows = ["Stop": [["label": "Central"]], "Book": [["title": "Timetable"]]]
            let made = try client.call(
                "create_store",
                ["store": "S.sqlite", "model": Self.model, "rows": rows]
            )
            #expect(!made.isError, "\(made.text)")
            let path = folder.appending(path: "S.sqlite").path
            try SQLiteConnection(path: path, mode: .readWrite).execute("delete from Z_MODELCACHE")
            #expect(try client.call("export", ["store": "S.sqlite"]).isError)
            let read = try client.call(
                "export",
                ["store": "S.sqlite", "model": Self.model, "entity": ["Book"]]
            )
            #expect(!read.isError && read.words.contains("Timetable"), "\(read.text)")
            #expect(!read.words.contains("Central"), "\(read.text)")
        }
    }
}
