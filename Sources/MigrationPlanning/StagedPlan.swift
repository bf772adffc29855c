import Diagnostics
public import MappingInference
import ModelHashing
public import ObjectModel

/// How a list of stages is walked.
public enum StageSemantics: String, Sendable, Hashable, CaseIterable {
    /// As Core Data does: lightweight stages are markers, and are not stepped through.
    case apple
    /// Through every version that is listed.
    case stepwise
}

/// What is done to a store, one after the other.
public enum StagedStep: Sendable, Hashable {
    /// A lightweight step; `stage` is the custom stage that it belongs to, counted from 0.
    case migrate(MigrationPlan, stage: Int?)
    /// The value expressions of a custom stage, which take the place of inference.
    case map(MigrationPlan, stage: Int)
    /// The work of a custom stage before its step, on a store of this version.
    case willMigrate(ModelVersion, stage: Int)
    /// The work of a custom stage after its step, on a store of this version.
    case didMigrate(ModelVersion, stage: Int)

    /// The custom stage that the step belongs to, counted from 0; `nil` for none.
    public var stage: Int? {
        switch self {
        case .migrate(_, let stage): stage
        case .map(_, let stage), .willMigrate(_, let stage), .didMigrate(_, let stage): stage
        }
    }

    /// The version that the store has before the step.
    public var source: ModelVersion {
        switch self {
        case .migrate(let plan, _), .map(let plan, _): plan.source
        case .willMigrate(let version, _), .didMigrate(let version, _): version
        }
    }

    /// The version that the store has after the step.
    public var version: ModelVersion {
        switch self {
        case .migrate(let plan, _), .map(let plan, _): plan.destination
        case .willMigrate(let version, _), .didMigrate(let version, _): version
        }
    }
}

/// The steps that bring a store from its version to another one by a list of stages.
public struct StagedPlan: Sendable, Hashable {
    /// How the list was walked.
    public var semantics: StageSemantics
    /// The steps, in order; empty when there is nothing to do.
    public var steps: [StagedStep]
}

/// Why a list of stages leads nowhere, as Core Data would say at run time (MIGRATION_BEHAVIOUR section 3).
public enum StagedPlanError: Error, Sendable, Hashable {
    /// No stage lists the version of the store: 134504.
    case unknownStoreVersion(checksum: String)
    /// No stage lists the version that the store shall get: 134504.
    case unknownTargetVersion(checksum: String)
    /// A stage names a version that there is no model of, or whose checksum is not the pinned one: 134504.
    case unresolvedVersion(name: String)
    /// The target is listed before the version of the store: 134506.
    case backward(from: String, to: String)
    /// A step is not lightweight: 134140.
    case notLightweight(MigrationPlan)

    /// The error that Core Data ends with.
    public var code: CoreDataErrorCode {
        switch self {
        case .unknownStoreVersion, .unknownTargetVersion, .unresolvedVersion:
            .managedObjectModelReferenceNotFound
        case .backward: .stagedMigrationBackward
        case .notLightweight: .migrationMissingMappingModel
        }
    }
}

extension StagedPlanError: CustomStringConvertible {
    /// What is wrong; lower case, no final period.
    public var description: String {
        let reason =
            switch self {
            case .unknownStoreVersion(let checksum):
                "no stage lists the version of the store (\(checksum)); list it in the first stage"
            case .unknownTargetVersion(let checksum):
                "no stage lists the version to migrate to (\(checksum)); add it to the last stage"
            case .unresolvedVersion(let name):
                "there is no model of version '\(name)' with the expected checksum"
            case .backward(let from, let to):
                "the stages lead backwards from '\(from)' to '\(to)'"
            case .notLightweight(let plan):
                "the step from '\(plan.source.name)' to '\(plan.destination.name)' is not lightweight: "
                    + plan.mapping.refusals.map(\.diagnostic.message).joined(separator: "; ")
            }
        return "\(reason) (\(code.number) \(code.constantName))"
    }
}

extension StagedMigrationManager {
    /// Plans the way of a store through the stages.
    ///
    /// With `apple` the rule of MIGRATION_BEHAVIOUR section 3 is followed to the letter, and a store that has
    /// arrived stays where it is; with `stepwise` every listed version is gone through.
    ///
    /// - Parameters:
    ///   - checksum: the checksum of the version that the store has.
    ///   - target: the checksum of the version that it shall get.
    ///   - semantics: how the list is walked.
    /// - Returns: the steps.
    /// - Throws: what Core Data would end with before anything is changed.
    public func plan(
        from checksum: String,
        to target: String,
        semantics: StageSemantics
    ) throws(StagedPlanError) -> StagedPlan {
        let ways = StageWays(self)
        switch ways.way(from: checksum, to: target, semantics: semantics) {
        case .leads(let legs): return StagedPlan(semantics: semantics, steps: legs.map(step))
        case .ends(let end): throw error(end)
        }
    }

    private func step(_ leg: StageLeg) -> StagedStep {
        switch leg {
        case .migrate(let from, let to, let stage): .migrate(plan(from, to), stage: stage)
        case .map(let from, let to, let stage): .map(plan(from, to), stage: stage)
        case .willMigrate(let version, let stage): .willMigrate(version, stage: stage)
        case .didMigrate(let version, let stage): .didMigrate(version, stage: stage)
        }
    }

    /// Returns what a way that leads nowhere ends with; only now a refused step is looked at more closely.
    func error(_ end: StageDeadEnd) -> StagedPlanError {
        switch end {
        case .error(let error): error
        case .refused(let from, let to): .notLightweight(plan(from, to))
        }
    }

    private func plan(_ from: ModelVersion, _ to: ModelVersion) -> MigrationPlan {
        MigrationPlan(from: from, to: to, options: options)
    }
}
