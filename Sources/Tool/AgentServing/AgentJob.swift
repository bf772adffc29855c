import Essentials
import FileSystem

/// A command that runs for a request, and what it has said so far.
final class AgentJob {
    /// How a command ended.
    struct Outcome {
        /// The exit status; `nil` when it was ended by a signal.
        var status: Int32?
        var output: String
        var errors: String
        /// Whether it said more than a message may hold, and was stopped.
        var isTooLong: Bool

        /// Whether the command did not do its work; findings and differences are no failure.
        var isFailure: Bool { isTooLong || status.map { !(0...2).contains($0) } ?? true }
    }

    /// The request; cancelling names it.
    let request: AgentRequest
    /// Makes the result of the request.
    let answer: (Outcome) throws(AgentError) -> JSONValue
    private let call: AgentCall
    private let limit: Int
    private var child: ChildProcess?
    private var said: [[UInt8]] = [[], []]
    private var isOpen = [true, true]
    private var isTooLong = false
    /// Whether the caller no longer waits for the result.
    private(set) var isCancelled = false
    private var entry: UnfinishedFiles.Entry?

    init(
        _ call: AgentCall,
        for request: AgentRequest,
        limit: Int,
        answer: @escaping (Outcome) throws(AgentError) -> JSONValue
    ) {
        (self.call, self.request, self.limit, self.answer) = (call, request, limit, answer)
    }

    /// Whether it changes files that are there.
    var isChange: Bool { call.isChange }

    deinit { for file in call.files { unlink(file.path) } }

    /// Starts the command; `false` when the system cannot.
    func start(_ program: [String]) -> Bool {
        child = ChildProcess(
            program + call.words,
            environment: ProcessInfo.processInfo.environment
        )
        child?.closeInput()
        guard let id = child?.id else { return false }
        // An interrupted server leaves no command behind.
        entry = UnfinishedFiles.enter { kill(id, SIGTERM) }
        return true
    }

    /// Asks the command to end; what it was writing stays as it was.
    func cancel() {
        isCancelled = true
        stop()
    }

    private func stop() {
        if let id = child?.id { kill(id, SIGTERM) }
    }

    /// What to wait for: the descriptors that the command still writes to.
    var descriptors: [Int32] {
        guard let child else { return [] }
        return zip([child.output, child.errors], isOpen).compactMap { $1 ? $0 : nil }
    }

    /// Takes what has come from a descriptor.
    func take(from descriptor: Int32) {
        let place = descriptor == child?.output ? 0 : 1
        var part = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &part, part.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else {
            isOpen[place] = false
            return
        }
        said[place] += part[..<count]
        guard said[place].count > limit else { return }
        said[place].removeAll()
        isTooLong = true
        stop()
    }

    /// How the command ended, once it has said all; `nil` before.
    func outcome() -> Outcome? {
        guard let child, !isOpen.contains(true) else { return nil }
        let status = child.status()
        let texts = said.map { bytes in
            call.files.reduce(String(decoding: bytes, as: UTF8.self)) {
                $0.replacing($1.path, with: $1.name)
            }
        }
        return Outcome(status: status, output: texts[0], errors: texts[1], isTooLong: isTooLong)
    }
}
