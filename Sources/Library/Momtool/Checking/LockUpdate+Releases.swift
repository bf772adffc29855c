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
        for version in edited {
            guard let index = lock.versions.firstIndex(where: { $0.name == version.name }) else {
                continue
            }
            lock.versions[index] = version
            if index > 0 { lock.versions[index].losses = [ModelLock.anyLoss] }
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
        return edited.map { "'\($0.name)' is locked as it was in a release, and was edited since" }
            + (gone.isEmpty
                ? []
                : [
                    "recorded \(gone.count.counted("other content")) of releases up to \(tag); no version opens their stores"
                ])
    }
}
