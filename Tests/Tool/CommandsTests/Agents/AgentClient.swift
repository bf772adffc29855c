import Foundation
import TestSupport
import Testing

typealias Values = [String: Any]

/// A client of `momtool mcp` that speaks JSON-RPC with the process, one message a line.
final class AgentClient {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()
    private var next = 0
    private(set) var received = 0

    init(in folder: URL) throws {
        process.executableURL = commandURL
        process.arguments = ["mcp", folder.path]
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        _ = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationStatus
    }

    func send(line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Sends a request, or a notification where there is no ID.
    func send(_ method: String, _ parameters: Values? = nil, id: Any? = nil) throws {
        var message: Values = ["jsonrpc": "2.0", "method": method]
        message["params"] = parameters
        message["id"] = id
        try send(line: Self.text(of: message))
    }

    func receive() throws -> Values {
        while !pending.contains(UInt8(ascii: "\n")) {
            let part = output.fileHandleForReading.availableData
            try #require(!part.isEmpty, "the server has ended")
            pending += part
        }
        let end = try #require(pending.firstIndex(of: UInt8(ascii: "\n")))
        let line = Data(pending[..<end])
        pending = Data(pending[(end + 1)...])
        received += line.count
        return try #require(JSONSerialization.jsonObject(with: line) as? Values)
    }

    func ask(_ method: String, _ parameters: Values = [:]) throws -> Values {
        next += 1
        try send(method, parameters, id: next)
        let answer = try receive()
        #expect(answer["id"] as? Int == next)
        return answer
    }

    func result(_ method: String, _ parameters: Values = [:]) throws -> Values {
        let answer = try ask(method, parameters)
        return try #require(answer["result"] as? Values, "\(answer)")
    }

    /// Begins as clients did before 2026-07-28; returns the result.
    @discardableResult
    func begin(_ version: String = "2025-11-25") throws -> Values {
        let client = ["name": "test", "version": "1"]
        let result = try result(
            "initialize",
            ["protocolVersion": version, "capabilities": Values(), "clientInfo": client]
        )
        try send("notifications/initialized")
        return result
    }

    /// What a tool answers: its text, and its report, whose keys are sorted.
    struct Answer {
        var isError: Bool
        var text: String
        var report: String
        var words: String { text + "\n" + report }
    }

    /// Calls a tool, and expects how it ends and words of its text or of its report.
    @discardableResult
    func call(
        _ tool: String,
        _ arguments: Values = [:],
        isError: Bool? = false,
        _ words: String...,
        location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let result = try result("tools/call", ["name": tool, "arguments": arguments])
        let content = try #require(result["content"] as? [Values])
        let answer = Answer(
            isError: result["isError"] as? Bool ?? false,
            text: content.compactMap { $0["text"] as? String }.joined(separator: "\n"),
            report: try Self.text(of: result["structuredContent"] as? Values ?? [:])
        )
        let what = Comment("\(tool) \(arguments): \(answer.words)")
        #expect(isError == nil || answer.isError == isError, what, sourceLocation: location)
        for part in words {
            #expect(answer.words.contains(part), what, sourceLocation: location)
        }
        return answer
    }

    private static func text(of values: Values) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: values,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return String(decoding: data, as: UTF8.self)
    }
}

/// Runs a server in the folder of a shop, with a client that has begun where it is not to begin itself.
func withAgent(begins: Bool = true, _ body: (AgentClient, URL) throws -> Void) throws {
    try EditedShop.with { shop in
        let client = try AgentClient(in: shop.folder)
        if begins { try client.begin() }
        try body(client, shop.folder)
        #expect(try client.end() == 0)
    }
}
