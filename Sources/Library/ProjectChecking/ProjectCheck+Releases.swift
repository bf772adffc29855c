import Diagnostics
import FileSystem
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// Compares a model with the last release where no revision is named, as far as its lock does not tell what shipped: edits
    /// of versions that it lacks, and values of Swift that become mandatory, which are in no hash.
    ///
    /// A model of Xcode without a lock is compared with all releases before.
    mutating func compareWithRelease(_ result: Linter.Result, _ model: String) {
        let bundle = result.bundle
        let isLocked = !result.lockPaths.isEmpty
        let isUnasked = bundle.currentVersion?.isMigratedUnasked == true
        let isWhole = bundle.versions.allSatisfy { result.lock?.version(named: $0.name) != nil }
        guard options.revision == nil, bundle.currentVersion != nil,
            isUnasked || (!isWhole && (isLocked || bundle.swift != nil)),
            let tag = lastRelease(of: ModelPlace(model).path, result.configuration)
        else { return }
        var against = options
        against.revision = tag
        var other = ProjectCheck(of: contents, against)
        guard let past = other.past(of: model).past else { return }
        other.findings = []
        other.earlier = [past.version]
        if isUnasked {
            other.compare(result, model, with: past, isNew: false)
        } else {
            other.compare(bundle, with: lock(of: past.bundle, tag, beside: result), tag)
        }
        // The order of all versions is that of the lock, where there is one.
        let left: [RuleID] = ["not-checked"] + (isLocked ? ["locked-versions-reordered"] : [])
        findings += other.findings.filter { finding in
            let rule = finding.diagnostic.rule
            return finding.diagnostic.severity > .note && !left.contains(rule)
                && (!isUnasked || !isLocked || rule == "missing-swift-value")
        }
    }

    private func lastRelease(of path: String, _ configuration: ToolConfiguration) -> String? {
        let place = resolvedPath(path)
        let isSources = FileIdentity(of: place)?.isFolder == true && !isModelBundle(place)
        let tags = try? gitTags(in: isSources ? place : parent(of: place))
        return tags?.last { configuration.isRelease($0.name) }?.name
    }

    /// The versions of a release that the lock lacks, as a lock.
    private func lock(
        of past: ModelBundle,
        _ tag: String,
        beside result: Linter.Result
    ) -> LocatedLock {
        let left = Set(result.configuration.unshippedVersions)
        let missing = past.versions.filter {
            !$0.isBeside && !left.contains($0.name) && result.lock?.version(named: $0.name) == nil
        }
        var lock = ModelLock(versions: missing.map(ModelLock.Version.init))
        lock.newestTag = tag
        return LocatedLock(lock, path: "\(tag):\(result.bundle.path)")
    }
}
