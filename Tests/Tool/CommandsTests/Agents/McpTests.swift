import Foundation
import TestSupport
import Testing

/// The protocol: what the server says of itself, of messages that are wrong, and of what is not its folder.
struct McpTests {
    private static let model = EditedShop.model

    @Test(arguments: [
        ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25"),
    ])
    func `the version of the protocol is agreed on`(asked: String, agreed: String) throws {
        try withAgent(begins: false) { client, _ in
            let result = try client.begin(asked)
            #expect(result["protocolVersion"] as? String == agreed)
            #expect((result["serverInfo"] as? Values)?["name"] as? String == "momtool")
            let words = result["instructions"] as? String ?? ""
            // The server says what commands and options are called.
            for wanted in [
                "momtool://skill", "momtool model new-version is new_version",
                "momtool test is run_cases", "--allow-data-loss is allow_losses",
            ] {
                #expect(words.contains(wanted), "\(words)")
            }
        }
    }

    @Test func `requests that carry their version need no beginning`() throws {
        try withAgent(begins: false) { client, _ in
            func meta(_ version: String) -> Values {
                let key = "io.modelcontextprotocol/"
                var meta: Values = [key + "protocolVersion": version]
                meta[key + "clientCapabilities"] = Values()
                return ["_meta": meta]
            }
            let found = try client.result("server/discover", meta("2026-07-28"))
            #expect((found["supportedVersions"] as? [String])?.contains("2026-07-28") == true)
            #expect(found["resultType"] as? String == "complete")
            let list = try client.result("tools/list", meta("2026-07-28"))
            #expect(list["cacheScope"] as? String == "private")
            let other = try client.ask("tools/list", meta("2099-01-01"))
            #expect(Self.code(of: other) == -32022)
        }
    }

    private static func code(of answer: Values) -> Int? {
        (answer["error"] as? Values)?["code"] as? Int
    }

