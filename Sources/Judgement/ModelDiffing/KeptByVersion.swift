package import ObjectModel

/// The identity of a model that all copies of a version share; it is kept, so that no other model gets the same one.
package struct SharedIdentity: Sendable, Hashable {
    private let memo: HashMemo

    package init(_ version: ModelVersion) { memo = version.memo }

    package static func == (left: SharedIdentity, right: SharedIdentity) -> Bool {
        left.memo === right.memo
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(memo)) }
}

/// A step between two models, by their identities.
package struct StepEnds: Sendable, Hashable {
    private let from: SharedIdentity
    private let to: SharedIdentity

    package init(_ from: ModelVersion, _ to: ModelVersion) {
        (self.from, self.to) = (SharedIdentity(from), SharedIdentity(to))
    }
}

/// What was computed from versions; all of it goes when it becomes large.
package struct KeptByVersion<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The entities in all: a model of a hundred versions with some hundred entities each.
    private static var limit: Int { 50_000 }

    private var values: [Key: Value] = [:]
    private var size = 0

    package init() {}

    package subscript(_ key: Key) -> Value? { values[key] }

    package mutating func keep(_ value: Value, for key: Key, size: Int) {
        if self.size > Self.limit { (values, self.size) = ([:], 0) }
        values[key] = value
        self.size += size
    }
}
