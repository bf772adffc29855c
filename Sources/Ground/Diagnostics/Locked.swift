import Essentials

/// A value that one thread at a time can access.
///
/// Used like the standard library's `Mutex`. The thread sanitizer does not see that one on Linux, whose lock comes from
/// a library without instrumentation, and reports races on everything under it.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    // Only accessed under the lock, which the compiler cannot check.
    private var value: Value
    private let lock = Lock()

    package init(_ value: consuming sending Value) { self.value = value }

    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// A value that is worked out when it is first read, once for all copies.
package final class Later<Value: Sendable & Hashable>: Sendable, Hashable {
    private let known = Locked<Value?>(nil)
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    package var value: Value {
        known.withLock { known in
            let value = known ?? make()
            known = value
            return value
        }
    }

    package static func == (left: Later, right: Later) -> Bool { left.value == right.value }

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension RunMemory {
    /// Returns what was found for a key earlier in the run; finds it where nothing was.
    package func found<Key: Hashable & Sendable, Value: Sendable>(
        for key: Key,
        _ find: () -> Value
    ) -> Value {
        let known = value(Locked<[Key: Value]>([:]))
        if let found = known.withLock({ $0[key] }) { return found }
        let found = find()
        known.withLock { $0[key] = found }
        return found
    }
}
