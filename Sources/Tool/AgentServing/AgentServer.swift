package import Essentials
package import FileSystem

/// A server of the Model Context Protocol over standard input and output, one message a line.
///
/// A tool is a command of this program, run as a separate process: it can be cancelled, a crash ends nothing else, and
/// all of its output becomes its result. One runs at a time, in the order of the requests; meanwhile the server answers
/// requests that need no command at once.
package final class AgentServer {
    /// A document that clients may read, as `momtool://PATH`.
    package typealias Resource = (path: String, type: String, text: () throws -> String)

    private static let messageLimit = 4 << 20

    let program: [String]
    let version: String
    let resources: [Resource]
    /// The description of a command by ArgumentParser.
    let describe: (_ command: [String]) -> JSONValue
    /// Makes the report of a failed command from the lines of its output.
    let failure: (_ command: String, _ lines: [String]) -> JSONValue
    let folder: Confinement
    let scratch: TemporaryFolder
    /// The version that `initialize` agreed on; `nil` before.
    var agreed: String?
    /// The calls without an answer, in their order; the first runs.
    var calls: [PendingCall] = []
    private var pending: [UInt8] = []
    private var isSkipping = false
    private(set) var isReading = true

    package init(
        root: String,
        program: [String],
        version: String,
        resources: [Resource],
        describe: @escaping (_ command: [String]) -> JSONValue,
        failure: @escaping (_ command: String, _ lines: [String]) -> JSONValue
    ) throws(FileError) {
        (self.program, self.version, self.resources) = (program, version, resources)
        (self.describe, self.failure) = (describe, failure)
        folder = Confinement(root: root)
        scratch = try TemporaryFolder()
        setenv(ProjectBounds.variable, root, 1)
        setenv("TMPDIR", scratch.url.path, 1)
        setenv("SQLITE_TMPDIR", scratch.url.path, 1)
    }

    /// Confines this process and all that it starts; `false` where the system cannot.
    package func confine() -> Bool { confineProcess(to: folder.root, scratch: scratch.url.path) }

    /// Serves until the client closes its end, and answers what it has asked by then.
    package func run() {
        while isReading || !calls.isEmpty { if calls.isEmpty { readMessages() } else { runCall() } }
    }

    func readMessages() {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(STDIN_FILENO, &part, part.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else {
            isReading = false
            return
        }
        let pieces = part[..<count]
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, piece) in pieces.enumerated() {
            if place > 0 { endMessage() }
            if !isSkipping { pending += piece }
            if pending.count > Self.messageLimit {
                pending.removeAll()
                isSkipping = true
            }
        }
    }

    private func endMessage() {
        defer { (pending, isSkipping) = ([], false) }
        guard !isSkipping else {
            let message = "a message is longer than \(Self.messageLimit) bytes"
            return send(.invalid(message), to: .null)
        }
        guard pending.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return }
        guard let message = try? JSONValue(parsing: pending) else {
            return send(AgentError(-32700, "a message is not JSON, or nests too deep"), to: .null)
        }
        take(message)
    }

    func send(_ result: JSONValue, to id: JSONValue) {
        write(["jsonrpc": "2.0", "id": id, "result": result])
    }

    func send(_ error: AgentError, to id: JSONValue) {
        write(["jsonrpc": "2.0", "id": id, "error": error.document])
    }

    /// Sends a message; the end of its messages shows that a client has gone.
    func write(_ message: JSONValue) {
        _ = writeAll(Array((message.document() + "\n").utf8), to: STDOUT_FILENO)
    }
}
