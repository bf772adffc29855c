import Essentials
import Foundation
import TestSupport
import Testing

struct SchemaTests {
    private static let runs: [(schema: String, command: String)] = [
        ("check", "check"), ("check", "check Missing"), ("check", "check --against HEAD~1"),
        ("cloudkit check", "cloudkit check Shop.xcdatamodeld production.ckdb"),
        ("cloudkit diff", "cloudkit diff production.ckdb development.ckdb"),
        ("diff", "diff Shop.xcdatamodeld --from V1 --to V7"),
        ("diff", "diff Shop.xcdatamodeld --from V7 --to V1"),
        ("diff", "diff Shop.xcdatamodeld#V1 Sources/Shop#SchemaV1"),
        ("diff", "diff Missing.xcdatamodeld"),
        ("config", "config Shop.xcdatamodeld"), ("config", "config Missing.xcdatamodeld"),
        ("compile", "compile Shop.xcdatamodeld -o Out"),
        ("compile", "compile Missing.xcdatamodeld -o Out"),
        ("create", "create C.sqlite --model Shop.xcdatamodeld"),
        ("decompile", "decompile Old.momd -o Recovered"),
        ("init", "init App"),
        ("rules", "rules missing-inverse"),
        ("export", "export Shop.sqlite -o Exported.json"),
        ("export", "export Shop.sqlite Old.sqlite -o Exported"),
        ("generate", "generate Shop.xcdatamodeld --all -o Classes"),
        (
            "model merge",
            "model merge Base/contents Ours/contents Theirs/contents -o Merged/contents"
        ),
        ("accept kit", "accept kit Kit Shop.xcdatamodeld"),
        ("model add", "model add New.xcdatamodeld attribute Book.rating Double --dry-run"),
        ("model add", "model add New.xcdatamodeld entity Tag"),
        ("model add", "model add Shop.xcdatamodeld entity Tag"),
        ("model apply", "model apply New.xcdatamodeld edits.yml"),
        ("model move", "model move New.xcdatamodeld Order.number Book"),
        ("model new-version", "model new-version New.xcdatamodeld"),
        ("model remove", "model remove New.xcdatamodeld entity Tag"),
        ("model rename", "model rename New.xcdatamodeld Book.title caption"),
        ("model rename-version", "model rename-version New.xcdatamodeld V1 First"),
        ("model set", "model set New.xcdatamodeld Book.caption --optional yes"),
        ("model set-current", "model set-current New.xcdatamodeld First --dry-run"),
        ("model undo-version", "model undo-version New.xcdatamodeld"),
        ("doctor", "doctor Shop.sqlite --model Shop.xcdatamodeld"),
        ("doctor", "doctor crash.log --model Shop.xcdatamodeld"),
        ("doctor", "doctor Shop.sqlite crash.log --model Shop.xcdatamodeld --git"),
        ("doctor", "doctor Shop.sqlite Old.sqlite --model Shop.xcdatamodeld"),
        ("hash", "hash Shop.xcdatamodeld"), ("hash", "hash Missing.xcdatamodeld"),
        ("identify", "identify Shop.sqlite --model Shop.xcdatamodeld"),
        ("identify", "identify Shop.sqlite Old.sqlite none --model Shop.xcdatamodeld"),
        ("inspect", "inspect Shop.xcdatamodeld"),
        ("inspect", "inspect Shop.sqlite --sql --history"),
        ("inspect", "inspect Shop.sqlite Shop.xcdatamodeld"),
        ("lint", "lint Shop.xcdatamodeld --all-versions"), ("lint", "lint Missing.xcdatamodeld"),
        ("lock", "lock Shop.xcdatamodeld --check"), ("lock", "lock App/Shop.xcdatamodeld"),
        ("migrate", "migrate Shop.sqlite --model Shop.xcdatamodeld -o M.sqlite"),
        ("migrate", "migrate Shop.sqlite Old.sqlite --model Shop.xcdatamodeld -o N"),
        ("plan", "plan Shop.xcdatamodeld --from V1"),
        ("plan", "plan Shop.xcdatamodeld --store Shop.sqlite --sql"),
        ("plan", "plan --stages Stages.yml --store Shop.sqlite --sql"),
        ("plan", "plan Missing.xcdatamodeld --from V1"),
        ("repair", "repair Shop.sqlite"), ("repair", "repair Shop.sqlite Old.sqlite -o Whole"),
        ("repair", "repair Shop.sqlite Old.sqlite -o Whole"),
        ("repair", "repair Shop.sqlite --compact"), ("repair", "repair Shop.sqlite Missing.sqlite"),
        ("rules", "rules"),
        ("test", "test MigrationCases --new two --model Shop.xcdatamodeld"),
        ("test", "test MigrationCases"), ("test", "test --matrix Shop.xcdatamodeld"),
        ("verify", "verify Shop.sqlite Old.sqlite --model Shop.xcdatamodeld"),
        ("verify", "verify Missing.sqlite"),
    ]

