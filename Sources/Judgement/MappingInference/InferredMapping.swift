import Diagnostics
import Essentials
package import ModelDiffing
package import ObjectModel

/// The mapping that Core Data infers between two versions of a model, with its faults.
package struct InferredMapping: Sendable, Hashable {
    /// By name, one for each entity of the new version, including abstract ones; then one for each removed entity.
    package var entityMappings: [EntityMapping] { mappings.value }
    let mappings: Later<[EntityMapping]>
    /// What Core Data would refuse; with any of these the mapping must not be used.
    package var refusals: [Refusal] = []
    /// What only the rows of a store decide: failures of Core Data, and losses.
    package var risks: [RowRisk] = []
    /// Whether a risk is a failure of Core Data that no default in code averts.
    var mayFail = false
    /// Each difference with its verdict, in the order of the diff.
    package var judgements: [Judgement] { judged.value }
    var judged = Later<[Judgement]> { [] }

    package var losses: [RowRisk] { risks.filter { !$0.isFatal } }

    /// Whether Core Data infers a mapping, apart from rows.
    package var isInferable: Bool { refusals.isEmpty }

    /// Whether it is unknown if Core Data infers it: no refusal of it is on record.
    package var isUndecided: Bool { !isInferable && refusals.allSatisfy(\.evidence.isGuess) }

    package var verdict: Verdict {
        var worst = judgements.map(\.verdict).max() ?? .noEffectOnHash
        if mayFail { worst = max(worst, .dependsOnRows) }
        return refusals.isEmpty ? worst : max(worst, .needsCustomStage)
    }

    /// The mapping of versions with equal hashes, between which Core Data takes no step: no difference has an effect.
    package var neverTaken: InferredMapping {
        var copy = self
        (copy.refusals, copy.risks, copy.mayFail) = ([], [], false)
        copy.judged = Later { [judged] in
            judged.value.map { judgement in
                var judgement = judgement
                judgement.ruling.verdict = .noEffectOnHash
                judgement.ruling.effect =
                    "the version hashes are equal, so Core Data never runs this step"
                judgement.ruling.cure = nil
                return judgement
            }
        }
        return copy
    }
}

@dynamicMemberLookup
package struct Judgement: Sendable, Hashable {
    package var change: ModelChange
    /// The row of the table of verdicts that decides, as it applies to the change.
    package var ruling: Ruling
    /// The effect on the CloudKit schema; `nil` if nothing of it is mirrored.
    package var cloudKit: CloudKitRuling?

    package subscript<Value>(dynamicMember member: KeyPath<Ruling, Value>) -> Value {
        ruling[keyPath: member]
    }
}

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
