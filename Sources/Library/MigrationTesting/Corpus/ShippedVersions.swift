import ModelChecking
import ModelHashing
package import ModelLoading
package import Momtool
package import ObjectModel
package import SettingsFiles

/// A version that users have stores of.
package struct ShippedVersion: Sendable {
    /// The name of its files: that of the version, with its first release where several contents had that name.
    package internal(set) var name: String
    package let version: ModelVersion
    /// The tags of the releases that had it, oldest first; empty where no history is at hand.
    package let tags: [String]
}

extension ModelBundle {
    /// Returns the versions that shipped, those of equal hashes once: those of the lock, or those that a release has in
    /// git, or all before the current one.
    package func shippedVersions(
        _ settings: ToolConfiguration,
        _ swift: SwiftSettings
    ) -> [ShippedVersion] {
        let history = try? ModelHistory(of: path, swift: swift)
        let past = (history?.versions.reversed() ?? []).map { version in
            let commits = history?.commits[version.name]
            let tags = (commits?.tags ?? []).filter(settings.isRelease)
            let named = ModelVersion(
                name: commits?.version ?? version.name,
                path: version.path,
                model: version.model
            )
            return (version: named, tags: tags)
        }
        func shipped(_ version: ModelVersion) -> ShippedVersion {
            let tags = past.filter { $0.version.hashes == version.hashes }.flatMap(\.tags)
            let own = versions.first { $0.hashes == version.hashes }
            var seen: Set<String> = []
            return ShippedVersion(
                name: (own ?? version).name,
                version: own ?? version,
                tags: tags.filter { seen.insert($0).inserted }
            )
        }
        let locked = (lock()?.versions ?? []).compactMap { locked in
            (versions + past.map(\.version)).first { locked.isSame(as: $0) }
        }
        let released = past.filter { !$0.tags.isEmpty }.map(\.version)
        // The current version may not have shipped yet.
        let older = versions.count > 1 ? versions.filter { !$0.isCurrent } : versions
        let all = locked.isEmpty ? (released.isEmpty ? older : released) : locked
        var (known, names): (Set<ModelHashes>, Set<String>) = ([], [])
        return all.filter { known.insert($0.hashes).inserted }.map { version in
            var found = shipped(version)
            found.name = found.name.fileName
            if names.contains(found.name) {
                let mark = found.tags.first ?? String(known.count)
                found.name += "-" + mark.fileName
            }
            names.insert(found.name)
            return found
        }
    }
}

extension String {
    /// The name as that of a file on every system.
    fileprivate var fileName: String {
        String(map { $0.isLetter || $0.isNumber || "._-+ ".contains($0) ? $0 : "-" })
    }
}
