import Essentials
import FileSystem

/// A call of a tool that is not answered yet.
struct PendingCall {
    let id: JSONValue
    let tool: AgentTool
    var command: AgentCommand = ([], [])
    /// What the client knows the progress by, where it asked for it.
    let progress: JSONValue?
    /// Whether the request carries the version of the protocol itself.
    let isModern: Bool
    /// Whether the client takes reports as structured content.
    let isStructured: Bool
    /// Whether the caller no longer waits for the result.
    var isCancelled = false
}

extension AgentServer {
    /// How a command ended: its exit status, or `nil` where a signal ended it, and what it said.
    private typealias Outcome = (status: Int32?, output: String, errors: String)

    /// The longest report that a tool gives.
    private static let reportLimit = 8 << 20

    /// Lets a call wait for its turn, or answers what is wrong with it.
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
            throw .parameters("there is no tool '\(name)'; there are: \(names)")
        }
        let values: [String: JSONValue]
        switch parameters[key: "arguments"] {
        case nil, .null: values = [:]
        case .object(let members): values = members
        default: throw .parameters("'arguments' is an object")
        }
        guard calls.count < 256 else { throw .invalid("256 requests wait already") }
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
            // The caller can mend the call, and gets the message of a command that fails.
            let line = "momtool: error: \(error.message) [usage]"
            let report = failure(tool.command, [line])
            answer(call, report, [error.message], isError: true)
        }
    }

    /// Runs the first call that waits, and answers it.
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
        guard let child else {
            return (nil, "", "error: the command could not be started")
        }
        child.closeInput()
        // An interrupted server leaves no command behind.
        let entry = UnfinishedFiles.enter { [id = child.id] in kill(id, SIGTERM) }
        let said = hear(child, for: call)
        let status = child.status()
        withExtendedLifetime(entry) {}
        guard let said else {
            let fault = "error: the report has more than \(Self.reportLimit) bytes; ask for a part"
            return (nil, "", fault + " [report-too-long]")
        }
        let texts = said.map { bytes in
            call.command.files.reduce(String(decoding: bytes, as: UTF8.self)) {
                $0.replacing($1.path, with: $1.name)
            }.trimmed
        }
        return (status, texts[0], texts[1])
    }

    /// Takes what a command says until it has said all, and hears the client meanwhile; `nil` where it is too much.
    private func hear(_ child: ChildProcess, for call: PendingCall) -> [[UInt8]]? {
        var said: [[UInt8]] = [[], []]
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
                if count > 0 { said[place] += part[..<count] }
                if count == 0 || (count < 0 && errno != EINTR) { places[place].fd = -1 }
            }
            guard said.allSatisfy({ $0.count <= Self.reportLimit }) else {
                kill(child.id, SIGTERM)
                return nil
            }
        }
        return said
    }

    private func answer(_ call: PendingCall, _ outcome: Outcome) {
        let lines = outcome.errors.split(separator: "\n").filter {
            !$0.hasPrefix("Usage: momtool") && !$0.hasPrefix("  See 'momtool")
        }.map(String.init)
        var report = try? JSONValue(parsing: Array(outcome.output.utf8))
        // Findings and differences are no failure.
        let isFailure = outcome.status.map { !(0...2).contains($0) } ?? true
        var texts = [lines.joined(separator: "\n"), outcome.status.map { "status \($0)" } ?? ""]
        if !call.isStructured {
            // Rows keep their numbers as they are written.
            let isRows = !call.tool.words.contains("--format=json")
            texts.insert(isRows ? outcome.output : report?.document() ?? outcome.output, at: 0)
        } else if report == nil {
            if !outcome.output.isEmpty { texts.insert(outcome.output, at: 0) }
            if isFailure { report = failure(call.tool.command, lines) }
        }
        answer(call, report, texts, isError: isFailure)
    }

    /// Sends the result of a call: the report in one form, and what else was said.
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
