import Diagnostics
import ModelChecking
package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// Returns the previous version; throws for the first version, or if the previous one cannot be read.
    package func predecessor(of version: ModelVersion) throws(MomtoolError) -> ModelVersion {
        if let unreadable = unreadableVersions.last(where: { $0.next == version.name }) {
            throw MomtoolError(.badData, saying: unreadable.diagnostics.asNeeded)
        }
        guard let index = versions.firstIndex(where: { $0.name == version.name }), index > 0 else {
            throw MomtoolError(
                .refused,
                path,
                "'\(version.name)' has no previous version",
                "unknown-version",
                advice: [.nameBothVersions]
            )
        }
        return versions[index - 1]
    }

    /// Returns the version before another that stores may have: where there is a lock, one in the lock.
    package func shippedPredecessor(of version: ModelVersion) throws(MomtoolError) -> ModelVersion {
        let before = try predecessor(of: version)
        guard let lock = lock()?.following(versions).lock else { return before }
        let older = versions.prefix { $0.name != version.name }
        return older.last { lock.version(named: $0.name) != nil } ?? before
    }

    package func unreadableVersions(before version: ModelVersion) -> [UnreadableVersion] {
        let end = versions.firstIndex { $0.name == version.name } ?? 0
        let known = Set(versions.prefix(end + 1).map(\.name))
        return unreadableVersions.filter { $0.next.map(known.contains) == true }
    }
}
