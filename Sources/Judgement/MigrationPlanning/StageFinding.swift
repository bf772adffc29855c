package import Diagnostics
package import MappingInference

/// Something that is wrong, or noteworthy, with a list of stages.
package struct StageFinding: Sendable, Hashable {
    /// What Core Data would do about it at run time.
    package enum Outcome: Sendable, Hashable {
        /// It would end with an error.
        case error(CoreDataErrorCode)
        /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for two stages.
        case duplicateChecksums
        /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for one stage.
        case duplicateChecksumsInStage
        /// It would go on.
        case nothing

        /// The outcome in words.
        package var words: String {
            switch self {
            case .error(let code): "\(code.number) \(code.constantName)"
            case .duplicateChecksums:
                "NSInvalidArgumentException: Duplicate version checksums across stages detected."
            case .duplicateChecksumsInStage:
                "NSInvalidArgumentException: Duplicate version checksums detected"
            case .nothing: "no error at run time"
            }
        }
    }

    /// The rule.
    package var rule: RuleID
    /// How bad it is.
    package var severity: Severity
    /// What is wrong; lower case, no final period.
    package var message: String
    /// The stage, counted from 0; `nil` for the list as a whole.
    package var stage: Int?
    /// What Core Data would do.
    package var outcome: Outcome

    init(
        _ rule: RuleID,
        _ message: String,
        stage: Int?,
        _ outcome: Outcome,
        severity: Severity = .error
    ) {
        self.rule = rule
        self.message = message
        self.stage = stage
        self.outcome = outcome
        self.severity = severity
    }

    /// A store has no checksum in its metadata, as frameworks before 1344 write it.
    ///
    /// It is the one finding that speaks of a store and not of the list.
    package static let storeWithoutChecksum = StageFinding(
        .storeWithoutChecksum,
        "the store's metadata hold no version checksum; here it is known by the hashes of its entities, "
            + "but an application must open it once without stages before it can use them",
        stage: nil,
        .error(.stagedMigrationFrameworkVersionMismatch),
        severity: .warning
    )

    /// The finding as a diagnostic; `location` is where the stage stands.
    package func diagnostic(at location: SourceLocation? = nil) -> Diagnostic {
        let place = stage.map { "stage \($0 + 1): " } ?? ""
        return Diagnostic(
            rule,
            "\(place)\(message) (\(outcome.words))",
            severity: severity,
            at: location
        )
    }
}

extension RuleID {
    /// A stage names a version that there is no model of.
    package static let unknownStageVersion: RuleID = "unknown-stage-version"
    /// The checksum that a stage pins is not that of the model.
    package static let staleStageChecksum: RuleID = "stale-stage-checksum"
    /// Two stages, or two versions, have one checksum.
    package static let duplicateStageChecksum: RuleID = "duplicate-stage-checksum"
    /// No lightweight step leads from one stage to the next.
    package static let stageGap: RuleID = "stage-gap"
    /// Two custom stages start from one version, or lead to one.
    package static let stageBranch: RuleID = "stage-branch"
    /// A stage leads to an older version, or comes after one that starts from a newer version.
    package static let backwardStage: RuleID = "backward-stage"
    /// A step that is said to be lightweight is not.
    package static let stageNotLightweight: RuleID = "stage-not-lightweight"
    /// A custom stage has no work to do.
    package static let needlessCustomStage: RuleID = "needless-custom-stage"
    /// A version of the model is in no stage.
    package static let unlistedVersion: RuleID = "unlisted-version"
    /// Core Data walks the stages otherwise than they read.
    package static let collapsedStages: RuleID = "collapsed-stages"
    /// A store has no version checksum in its metadata.
    package static let storeWithoutChecksum: RuleID = "store-without-checksum"
    /// A custom stage needs value expressions, which Core Data's stages do not have.
    package static let mapBeyondCoreData: RuleID = "map-beyond-core-data"
}
