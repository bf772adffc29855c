import Diagnostics
import Dispatch
import Essentials

/// Does work on threads with deep stacks, and returns when it is done or takes too long.
struct DeepThreads {
    /// The size of a stack in bytes.
    let stackSize: Int
    /// The seconds of processor time that each thread may take; where one takes longer, all are abandoned.
    ///
    /// On a busy machine a second of processor time may be a minute on the clock: the result must not depend on that.
    let patience: Double

    /// Calls a function on each of `count` threads, fewer where memory is short, and returns their number; with none
    /// nothing was done.
    func run(_ count: Int, _ body: @escaping @Sendable () -> Void) -> Int {
        let ends = DispatchSemaphore(value: 0)
        let clocks = Locked<[ThreadClock]>([])
        let threads = (0..<count).prefix { _ in
            hasStartedThread(stackSize: stackSize) {
                clocks.withLock { $0.append(ThreadClock()) }
                body()
                ends.signal()
            }
        }.count
        for _ in 0..<threads {
            while ends.wait(timeout: .now() + min(patience, 0.1)) == .timedOut {
                let isOver = clocks.withLock { $0.contains { $0.seconds > patience } }
                if isOver { return threads }
            }
        }
        return threads
    }
}

/// Measures the processor time of the thread that creates it, from any other.
private struct ThreadClock: Sendable {
    private let start = DispatchTime.now().uptimeNanoseconds
    #if !canImport(Darwin)
        private let clock: clockid_t?

        init() {
            var clock = clockid_t()
            self.clock = pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : nil
        }
    #endif

    /// The seconds so far; 0 after the thread has ended, and the elapsed time if the system has no such clock.
    var seconds: Double {
        #if !canImport(Darwin)
            if let clock {
                var time = timespec()
                guard clock_gettime(clock, &time) == 0 else { return 0 }
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            }
        #endif
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }
}
