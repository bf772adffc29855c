import Foundation
import TestSupport
import Testing

/// A client of `momtool mcp` that speaks JSON-RPC with the process, one message a line.
final class AgentClient {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()
    private var next = 0
    /// How many bytes were received.
    private(set) var received = 0

    /// Starts a server in a folder.
    init(in folder: URL) throws {
        process.executableURL = commandURL
        process.arguments = ["mcp", folder.path]
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Says goodbye; returns the status with which the server ends.
    func end() throws -> Int32 {
        try input.fileHandleForWriting.close()
        _ = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Sends a line as it stands.
    func send(line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Sends a message.
    func send(_ message: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: message)
        try send(line: String(decoding: data, as: UTF8.self))
    }

    /// Receives a line.
    func line() throws -> Data {
        while !pending.contains(UInt8(ascii: "\n")) {
            let part = output.fileHandleForReading.availableData
            try #require(!part.isEmpty, "the server has ended")
            pending += part
        }
        let end = try #require(pending.firstIndex(of: UInt8(ascii: "\n")))
        let line = pending[..<end]
        pending = Data(pending[(end + 1)...])
        received += line.count
        return Data(line)
    }

    /// Receives a message.
    func receive() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: line()) as? [String: Any])
    }

    /// Sends a request and returns the whole answer.
    func ask(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        next += 1
        try send(["jsonrpc": "2.0", "id": next, "method": method, "params": parameters])
        let answer = try receive()
        #expect(answer["id"] as? Int == next)
        return answer
    }

    /// Begins as clients did before 2026-07-28; returns the result.
    @discardableResult
    func begin(_ version: String = "2025-11-25") throws -> [String: Any] {
        let answer = try ask(
            "initialize",
            [
                "protocolVersion": version, "capabilities": [:],
                "clientInfo": ["name": "test", "version": "1"],
            ]
        )
        try send(["jsonrpc": "2.0", "method": "notifications/initialized"])
        return try #require(answer["result"] as? [String: Any], "\(answer)")
    }

    /// What a tool gave.
    struct ToolResult {
        var isError: Bool
        var text: String
        var report: [String: Any]
        /// All of it, whichever form it has.
        var words: String {
            let data = try? JSONSerialization.data(withJSONObject: report)
            return text + "\n" + String(decoding: data ?? Data(), as: UTF8.self)
        }
    }

    /// Calls a tool.
    func call(_ tool: String, _ arguments: [String: Any]) throws -> ToolResult {
        let answer = try ask("tools/call", ["name": tool, "arguments": arguments])
        let result = try #require(answer["result"] as? [String: Any], "\(answer)")
        let content = try #require(result["content"] as? [[String: Any]])
        return ToolResult(
            isError: result["isError"] as? Bool ?? false,
            text: content.compactMap { $0["text"] as? String }.joined(separator: "\n"),
            report: result["structuredContent"] as? [String: Any] ?? [:]
        )
    }

    /// The code of the error that a request is answered with.
    func code(_ method: String, _ parameters: [String: Any] = [:]) throws -> Int? {
        (try ask(method, parameters)["error"] as? [String: Any])?["code"] as? Int
    }
}

/// Runs a test with a server in a folder that holds a model of two equal versions.
func withAgent(_ body: (AgentClient, URL) throws -> Void) throws {
    try EditedShop.with { shop in
        let client = try AgentClient(in: shop.folder)
        try body(client, shop.folder)
        #expect(try client.end() == 0)
    }
}
