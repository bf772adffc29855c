import Essentials

/// A request of a client, and how it is answered.
final class AgentRequest {
    /// The ID that the answer repeats.
    let id: JSONValue
    /// Whether it carries the version of the protocol itself, as all do since 2026-07-28.
    let isModern: Bool
    /// The batch that it came in, whose answers go together; `nil` for most.
    let batch: Batch?

    init(id: JSONValue, isModern: Bool, in batch: Batch?) {
        (self.id, self.isModern, self.batch) = (id, isModern, batch)
    }

    /// Requests that came in one list, as the version of 2025-03-26 allows.
    final class Batch {
        var open = 0
        var answers: [JSONValue] = []
    }
}

/// An error of JSON-RPC.
struct AgentError: Error {
    var code: Int
    var message: String
    var data: JSONValue?

    static func parse(_ message: String) -> AgentError {
        AgentError(code: -32700, message: message)
    }

    static func invalid(_ message: String) -> AgentError {
        AgentError(code: -32600, message: message)
    }

    static func method(_ name: String) -> AgentError {
        AgentError(code: -32601, message: "there is no method '\(name)'")
    }

    static func parameters(_ message: String) -> AgentError {
        AgentError(code: -32602, message: message)
    }

    /// No resource has a URI; the code is another since 2026-07-28.
    static func resource(_ uri: String, isModern: Bool) -> AgentError {
        AgentError(
            code: isModern ? -32602 : -32002,
            message: "there is no resource '\(uri)'",
            data: ["uri": .string(uri)]
        )
    }

    static func version(_ requested: String) -> AgentError {
        AgentError(
            code: -32022,
            message: "this server does not speak the version '\(requested)'",
            data: [
                "supported": .list(ProtocolVersion.all.map(JSONValue.string)),
                "requested": .string(requested),
            ]
        )
    }

    var document: JSONValue {
        var members: [String: JSONValue] = ["code": .integer(code), "message": .string(message)]
        members["data"] = data
        return .object(members)
    }
}

/// The versions of the protocol.
enum ProtocolVersion {
    /// Those that begin with `initialize`.
    static let handshakes = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    /// Those in which each request carries the version.
    static let modern = ["2026-07-28"]
    static let all = handshakes + modern

    /// The version to speak with a client that asks for one: the same, else the newest with a handshake.
    static func negotiated(_ requested: String) -> String {
        handshakes.contains(requested) ? requested : handshakes[handshakes.count - 1]
    }
}
