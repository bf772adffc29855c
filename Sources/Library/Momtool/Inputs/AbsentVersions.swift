package import Diagnosing
import Diagnostics
import ModelChecking
package import ModelLoading

extension ModelBundle {
    /// The versions that the lock has, and the model lacks or has edited.
    package var absentVersions: [AbsentVersion] {
        let file = LockFile(ofModel: path)
        guard let lock = (try? file.read())?.value.lock else { return [] }
        let pruned = lock.prunedVersions.filter { !$0.entities.isEmpty }.compactMap { version in
            version.pruningRemark.map {
                AbsentVersion(
                    name: version.name,
                    hashes: version.hashes,
                    remark: $0,
                    prunedDay: version.prunedDay
                )
            }
        }
        // Versions that are not fully understood are not locked.
        let whole = lock.versions.filter { !$0.entities.isEmpty && $0.unknownEntities.isEmpty }
        return pruned
            + whole.map { version in
                let state = state(ofLocked: version.name)
                let remark = "it is a store of '\(version.name)' in \(file.path), \(state)"
                return AbsentVersion(name: version.name, hashes: version.hashes, remark: remark)
            }
    }

    private func state(ofLocked name: String) -> String {
        if unreadableVersions.contains(where: { $0.name == name }) {
            return "whose source cannot be read: correct it, and try again"
        }
        let isThere = versions.contains { $0.name == name }
        let state = "whose source \(isThere ? "was changed since" : "was removed")"
        return currentVersion?.isMigratedUnasked == true
            ? "\(state): SwiftData infers the step from the model in the store"
            : "\(state): an app with this model cannot open it; restore the source from version control"
    }
}

extension [ModelBundle.UnreadableVersion] {
    /// Why the version that wrote a store is not known, as some cannot be read; `nil` where all can be.
    package func fault(of store: String) -> MomtoolError? {
        guard !isEmpty else { return nil }
        let names = map { "'\($0.name)'" }.joined(separator: ", ")
        let message =
            "no readable version wrote the store; it may have \(names), which cannot be read"
        return MomtoolError(.badData, store, message, "unread-store-version")
    }
}
