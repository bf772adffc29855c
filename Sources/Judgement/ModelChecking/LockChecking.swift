import Diagnostics
import ModelHashing
package import ObjectModel

/// Compares the versions of a bundle with their lock, which has their present names.
///
/// `unplanned` are versions in no migration plan, where there are plans; `earlier` are the sources of a revision, by
/// which edits are judged.
func lockFindings(
    _ bundle: CheckedBundle,
    _ located: LocatedLock,
    renamed: [ModelLock.Renaming],
    unplanned: Set<String>,
    isRelease: Bool,
    earlier: EarlierSources
) -> [Finding] {
    let indexes = Dictionary(firstOf: bundle.versions.enumerated().map { ($1.name, $0) })
    var findings = renamed.map { finding(about: $0, in: bundle, located) }
    for locked in located.lock.versions {
        let place = FileLocation(path: located.path, line: locked.line)
        guard let index = indexes[locked.name] else {
            findings.append(missing(locked, in: bundle, located, at: place))
            continue
        }
        let (known, version) = locked.comparable(with: bundle.versions[index])
        findings += gapFindings(of: locked, bundle.versions[index], located.path)
        findings += enumFindings(of: known, version, located.path)
        guard version.hashes != known.hashes else { continue }
        var edits = LockedVersionEdits(
            locked: known,
            version: version,
            by: located,
            in: bundle,
            earlier
        )
        findings += edits.findings()
    }
    findings += returnedFindings(bundle, located)
    return findings + orderFindings(bundle, located, indexes, unplanned)
        + unlockedFindings(bundle, located, isRelease: isRelease)
}

extension [Finding] {
    /// Removes findings on versions without a plan that the lock reports as dropped.
    func withoutPlanFaults(toldBy lock: [Finding]) -> [Finding] {
        let dropped = Set(
            lock.filter { $0.diagnostic.rule == "locked-version-removed" }
                .compactMap(\.diagnostic.location)
        )
        return filter { finding in
            finding.diagnostic.rule != "version-not-in-plan"
                || finding.diagnostic.location.map(dropped.contains) != true
        }
    }
}

/// A version is identified by its hashes: under another name it opens the same stores.
private func finding(
    about renaming: ModelLock.Renaming,
    in bundle: CheckedBundle,
    _ located: LocatedLock
) -> Finding {
    let version = bundle.versions.first { $0.name == renaming.newName }
    let place = FileLocation(path: located.path, line: renaming.line)
    return Diagnostic(
        "locked-version-renamed",
        saying: """
            '\(renaming.oldName)' shipped and is now named '\(renaming.newName)', with the same hashes: record the \
            new name: \(.lock)
            """,
        severity: .note,
        at: version?.elementLocation,
        notes: [Diagnostic.Note("it is locked here", at: place)]
    ).finding(
        of: renaming.newName,
        fix: Fix("write the new name into the lock", file: located.path, .renameInLock)
    )
}

/// Reports a missing version, and how the version in its place differs.
private func missing(
    _ locked: ModelLock.Version,
    in bundle: CheckedBundle,
    _ located: LocatedLock,
    at place: FileLocation
) -> Finding {
    let old = Dictionary(firstOf: locked.entities.map { ($0.name, $0.hash) })
    let open = bundle.versions.filter { !bundle.locked.contains($0.name) }.map { version in
        let names = version.hashes.entityNames.filter { old[$0] != nil }
        let same = names.count { version.hashes.entities[$0] == old[$0] }
        return (version: version, likeness: (names.count, same))
    }
    let nearest = open.filter { 2 * $0.likeness.0 >= old.count && $0.likeness.0 > 0 }
        .max { $0.likeness < $1.likeness }?.version
    guard let nearest else {
        let message = "'\(locked.name)' shipped and is missing: restore it from version control"
        return Diagnostic("locked-version-removed", message, at: place).finding(of: locked.name)
    }
    var edits = LockedVersionEdits(
        locked: locked,
        version: nearest,
        by: located,
        in: bundle,
        isNamed: false
    )
    let differences = edits.findings().map(\.diagnostic)
    let words = differences.map(\.message)
    return Diagnostic(
        "locked-version-removed",
        "'\(locked.name)' shipped, but no version has its hashes; the nearest is '\(nearest.name)':"
            + " \(words.prefix(3).joined(separator: "; "))"
            + (words.count > 3 ? "; and \(words.count - 3) more" : ""),
        at: differences.first?.location ?? nearest.elementLocation,
        element: differences.first?.element,
        notes: [
            Diagnostic.Note(located.placeWords, at: place),
            Diagnostic.Note("a version that shipped must not change, whatever its name"),
        ]
    ).finding(of: nearest.name)
}

