import Diagnostics
package import MappingInference
import ModelHashing
package import ObjectModel

/// How a list of stages is walked.
package enum StageSemantics: String, Sendable, Hashable, CaseIterable {
    /// As Core Data does: lightweight stages are markers, and are not stepped through.
    case apple
    /// Through every version that is listed.
    case stepwise
}

/// One step of a migration: what is done, and between which versions.
package struct StagedStep: Sendable, Hashable {
    /// What is done.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A step that Core Data infers.
        case lightweight
        /// A step by value expressions or by a mapping model, which replace inference.
        case map
        /// The work of a custom stage before its step, on a store of the source version.
        case willMigrate
        /// The work of a custom stage after its step, on a store of the destination version.
        case didMigrate

        /// Whether the step leads to another version; the work of a stage stays at one.
        package var changesVersion: Bool { self == .lightweight || self == .map }
    }

    /// What is done.
    package var kind: Kind
    /// The version that the store has before the step.
    package var source: ModelVersion
    /// The version that the store has after the step.
    package var destination: ModelVersion
    /// The index of the custom stage that the step belongs to; `nil` for none.
    package var stage: Int?

    /// Creates a step that leads from one version to another.
    package init(
        _ kind: Kind = .lightweight,
        from source: ModelVersion,
        to destination: ModelVersion,
        stage: Int? = nil
    ) {
        self.kind = kind
        self.source = source
        self.destination = destination
        self.stage = stage
    }

    /// Creates the work of a custom stage on a store of one version.
    package init(_ kind: Kind, at version: ModelVersion, stage: Int) {
        self.init(kind, from: version, to: version, stage: stage)
    }
}

/// The steps that bring a store from its version to another one by a list of stages.
package struct StagedPlan: Sendable, Hashable {
    /// How the list was walked.
    package var semantics: StageSemantics
    /// The steps, in order; empty when there is nothing to do.
    package var steps: [StagedStep]
}

/// Why a list of stages leads nowhere, as Core Data would say at run time (MigrationBehaviour, "Staged migration").
package enum StagedPlanError: Error, Sendable, Hashable {
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
    package var code: CoreDataErrorCode {
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
    package var description: String {
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
    /// With `apple` the rule of MigrationBehaviour, "Staged migration" is followed to the letter, and a store that
    /// has arrived stays where it is; with `stepwise` every listed version is gone through.
    ///
    /// - Parameters:
    ///   - checksum: the checksum of the version that the store has.
    ///   - target: the checksum of the version that it shall get.
    ///   - semantics: how the list is walked.
    /// - Returns: the steps.
    /// - Throws: what Core Data would end with before anything is changed.
    package func plan(
        from checksum: String,
        to target: String,
        semantics: StageSemantics
    ) throws(StagedPlanError) -> StagedPlan {
        let ways = StageWays(self)
        switch ways.way(from: checksum, to: target, semantics: semantics) {
        case .leads(let steps): return StagedPlan(semantics: semantics, steps: steps)
        case .ends(let end): throw error(end)
        }
    }

    /// Describes a step in a line, such as `Split names: V2 → V3`.
    package func title(of step: StagedStep) -> String {
        let versions = "\(step.source.name) → \(step.destination.name)"
        let stage = step.stage.map { stages[$0].title }
        switch (step.kind, stage) {
        case (.lightweight, nil): return "lightweight \(versions)"
        case (.lightweight, let stage?): return "\(stage): \(versions)"
        case (.map, let stage): return "\(stage.map { "\($0): " } ?? "")map \(versions)"
        case (.willMigrate, let stage): return "\(stage ?? ""): before the step"
        case (.didMigrate, let stage): return "\(stage ?? ""): after the step"
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
