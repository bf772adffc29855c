package import Diagnostics
package import MappingInference
package import ModelDiffing
import ModelHashing
package import ObjectModel

extension InferredMapping {
    /// The mapping as Core Data takes it between two versions: never where their hashes are equal.
    ///
    /// Hashes of entities that are not understood are not known, and are no proof.
    ///
    /// - Parameters:
    ///   - old: the old version.
    ///   - new: the new version.
    ///   - isWhole: whether all of both is understood.
    /// - Returns: the mapping, or what is left of it where the step is never taken.
    package func taken(
        from old: ModelVersion,
        to new: ModelVersion,
        isWhole: Bool
    ) -> InferredMapping {
        isWhole && old.hashes == new.hashes ? neverTaken : self
    }
}

/// One lightweight step from one version to another, ready to be shown and to be carried out.
///
/// A value without a database: what depends on rows stands in `mapping.risks`.
package struct MigrationPlan: Sendable, Hashable {
    /// The version that stores are at.
    package var source: ModelVersion
    /// The version that they come to.
    package var destination: ModelVersion
    /// What differs.
    package var diff: ModelDiff
    /// What Core Data infers, with its refusals, risks and losses.
    package var mapping: InferredMapping

    /// Plans a step.
    package init(
        from source: ModelVersion,
        to destination: ModelVersion,
        options: InferenceOptions = InferenceOptions()
    ) {
        self.source = source
        self.destination = destination
        let matching = ModelMatching(from: source, to: destination)
        diff = ModelDiffing.diff(matching)
        mapping = inferMapping(matching, diff, options: options)
    }

    /// Plans a step whose versions were compared already.
    package init(
        from source: ModelVersion,
        to destination: ModelVersion,
        diff: ModelDiff,
        mapping: InferredMapping
    ) {
        (self.source, self.destination) = (source, destination)
        (self.diff, self.mapping) = (diff, mapping)
    }

    /// Whether Core Data would infer the mapping, rows apart, or has nothing to do.
    package var isLegal: Bool { isInvisible || mapping.isInferable }

    /// Whether Core Data sees no difference at all and opens a store of one version with the other.
    ///
    /// It then skips the step silently: what changed takes no effect (MigrationBehaviour, "When Core Data
    /// migrates").
    package var isInvisible: Bool { source.checksum == destination.checksum }

    /// The worst verdict of all differences.
    package var verdict: Verdict { mapping.verdict }

    /// The refusals, conflicts and suspected renames.
    package var diagnostics: [Diagnostic] {
        mapping.refusals.map(\.diagnostic) + diff.suspicions.map(\.diagnostic)
    }
}