    private struct Given: Codable {
        var command: String
        var schema: JSONValue
        var report: JSONValue
    }

    private static let all = Result { try given() }

    private static func given() throws -> [Given] {
        try withFolder { folder in
            let space = try PageWorkspace(.first, at: folder.appending(path: "space"))
            let start = "# momtool --history\n"
            let script = runs.map { run in
                "momtool \(run.command) --format json 2>/dev/null; printf '\\036'"
            }
            let result = try space.result(
                of: start + script.joined(separator: "\n"),
                at: folder.appending(path: "copy")
            )
            let texts = result.output.split(separator: "\u{1E}")
            try #require(texts.count == runs.count, "\(result.errors)")
            var schemas: [String: JSONValue] = [:]
            return try zip(runs, texts).map { run, text in
                if schemas[run.schema] == nil {
                    let words = run.schema.split(separator: " ").map(String.init)
                    let said = try momtool(["schema"] + words).output
                    schemas[run.schema] = try JSONValue(parsing: Array(said.utf8))
                }
                return Given(
                    command: run.command,
                    schema: try #require(schemas[run.schema]),
                    report: try JSONValue(parsing: Array(text.utf8))
                )
            }
        }
    }

    @Test func `every report, also of failures, is as its schema says`() throws {
        for one in try Self.all.get() {
            let faults = SchemaCheck(one.schema).faults(of: one.report)
            #expect(faults == [], "\(one.command)")
        }
    }

    @Test(.enabled(if: Python.has("jsonschema"), "Python's jsonschema is not there"))
    func `every report is as its schema says, by Python's validator too`() throws {
        let all = try Self.all.get()
        try withFolder { folder in
            let file = folder.appending(path: "all.json")
            try JSONEncoder().encode(all).write(to: file)
            let checked = try Python.run(script: "schemas.py", [file.path])
            #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
            #expect(checked.output.contains("\(all.count) reports"))
        }
    }

    @Test func `the check of schemas finds what is missing, unknown and of another type`() throws {
        let schema: JSONValue = [
            "anyOf": [["$ref": "#/$defs/a"]],
            "$defs": [
                "a": [
                    "type": "object", "required": ["n"],
                    "properties": [
                        "n": ["type": "integer"], "s": ["enum": ["x"]],
                        "l": ["type": "array", "items": ["type": "string"]],
                    ],
                ]
            ],
        ]
        let check = SchemaCheck(schema)
        #expect(check.faults(of: ["n": 1, "s": "x", "l": ["y"]]) == [])
        let wrong: [JSONValue] = [
            [:], ["n": "1"], ["n": .number(1.5)], ["n": true], ["n": 1, "s": "y"],
            ["n": 1, "l": [1]], ["n": 1, "z": 0], [],
        ]
        for value in wrong { #expect(check.faults(of: value) != [], "\(value)") }
    }

    private static let others = [
        "cloudkit schema": "writes a schema as CloudKit exports it",
        "graph": "writes diagrams, in the formats of diagrams",
        "mcp": "speaks JSON-RPC", "schema": "writes JSON Schema", "skill": "writes Markdown",
    ]

    @Test func `every command takes the same options for its output`() throws {
        let help = try momtool("--experimental-dump-help").output
        let dump = try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any]
        let root = try #require(dump?["command"] as? [String: Any])
        let commands = Self.options(root, below: [])
        #expect(commands.count > 40)
        for (name, options) in commands where name != "help" && !name.hasSuffix(" help") {
            #expect(options.isSuperset(of: ["quiet", "q", "color"]), "\(name)")
            if ["cloudkit schema", "graph", "schema", "skill"].contains(name) {
                #expect(options.isSuperset(of: ["output", "o"]), "\(name)")
            }
            guard Self.others[name] == nil else { continue }
            #expect(options.contains("format"), "\(name)")
            // Where something is written to an argument, or beside the input, there is no other place.
            let isInPlace =
                name.hasPrefix("model ") && name != "model merge"
                || ["accept kit", "init"].contains(name)
            #expect(options.isSuperset(of: ["output", "o"]) != isInPlace, "\(name)")
        }
    }

