import Diagnostics
import FileSystem
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// Compares Swift sources with the last release where no revision is named: edits since of what it had are told where they
    /// harm its stores.
    ///
    /// With a lock it is only what that does not hold: whether a value that is in no hash is optional.
    mutating func compareWithRelease(_ result: Linter.Result, _ model: String) {
        let bundle = result.bundle
        let isLocked = result.lock != nil || !result.lockPaths.isEmpty
        guard options.revision == nil, bundle.swift != nil, let current = bundle.currentVersion,
            !isLocked || current.isMigratedUnasked
        else { return }
        let path = ModelPlace(model).path
        let place = resolvedPath(path)
        let folder = FileIdentity(of: place)?.isFolder == true ? place : parent(of: place)
        let tags = (try? gitTags(in: folder)) ?? []
        guard let tag = tags.last(where: { result.configuration.isRelease($0.name) })?.name else {
            return
        }
        var against = options
        against.revision = tag
        var other = ProjectCheck(of: contents, against)
        guard let past = other.past(of: model).past else { return }
        other.findings = []
        other.earlier = [past.version]
        if current.isMigratedUnasked {
            other.compare(result, model, with: past, isNew: false)
        } else {
            let shipped = past.bundle.versions.filter {
                !$0.isBeside && !result.configuration.unshippedVersions.contains($0.name)
            }
            var lock = ModelLock(versions: shipped.map(ModelLock.Version.init))
            lock.newestTag = tag
            other.compare(bundle, with: LocatedLock(lock, path: "\(tag):\(path)"), tag)
        }
        findings += other.findings.filter { finding in
            let rule = finding.diagnostic.rule
            return finding.diagnostic.severity > .note && rule != "not-checked"
                && (!isLocked || rule == "missing-swift-value")
        }
    }
}
