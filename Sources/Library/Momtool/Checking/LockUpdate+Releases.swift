import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import ObjectModel
import SettingsFiles

extension LockUpdate {
    /// Writes what releases had into a first lock, and returns what that is for people.
    ///
    /// A version that was edited after its last release is locked as in that release. Removed contents are recorded as
    /// versions that no app opens any more, so that their stores are recognized.
    func recordReleases(
        in lock: inout ModelLock,
        _ known: ModelLock,
        _ settings: ToolConfiguration
    ) -> [String] {
        guard let tag = known.newestTag else { return [] }
        let edited = known.versions.filter { shipped in
            bundle.version(named: shipped.name).map { !shipped.isSame(as: $0) } ?? true
        }
        let left = Set(unshipped + settings.unshippedVersions)
        for version in edited where !left.contains(version.name) {
            if let index = lock.versions.firstIndex(where: { $0.name == version.name }) {
                lock.versions[index] = version
                if index > 0 { lock.versions[index].losses = [ModelLock.anyLoss] }
            } else if !isAnew, bundle.version(named: version.name) == nil {
                lock.insert(version, in: bundle.releases(settings))
            }
        }
        let gone = bundle.contentsGone(settings)
        var names = Set(lock.versions.map(\.name))
        for content in gone {
            guard let last = content.tags.last else { continue }
            var version = ModelLock.Version(content.version)
            version.name = "\(content.version.name) (\(last.name))"
            version.prunedDay = ModelLock.isDay(last.day) ? last.day : nil
            guard version.prunedDay != nil, names.insert(version.name).inserted else { continue }
            lock.prunedVersions.append(version)
        }
        let locked = edited.filter { lock.version(named: $0.name) != nil }
        return locked.map { version in
            let isMissing = bundle.version(named: version.name) == nil
            let state = isMissing ? "is missing" : "was edited since"
            return "'\(version.name)' is locked as it was in a release, and \(state)"
        }
            + (gone.isEmpty
                ? []
                : [
                    "recorded \(gone.count.counted("other content")) of releases up to \(tag); no version opens their stores"
                ])
    }
}

extension LockUpdate {
    /// Locks versions that are new in a lock as the last release had them, and returns what that is for people.
    func keepReleases(
        in lock: inout ModelLock,
        _ old: ModelLock,
        _ settings: ToolConfiguration
    ) -> [String] {
        let isNew = lock.versions.contains { old.version(named: $0.name) == nil }
        guard stores.isEmpty, !isAnew, isNew else { return [] }
        var names: [String] = []
        for var version in bundle.lockOfReleases(settings)?.lock.versions ?? []
        where old.version(named: version.name) == nil {
            guard
                let index = lock.versions.firstIndex(where: {
                    $0.name == version.name && $0.hashes != version.hashes
                })
            else { continue }
            version.losses = lock.versions[index].losses
            lock.versions[index] = version
            names.append(version.name)
        }
        return names.map { "'\($0)' is locked as a release had it, and was edited since" }
    }
}

extension ModelLock {
    /// Adds a version that a release had, and that is missing, before those that came with later releases.
    fileprivate mutating func insert(_ version: Version, in releases: ModelReleases?) {
        let order = releases?.contents.map(\.version.name) ?? []
        let later = order.drop { $0 != version.name }.filter { $0 != version.name }
        let place = versions.firstIndex { later.contains($0.name) }
        if let place, versions[place].losses?.isEmpty ?? true {
            versions[place].losses = [Self.anyLoss]
        }
        versions.insert(version, at: place ?? versions.endIndex)
    }
}
