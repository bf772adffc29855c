import Essentials
import FileSystem

extension AgentServer {
    /// Takes a message: a request, a notification, or the answer to a question that was never asked.
    func take(_ message: JSONValue, in batch: AgentRequest.Batch?) {
        let id = message[key: "id"]
        guard case .object = message, message[key: "jsonrpc"] == "2.0" else {
            batch?.open += 1
            return send(error: .invalid("this is no message of JSON-RPC 2.0"), to: .null, in: batch)
        }
        guard let method = message[key: "method"]?.text else {
            // The answer to a question.
            guard message[key: "result"] == nil, message[key: "error"] == nil else { return }
            batch?.open += 1
            let error = AgentError.invalid("a request has a 'method', which is a text")
            return send(error: error, to: Self.repeated(id), in: batch)
        }
        let parameters = message[key: "params"] ?? [:]
        guard let id else { return notice(method, parameters) }
        batch?.open += 1
        let version = parameters[key: "_meta"]?[key: Self.versionKey]?.text
        do throws(AgentError) {
            switch id {
            case .string, .integer: break
            default: throw .invalid("the ID of a request is a text or a whole number")
            }
            guard !isOpen(id) else { throw .invalid("a request with this ID is not answered yet") }
            let isModern = version != nil && method != "initialize"
            let request = AgentRequest(id: id, isModern: isModern, in: batch)
            if isModern, let version, !ProtocolVersion.modern.contains(version) {
                throw .version(version)
            }
            guard hasBegun || isModern || ["initialize", "ping"].contains(method) else {
                throw .invalid("the first request is 'initialize'")
            }
            try answer(method, parameters, request)
        } catch {
            send(error: error, to: Self.repeated(id), in: batch)
        }
    }

    /// The ID that an answer repeats: `null` for what can be none, such as a number that is not whole or too large.
    private static func repeated(_ id: JSONValue?) -> JSONValue {
        guard let id else { return .null }
        return switch id {
        case .string, .integer: id
        case .null, .boolean, .number, .list, .object: .null
        }
    }

    private static let versionKey = "io.modelcontextprotocol/protocolVersion"

    private func notice(_ method: String, _ parameters: JSONValue) {
        guard method == "notifications/cancelled", let id = parameters[key: "requestId"] else {
            return
        }
        cancel(id)
    }

    private func answer(
        _ method: String,
        _ parameters: JSONValue,
        _ request: AgentRequest
    ) throws(AgentError) {
        switch method {
        case "initialize":
            guard let version = parameters[key: "protocolVersion"]?.text else {
                throw .parameters("'initialize' needs 'protocolVersion'")
            }
            hasBegun = true
            send(
                welcome(["protocolVersion": .string(ProtocolVersion.negotiated(version))]),
                to: request
            )
        case "server/discover":
            let versions = ProtocolVersion.all.map(JSONValue.string)
            send(complete(welcome(["supportedVersions": .list(versions)]), request), to: request)
        case "ping": send(complete([:], request, isLasting: false), to: request)
        case "tools/list":
            try requireFirstPage(parameters)
            let tools = AgentTool.all.map { listing(of: $0) }
            send(complete(["tools": .list(tools)], request), to: request)
        case "tools/call": try callTool(parameters, request)
        case "resources/list":
            try requireFirstPage(parameters)
            send(complete(["resources": .list(resources)], request), to: request)
        case "resources/templates/list":
            try requireFirstPage(parameters)
            send(complete(["resourceTemplates": .list(Self.templates)], request), to: request)
        case "resources/read":
            guard let uri = parameters[key: "uri"]?.text else {
                throw .parameters("'resources/read' needs 'uri'")
            }
            try readResource(uri, request)
        default: throw .method(method)
        }
    }

    /// Everything fits on one page, so that there is no other to ask for.
    private func requireFirstPage(_ parameters: JSONValue) throws(AgentError) {
        guard parameters[key: "cursor"] == nil else { throw .parameters("there is no such page") }
    }

    private func welcome(_ versions: [String: JSONValue]) -> JSONValue {
        let about = """
            Core Data models and stores below \(settings.root). Read the resource momtool://skill first: the safe \
            loop is inspect, new_version, preview_edit, edit_model, plan, write_case, run_cases, check. Tools that \
            do not say so write nothing; no store is changed in place. undo_version takes a new version of an .xcdatamodeld \
            back (of Swift sources, git does), and lock records what ships.
            """
        let own: [String: JSONValue] = [
            "capabilities": ["tools": [:], "resources": [:]], "serverInfo": serverInfo,
            "instructions": .string(about),
        ]
        return .object(own.merging(versions) { $1 })
    }

    private var serverInfo: JSONValue {
        ["name": "momtool", "title": "momtool", "version": .string(settings.version)]
    }

    /// Adds what results have since 2026-07-28.
    func complete(
        _ result: JSONValue,
        _ request: AgentRequest,
        isLasting: Bool = true,
        isCacheable: Bool = true
    ) -> JSONValue {
        guard request.isModern, case .object(var members) = result else { return result }
        members["resultType"] = "complete"
        members["_meta"] = ["io.modelcontextprotocol/serverInfo": serverInfo]
        if isCacheable {
            members["ttlMs"] = isLasting ? 3_600_000 : 0
            members["cacheScope"] = "private"
        }
        return .object(members)
    }