    private static func options(
        _ command: [String: Any],
        below words: [String]
    ) -> [(String, Set<String>)] {
        let subcommands = command["subcommands"] as? [[String: Any]] ?? []
        guard subcommands.isEmpty else {
            return subcommands.flatMap {
                options($0, below: words + [$0["commandName"] as? String ?? ""])
            }
        }
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        let names = arguments.flatMap { $0["names"] as? [[String: Any]] ?? [] }
        return [(words.joined(separator: " "), Set(names.compactMap { $0["name"] as? String }))]
    }

    @Test func `every command with JSON has a schema, and the list names them`() throws {
        let help = try momtool("--experimental-dump-help").output
        let dump = try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any]
        let root = try #require(dump?["command"] as? [String: Any])
        let commands = Self.reporting(root, below: []).sorted()
        let listed = try momtool("schema").output.split(separator: "\n").compactMap {
            $0.split(separator: ":").first.map(String.init)
        }
        #expect(commands.count >= 15)
        #expect(commands == listed.filter { $0 != ".momtool.yml" }.sorted())
        try expectRun(["schema", "hsh"], 64, errors: ["'hash'"])
    }

    private static func reporting(_ command: [String: Any], below words: [String]) -> [String] {
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        let hasReport = arguments.contains { argument in
            let names = argument["names"] as? [[String: Any]] ?? []
            return names.contains { $0["name"] as? String == "format" }
                && (argument["allValues"] as? [String])?.contains("json") == true
        }
        let below = (command["subcommands"] as? [[String: Any]] ?? []).flatMap { next in
            reporting(next, below: words + [next["commandName"] as? String ?? ""])
        }
        return (hasReport ? [words.joined(separator: " ")] : []) + below
    }
}

/// Validates JSON by the part of JSON Schema in use, in which no object has undescribed keys.
struct SchemaCheck {
    private let root: JSONValue

    init(_ schema: JSONValue) { root = schema }

    func faults(of value: JSONValue) -> [String] { faults(of: value, by: root, at: "") }

    private func faults(of value: JSONValue, by schema: JSONValue, at path: String) -> [String] {
        if let name = schema[key: "$ref"]?.text {
            guard let target = root[key: "$defs"]?[key: String(name.dropFirst("#/$defs/".count))]
            else { return ["\(path): \(name) is not defined"] }
            return faults(of: value, by: target, at: path)
        }
        if let choices = schema[key: "anyOf"]?.items {
            let all = choices.map { faults(of: value, by: $0, at: path) }
            return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? []
        }
        if let values = schema[key: "enum"]?.items {
            return values.contains(value) ? [] : ["\(path): \(value) is none of \(values)"]
        }
        let isRight: Bool
        switch (schema[key: "type"]?.text, value) {
        case ("array", .list(let items)):
            let item = schema[key: "items"] ?? [:]
            return items.enumerated().flatMap { faults(of: $1, by: item, at: "\(path)/\($0)") }
        case ("object", .object(let members)): return faults(of: members, schema, path)
        case (nil, _), ("string", .string), ("null", .null), ("boolean", .boolean),
            ("integer", .integer), ("number", .integer), ("number", .number):
            isRight = true
        default: isRight = false
        }
        return isRight ? [] : ["\(path): \(value) is no \(schema[key: "type"]?.text ?? "")"]
    }

    private func faults(
        of members: [String: JSONValue],
        _ schema: JSONValue,
        _ path: String
    ) -> [String] {
        let required = schema[key: "required"]?.items?.compactMap(\.text) ?? []
        let missing = required.filter { members[$0] == nil }
        return missing.map { "\(path): no \($0)" }
            + members.flatMap { name, value -> [String] in
                let known = schema[key: "properties"]?[key: name]
                let further = schema[key: "additionalProperties"]
                guard let shape = known ?? (further == .boolean(false) ? nil : further) else {
                    return ["\(path): \(name) is new"]
                }
                return faults(of: value, by: shape, at: "\(path)/\(name)")
            }
    }
}
