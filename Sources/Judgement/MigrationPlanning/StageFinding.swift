public import Diagnostics
public import MappingInference

/// Something that is wrong, or noteworthy, with a list of stages.
public struct StageFinding: Sendable, Hashable {
    /// What Core Data would do about it at run time.
    public enum Outcome: Sendable, Hashable {
        /// It would end with an error.
        case error(CoreDataErrorCode)
        /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for two stages.
        case duplicateChecksums
        /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for one stage.
        case duplicateChecksumsInStage
        /// It would go on.
        case nothing

        /// The outcome in words.
        public var words: String {
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
    public var rule: RuleID
    /// How bad it is.
    public var severity: Severity
    /// What is wrong; lower case, no final period.
    public var message: String
    /// The stage, counted from 0; `nil` for the list as a whole.
    public var stage: Int?
    /// What Core Data would do.
    public var outcome: Outcome

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
    public static let storeWithoutChecksum = StageFinding(
        .storeWithoutChecksum,
        "the store's metadata hold no version checksum; here it is known by the hashes of its entities, "
            + "but an application must open it once without stages before it can use them",
        stage: nil,
        .error(.stagedMigrationFrameworkVersionMismatch),
        severity: .warning
    )

    /// The finding as a diagnostic; `location` is where the stage stands.
    public func diagnostic(at location: SourceLocation? = nil) -> Diagnostic {
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
    public static let unknownStageVersion: RuleID = "unknown-stage-version"
    /// The checksum that a stage pins is not that of the model.
    public static let staleStageChecksum: RuleID = "stale-stage-checksum"
    /// Two stages, or two versions, have one checksum.
    public static let duplicateStageChecksum: RuleID = "duplicate-stage-checksum"
    /// No lightweight step leads from one stage to the next.
    public static let stageGap: RuleID = "stage-gap"
    /// Two custom stages start from one version, or lead to one.
    public static let stageBranch: RuleID = "stage-branch"
    /// A stage leads to an older version, or comes after one that starts from a newer version.
    public static let backwardStage: RuleID = "backward-stage"
    /// A step that is said to be lightweight is not.
    public static let stageNotLightweight: RuleID = "stage-not-lightweight"
    /// A custom stage has no work to do.
    public static let needlessCustomStage: RuleID = "needless-custom-stage"
    /// A version of the model is in no stage.
    public static let unlistedVersion: RuleID = "unlisted-version"
    /// Core Data walks the stages otherwise than they read.
    public static let collapsedStages: RuleID = "collapsed-stages"
    /// A store has no version checksum in its metadata.
    public static let storeWithoutChecksum: RuleID = "store-without-checksum"
    /// A custom stage needs value expressions, which Core Data's stages do not have.
    public static let mapBeyondCoreData: RuleID = "map-beyond-core-data"
}
