import CFileSystem
import Essentials

/// A program that runs beside this one, reached through pipes.
///
/// Not thread-safe; the owner serializes access.
package final class ChildProcess {
    /// What the program reads, and where what it writes comes out.
    package private(set) var input: Int32 = -1
    package private(set) var output: Int32 = -1
    package private(set) var errors: Int32 = -1
    /// The process.
    package private(set) var id: Int32 = 0
    private var isWaitedFor = false
    /// The status that the program has ended with; `nil` when a signal ended it, or it has not ended.
    package private(set) var endStatus: Int32?

    /// Starts a program by its name, looked for as a shell does.
    ///
    /// - Returns: `nil` when it cannot be started.
    package init?(_ arguments: [String], environment: [String: String]) {
        var theirs: [Int32] = []
        defer { for descriptor in theirs { close(descriptor) } }
        for place in 0..<3 {
            guard let (reading, writing) = Self.makePipe() else {
                closeAll()
                return nil
            }
            theirs.append(place == 0 ? reading : writing)
            switch place {
            case 0: input = writing
            case 1: output = reading
            default: errors = reading
            }
        }
        guard let id = Self.spawn(arguments, environment, theirs) else {
            closeAll()
            return nil
        }
        self.id = id
    }

    deinit {
        closeAll()
        terminate()
    }

    /// Whether the program has not ended.
    package var isRunning: Bool {
        guard id > 0, !isWaitedFor else { return false }
        var status: Int32 = 0
        let ended = waitpid(id, &status, WNOHANG)
        if ended == id, status & 0x7F == 0 { endStatus = (status >> 8) & 0xFF }
        isWaitedFor = ended != 0 && (ended > 0 || errno != EINTR)
        return !isWaitedFor
    }

    /// Ends the program at once, which it cannot refuse, and waits until it has.
    package func destroy() {
        closeAll()
        guard isRunning else { return }
        kill(id, SIGKILL)
        _ = waitForEnd()
    }

    /// Ends the program and waits until it has, so that it takes up no entry in the system's table.
    func terminate() {
        guard isRunning else { return }
        kill(id, SIGTERM)
        _ = waitForEnd()
    }

    /// Waits until the program has ended: the status that it ends with, or `nil` when a signal ended it.
    package func status() -> Int32? {
        guard id > 0, !isWaitedFor else { return nil }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isWaitedFor = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Waits until the program has ended; `true` when it says that all is well.
    func waitForEnd() -> Bool {
        guard id > 0, !isWaitedFor else { return false }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isWaitedFor = true
        return status == 0
    }

    /// Gives the program what it reads, and takes what it writes, whichever comes first, until it has said all.
    ///
    /// - Parameter bytes: what it reads.
    /// - Returns: what it writes, and what it complains of.
    func exchange(_ bytes: [UInt8]) -> (output: [UInt8], errors: [UInt8]) {
        var given = 0
        var said: [[UInt8]] = [[], []]
        var places = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
        ]
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while places[0].fd >= 0 || places[1].fd >= 0 {
            if given >= bytes.count, places[2].fd >= 0 {
                closeInput()
                places[2].fd = -1
            }
            guard poll(&places, nfds_t(places.count), -1) > 0 || errno == EINTR else { break }
            for place in 0..<2 where places[place].revents != 0 {
                let count = read(places[place].fd, &part, part.count)
                if count > 0 { said[place] += part[..<count] }
                if count == 0 || (count < 0 && errno != EINTR) { places[place].fd = -1 }
            }
            guard places[2].revents != 0 else { continue }
            // A pipe that is ready takes so much at once; one whose reader has gone takes nothing any more.
            let isOpen = places[2].revents & Int16(POLLERR) == 0
            let count =
                isOpen
                ? write(input, Array(bytes[given...].prefix(512)), min(512, bytes.count - given))
                : 0
            given = count > 0 ? given + count : bytes.count
        }
        return (said[0], said[1])
    }

    /// Tells the program that nothing more comes.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Stops listening to complaints, of which there are no more.
    package func closeErrors() {
        if errors >= 0 { close(errors) }
        errors = -1
    }

    private func closeAll() {
        for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
        (input, output, errors) = (-1, -1, -1)
    }

    /// Makes a pipe that no other program gets by chance.
    private static func makePipe() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        return program_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
    }

    private static func spawn(
        _ arguments: [String],
        _ environment: [String: String],
        _ descriptors: [Int32]
    ) -> pid_t? {
        var words = arguments.map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var id: pid_t = 0
        return program_start(&id, &words, &settings, descriptors) == 0 ? id : nil
    }
}
