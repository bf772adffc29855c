public import Diagnostics
public import MappingInference
public import ModelDiffing
import ModelHashing
public import ObjectModel

/// A version of a model as a plan names it.
public struct PlannedVersion: Sendable, Hashable {
    /// The name in its bundle, or what the user called it.
    public var name: String
    /// The version checksum, as Apple's `versionChecksum` gives it.
    public var checksum: String
    /// The model.
    public var model: ManagedObjectModel

    /// Creates a version, with its checksum worked out from the model.
    public init(name: String, model: ManagedObjectModel) {
        self.name = name
        self.model = model
        checksum = versionHashes(of: model).checksum
    }
}

/// One lightweight step from one version to another, ready to be shown and to be carried out.
///
/// A value without a database: what depends on rows stands in `mapping.risks`.
public struct MigrationPlan: Sendable, Hashable {
    /// The version that stores are at.
    public var source: PlannedVersion
    /// The version that they come to.
    public var destination: PlannedVersion
    /// What differs.
    public var diff: ModelDiff
    /// What Core Data infers, with its refusals, risks and losses.
    public var mapping: InferredMapping

    /// Plans a step.
    public init(
        from source: PlannedVersion,
        to destination: PlannedVersion,
        options: InferenceOptions = InferenceOptions()
    ) {
        self.source = source
        self.destination = destination
        let matching = ModelMatching(from: source.model, to: destination.model)
        diff = ModelDiffing.diff(matching)
        mapping = inferMapping(matching, diff, options: options)
    }

    /// Whether Core Data would infer the mapping, rows apart.
    public var isLegal: Bool { mapping.isInferable }

    /// Whether Core Data sees no difference at all and opens a store of one version with the other.
    ///
    /// It then skips the step silently: what changed takes no effect (MIGRATION_BEHAVIOUR 1.1).
    public var isInvisible: Bool { source.checksum == destination.checksum }

    /// The worst verdict of all differences.
    public var verdict: Verdict { mapping.verdict }

    /// The refusals, conflicts and suspected renames.
    public var diagnostics: [Diagnostic] {
        mapping.refusals.map(\.diagnostic) + diff.suspicions.map(\.diagnostic)
    }
}