    /// A tool with the schema of its report.
    private func listing(of tool: AgentTool) -> JSONValue {
        let report = tool.report
        let schema = report == AgentTool.rows ? rowsSchema : schema(of: report)
        guard let schema, case .object(var members) = tool.listing else { return tool.listing }
        members["outputSchema"] = AgentTool.contentSchema(schema)
        return .object(members)
    }

    private func schema(of command: String) -> JSONValue? {
        settings.schemas.first { $0.command == command }?.document
    }

    /// The schema of rows, or of the findings of a command that fails, as all reports have it.
    private var rowsSchema: JSONValue? {
        guard case .object(var keywords)? = schema(of: "lint") else { return nil }
        keywords["title"] = "momtool export"
        keywords["description"] = nil
        keywords["$id"] = nil
        keywords["anyOf"] = .list(
            [AgentTool.rowsSchema] + (keywords["anyOf"]?.items ?? [])
        )
        return .object(keywords)
    }

    private func callTool(_ parameters: JSONValue, _ request: AgentRequest) throws(AgentError) {
        guard let name = parameters[key: "name"]?.text else {
            throw .parameters("'tools/call' needs 'name'")
        }
        guard let tool = AgentTool.all.first(where: { $0.name == name }) else {
            let names = AgentTool.all.map(\.name)
            throw .parameters(
                "there is no tool '\(name)'; there are: \(names.joined(separator: ", "))"
            )
        }
        let values: [String: JSONValue]
        switch parameters[key: "arguments"] {
        case nil, .null: values = [:]
        case .object(let members): values = members
        default: throw .parameters("'arguments' is an object")
        }
        let call: AgentCall
        do throws(AgentFault) {
            call = try tool.call(with: values, in: folder, scratch: scratch.url.path)
        } catch {
            // The caller can mend the call, and gets the message of a command that fails.
            let result: JSONValue = [
                "content": [Self.text(error.message)], "isError": true,
                "structuredContent": settings.failure(
                    tool.command,
                    ["momtool: error: \(error.message) [usage]"]
                ),
            ]
            return send(complete(result, request, isCacheable: false), to: request)
        }
        try run(call, for: request) { [self] outcome in
            complete(self.result(of: tool, outcome), request, isCacheable: false)
        }
    }

    /// The commands that give reports.
    private var commands: Set<String> { Set(settings.schemas.map { $0.command }) }

    private static func text(_ text: String) -> JSONValue {
        ["type": "text", "text": .string(text)]
    }

    /// What is said of a report that is not given.
    static let excess = "the report is longer than \(reportLimit) bytes; ask for less"

    private func result(of tool: AgentTool, _ outcome: AgentJob.Outcome) -> JSONValue {
        guard !outcome.isTooLong else {
            return [
                "content": [Self.text(Self.excess)], "isError": true,
                "structuredContent": settings.failure(
                    tool.command,
                    ["momtool: error: \(Self.excess) [report-too-long]"]
                ),
            ]
        }
        var members: [String: JSONValue] = [:]
        var texts: [String] = []
        let errors = AgentWords.withoutUsage(outcome.errors).trimmed
        var said = errors.split(separator: "\n").map(String.init)
        if let report = try? JSONValue(parsing: Array(outcome.output.utf8)) {
            // The numbers of rows stay as they are written.
            let isRows = tool.report == AgentTool.rows
            texts.append(isRows ? outcome.output.trimmed : Self.words(of: report))
            members["structuredContent"] = AgentTool.content(of: report)
            said = isRows && !outcome.isFailure ? [] : said + AgentWords.texts(of: report)
        } else {
            texts.append(outcome.output.trimmed)
            if outcome.isFailure {
                members["structuredContent"] = settings.failure(tool.command, said)
            }
        }
        texts.append(errors)
        if let legend = AgentWords.legend(of: said, for: tool, among: commands) {
            texts.append(legend)
            // Some clients show the model nothing but the report.
            if case .object(var report)? = members["structuredContent"] {
                report[AgentTool.legend] = .string(legend)
                members["structuredContent"] = .object(report)
            }
        }
        texts.append(Self.words(of: outcome.status))
        members["content"] = .list(texts.filter { !$0.isEmpty }.map(Self.text))
        members["isError"] = .boolean(outcome.isFailure)
        return .object(members)
    }

    /// A report as text: a patch with its lines and the plan, everything else as JSON.
    private static func words(of report: JSONValue) -> String {
        guard let patch = report[key: "patch"]?.text else { return report.document() }
        let messages = (report[key: "messages"]?.items ?? []) + [report[key: "plan"] ?? .null]
        return patch + messages.compactMap(\.text).joined(separator: "\n")
    }

    private static func words(of status: Int32?) -> String {
        let meaning =
            switch status {
            case 0?: "done"
            case 1?: "findings"
            case 2?: "differences"
            case 3?: "refused before anything was written"
            case 4?: "failed, and what was there is as it was"
            case 64?: "the call is wrong"
            case 65?: "bad input data"
            case 66?: "no input"
            case 73?: "the output cannot be created"
            case 74?: "input or output failed"
            default: "ended without saying why"
            }
        return status.map { "status \($0): \(meaning)" } ?? meaning
    }
}
