import Dispatch
import Essentials

/// Does work on threads with deep stacks, and returns when it is done or takes too long.
struct DeepThreads {
    /// The size of a stack in bytes.
    let stackSize: Int
    /// The seconds that the threads may take; those that take longer are left to themselves.
    let patience: Double

    /// Calls a function on each of some threads.
    ///
    /// - Parameters:
    ///   - count: the number of threads; where memory is short there are fewer.
    ///   - body: what each thread does.
    /// - Returns: the number of threads that there were; with none nothing was done.
    func run(_ count: Int, _ body: @escaping @Sendable () -> Void) -> Int {
        let ends = DispatchSemaphore(value: 0)
        let threads = (0..<count).prefix { _ in
            hasStartedThread(stackSize: stackSize) {
                body()
                ends.signal()
            }
        }.count
        let deadline = DispatchTime.now() + patience
        for _ in 0..<threads where ends.wait(timeout: deadline) == .timedOut { break }
        return threads
    }
}
