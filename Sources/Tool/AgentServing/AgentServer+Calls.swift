import Essentials
import FileSystem

struct PendingCall {
    let id: JSONValue
    let tool: AgentTool
    var command: AgentCommand = ([], [])
    /// The client's token for progress, where it asked for it.
    let progress: JSONValue?
    /// Whether the request carries the version of the protocol itself.
    let isModern: Bool
    let isStructured: Bool
    var isCancelled = false
}

extension AgentServer {
    /// The ending of a command: its exit status, or `nil` where a signal ended it, and its output.
    private typealias Outcome = (status: Int32?, output: String, errors: String)

    /// The limit for a report in bytes.
    private static let reportLimit = 8 << 20

    /// Queues a call, or answers its fault.
    func prepareCall(
        _ parameters: JSONValue,
        _ id: JSONValue,
        _ isModern: Bool
    ) throws(AgentError) {
        guard let name = parameters[key: "name"]?.text else {
            throw .parameters("'tools/call' needs 'name'")
        }
        guard let tool = AgentTool.all.first(where: { $0.name == name }) else {
            let names = AgentTool.all.map(\.name).joined(separator: ", ")
            throw .parameters("there is no tool '\(name)'; the tools are \(names)")
        }
        let values: [String: JSONValue]
        switch parameters[key: "arguments"] {
        case nil, .null: values = [:]
        case .object(let members): values = members
        default: throw .parameters("'arguments' is an object")
        }
        guard calls.count < 256 else { throw .invalid("256 requests are already waiting") }
        var call = PendingCall(
            id: id,
            tool: tool,
            progress: parameters[key: "_meta"]?[key: "progressToken"],
            isModern: isModern,
            isStructured: isModern || (agreed ?? "") >= Self.structured
        )
        do throws(AgentFault) {
            call.command = try tool.command(with: values, in: folder, scratch: scratch.url.path)
            calls.append(call)
        } catch {
            // The caller can correct the call, and gets the message of a command that fails.
            let line = "momtool: error: \(error.message) [usage]"
            let report = failure(tool.command, [line])
            answer(call, report, [error.message], isError: true)
        }
    }

    func runCall() {
        let call = calls[0]
        let outcome = call.isCancelled ? nil : outcome(of: call)
        for file in call.command.files { unlink(file.path) }
        let isCancelled = calls.removeFirst().isCancelled
        if let outcome, !isCancelled { answer(call, outcome) }
    }

    private func outcome(of call: PendingCall) -> Outcome {
        let words = program + call.command.words
        let child = ChildProcess(words, environment: ProcessInfo.processInfo.environment)
        guard let child else { return (nil, "", "error: the command could not be started") }
        child.closeInput()
        // An interrupted server leaves no command running.
        let entry = UnfinishedFiles.enter { [id = child.id] in kill(id, SIGTERM) }
        let output = hear(child, for: call)
        let status = child.status()
        withExtendedLifetime(entry) {}
        guard let output else {
            let fault = "error: the report has more than \(Self.reportLimit) bytes; ask for a part"
            return (nil, "", fault + " [report-too-long]")
        }
        let texts = output.map { bytes in
            call.command.files.reduce(String(decoding: bytes, as: UTF8.self)) {
                $0.replacing($1.path, with: $1.name)
            }.trimmed
        }
        return (status, texts[0], texts[1])
    }

    /// Reads all output of a command while serving the client; `nil` where it is too much.
    private func hear(_ child: ChildProcess, for call: PendingCall) -> [[UInt8]]? {
        var output: [[UInt8]] = [[], []]
        var part = [UInt8](repeating: 0, count: 64 << 10)
        var seconds = 0
        var places = [child.output, child.errors, STDIN_FILENO].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while places[0].fd >= 0 || places[1].fd >= 0 {
            places[2].fd = isReading ? STDIN_FILENO : -1
            let ready = poll(&places, nfds_t(places.count), 1000)
            guard ready >= 0 else { continue }
            if ready == 0, let token = call.progress {
                seconds += 1
                write([
                    "jsonrpc": "2.0", "method": "notifications/progress",
                    "params": ["progressToken": token, "progress": .integer(seconds)],
                ])
            }
            if places[2].fd >= 0, places[2].revents != 0 {
                readMessages()
                if calls[0].isCancelled { kill(child.id, SIGTERM) }
            }
            for place in 0..<2 where places[place].fd >= 0 && places[place].revents != 0 {
                let count = read(places[place].fd, &part, part.count)
                if count > 0 { output[place] += part[..<count] }
                if count == 0 || (count < 0 && errno != EINTR) { places[place].fd = -1 }
            }
            guard output.allSatisfy({ $0.count <= Self.reportLimit }) else {
                kill(child.id, SIGTERM)
                return nil
            }
        }
        return output
    }

    private func answer(_ call: PendingCall, _ outcome: Outcome) {
        let lines = outcome.errors.split(separator: "\n").filter {
            !$0.hasPrefix("Usage: momtool") && !$0.hasPrefix("  See 'momtool")
        }.map(String.init)
        var report = try? JSONValue(parsing: Array(outcome.output.utf8))
        // Findings and differences are not failures.
        let isFailure = outcome.status.map { !(0...2).contains($0) } ?? true
        var texts = [lines.joined(separator: "\n"), outcome.status.map { "status \($0)" } ?? ""]
        if !call.isStructured {
            // Rows keep their numbers as written.
            let isRows = !call.tool.words.contains("--format=json")
            texts.insert(isRows ? outcome.output : report?.document() ?? outcome.output, at: 0)
        } else if report == nil {
            if !outcome.output.isEmpty { texts.insert(outcome.output, at: 0) }
            if isFailure { report = failure(call.tool.command, lines) }
        }
        answer(call, report, texts, isError: isFailure)
    }

    /// Sends the result of a call: the report in one form, and the other output.
    private func answer(
        _ call: PendingCall,
        _ report: JSONValue?,
        _ texts: [String],
        isError: Bool
    ) {
        let text = texts.filter { !$0.isEmpty }.joined(separator: "\n")
        var members: [String: JSONValue] = [
            "content": [["type": "text", "text": .string(text)]], "isError": .boolean(isError),
        ]
        if call.isStructured, let report {
            // Structured content is an object.
            if case .object = report {
                members["structuredContent"] = report
            } else {
                members["structuredContent"] = ["reports": report]
            }
        }
        let result = JSONValue.object(members)
        send(call.isModern ? complete(result, isLasting: nil) : result, to: call.id)
    }
}
