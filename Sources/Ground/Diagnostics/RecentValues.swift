/// A cache of recently computed values by their inputs.
///
/// A full cache is emptied, so that ever-changing inputs do not fill the memory.
package struct RecentValues<Key: Hashable, Value> {
    private var values: [Key: Value] = [:]
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    package subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            if values.count >= limit { forgetAll() }
            values[key] = newValue
        }
    }

    package mutating func forgetAll() { values = [:] }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}