    private static let wrongLines: [(line: String, code: Int, id: Int?)] = [
        ("{", -32700, nil), ("[]", -32600, nil), ("7", -32600, nil), (#"{"id": 1}"#, -32600, nil),
        (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, nil),
        (#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, -32600, nil),
        (String(repeating: "[", count: 100_000), -32700, nil),
        ("\"" + String(repeating: "x", count: 5 << 20) + "\"", -32600, nil),
        (#"{"jsonrpc":"2.0","id":7,"method":5}"#, -32600, 7),
        (#"{"jsonrpc":"2.0","id":8}"#, -32600, 8), (#"{"jsonrpc":"2.0","method":5}"#, -32600, nil),
        (#"{"jsonrpc":"2.0","id":100000000000000000000,"method":"ping"}"#, -32600, nil),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, nil),
    ]

    private static var wrongRequests: [(method: String, parameters: Values, code: Int)] {
        [
            ("no/such/method", [:], -32601), ("tools/call", ["name": "rm"], -32602),
            ("tools/call", ["name": "plan", "arguments": [1]], -32602),
            ("tools/list", ["cursor": "2"], -32602),
            ("resources/read", ["uri": "momtool://nothing"], -32002),
            ("resources/read", ["uri": "file:///etc/passwd"], -32002),
        ]
    }

    @Test func `what is wrong with a message is said by its code, and the next one is answered`()
        throws
    {
        try withAgent(begins: false) { client, _ in
            #expect(try Self.code(of: client.ask("tools/list")) == -32600)
            try client.begin()
            for (line, code, id) in Self.wrongLines {
                try client.send(line: line)
                let answer = try client.receive()
                #expect(Self.code(of: answer) == code, "\(line.prefix(50))")
                // Only real IDs are repeated.
                #expect(answer["id"] as? Int == id, "\(line.prefix(50))")
                #expect(id != nil || answer["id"] is NSNull, "\(line.prefix(50))")
            }
            for (method, parameters, code) in Self.wrongRequests {
                let answer = try client.ask(method, parameters)
                #expect(Self.code(of: answer) == code, "\(method) \(parameters)")
            }
            try client.send(line: #"{"jsonrpc":"2.0","id":9,"result":{}}"#)
            _ = try client.result("ping")
        }
    }

    @Test func `each tool says what it does to files, and what it takes`() throws {
        try withAgent { client, _ in
            let tools = try #require(try client.result("tools/list")["tools"] as? [Values])
            var writers: [String] = []
            for tool in tools {
                let name = try #require(tool["name"] as? String)
                let input = try #require(tool["inputSchema"] as? Values)
                #expect(input["type"] as? String == "object")
                #expect(input["additionalProperties"] as? Bool == false)
                #expect((tool["description"] as? String)?.isEmpty == false)
                let properties = try #require(input["properties"] as? [String: Values])
                for (parameter, schema) in properties {
                    let about = schema["description"] as? String ?? ""
                    #expect(!about.isEmpty, "\(name): \(parameter)")
                }
                let hints = try #require(tool["annotations"] as? Values)
                if hints["readOnlyHint"] as? Bool == false { writers.append(name) }
            }
            let expected = [
                "new_version", "edit_model", "undo_version", "lock", "write_case", "create_store",
                "migrate_copy",
            ]
            #expect(writers == expected)
            #expect(tools.count == 17)
        }
    }

    @Test func `resources are read`() throws {
        try withAgent { client, _ in
            let list = try client.result("resources/list")["resources"] as? [Values] ?? []
            let uris = list.compactMap { $0["uri"] as? String }
            #expect(uris.contains("momtool://schema/cloudkit/diff"))
            for uri in uris {
                let result = try client.result("resources/read", ["uri": uri])
                let contents = result["contents"] as? [Values]
                let text = contents?.first?["text"] as? String ?? ""
                #expect(text.count > 100, "\(uri): \(text)")
            }
        }
    }

    @Test func `a cancelled request is not answered, and ends its command`() throws {
        try withAgent { client, _ in
            try client.send("tools/call", ["name": "check", "arguments": Values()], id: "slow")
            for id in ["slow", "unknown"] {
                try client.send("notifications/cancelled", ["requestId": id])
            }
            _ = try client.result("ping")
            let rule = #""rule":"missing-inverse""#
            try client.call("rules", ["rule": "missing-inverse"], rule)
        }
    }

    @Test func `changes that are asked for at once are made one after the other`() throws {
        try withAgent { client, folder in
            for number in 0..<4 {
                let edit: Values = [
                    "add": "attribute Book.number\(number)", "with": ["attributeType": "Double"],
                ]
                let calls: [(String, Values)] = [
                    ("edit_model", ["model": Self.model, "edits": [edit]]),
                    ("new_version", ["model": Self.model]),
                ]
                for (tool, arguments) in calls {
                    let parameters: Values = ["name": tool, "arguments": arguments]
                    try client.send("tools/call", parameters, id: "\(tool) \(number)")
                }
            }
            for _ in 0..<8 {
                let result = try client.receive()["result"] as? Values
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

    private typealias Call = (tool: String, arguments: Values)

    /// Calls that ask for what is not in the folder that is served, or for nothing.
    private static func refusedCalls(_ outside: URL) -> [Call] {
        let paths: [Any] = [
            outside.appending(path: "Secret.xcdatamodeld/V.xcdatamodel").path, "../",
            "Link.xcdatamodeld", model, "none/../../\(outside.lastPathComponent)",
            "HEAD:Shop.xcdatamodeld", "-h", "~/.bashrc", "a\nb", "", 1,
        ]
        let inspected = paths.map { path -> Call in (tool: "inspect", arguments: ["path": path]) }
        let (other, new) = ("Other.xcdatamodeld", outside.appending(path: "N.sqlite").path)
        let others: [Call] = [
            ("inspect", [:]), ("inspect", ["path": "x", "output": "y"]), ("check", ["paths": "."]),
            ("check", ["paths": ["."]]),
            ("create_store", ["store": "Gone.sqlite", "model": other]),
            ("create_store", ["store": new, "model": other]),
            ("write_case", ["folder": "../C", "name": "c", "model": other]),
            ("diff", ["model": other, "against": "--output=x"]),
            // A file that refers to another folder does not lead there.
            ("plan", ["model": other, "stages": "Stages.yml"]),
        ]
        return inspected + others
    }

    @Test func `nothing outside the folder is read or written, through links neither`() throws {
        try withFolder { outside in
            let hidden = "<model><entity name='Hidden'/></model>"
            try writeBundle(["V": hidden], "Secret.xcdatamodeld", in: outside)
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
                try writeBundle(["V1": EditedShop.source], "Other.xcdatamodeld", in: folder)
                let model = "model: \(outside.path)/Secret.xcdatamodeld"
                try write(model + "\nstages: [{lightweight: [V]}]\n", "Stages.yml", in: folder)
                for (tool, arguments) in Self.refusedCalls(outside) {
                    let answer = try client.call(tool, arguments, isError: true)
                    #expect(!answer.words.contains("Hidden"), "\(tool) \(arguments)")
                }
                let left = try FileManager.default.contentsOfDirectory(atPath: outside.path)
                #expect(left == ["Secret.xcdatamodeld"])
            }
        }
    }
}