/// Reports other versions with the name of a pruned one.
///
/// A pruned version that is back unchanged does no harm.
private func returnedFindings(_ bundle: CheckedBundle, _ located: LocatedLock) -> [Finding] {
    located.lock.prunedVersions.compactMap { pruned in
        guard let version = bundle.versions.first(where: { $0.name == pruned.name }) else {
            return nil
        }
        let (known, new) = pruned.comparable(with: version)
        guard known.hashes != new.hashes else { return nil }
        let message =
            "a different '\(pruned.name)' shipped and was pruned on \(pruned.prunedDay ?? ""):"
            + " give this one another name"
        let place = FileLocation(path: located.path, line: pruned.line)
        return Diagnostic(
            "edited-version",
            message,
            at: version.elementLocation,
            notes: [Diagnostic.Note("it is locked here", at: place)]
        ).finding(of: version.name)
    }
}

private func orderFindings(
    _ bundle: CheckedBundle,
    _ located: LocatedLock,
    _ indexes: [String: Int],
    _ unplanned: Set<String>
) -> [Finding] {
    var findings: [Finding] = []
    var latest = -1
    var latestName = ""
    for locked in located.lock.versions {
        guard let index = indexes[locked.name] else { continue }
        let place = FileLocation(path: located.path, line: locked.line)
        if unplanned.contains(locked.name) {
            findings.append(unlisted(bundle.versions[index], behind: latestName, lockedAt: place))
        } else if index < latest {
            let list = bundle.versions[index].path.hasSuffix(".swift") ? "plan" : "bundle"
            let message =
                "'\(locked.name)' comes before '\(latestName)' in the \(list) but after it"
                + " in the lock: restore the order of the lock, or the old names"
            let diagnostic = Diagnostic("locked-versions-reordered", message, at: place)
            findings.append(Finding(diagnostic, version: locked.name))
        } else {
            (latest, latestName) = (index, locked.name)
        }
    }
    // A pruned version that returns is not a new version.
    let known = bundle.locked.union(located.lock.prunedVersions.map(\.name))
    // The order of Swift versions is that of their plan, whatever their names.
    for (index, version) in bundle.versions.enumerated()
    where index < latest && !known.contains(version.name) && !version.path.hasSuffix(".swift") {
        let message =
            "the new version '\(version.name)' comes before '\(latestName)', which shipped:"
            + " give it a later name, or list the versions under order: in .momtool.yml;"
            + " if it shipped too, restore its block in the lock"
        let diagnostic = Diagnostic(
            "locked-versions-reordered",
            message,
            at: version.elementLocation
        )
        findings.append(Finding(diagnostic, version: version.name))
    }
    return findings
}

/// Reports a version that shipped and that no migration plan lists.
private func unlisted(
    _ version: ModelVersion,
    behind other: String,
    lockedAt place: FileLocation
) -> Finding {
    Diagnostic(
        "locked-version-removed",
        "'\(version.name)' shipped but is not in the migration plan, so its stores fail with 134504: list it "
            + (other.isEmpty ? "first" : "after '\(other)'"),
        at: version.elementLocation,
        notes: [Diagnostic.Note("it is locked here", at: place)]
    ).finding(of: version.name)
}

private func unlockedFindings(
    _ bundle: CheckedBundle,
    _ located: LocatedLock,
    isRelease: Bool
) -> [Finding] {
    guard located.lock.newestTag == nil,
        let current = bundle.versions.first(where: \.isCurrent),
        !bundle.locked.contains(current.name)
    else { return [] }
    return [
        Diagnostic(
            "current-version-not-locked",
            saying:
                "the current version '\(current.name)' is not locked yet: run \(.lock) when it ships",
            severity: isRelease ? .error : .note,
            at: current.elementLocation
        ).finding(of: current.name)
    ]
}

