/// A cache of recently computed values by their inputs.
///
/// When it is full it is emptied, so that inputs that are all different do not fill the memory.
package struct RecentValues<Key: Hashable, Value> {
    private var values: [Key: Value] = [:]
    private let limit: Int

    /// Creates an empty cache that holds at most `limit` values.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The value of a key, where it is known.
    package subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            if values.count >= limit { forgetAll() }
            values[key] = newValue
        }
    }

    /// Forgets everything.
    package mutating func forgetAll() { values = [:] }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}
