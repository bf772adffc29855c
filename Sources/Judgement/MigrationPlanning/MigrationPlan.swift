import Diagnostics
package import MappingInference
import ModelDiffing
import ModelHashing
package import ObjectModel

extension InferredMapping {
    /// The mapping that Core Data takes between two versions: none where their hashes are equal; its effects remain.
    ///
    /// Hashes of entities that are not understood are unknown, and prove nothing: then `isWhole` is false.
    package func taken(
        from old: ModelVersion,
        to new: ModelVersion,
        isWhole: Bool
    ) -> InferredMapping { isWhole && old.hashes == new.hashes ? neverTaken : self }
}

/// One lightweight step from one version to another, ready to be shown and to be performed.
///
/// A value without a database: what depends on rows is in `mapping.risks`.
package struct MigrationPlan: Sendable, Hashable {
    package var source: ModelVersion
    package var destination: ModelVersion
    package var mapping: InferredMapping

    package init(from source: ModelVersion, to destination: ModelVersion) {
        (self.source, self.destination) = (source, destination)
        mapping = inferMapping(from: source, to: destination)
    }

    /// Whether Core Data would infer the mapping, apart from rows, or has nothing to do.
    package var isLegal: Bool { isInvisible || mapping.isInferable }

    /// Whether Core Data sees no difference at all and opens a store of one version with the other.
    ///
    /// It then skips the step silently: what changed takes no effect (MigrationBehaviour, "When Core Data migrates").
    package var isInvisible: Bool { source.checksum == destination.checksum }
}

/// Remembers results on steps between some versions, for searches among many of them.
///
/// A step is identified by the hashes of its ends, as shared by the copies of a version: a model with the same ones may
/// have other renaming identifiers. Only legality and mappings are computed; differences are not judged. A class,
/// because a search passes it on.
package final class StepMemo: Sendable {
    private struct State {
        var legality: [[SharedIdentity]: Bool] = [:]
        /// The entity for which steps were refused the last time.
        var suspect: String?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether Core Data would infer a step, apart from rows; nothing is refused between equal hashes.
    package func isLegal(_ from: ModelVersion, _ to: ModelVersion) -> Bool {
        guard from.checksum != to.checksum else { return true }
        let ends = [from, to].map(SharedIdentity.init)
        if let known = state.withLock({ $0.legality[ends] }) { return known }
        return mapping(from, to) != nil
    }

    /// Returns the inferred mapping of a step, without judgements; `nil` for a refused one.
    ///
    /// Mappings are large and needed once: only whether there is one is kept.
    package func mapping(_ from: ModelVersion, _ to: ModelVersion) -> InferredMapping? {
        let ends = [from, to].map(SharedIdentity.init)
        return state.withLock { state in
            if state.legality[ends] == false { return nil }
            let matching = ModelMatching(from: from, to: to)
            let mapping = inferableMapping(matching, suspect: &state.suspect)
            state.legality[ends] = mapping != nil
            return mapping
        }
    }
}