/// Finds the entities that only one side understands: the lock of a version, or its present state.
///
/// An error for what was understood when it was locked, a warning for what the lock could still take in. What both
/// understand is compared by its hash.
func gapFindings(
    of locked: ModelLock.Version,
    _ version: ModelVersion,
    _ path: String
) -> [Finding] {
    hiddenFindings(of: locked, version, path) + openFindings(of: locked, version, path)
}

/// Reports entities that were understood when they were locked, and are not now: somebody edited them.
///
/// Swift sources may be read in part, so that ``UnjudgedEntities`` warns of theirs.
private func hiddenFindings(
    of locked: ModelLock.Version,
    _ version: ModelVersion,
    _ path: String
) -> [Finding] {
    guard !version.path.hasSuffix(".swift") else { return [] }
    let known = Dictionary(firstOf: locked.entities.map { ($0.name, $0) })
    return version.model.entities.compactMap { entity in
        guard !entity.gaps.isEmpty, let before = known[entity.name] else { return nil }
        let place = FileLocation(path: path, line: before.line)
        let message =
            "'\(version.name)' shipped and was edited: momtool understood '\(entity.name)' when it was locked, but does "
            + "not now: \(entity.gaps.joined)"
        return Diagnostic(
            "locked-version-edited",
            message,
            severity: .error,
            at: entity.source.element ?? FileLocation(path: version.path),
            element: entity.name,
            notes: [
                Diagnostic.Note("it is locked here", at: place),
                Diagnostic.Note("restore '\(version.name)' from version control"),
            ]
        ).finding(of: version.name)
    }
}

/// Reports entities that were not understood when their version was locked, and are now, but are not in the lock yet.
private func openFindings(
    of locked: ModelLock.Version,
    _ version: ModelVersion,
    _ path: String
) -> [Finding] {
    let names = locked.openEntities(in: version)
    guard !names.isEmpty else { return [] }
    let isOne = names.count == 1
    return [
        Diagnostic(
            "locked-entity-open",
            saying: """
                momtool now understands \(names.listed(most: 3)) of '\(locked.name)', but the lock does not record \
                \(isOne ? "it" : "them") yet, so edits go unnoticed; if \(isOne ? "it is" : "they are") as shipped, run \(.lock)
                """,
            severity: .warning,
            at: FileLocation(path: path, line: locked.line)
        ).finding(of: version.name)
    ]
}

extension ModelLock.Version {
    /// The entities that were not understood when the version was locked, and are now, sorted.
    fileprivate func openEntities(in version: ModelVersion) -> [String] {
        guard !unknownEntities.isEmpty else { return [] }
        let understood = Set(version.model.entities.filter(\.gaps.isEmpty).map(\.name))
        return unknownEntities.filter { understood.contains($0) && !missingEntities.contains($0) }
    }
}

extension ModelLock {
    /// Locks entities that were not understood when their version was locked, and what locks of older releases lack.
    ///
    /// Nothing else changes. Returns the added entities by version, in the order of the lock.
    package mutating func lockUnderstood(
        in versions: [ModelVersion]
    ) -> [(version: String, entities: [String])] {
        var added: [(version: String, entities: [String])] = []
        for index in self.versions.indices {
            let locked = self.versions[index]
            guard let version = versions.first(where: { $0.name == locked.name }) else { continue }
            let names = Set(locked.openEntities(in: version))
            let now = Version(version)
            for place in locked.entities.indices {
                self.versions[index].entities[place].takeEncoding(of: now)
            }
            guard !names.isEmpty else { continue }
            let new = now.entities.filter { names.contains($0.name) }
            self.versions[index].entities = (self.versions[index].entities + new).sorted {
                $0.name.utf16.lexicographicallyPrecedes($1.name.utf16)
            }
            self.versions[index].unknownEntities.removeAll(where: names.contains)
            self.versions[index].checksum = self.versions[index].hashes.checksum
            added.append((locked.name, new.map(\.name)))
        }
        return added
    }
}

extension ModelLock.Entity {
    /// Takes the components of values kept as data, where the entity is unchanged and the lock lacks them.
    fileprivate mutating func takeEncoding(of version: ModelLock.Version) {
        guard encoded.isEmpty,
            let now = version.entities.first(where: { $0.name == name && $0.hash == hash }),
            !now.encoded.isEmpty
        else { return }
        let known = Set(cases.map(\.property))
        encoded = now.encoded
        cases += now.cases.filter { !known.contains($0.property) }
    }
}
