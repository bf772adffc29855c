import Essentials

/// A value that one thread at a time can get at.
///
/// Used as `Mutex` of the standard library is. The thread sanitizer does not see that one on Linux, where its lock is
/// taken by a library without instruments, and takes for a race whatever happens under it.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    // Only ever touched under the lock, which is what the compiler cannot check.
    private var value: Value
    private let lock = Lock()

    package init(_ value: consuming sending Value) {
        self.value = value
    }

    /// Calls a function with exclusive access to the value.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
