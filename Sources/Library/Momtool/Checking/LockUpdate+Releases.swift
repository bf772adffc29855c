import Essentials
import FileSystem
import MigrationPlanning
package import ModelChecking
package import ModelLoading
package import ObjectModel
package import SettingsFiles

extension LockUpdate {
    /// Writes what releases had into a first lock, and returns that for people: versions as their last release had
    /// them, and removed contents as pruned versions, so that their stores are recognized.
    func recordReleases(
        in lock: inout ModelLock,
        _ known: ModelLock,
        _ settings: ToolConfiguration
    ) -> [String] {
        let left = Set(unshipped + settings.unshippedVersions)
        guard let tag = known.newestTag else {
            let present = Set(bundle.versions.map(\.hashes))
            let edited = bundle.sourcesOfRelease(settings).filter {
                !present.contains($0.hashes) && !left.contains($0.name)
            }
            return lockAsReleased(edited, in: &lock, isFirst: true, settings)
        }
        let edited = known.versions.filter { shipped in
            bundle.version(named: shipped.name).map { !shipped.isSame(as: $0) } ?? true
        }
        var lines = lockAsReleased(
            edited.filter { !left.contains($0.name) },
            in: &lock,
            isFirst: true,
            settings
        )
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
        if !gone.isEmpty {
            lines.append(
                "recorded \(gone.count.counted("former content")) of versions in releases up to \(tag); no version opens those stores"
            )
        }
        return lines
    }

    /// Takes versions that have not shipped out of a lock; throws for one that a release has.
    func takeOut(
        _ names: [String],
        of lock: inout ModelLock,
        _ settings: ToolConfiguration
    ) throws(MomtoolError) {
        for name in names where lock.version(named: name) != nil {
            guard let tag = bundle.release(of: name, settings) else { continue }
            throw MomtoolError(
                .refused,
                bundle.path,
                "'\(name)' shipped in \(tag): the lock must keep it",
                "impossible-edit"
            )
        }
        lock.versions.removeAll { names.contains($0.name) }
    }

    /// Locks versions that are new in a lock as the last release had them, and returns what that is for people.
    func keepReleases(
        in lock: inout ModelLock,
        _ old: ModelLock,
        _ settings: ToolConfiguration
    ) -> [String] {
        let isNew = lock.versions.contains { old.version(named: $0.name) == nil }
        guard stores.isEmpty, !isAnew, isNew else { return [] }
        let released =
            bundle.lockOfReleases(settings)?.lock.versions ?? bundle.sourcesOfRelease(settings)
        let edited = released.filter { version in
            old.version(named: version.name) == nil
                && lock.version(named: version.name).map { $0.hashes != version.hashes } ?? false
                // One that was frozen later has another name.
                && !bundle.versions.contains { version.isSame(as: $0) }
        }
        return lockAsReleased(edited, in: &lock, isFirst: false, settings)
    }

    /// Locks versions as their last release had them, also those that are missing now; returns what that is for people.
    private func lockAsReleased(
        _ versions: [ModelLock.Version],
        in lock: inout ModelLock,
        isFirst: Bool,
        _ settings: ToolConfiguration
    ) -> [String] {
        var lines: [String] = []
        for version in versions {
            let isMissing = bundle.version(named: version.name) == nil
            if let index = lock.versions.firstIndex(where: { $0.name == version.name }) {
                let losses = lock.versions[index].losses
                lock.versions[index] = version
                // Losses that shipped before the first lock were never named.
                if isFirst, index > 0 { lock.versions[index].losses = [ModelLock.anyLoss] }
                if !isFirst { lock.versions[index].losses = losses }
            } else if isFirst, !isAnew, isMissing {
                lock.insert(version, in: bundle.releases(settings))
            } else {
                continue
            }
            let state = isMissing ? "is missing" : "was edited since"
            lines.append("'\(version.name)' is locked as released, but \(state)")
        }
        return lines
    }
}

extension ModelBundle {
    /// The release that has a version of a name; `nil` where none is known.
    package func release(of name: String, _ settings: ToolConfiguration) -> String? {
        if let known = releases(settings)?.contents {
            return known.first { $0.version.name == name }?.tags.first?.name
        }
        let isKnown = sourcesOfRelease(settings).contains { $0.name == name }
        return isKnown ? lastRelease(settings) : nil
    }

    /// The names of the versions that no release has, under any name; none where no release has the model.
    package func unreleasedVersions(_ settings: ToolConfiguration) -> [String] {
        let released = releases(settings)?.contents.map(\.version).map(ModelLock.Version.init)
        let known = released ?? sourcesOfRelease(settings)
        guard !known.isEmpty else { return [] }
        return versions.filter { version in
            !version.isBeside
                && !known.contains { $0.name == version.name || $0.hashes == version.hashes }
        }.map(\.name)
    }

    /// The versions that Swift sources had in the last release.
    fileprivate func sourcesOfRelease(_ settings: ToolConfiguration) -> [ModelLock.Version] {
        guard swift != nil,
            let past = lastReleased(at: ModelPlace(swiftSourcesBelow: path), settings)
        else { return [] }
        return past.read.shippedVersions(settings).filter(\.isWhole).map(ModelLock.Version.init)
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

extension ModelBundle {
    /// The versions whose stores an app may meet: older ones, and shipped later ones, which Core Data may migrate back.
    package func versionsInTheField(before end: Int, _ lock: ModelLock?) -> [ModelVersion] {
        versions.enumerated().filter { index, version in
            index < end || (index > end && lock?.version(named: version.name) != nil)
        }.map(\.element)
    }

    package func versionsInTheField(before target: ModelVersion) -> [ModelVersion] {
        let end = versions.firstIndex { $0.isSame(as: target) } ?? versions.count
        return versionsInTheField(before: end, lock()?.following(versions).lock)
    }
}

extension LocatedLock {
    /// The lock of one store of several; that of the main one has the versions that no sources have, too.
    func keeping(_ store: ModelBundle, of bundle: ModelBundle, isMain: Bool) -> LocatedLock {
        let names = Set(store.versions.map(\.name))
        let others = Set(bundle.versions.map(\.name)).subtracting(names)
        var copy = self
        copy.lock.versions.removeAll {
            isMain ? others.contains($0.name) : !names.contains($0.name)
        }
        return copy
    }
}

extension LossLedger {
    /// The ledger of one store of several, between whose versions no step leads.
    func keeping(_ store: ModelBundle) -> LossLedger {
        guard versions.count != store.versions.count else { return self }
        var copy = self
        copy.versions = store.versions
        return copy
    }
}
