import Diagnostics
package import Essentials
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

/// What was computed from versions; all of it goes when it becomes large.
private struct KeptByVersion<Value: Sendable>: Sendable {
    /// The entities in all: a model of a hundred versions with some hundred entities each.
    static var limit: Int { 50_000 }

    var values: [[SharedIdentity]: Value] = [:]
    var size = 0
}

extension RunMemory {
    /// Returns what was computed from versions earlier in the run, if it fits; otherwise computes it.
    package func kept<Value: Sendable>(
        of versions: [ModelVersion],
        where fits: (Value) -> Bool = { _ in true },
        _ make: () -> Value
    ) -> Value {
        let kept = value(Locked(KeptByVersion<Value>()))
        let key = versions.map(SharedIdentity.init)
        if let known = kept.withLock({ $0.values[key] }), fits(known) { return known }
        let new = make()
        kept.withLock { kept in
            if kept.size > KeptByVersion<Value>.limit { kept = KeptByVersion() }
            kept.values[key] = new
            kept.size += versions.reduce(0) { $0 + $1.model.entities.count }
        }
        return new
    }
}
