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

    func send(_ message: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: message)
        try send(line: String(decoding: data, as: UTF8.self))
    }

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

    func receive() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: line()) as? [String: Any])
    }

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

    struct ToolResult {
        var isError: Bool
        var text: String
        var report: [String: Any]
        var words: String {
            let data = try? JSONSerialization.data(withJSONObject: report)
            return text + "\n" + String(decoding: data ?? Data(), as: UTF8.self)
        }
    }

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

    func code(_ method: String, _ parameters: [String: Any] = [:]) throws -> Int? {
        (try ask(method, parameters)["error"] as? [String: Any])?["code"] as? Int
    }
}

func withAgent(_ body: (AgentClient, URL) throws -> Void) throws {
    try EditedShop.with { shop in
        let client = try AgentClient(in: shop.folder)
        try body(client, shop.folder)
        #expect(try client.end() == 0)
    }
}
