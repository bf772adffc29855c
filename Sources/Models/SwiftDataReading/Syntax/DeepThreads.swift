import Dispatch
import Essentials

/// Does work on threads with deep stacks, and returns when all of them have gone, or take too long.
///
/// Threads of Foundation start without a word about failure, and let nobody wait until their stacks are given back.
struct DeepThreads {
    /// The size of a stack in bytes.
    let stackSize: Int
    /// The seconds that the threads may take; those that take longer are left to themselves.
    let patience: Double

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Calls a function on each of some threads.
    ///
    /// - Parameters:
    ///   - count: the number of threads; where memory is short there are fewer.
    ///   - body: what each thread does.
    /// - Returns: the number of threads that there were; with none nothing was done.
    func run(_ count: Int, _ body: @escaping @Sendable () -> Void) -> Int {
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
            guard let attributes = memory.baseAddress, pthread_attr_init(attributes) == 0 else {
                return 0
            }
            defer { pthread_attr_destroy(attributes) }
            guard pthread_attr_setstacksize(attributes, stackSize) == 0 else { return 0 }
            let ends = DispatchSemaphore(value: 0)
            let work = Work {
                body()
                ends.signal()
            }
            var threads: [pthread_t] = []
            for _ in 0..<count {
                guard let thread = start(work, attributes) else { break }
                threads.append(thread)
            }
            let deadline = DispatchTime.now() + patience
            let isDone = threads.allSatisfy { _ in ends.wait(timeout: deadline) == .success }
            for thread in threads {
                if isDone { pthread_join(thread, nil) } else { pthread_detach(thread) }
            }
            return threads.count
        }
    }

    private func start(
        _ work: Work,
        _ attributes: UnsafePointer<pthread_attr_t>
    ) -> pthread_t? {
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let argument = Unmanaged.passRetained(work)
        let code = pthread_create(
            &thread,
            attributes,
            { argument in
                let pointer: UnsafeMutableRawPointer? = argument
                if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
                return nil
            },
            argument.toOpaque()
        )
        guard code != 0 else { return thread }
        argument.release()
        return nil
    }
}
