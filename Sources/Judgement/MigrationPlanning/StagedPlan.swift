package import Diagnostics
package import MappingInference
package import ObjectModel

package enum StageSemantics: String, Sendable, Hashable, CaseIterable {
    /// As Core Data does: lightweight stages are markers, and are not stepped through.
    case apple
    case stepwise
}

/// One step of a migration between versions.
package struct RouteStep: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case lightweight, map
        /// The work of a custom stage before its step, on a store of the source version.
        case willMigrate
        /// The work of a custom stage after its step, on a store of the destination version.
        case didMigrate

        /// Whether the step leads to another version; the work of a stage stays at one.
        package var changesVersion: Bool { self == .lightweight || self == .map }
    }

    package var kind: Kind
    package var source: ModelVersion
    package var destination: ModelVersion
    package var stage: Int?

    package init(
        _ kind: Kind = .lightweight,
        from source: ModelVersion,
        to destination: ModelVersion,
        stage: Int? = nil
    ) {
        (self.kind, self.source, self.destination, self.stage) = (kind, source, destination, stage)
    }

    package init(_ kind: Kind, at version: ModelVersion, stage: Int) {
        self.init(kind, from: version, to: version, stage: stage)
    }
}

/// Why a list of stages does not reach the target, as Core Data would fail (MigrationBehaviour, "Staged migration").
package enum StagedPlanError: Error, Sendable, Hashable {
    /// No stage lists the version of the store: 134504.
    case unknownStoreVersion(checksum: String, name: String?)
    /// No stage lists the target version: 134504.
    case unknownTargetVersion(checksum: String, name: String?, isAfterCustom: Bool)
    /// A stage names a version without a model, or whose checksum is not the pinned one: 134504.
    case unresolvedVersion(name: String)
    /// The target is listed before the version of the store: 134506.
    case backward(from: String, to: String)
    /// A step is not lightweight: 134140.
    case notLightweight(MigrationPlan)

    package var code: CoreDataErrorCode {
        switch self {
        case .unknownStoreVersion, .unknownTargetVersion, .unresolvedVersion:
            .managedObjectModelReferenceNotFound
        case .backward: .stagedMigrationBackward
        case .notLightweight: .migrationMissingMappingModel
        }
    }

    /// Whether it is unknown if Core Data infers the step on which the list fails.
    package var isGuess: Bool {
        if case .notLightweight(let plan) = self { plan.mapping.isUndecided } else { false }
    }

    var weight: (outcome: StageOutcome, severity: Severity) {
        isGuess ? (.errorUnlessInferred, .warning) : (.error(code), .error)
    }
}

extension StagedPlanError: CustomStringConvertible {
    /// Lower case, no final period.
    package var description: String { naming(target: nil) }

    /// The description with the name of the target version, if it is known.
    package func naming(target name: String?) -> String {
        let reason =
            switch self {
            case .unknownStoreVersion(_, let name?):
                "no stage lists '\(name)', the version of the store; list it where it comes among the versions"
            case .unknownStoreVersion(let checksum, nil):
                "no stage lists the version of the store (\(checksum))"
            case .unknownTargetVersion(let checksum, let known, let isAfterCustom):
                "no stage lists \((name ?? known).map { "'\($0)'" } ?? "the version to migrate to (\(checksum))"); "
                    + (isAfterCustom
                        ? "append a lightweight stage with it" : "add it to the last stage")
            case .unresolvedVersion(let name):
                "no model of version '\(name)' has the expected checksum"
            case .backward(let from, let to): "the stages lead backwards from '\(from)' to '\(to)'"
            case .notLightweight(let plan):
                "the step from '\(plan.source.name)' to '\(plan.destination.name)': "
                    + plan.mapping.refusals.map(\.diagnostic.message).joined(separator: "; ")
            }
        return "\(reason) (\(weight.outcome.words))"
    }
}

extension StagedMigrationManager {
    /// Plans the route of a store through the stages, by the checksums of its version and the target.
    ///
    /// With `apple` the rule of MigrationBehaviour, "Staged migration" is followed exactly, and a store at its target stays
    /// there; with `stepwise` every listed version is visited. Throws Core Data's error before anything is changed.
    package func plan(
        from checksum: String,
        to target: String,
        semantics: StageSemantics
    ) throws(StagedPlanError) -> [RouteStep] {
        let ways = StageWays(self)
        switch ways.way(from: checksum, to: target, semantics: semantics) {
        case .leads(let steps): return steps
        case .ends(let end): throw error(end)
        }
    }

    package func lists(_ checksum: String) -> Bool {
        stages.contains { $0.versions.contains { $0.versionChecksum == checksum } }
    }

    /// A step in a line, such as `Split names: V2 → V3`.
    package func title(of step: RouteStep) -> String {
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

    /// Returns the error of a dead end; only now a refused step is examined more closely.
    func error(_ end: StageDeadEnd) -> StagedPlanError {
        switch end {
        case .error(let error): error
        case .refused(let from, let to): .notLightweight(MigrationPlan(from: from, to: to))
        }
    }
}

/// What Core Data would do at run time about a fault in a list of stages.
enum StageOutcome {
    case error(CoreDataErrorCode)
    /// It is unknown whether it infers a step; if not, it ends with an error.
    case errorUnlessInferred
    /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for two stages.
    case duplicateChecksums
    /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for one stage.
    case duplicateChecksumsInStage
    case nothing

    var words: String {
        switch self {
        case .error(let code): "\(code.number) \(code.constantName)"
        case .errorUnlessInferred:
            "\(Self.error(.migrationMissingMappingModel).words) if Core Data cannot either"
        case .duplicateChecksums:
            "NSInvalidArgumentException: Duplicate version checksums across stages detected."
        case .duplicateChecksumsInStage:
            "NSInvalidArgumentException: Duplicate version checksums detected"
        case .nothing: "no error at run time"
        }
    }
}

extension Diagnostic {
    /// Warns about a store without a checksum in its metadata, as frameworks before 1344 write it.
    package static let storeWithoutChecksum = Diagnostic(
        "store-without-checksum",
        "the store's metadata has no version checksum; momtool recognizes it by its version hashes, "
            + "but an app must open it once without stages before it can use them "
            + "(\(StageOutcome.error(.stagedMigrationFrameworkVersionMismatch).words))",
        severity: .warning
    )
}

extension RuleID {
    package static let duplicateStageChecksum: RuleID = "duplicate-stage-checksum"
    package static let stageBranch: RuleID = "stage-branch"
    package static let backwardStage: RuleID = "backward-stage"
    package static let needlessCustomStage: RuleID = "needless-custom-stage"
    package static let mapBeyondCoreData: RuleID = "map-beyond-core-data"
}
