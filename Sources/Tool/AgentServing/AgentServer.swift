package import Essentials
package import FileSystem

/// A server of the Model Context Protocol over standard input and output, one message a line.
///
/// Tools and resources are commands of this program, each run as a process of its own: a request can be cancelled, a
/// crash ends nothing else, and what a command says goes nowhere but into its result. Everything waits in one loop.
package final class AgentServer {
    /// What a server is made of.
    package struct Settings {
        /// The folder that it may use.
        package var root: String
        /// The words that start this program.
        package var program: [String]
        /// The version of this program.
        package var version: String
        /// The text of the skill.
        package var skill: String
        /// The JSON Schemas of reports, by their commands.
        package var schemas: [(command: String, document: JSONValue)]
        /// Makes the report of a command that failed from what it said, a line each.
        package var failure: (_ command: String, _ lines: [String]) -> JSONValue

        /// Creates settings.
        package init(
            root: String,
            program: [String],
            version: String,
            skill: String,
            schemas: [(command: String, document: JSONValue)],
            failure: @escaping (_ command: String, _ lines: [String]) -> JSONValue
        ) {
            (self.root, self.program, self.version) = (root, program, version)
            (self.skill, self.schemas, self.failure) = (skill, schemas, failure)
        }
    }

    /// The longest message that is read.
    package static let messageLimit = 4 << 20
    /// The longest report that a tool gives.
    package static let reportLimit = 8 << 20
    /// How many commands run at the same time; others wait.
    private static let jobLimit = 4
    /// How many requests may wait.
    private static let queueLimit = 256

    let settings: Settings
    let folder: Confinement
    /// A folder for documents that commands read.
    let scratch: TemporaryFolder
    var hasBegun = false
    private var running: [AgentJob] = []
    private var waiting: [AgentJob] = []
    private var pending: [UInt8] = []
    private var isSkipping = false
    private var isReading = true

    /// Makes a server, and confines this process to its folder where the system can.
    ///
    /// - Throws: `FileError` when there is no place for temporary files.
    package init(_ settings: Settings) throws(FileError) {
        self.settings = settings
        folder = Confinement(root: settings.root)
        scratch = try TemporaryFolder()
        setenv("TMPDIR", scratch.url.path, 1)
        setenv("SQLITE_TMPDIR", scratch.url.path, 1)
    }

    /// Confines this process and all that it starts; `false` where the system cannot.
    package func confine() -> Bool {
        confineProcess(to: settings.root, scratch: scratch.url.path)
    }

    /// Serves until the client closes its end, and answers what it has asked by then.
    package func run() {
        while isReading || !running.isEmpty {
            var places = running.flatMap { job in
                job.descriptors.map { (descriptor: $0, job: Optional(job)) }
            }
            if isReading { places.append((STDIN_FILENO, nil)) }
            var polled = places.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return }
            for (place, result) in zip(places, polled) where result.revents != 0 {
                guard let job = place.job else {
                    readMessages()
                    continue
                }
                job.take(from: place.descriptor)
            }
            finishJobs()
        }
    }

    private func readMessages() {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(STDIN_FILENO, &part, part.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else {
            isReading = false
            return
        }
        for piece in part[..<count].split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        ).enumerated() {
            if piece.offset > 0 { endMessage() }
            if !isSkipping { pending += piece.element }
            if pending.count > Self.messageLimit {
                pending.removeAll()
                isSkipping = true
            }
        }
    }

    private func endMessage() {
        defer {
            pending.removeAll(keepingCapacity: true)
            isSkipping = false
        }
        guard !isSkipping else {
            return send(
                error: .invalid("a message is longer than \(Self.messageLimit) bytes"),
                to: .null
            )
        }
        guard pending.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return }
        guard let message = try? JSONValue(parsing: pending) else {
            return send(error: .parse("a message is no JSON, or nests too deep"), to: .null)
        }
        guard case .list(let messages) = message else { return take(message, in: nil) }
        guard !messages.isEmpty else {
            return send(error: .invalid("an empty list is no message"), to: .null)
        }
        let batch = AgentRequest.Batch()
        batch.open = 1
        for message in messages { take(message, in: batch) }
        close(batch)
    }

    /// Answers a request.
    func send(_ result: JSONValue, to request: AgentRequest) {
        let answer: JSONValue = ["jsonrpc": "2.0", "id": request.id, "result": result]
        send(answer, in: request.batch)
    }

    /// Answers a request with an error.
    func send(error: AgentError, to id: JSONValue, in batch: AgentRequest.Batch? = nil) {
        send(["jsonrpc": "2.0", "id": id, "error": error.document], in: batch)
    }

    private func send(_ answer: JSONValue, in batch: AgentRequest.Batch?) {
        guard let batch else {
            // A client that has gone is told of by the end of its messages.
            _ = writeAll(Array((answer.document() + "\n").utf8), to: STDOUT_FILENO)
            return
        }
        batch.answers.append(answer)
        close(batch)
    }

    /// Notes that something of a batch is answered, or needs no answer; sends all answers after the last.
    func close(_ batch: AgentRequest.Batch) {
        batch.open -= 1
        if batch.open == 0, !batch.answers.isEmpty { send(.list(batch.answers), in: nil) }
    }

    /// Runs a command for a request, as soon as not too many run.
    func run(
        _ call: AgentCall,
        for request: AgentRequest,
        answer: @escaping (AgentJob.Outcome) throws(AgentError) -> JSONValue
    ) throws(AgentError) {
        guard waiting.count < Self.queueLimit else {
            throw .invalid("\(Self.queueLimit) requests wait already")
        }
        let job = AgentJob(call, for: request, limit: Self.reportLimit, answer: answer)
        waiting.append(job)
        startJobs()
    }

    /// Whether a request is being worked on.
    func isOpen(_ id: JSONValue) -> Bool {
        (running + waiting).contains { $0.request.id == id && !$0.isCancelled }
    }

    /// Ends the work on a request, which gets no answer.
    func cancel(_ id: JSONValue) {
        running.first { $0.request.id == id }?.cancel()
        guard let place = waiting.firstIndex(where: { $0.request.id == id }) else { return }
        let job = waiting.remove(at: place)
        if let batch = job.request.batch { close(batch) }
    }

    /// The first command that may start: those that change files go one after the other, as they were asked for.
    private var nextJob: Int? {
        let isChanging = running.contains(where: \.isChange)
        return waiting.firstIndex { !(isChanging && $0.isChange) }
    }

    private func startJobs() {
        while running.count < Self.jobLimit, let index = nextJob {
            let job = waiting.remove(at: index)
            if job.start(settings.program) {
                running.append(job)
            } else {
                let error = AgentError(code: -32603, message: "the command could not be started")
                send(error: error, to: job.request.id, in: job.request.batch)
            }
        }
    }

    private func finishJobs() {
        let ended = running.compactMap { job in job.outcome().map { (job, $0) } }
        guard !ended.isEmpty else { return }
        running.removeAll { job in ended.contains { $0.0 === job } }
        for (job, outcome) in ended {
            if !job.isCancelled {
                answer(job, outcome)
            } else if let batch = job.request.batch {
                close(batch)
            }
        }
        startJobs()
    }

    private func answer(_ job: AgentJob, _ outcome: AgentJob.Outcome) {
        do throws(AgentError) {
            send(try job.answer(outcome), to: job.request)
        } catch {
            send(error: error, to: job.request.id, in: job.request.batch)
        }
    }
}
