import CFileSystem
import Diagnostics
import Essentials

/// A program that runs beside this one, reached through pipes.
///
/// Not thread-safe; the owner serializes access.
package final class ChildProcess {
    /// The ends of the program's standard input and output.
    package private(set) var input: Int32 = -1
    package private(set) var output: Int32 = -1
    package private(set) var errors: Int32 = -1
    package private(set) var id: Int32 = 0
    private var isWaitedFor = false
    /// The status that the program has ended with; `nil` when a signal ended it, or it has not ended.
    package private(set) var endStatus: Int32?

    /// Starts a program by its name, looked up as a shell does; `nil` when it cannot be started.
    ///
    /// With `isOfOwnGroup` the terminal's signals to this process do not reach it; it must not use the terminal.
    package init?(
        _ arguments: [String],
        environment: [String: String],
        isOfOwnGroup: Bool = false
    ) {
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
        // Under the lock, so that ending this process ends all, including one that is just being started.
        let id = Self.running.withLock { running -> pid_t? in
            let id = Self.spawn(arguments, environment, theirs, isOfOwnGroup)
            if let id { running.insert(id) }
            return id
        }
        guard let id else {
            closeAll()
            return nil
        }
        self.id = id
    }

    deinit { destroy() }

    private static let running = Locked<Set<pid_t>>([])

    /// Ends all programs at once, for a process that is about to end.
    package static func endAll() { running.withLock { for id in $0 { kill(id, SIGKILL) } } }

    package var isRunning: Bool {
        guard id > 0, !isWaitedFor else { return false }
        var status: Int32 = 0
        let ended = wait(WNOHANG, &status)
        if ended == id, status & 0x7F == 0 { endStatus = (status >> 8) & 0xFF }
        isWaitedFor = ended != 0 && (ended > 0 || errno != EINTR)
        return !isWaitedFor
    }

    /// Waits for the end, after which the process number may be another program's.
    private func wait(_ options: Int32, _ status: inout Int32) -> pid_t {
        guard options != 0 else {
            // The end is awaited without the lock, and recorded with it.
            var information = siginfo_t()
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            return wait(WNOHANG, &status)
        }
        return Self.running.withLock { running in
            let ended = waitpid(id, &status, options)
            if ended != 0 { running.remove(id) }
            return ended
        }
    }

    /// Has the system end the program when it has computed for some time, even after this process.
    func limitProcessorTime(to limit: Duration) {
        program_limit_time(id, max(1, limit.components.seconds))
    }

    /// Kills the program and waits for its end, so that it takes up no entry in the system's table.
    package func destroy() {
        closeAll()
        guard isRunning else { return }
        kill(id, SIGKILL)
        _ = status()
    }

    /// Waits until the program has ended: the status that it ends with, or `nil` when a signal ended it.
    package func status() -> Int32? {
        guard id > 0, !isWaitedFor else { return nil }
        var status: Int32 = 0
        while wait(0, &status) < 0, errno == EINTR {}
        isWaitedFor = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Writes the program's input and reads its output concurrently until the output ends; returns its output and errors, or
    /// `nil` after the time limit.
    func exchange(_ bytes: [UInt8], within limit: Duration) -> (output: [UInt8], errors: [UInt8])? {
        let end = ContinuousClock.now + limit
        var given = 0
        var texts: [[UInt8]] = [[], []]
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
            guard ContinuousClock.now < end else { return nil }
            let ready = poll(&places, nfds_t(places.count), 100)
            guard ready != 0 else { continue }
            guard ready > 0 || errno == EINTR else { break }
            for place in 0..<2 where places[place].revents != 0 {
                let count = read(places[place].fd, &part, part.count)
                if count > 0 { texts[place] += part[..<count] }
                if count == 0 || (count < 0 && errno != EINTR) { places[place].fd = -1 }
            }
            guard places[2].revents != 0 else { continue }
            // A ready pipe takes this much at once; one without a reader takes nothing more.
            let isOpen = places[2].revents & Int16(POLLERR) == 0
            let count =
                isOpen
                ? write(input, Array(bytes[given...].prefix(512)), min(512, bytes.count - given))
                : 0
            given = count > 0 ? given + count : bytes.count
        }
        return (texts[0], texts[1])
    }

    /// Ends the program's input.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Stops reading the program's errors after the last one.
    package func closeErrors() {
        if errors >= 0 { close(errors) }
        errors = -1
    }

    private func closeAll() {
        for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
        (input, output, errors) = (-1, -1, -1)
    }

    /// Makes a pipe that no other program inherits by chance.
    private static func makePipe() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        return program_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
    }

    private static func spawn(
        _ arguments: [String],
        _ environment: [String: String],
        _ descriptors: [Int32],
        _ isOfOwnGroup: Bool
    ) -> pid_t? {
        var words = arguments.map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var id: pid_t = 0
        let folder = Surroundings.current.folder ?? ""
        let code = program_start(&id, &words, &settings, descriptors, isOfOwnGroup ? 1 : 0, folder)
        return code == 0 ? id : nil
    }
}
