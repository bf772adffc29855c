import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// Compares with removed or changed locks of the revision, and searches for the versions of removed models.
    mutating func checkLocksOfRevision() {
        guard let revision = options.revision else { return }
        for folder in foldersOfRevision where isKnown(revision, around: folder) {
            let before = locks(at: revision, below: folder)
            let known = Set(before.map(\.path))
            let leftOut = sparseModels(below: folder)
            for (lock, text) in before
            where LockFile.model(ofLock: lock).map(leftOut.contains) != true {
                let now = try? readText(lock, limit: 256 << 20)
                // An unchanged lock has everything.
                guard now != text, let located = LocatedLock(text, at: lock, of: revision) else {
                    continue
                }
                compareChanged(located, now, at: lock, knownBefore: known, revision)
            }
        }
    }

    private mutating func compareChanged(
        _ located: LocatedLock,
        _ now: String?,
        at lock: String,
        knownBefore known: Set<String>,
        _ revision: String
    ) {
        guard let model = LockFile.model(ofLock: lock) else { return }
        let left = now.map { located.lock.versionsMissing(in: $0) } ?? []
        // A model that is checked for itself was compared already.
        let isCompared = now != nil && (contents.models + contents.swiftFolders).contains(model)
        guard !isCompared || !left.isEmpty else { return }
        do throws(MomtoolError) {
            let place = ModelPlace(lockedAt: model, swift: options.swift)
            guard let bundle = try place.readIfThere()?.value.inStatedOrder else {
                return lookFor(located, of: model, at: lock, revision)
            }
            guard !bundle.versions.isEmpty else { return }
            if !isCompared { compare(bundle, with: located, revision) }
            if now != nil {
                let open = left.filter { bundle.versions.contains(where: $0.isSame) }
                let others = successors(of: bundle.path, open, revision)
                warn(ofUnlocked: open, in: bundle, at: lock, isThere: true, others, revision)
            } else if !isLocked(model, knownBefore: known) {
                warn(ofMissing: lock, of: model, revision)
            }
        } catch {
            // Why the model cannot be read is reported where it is checked.
        }
    }

    /// Whether a lock covers all sources at a path, or is a new one for a part of them.
    private func isLocked(_ model: String, knownBefore known: Set<String>) -> Bool {
        let own = resolvedPath(model)
        return contents.locks.contains { lock in
            guard let other = LockFile.model(ofLock: lock).map(resolvedPath) else { return false }
            return own == other || own.hasPrefix(other + "/")
                || !known.contains(lock) && other.hasPrefix(own + "/")
        }
    }

    private mutating func warn(ofMissing lock: String, of model: String, _ revision: String) {
        let message: Wording = """
            since \(revision): this lock was removed, so nothing protects the versions of '\(model)' that shipped from edits: \
            restore it, or lock the model again
            """
        report("missing-lock", message, at: FileLocation(path: lock))
    }

    /// Warns of versions that lost their lock, unless they are declared not to have shipped.
    private mutating func warn(
        ofUnlocked versions: [ModelLock.Version],
        in bundle: ModelBundle,
        at lock: String,
        isThere: Bool = false,
        _ others: [HeldVersions],
        _ revision: String
    ) {
        let unshipped = (try? settings(for: bundle.path))?.unshippedVersions ?? []
        let open = versions.filter { version in
            !unshipped.contains(version.name) && !others.contains { $0.isLocked(version) }
        }
        guard !open.isEmpty else { return }
        let them = open.count == 1 ? "it" : "them"
        let names = open.map { "'\($0.name)'" }.listed(most: 5)
        let cure: Wording =
            isThere
            ? "restore the lock's entries for \(them); \(.lock) writes them again"
            : "restore the lock, or move it along (\(.lock) writes one)"
        let message: Wording = """
            since \(revision): no lock protects \(names) of '\(bundle.path)', which shipped, from edits any more: \
            \(cure); list what never shipped under lock: unshipped: in .momtool.yml
            """
        forgetNews(of: bundle, named: open)
        report("missing-lock", message, at: FileLocation(path: lock))
    }

    /// Searches for the versions of a lock without a model: in other models, and among pruned versions.
    private mutating func lookFor(
        _ located: LocatedLock,
        of model: String,
        at lock: String,
        _ revision: String
    ) {
        var lost: [ModelLock.Version] = []
        var homes: [(bundle: ModelBundle, versions: [ModelLock.Version])] = []
        let versions = located.lock.versions.filter { !$0.entities.isEmpty }
        let others = successors(of: model, versions, revision)
        for version in versions {
            if let home = others.lazy.compactMap({ $0.home(of: version) }).first {
                if let index = homes.firstIndex(where: { $0.bundle.path == home.path }) {
                    homes[index].versions.append(version)
                } else {
                    homes.append((home, [version]))
                }
            } else if let (pruned, path) = others.lazy.compactMap({ $0.pruned(version) }).first {
                note(pruned, at: path, revision)
            } else if !others.contains(where: { $0.isLocked(version) }) {
                // A version that a lock has and no model is reported where that lock is compared.
                lost.append(version)
            }
        }
        for home in homes {
            warn(ofUnlocked: home.versions, in: home.bundle, at: lock, others, revision)
        }
        guard !lost.isEmpty else { return }
        guard let home = homes.max(by: { $0.versions.count < $1.versions.count }) else {
            addGone(model, lost)
            guard !judgeHeir(of: lost, model, at: lock) else { return }
            findings.append(lostModel(model, lost, located, at: lock, revision))
            return
        }
        compareMoved(lost, home.versions, home.bundle, located, from: model, revision)
    }

    private func lostModel(
        _ model: String,
        _ lost: [ModelLock.Version],
        _ located: LocatedLock,
        at lock: String,
        _ revision: String
    ) -> Finding {
        let names = lost.map(\.name)
        let isOne = lost.count == 1
        let message = """
            since \(revision): '\(model)' was removed with \(names.map { "'\($0)'" }.listed(most: 5)), which shipped: \
            no model has \(isOne ? "this version" : "these versions") any more, and nothing can open \(isOne ? "its" : "their") stores
            """
        return Finding(
            Diagnostic(
                "locked-version-removed",
                message,
                at: FileLocation(path: lock),
                notes: [
                    Diagnostic.Note(
                        "\(isOne ? "it is" : "they are") locked here",
                        at: FileLocation(path: located.path, line: lost[0].line)
                    ),
                    Diagnostic.Note(
                        "restore the model with its lock from version control; if it was moved, it keeps its versions, "
                            + "and its lock beside it"
                    ),
                    Diagnostic.Note(
                        "if no store has \(isOne ? "it" : "them") any more, restore only the lock, and "
                            + ModelLock.pruningWords
                    ),
                ]
            )
        )
    }

    /// Compares a model that was moved with the versions of its earlier lock that are no longer there.
    private mutating func compareMoved(
        _ lost: [ModelLock.Version],
        _ found: [ModelLock.Version],
        _ bundle: ModelBundle,
        _ located: LocatedLock,
        from model: String,
        _ revision: String
    ) {
        let names = lost.map(\.name)
        let rule = Diagnostic.Note(
            "'\(model)' of \(revision) is now '\(bundle.path)', which must keep all shipped versions; it lacks "
                + names.map { "'\($0)'" }.listed(most: 5)
        )
        let them = lost.count == 1 ? "it" : "them"
        let consent = Diagnostic.Note(
            "if no store has \(them) any more, keep the entries of '\(located.path)' for \(them) in the lock, and "
                + ModelLock.pruningWords
        )
        let kept = lost + found.filter { bundle.versions.contains(where: $0.isSame) }
        var rest = located
        rest.lock.versions.removeAll { version in !kept.contains { $0.name == version.name } }
        compare(bundle, with: rest, revision) {
            // An edited version is still there, and not pruned.
            $0.rule == "locked-version-removed" ? [rule, consent] : [rule]
        }
    }

    /// Reports a lock without a model: where the model is now, or how to declare that it was removed on purpose.
    mutating func report(unread lock: String, of model: String) {
        let text = (try? readText(lock, limit: 256 << 20)) ?? ""
        let versions = ModelLock.parse(text, path: lock).value.versions
        guard !judgeHeir(of: versions, model, at: lock) else { return }
        let place = FileLocation(path: lock)
        let unread = "nothing reads this lock, so it protects nothing"
        if let home = home(of: versions, from: model) {
            let other = LockFile(ofModel: home)
            let way =
                other.exists
                ? "remove it, as '\(other.path)' is read" : "move it to '\(other.path)'"
            let message: Wording = "\(unread): its versions are now in '\(home)'; \(way)"
            return report("unread-lock", message, at: place)
        }
        let consent = Diagnostic.Note(
            "if no store has its versions any more, say so in the lock: \(ModelLock.pruningWords)"
        )
        let notes = versions.isEmpty ? [] : [consent]
        guard isModelBundle(model) || model.hasSuffix(".swift") else {
            let message: Wording =
                "\(unread): it belongs to '\(model)', where there is no model; move it to the sources"
            return report("unread-lock", message, at: place, notes: notes)
        }
        let message: Wording =
            "the model of this lock is missing, and nothing can open the stores of its versions: restore it"
        report("locked-version-removed", message, severity: .error, at: place, notes: notes)
    }

    /// Judges the step from a lock of a removed model of Core Data to the classes of SwiftData that open its stores, by names.
    private mutating func judgeHeir(
        of versions: [ModelLock.Version],
        _ model: String,
        at lock: String
    ) -> Bool {
        guard isModelBundle(model), let last = versions.last(where: { !$0.entities.isEmpty }),
            let bundle = held.bundles.first(where: { $0.opensStores(of: model, last) }),
            let current = bundle.currentVersion
        else { return false }
        let settings = (try? settings(for: bundle.path)) ?? ToolConfiguration()
        let ledger = settings.ledger(of: bundle.versions)
        let lost = current.model.lacking(last)
        findings.removeAll { finding in
            ["changed-since", .unmatchedLoss].contains(finding.diagnostic.rule)
                && finding.diagnostic.element.map(lost.contains) == true
        }
        let open = lost.filter { !ledger.agreement(into: current.name).covers([$0]) }
        let place = FileLocation(path: lock, line: last.line)
        if !open.isEmpty {
            let message: Wording =
                "stores of '\(last.name)' lose \(open.listed(most: 5)), as the classes of '\(bundle.path)' open them"
            let entry = ledger.entry(allowing: open, into: current.name)
            let note = Diagnostic.Note(saying: "if it may be dropped, allow it \(entry)")
            report("data-loss", message, severity: .error, at: place, notes: [note])
        } else if FileIdentity(of: lock) != nil {
            let heir = LockFile(ofModel: bundle.path)
            let next: Wording =
                heir.exists
                ? ", which '\(heir.path)' continues: remove it"
                : ": lock them (\(.lock)), then remove it"
            let message: Wording =
                "the classes of '\(bundle.path)' open the stores of this lock\(next)"
            report("unread-lock", message, at: place)
        }
        return true
    }

    private mutating func home(of versions: [ModelLock.Version], from model: String) -> String? {
        let versions = versions.filter { !$0.entities.isEmpty }
        // A model that the revision lacks did not move since then.
        let revision = options.revision.flatMap {
            ModelPlace(model, at: $0).isAtItsPathInRevision ? $0 : nil
        }
        let held =
            revision.map {
                self.held.takingOver(versions, from: model, since: $0, options.swift)
            } ?? self.held
        let homes = versions.map { held.home(of: $0)?.path }
        guard let first = homes.first, homes.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// Counts a lock of a model that was removed on purpose, with all versions pruned; returns whether it is one.
    mutating func countPruned(_ lock: String) -> Bool {
        guard let text = try? readText(lock, limit: 256 << 20) else { return false }
        let read = ModelLock.parse(text, path: lock)
        guard !read.hasErrors, read.value.versions.isEmpty, !read.value.prunedVersions.isEmpty
        else { return false }
        counts.locks += 1
        return true
    }

    private mutating func forgetNews(of bundle: ModelBundle, named versions: [ModelLock.Version]) {
        let known = bundle.versions.filter { version in versions.contains { $0.isSame(as: version) }
        }
        findings.removeAll { finding in
            ["locked-versions-reordered", "current-version-not-locked"]
                .contains(finding.diagnostic.rule)
                && known.contains { version in
                    version.name == finding.version
                        && finding.diagnostic.location?.path.hasPrefix(version.path) == true
                }
        }
    }
}

extension ModelLock {
    /// The versions that another text of the lock lacks, as far as it can be read.
    fileprivate func versionsMissing(in text: String) -> [Version] {
        let other = ModelLock.parse(text, path: "")
        // An existing but unreadable version is reported elsewhere.
        let names = other.hasErrors ? Set(ModelLock.versionNames(in: text)) : []
        return versions.filter { version in
            !names.contains(version.name)
                && !other.value.versions.contains { $0.hashes == version.hashes }
        }
    }
}

extension ManagedObjectModel {
    /// The names of the entities and properties of a locked version that nothing here continues.
    fileprivate func lacking(_ version: ModelLock.Version) -> [String] {
        version.entities.flatMap { old -> [String] in
            guard let entity = entities.first(where: { $0.matchingIdentifier == old.name }) else {
                return [old.name]
            }
            let kept = ModelGraph(self).lineage(of: entity).flatMap(\.properties)
            return old.properties.map(\.name)
                .filter { name in !kept.contains { $0.matchingIdentifier == name } }
                .map { "\(old.name).\($0)" }
        }
    }
}
