import CFileSystem
import Essentials

/// A conversation with a program: it gets lines, and answers with lines, in its own time.
///
/// Both pipes are served at once, so that neither side waits for the other. The caller must always ``end()`` it.
package final class ProgramConversation {
    private let child: ChildProcess
    private let isOver: () -> Bool
    private var waiting: [UInt8] = []
    private var given = 0
    /// The beginning of an unfinished line.
    private var begun: [UInt8] = []
    private var complaints: [UInt8] = []
    private var isSilent = false
    private let take: ([UInt8]) throws -> Void
    package private(set) var lines = 0

    /// The most bytes that wait for the program before it must read.
    private static let room = 64 << 10
    /// The longest line that a program may write, in bytes.
    private static let longestLine = 16 << 20

    /// Starts a program, looked up as a shell does.
    ///
    /// `isOver` is called several times a second, and `true` ends the conversation with an error. `take` gets each line
    /// without its end.
    package init(
        _ arguments: [String],
        isOver: @escaping () -> Bool,
        take: @escaping ([UInt8]) throws -> Void
    ) throws {
        let environment = Surroundings.current.environment
        guard let child = ChildProcess(arguments, environment: environment) else {
            throw ProgramFault("it cannot be started")
        }
        (self.child, self.isOver, self.take) = (child, isOver, take)
    }

    /// Kills the program and waits for it, so that no process remains.
    package func end() { child.destroy() }

    package func send(_ line: [UInt8]) throws {
        waiting += line
        while waiting.count - given > Self.room { try serve() }
        if given > Self.room {
            waiting.removeFirst(given)
            given = 0
        }
    }

    /// Ends the input, and waits for the program to end successfully.
    package func finish() throws {
        while given < waiting.count { try serve() }
        try awaitReading()
        child.closeInput()
        while !isSilent { try serve() }
        if !begun.isEmpty { try take(line: begun) }
        try requireGoodEnd()
    }

    /// Waits until the program has emptied its pipe, so that one that stops early differs from one that is done.
    private func awaitReading() throws {
        while program_unread(child.input) > 0 {
            var place = pollfd(fd: child.input, events: 0, revents: 0)
            guard poll(&place, 1, 0) == 0 else { try failForStopping() }
            try serve(gives: false, milliseconds: 5)
        }
    }

    private func failForStopping() throws -> Never {
        // Its output until then, or its status, may show the reason.
        while !isSilent { try serve(gives: false) }
        if !begun.isEmpty { try take(line: begun) }
        try requireGoodEnd()
        throw ProgramFault("it ended, or stopped reading, before it had all input\(lastComplaint)")
    }

    private func requireGoodEnd() throws {
        while child.isRunning {
            guard !isOver() else { throw ProgramFault("it timed out") }
            usleep(5000)
        }
        switch child.endStatus {
        case 0?: return
        case let status?: throw ProgramFault("it ended with status \(status)\(lastComplaint)")
        case nil: throw ProgramFault("a signal terminated it\(lastComplaint)")
        }
    }

    /// Waits a moment for what can be read or, where anything is still accepted, written, and does that.
    private func serve(gives: Bool = true, milliseconds: Int32 = 50) throws {
        guard !isOver() else { throw ProgramFault("it timed out") }
        var places = [
            pollfd(fd: isSilent ? -1 : child.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: gives && given < waiting.count ? child.input : -1,
                events: Int16(POLLOUT),
                revents: 0
            ),
        ]
        guard poll(&places, nfds_t(places.count), milliseconds) > 0 else { return }
        if places[0].revents != 0 { try readOutput() }
        if places[1].revents != 0 { readComplaints() }
        if places[2].revents != 0 { try give(isOpen: places[2].revents & Int16(POLLERR) == 0) }
    }

    private func give(isOpen: Bool) throws {
        let count =
            isOpen
            ? waiting.withUnsafeBytes { bytes in
                write(
                    child.input,
                    bytes.baseAddress.map { $0 + given },
                    min(512, bytes.count - given)
                )
            } : -1
        guard count > 0 else { try failForStopping() }
        given += count
    }

    private func readOutput() throws {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(child.output, &part, part.count)
        guard count > 0 else {
            isSilent = count == 0 || errno != EINTR
            return
        }
        begun += part[..<count]
        var start = 0
        while let end = begun[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if end > start { try take(line: Array(begun[start..<end])) } else { lines += 1 }
            start = end + 1
        }
        begun.removeFirst(start)
        guard begun.count <= Self.longestLine else {
            lines += 1
            throw ProgramFault("the line is longer than 16 MB")
        }
    }

    private func take(line: [UInt8]) throws {
        lines += 1
        try take(line)
    }

    private func readComplaints() {
        var part = [UInt8](repeating: 0, count: 4096)
        let count = read(child.errors, &part, part.count)
        if count > 0 {
            complaints = (complaints + part[..<count]).suffix(4096)
        } else if count == 0 {
            child.closeErrors()
        }
    }

    private var lastComplaint: String {
        let lines = complaints.split(separator: UInt8(ascii: "\n"))
        guard let last = lines.last else { return "" }
        let text = String(decoding: last, as: UTF8.self).unicodeScalars
            .filter { $0.value >= 32 && $0.value != 127 }
        return ": " + String(String.UnicodeScalarView(text).prefix(200))
    }
}

package struct ProgramFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
