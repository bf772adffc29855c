import Essentials

struct AgentError: Error {
    var document: JSONValue

    init(_ code: Int, _ message: String, data: JSONValue? = nil) {
        var members: [String: JSONValue] = ["code": .integer(code), "message": .string(message)]
        members["data"] = data
        document = .object(members)
    }

    static func invalid(_ message: String) -> AgentError { AgentError(-32600, message) }
    static func parameters(_ message: String) -> AgentError { AgentError(-32602, message) }
}

extension AgentServer {
    /// Takes a message: a request, a notification, or the answer to a question that was never asked.
    func take(_ message: JSONValue) {
        let id = message[key: "id"]
        guard case .object = message, message[key: "jsonrpc"] == "2.0" else {
            return send(.invalid("this is not a JSON-RPC 2.0 message"), to: .null)
        }
        // The ID that an answer repeats: `null` for an invalid one, such as a fraction or a too large number.
        let repeated: JSONValue =
            switch id {
            case .string?, .integer?: id ?? .null
            case nil, .null?, .boolean?, .number?, .list?, .object?: .null
            }
        guard let method = message[key: "method"]?.text else {
            guard message[key: "result"] == nil, message[key: "error"] == nil else { return }
            return send(.invalid("a request needs a 'method' that is a string"), to: repeated)
        }
        let parameters = message[key: "params"] ?? [:]
        guard let id else {
            let cancelled = calls.firstIndex { $0.id == parameters[key: "requestId"] }
            if method == "notifications/cancelled", let cancelled {
                calls[cancelled].isCancelled = true
            }
            return
        }
        do throws(AgentError) {
            guard repeated != .null else {
                throw .invalid("the ID of a request is a text or a whole number")
            }
            guard !calls.contains(where: { $0.id == id && !$0.isCancelled }) else {
                throw .invalid("a request with this ID is still unanswered")
            }
            let version = parameters[key: "_meta"]?[key: Self.versionKey]?.text
            let isModern = version != nil && method != "initialize"
            if isModern, let version, version != Self.modern {
                throw AgentError(
                    -32022,
                    "this server does not support the version '\(version)'",
                    data: ["supported": .list(Self.versions), "requested": .string(version)]
                )
            }
            guard agreed != nil || isModern || ["initialize", "ping"].contains(method) else {
                throw .invalid("the first request is 'initialize'")
            }
            if method == "tools/call" { return try prepareCall(parameters, id, isModern) }
            let result = try answer(method, parameters, isModern)
            let isOnce = ["initialize", "ping"].contains(method)
            send(isModern ? complete(result, isLasting: !isOnce) : result, to: id)
        } catch { send(error, to: repeated) }
    }

    private static let versionKey = "io.modelcontextprotocol/protocolVersion"
    /// The versions of the protocol that begin with `initialize`.
    private static let handshakes = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    /// The first with structured content.
    static let structured = "2025-06-18"
    /// The version since which each request carries the version.
    private static let modern = "2026-07-28"
    private static let versions = (handshakes + [modern]).map(JSONValue.string)

    private func answer(
        _ method: String,
        _ parameters: JSONValue,
        _ isModern: Bool
    ) throws(AgentError) -> JSONValue {
        if method.hasSuffix("/list"), parameters[key: "cursor"] != nil {
            throw .parameters("this page does not exist")
        }
        switch method {
        case "initialize":
            guard let version = parameters[key: "protocolVersion"]?.text else {
                throw .parameters("'initialize' needs 'protocolVersion'")
            }
            let newest = Self.handshakes[Self.handshakes.count - 1]
            let chosen = Self.handshakes.contains(version) ? version : newest
            agreed = chosen
            return welcome("protocolVersion", .string(chosen))
        case "server/discover": return welcome("supportedVersions", .list(Self.versions))
        case "ping": return [:]
        case "tools/list": return ["tools": .list(AgentTool.all.map { $0.listing(by: describe) })]
        case "resources/list":
            let listed = resources.map { resource -> JSONValue in
                let (uri, name) = (Self.scheme + resource.path, JSONValue.string(resource.path))
                return ["uri": .string(uri), "name": name, "mimeType": .string(resource.type)]
            }
            return ["resources": .list(listed)]
        case "resources/templates/list": return ["resourceTemplates": []]
        case "resources/read": return try resource(parameters[key: "uri"]?.text, isModern)
        default: throw AgentError(-32601, "there is no method '\(method)'")
        }
    }

    private static let scheme = "momtool://"

    private func resource(_ uri: String?, _ isModern: Bool) throws(AgentError) -> JSONValue {
        guard let uri else { throw .parameters("'resources/read' needs 'uri'") }
        guard let resource = resources.first(where: { Self.scheme + $0.path == uri }),
            let text = try? resource.text()
        else {
            let code = isModern ? -32602 : -32002
            throw AgentError(code, "there is no resource '\(uri)'", data: ["uri": .string(uri)])
        }
        let type = JSONValue.string(resource.type)
        return ["contents": [["uri": .string(uri), "mimeType": type, "text": .string(text)]]]
    }

    private func welcome(_ key: String, _ version: JSONValue) -> JSONValue {
        let names = AgentTool.all.filter { $0.name != $0.command }
            .map { "momtool \($0.command) is \($0.name)" }
        let about = """
            Core Data models and stores below \(folder.root). Read the resource momtool://skill first: the safe \
            loop is inspect, new_version, preview_edit, edit_model, plan, write_case, run_cases, check. MODEL#VERSION \
            names a version. Tools that do not say so write nothing; no store is changed in place. Reports are as \
            the resource momtool://schema/COMMAND says, a list in 'reports'. Messages advise commands, and options for \
            arguments: \(names.joined(separator: ", ")); --allow-data-loss is allow_losses, --new is name; other \
            commands, and sqlite3, are for a person in a terminal.
            """
        return [
            "capabilities": ["tools": [:], "resources": [:]], "serverInfo": serverInfo,
            "instructions": .string(about), key: version,
        ]
    }

    private var serverInfo: JSONValue {
        ["name": "momtool", "title": "momtool", "version": .string(version)]
    }

    /// Adds what results have since 2026-07-28; `isLasting` is `nil` for those that must not be cached.
    func complete(_ result: JSONValue, isLasting: Bool?) -> JSONValue {
        guard case .object(var members) = result else { return result }
        members["resultType"] = "complete"
        members["_meta"] = ["io.modelcontextprotocol/serverInfo": serverInfo]
        if let isLasting {
            members["ttlMs"] = isLasting ? 3_600_000 : 0
            members["cacheScope"] = "private"
        }
        return .object(members)
    }
}
