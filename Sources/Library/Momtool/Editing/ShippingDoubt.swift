import Diagnostics
import FileSystem
import ModelHashing
import ObjectModel

/// A warning about a version that is edited in place although it may have shipped: it is in git, but in no lock.
///
/// Equal hashes leave every store as it is. `nil` for a version that is only being made.
func shippingDoubt(
    of version: ModelVersion,
    edited: ModelVersion,
    in file: String,
    model: String
) -> Diagnostic? {
    guard version.hashes != edited.hashes, isCommitted(file) else { return nil }
    return Diagnostic(
        .unlockedEdit,
        saying: """
            '\(version.name)' is committed, and no lock says whether it shipped: if it did, undo this \
            edit and start with \(.newVersion(of: model)); \(.lock) records the versions that shipped
            """,
        severity: .warning,
        at: FileLocation(path: file)
    )
}

private func isCommitted(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let found = try? GitObjects.shared(at: parent(of: path)).name(of: "HEAD:./\(name)")
    return found != nil
}

extension RuleID { static let unlockedEdit: RuleID = "unlocked-edit" }
