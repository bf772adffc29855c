package import MappingInference
import ModelHashing
package import ObjectModel

extension InferredMapping {
    /// The mapping that Core Data takes between two versions: where their hashes are equal, none, and only its effects
    /// remain.
    ///
    /// Hashes of entities that are not understood are unknown, and prove nothing: then `isWhole` is false.
    package func taken(
        from old: ModelVersion,
        to new: ModelVersion,
        isWhole: Bool
    ) -> InferredMapping {
        isWhole && old.hashes == new.hashes ? neverTaken : self
    }
}

/// One lightweight step from one version to another, ready to be shown and to be performed.
///
/// A value without a database: what depends on rows is in `mapping.risks`.
package struct MigrationPlan: Sendable, Hashable {
    package var source: ModelVersion
    package var destination: ModelVersion
    package var mapping: InferredMapping

    package init(from source: ModelVersion, to destination: ModelVersion) {
        self.source = source
        self.destination = destination
        mapping = inferMapping(from: source, to: destination)
    }

    /// Whether Core Data would infer the mapping, apart from rows, or has nothing to do.
    package var isLegal: Bool { isInvisible || mapping.isInferable }

    /// Whether Core Data sees no difference at all and opens a store of one version with the other.
    ///
    /// It then skips the step silently: what changed takes no effect (MigrationBehaviour, "When Core Data migrates").
    package var isInvisible: Bool { source.checksum == destination.checksum }
}
