import Diagnostics
import Essentials
package import ModelDiffing
package import ObjectModel

/// A step with what is inferred of it, kept for the run, as several questions are asked about most steps.
package struct InferredStep: Sendable {
    package let from: ModelVersion
    package let to: ModelVersion
    package let matching: ModelMatching
    package let mapping: InferredMapping
    /// What the step loses, or demands of rows.
    package let losses: [StepLoss]
    private let differences: Later<ModelDiff>

    private init(_ from: ModelVersion, _ to: ModelVersion) {
        (self.from, self.to) = (from, to)
        let matching = ModelMatching(from: from, to: to)
        let differences = Later { ModelDiffing.diff(matching) }
        mapping = inferMapping(matching, differences.value)
        losses = stepLosses(matching, mapping)
        (self.matching, self.differences) = (matching, differences)
    }

    package var diff: ModelDiff { differences.value }

    package static func between(_ from: ModelVersion, _ to: ModelVersion) -> InferredStep {
        Surroundings.current.memory.kept(
            of: [from, to],
            where: { $0.from.isStated(as: from) && $0.to.isStated(as: to) }
        ) { InferredStep(from, to) }
    }
}

extension ModelVersion {
    /// Whether what is stated beside the model is the same.
    fileprivate func isStated(as other: ModelVersion) -> Bool {
        claimants == other.claimants && namingRelationships == other.namingRelationships
            && name == other.name && path == other.path
    }
}
