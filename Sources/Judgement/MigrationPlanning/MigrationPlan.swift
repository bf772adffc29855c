public import Diagnostics
public import MappingInference
public import ModelDiffing
import ModelHashing
public import ObjectModel

/// One lightweight step from one version to another, ready to be shown and to be carried out.
///
/// A value without a database: what depends on rows stands in `mapping.risks`.
public struct MigrationPlan: Sendable, Hashable {
    /// The version that stores are at.
    public var source: ModelVersion
    /// The version that they come to.
    public var destination: ModelVersion
    /// What differs.
    public var diff: ModelDiff
    /// What Core Data infers, with its refusals, risks and losses.
    public var mapping: InferredMapping

    /// Plans a step.
    public init(
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

    /// Whether Core Data would infer the mapping, rows apart, or has nothing to do.
    public var isLegal: Bool { isInvisible || mapping.isInferable }

    /// Whether Core Data sees no difference at all and opens a store of one version with the other.
    ///
    /// It then skips the step silently: what changed takes no effect (MigrationBehaviour, "When Core Data
    /// migrates").
    public var isInvisible: Bool { source.checksum == destination.checksum }

    /// The worst verdict of all differences.
    public var verdict: Verdict { mapping.verdict }

    /// The refusals, conflicts and suspected renames.
    public var diagnostics: [Diagnostic] {
        mapping.refusals.map(\.diagnostic) + diff.suspicions.map(\.diagnostic)
    }
}
