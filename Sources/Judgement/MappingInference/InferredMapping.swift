package import Diagnostics
package import ModelDiffing

/// What Core Data infers for the way from one version of a model to another, and what is wrong with it.
package struct InferredMapping: Sendable, Hashable {
    /// One for each entity of the new version, abstract ones included, by name; then one for each removed
    /// entity of the old version, by name.
    package var entityMappings: [EntityMapping]
    /// What Core Data would refuse; with any of these the mapping is not to be used.
    package var refusals: [Refusal] = []
    /// What only the rows of a store can decide: what makes Core Data fail, and what would be lost.
    package var risks: [RowRisk] = []
    /// Each difference with its verdict, in the order of the diff.
    package var judgements: [Judgement] = []

    /// What the new version has no place for, where rows have it.
    package var losses: [RowRisk] { risks.filter { !$0.isFatal } }

    /// Whether Core Data infers a mapping, rows apart.
    package var isInferable: Bool { refusals.isEmpty }

    /// The worst verdict of all.
    package var verdict: Verdict {
        var worst = judgements.map(\.verdict).max() ?? .noEffectOnHash
        if risks.contains(where: \.isFatal) { worst = max(worst, .dependsOnRows) }
        return refusals.isEmpty ? worst : max(worst, .needsCustomStage)
    }
}

extension InferredMapping {
    /// The mapping of versions of equal hashes, between which Core Data takes no step: nothing that differs has an effect.
    package var neverTaken: InferredMapping {
        var copy = self
        (copy.refusals, copy.risks) = ([], [])
        copy.judgements = judgements.map { judgement in
            var judgement = judgement
            judgement.verdict = .noEffectOnHash
            judgement.effect = "the hashes are equal, so the step is never taken"
            judgement.cure = nil
            return judgement
        }
        return copy
    }
}

/// A difference between two versions, and what it means to a store.
package struct Judgement: Sendable, Hashable {
    /// The difference.
    package var change: ModelChange
    /// What it means.
    package var verdict: Verdict
    /// The row of the rule table that decides; stable.
    package var rule: RuleID
    /// What happens to existing rows; lower case, no final period.
    package var effect: String
    /// What to do about it; `nil` when there is nothing to do.
    package var cure: String?
    /// What the ruling rests on.
    package var evidence: Evidence
    /// What CloudKit makes of it; `nil` where nothing of it is mirrored.
    package var cloudKit: CloudKitRuling?
}
