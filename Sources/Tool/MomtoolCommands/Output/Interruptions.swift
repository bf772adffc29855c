import Diagnostics
import Essentials
import FileSystem
import StoreMigration

/// The effect of Ctrl-C and a request to end: one line, status 4, and nothing is left.
///
/// Work on stores is cancelled, and leaves each store unchanged. Any other work is stopped at once, and its drafts are
/// removed: published results are complete or absent.
enum Interruptions {
    private struct State {
        var running: [MigrationCancellation] = []
        var hasHappened = false
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let state = Locked(State())
    /// The end of the pipe that the handler writes to.
    ///
    /// A handler may do nothing else: the interrupted code may hold any lock.
    nonisolated(unsafe) private static var doorbell: Int32 = -1

    /// Installs handlers for signals; a hang-up that the caller of the program ignores, as `nohup` does, stays ignored.
    static func install() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        doorbell = ends[1]
        let listening = ends[0]
        let isListening = hasStartedThread(stackSize: 1 << 20) {
            // The parent process may have blocked them, which a new process inherits.
            var wanted = sigset_t()
            sigemptyset(&wanted)
            for number in signals { sigaddset(&wanted, number) }
            pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
            var number: UInt8 = 0
            while true {
                let count = read(listening, &number, 1)
                if count == 1 { interrupt() } else if count == 0 || errno != EINTR { return }
            }
        }
        // Without a thread, signals have their default effect.
        guard isListening else { return }
        for number in signals {
            var known = sigaction()
            guard sigaction(number, nil, &known) == 0, number != SIGHUP || !isIgnored(known)
            else { continue }
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                let code = errno
                _ = write(Interruptions.doorbell, &byte, 1)
                errno = code
            }
        }
    }

    static var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// Checks, before work on one of several stores begins, that no signal asked for the end.
    static func requireNone(before store: String) throws {
        guard hasHappened else { return }
        throw CommandFailure(.failed, store, "interrupted before its turn", "interrupted")
    }

    static func cancelling<Result>(
        _ work: (MigrationCancellation) throws -> Result
    ) rethrows -> Result {
        let cancellation = MigrationCancellation()
        state.withLock { state in
            // Work after an interrupted migration must not begin.
            if state.hasHappened { cancellation.cancel() }
            state.running.append(cancellation)
        }
        defer { state.withLock { $0.running.removeAll { $0 === cancellation } } }
        return try work(cancellation)
    }

    private static func interrupt() {
        let (running, isFirst) = state.withLock { state in
            defer { state.hasHappened = true }
            return (state.running, !state.hasHappened)
        }
        for cancellation in running { cancellation.cancel() }
        // A second request does not wait for the work to end.
        guard running.isEmpty || !isFirst else { return }
        // What has its name is complete, and the rest takes no time.
        guard UnfinishedFiles.removeAll(always: !isFirst) else { return }
        Console.complain("error: interrupted; nothing was written [interrupted]")
        // Messages of a program that ends now are useless.
        Console.isOver = true
        ChildProcess.endAll()
        _exit(ExitStatus.failed.rawValue)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        let ignored: (@convention(c) (Int32) -> Void)? = SIG_IGN
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(ignored, to: Int.self)
    }
}
