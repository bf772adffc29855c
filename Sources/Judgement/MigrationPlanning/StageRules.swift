package import Diagnostics
import MappingInference

/// What Core Data would do at run time about a fault in a list of stages.
enum StageOutcome {
    case error(CoreDataErrorCode)
    /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for two stages.
    case duplicateChecksums
    /// It would raise `NSInvalidArgumentException`, which Swift cannot catch, for one stage.
    case duplicateChecksumsInStage
    case nothing

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
    /// A stage leads to an older version, or comes after one that starts from a newer version.
    package static let backwardStage: RuleID = "backward-stage"
    package static let needlessCustomStage: RuleID = "needless-custom-stage"
    /// A custom stage needs value expressions, which Core Data's stages do not have.
    package static let mapBeyondCoreData: RuleID = "map-beyond-core-data"
}
