package import Diagnostics
import MappingInference

/// What Core Data would do at run time about something that is wrong with a list of stages.
enum StageOutcome {
    /// It would end with an error.
    case error(CoreDataErrorCode)
    /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for two stages.
    case duplicateChecksums
    /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for one stage.
    case duplicateChecksumsInStage
    /// It would go on.
    case nothing

    /// The outcome in words.
    var words: String {
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

extension Diagnostic {
    /// Warns about a store without a checksum in its metadata, as frameworks before 1344 write it.
    package static let storeWithoutChecksum = Diagnostic(
        .storeWithoutChecksum,
        "the store's metadata hold no version checksum; here it is known by the hashes of its entities, "
            + "but an application must open it once without stages before it can use them "
            + "(\(StageOutcome.error(.stagedMigrationFrameworkVersionMismatch).words))",
        severity: .warning
    )
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
