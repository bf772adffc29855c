import Diagnostics
import Essentials
import ModelDiffing
import ObjectModel

/// A step with what is inferred of it; the last one is kept, as questions about a step come one after another.
struct InferredStep: Sendable {
    let from: ModelVersion
    let to: ModelVersion
    let matching: ModelMatching
    let mapping: InferredMapping

    private init(_ from: ModelVersion, _ to: ModelVersion) {
        (self.from, self.to) = (from, to)
        matching = ModelMatching(from: from, to: to)
        mapping = inferMapping(matching, diff(matching))
    }

    static func between(_ from: ModelVersion, _ to: ModelVersion) -> InferredStep {
        let last = Surroundings.current.memory.value(Locked<InferredStep?>(nil))
        if let known = last.withLock({ $0 }), known.from.isCopy(of: from), known.to.isCopy(of: to) {
            return known
        }
        let step = InferredStep(from, to)
        last.withLock { $0 = step }
        return step
    }
}

extension ModelVersion {
    /// Whether it has the model of another version and what is stated beside it; all copies share their memo.
    fileprivate func isCopy(of other: ModelVersion) -> Bool {
        memo === other.memo && claimants == other.claimants
            && namingRelationships == other.namingRelationships && name == other.name
            && path == other.path
    }
}
