import Diagnostics
import ModelHashing
import ObjectModel

/// Compares the versions of a bundle with their lock.
func lockFindings(_ bundle: CheckedBundle, _ located: LocatedLock) -> [Finding] {
    let indexes = Dictionary(
        bundle.versions.enumerated().map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )
    var findings: [Finding] = []
    for locked in located.lock.versions {
        let place = SourceLocation(path: located.path, line: locked.line)
        guard let index = indexes[locked.name] else {
            findings.append(missing(locked, in: bundle, at: place))
            continue
        }
        guard bundle.versions[index].hashes != locked.hashes else { continue }
        var edits = LockedVersionEdits(
            locked: locked,
            version: bundle.versions[index],
            path: located.path
        )
        findings += edits.findings()
    }
    return findings + orderFindings(bundle, located, indexes) + unlockedFindings(bundle, located)
}

private func missing(
    _ locked: ModelLock.Version,
    in bundle: CheckedBundle,
    at place: SourceLocation
) -> Finding {
    let twin = bundle.versions.indices.first { index in
        !bundle.locked.contains(bundle.versions[index].name)
            && bundle.versions[index].hashes == locked.hashes
    }.map { bundle.versions[$0] }
    guard let twin else {
        let message = "'\(locked.name)' shipped and is missing: restore it from version control"
        return Finding(
            Diagnostic("locked-version-removed", message, at: place),
            version: locked.name
        )
    }
    return Finding(
        Diagnostic(
            "locked-version-renamed",
            "'\(locked.name)' shipped and is now named '\(twin.name)': give it its old name",
            at: twin.elementLocation,
            notes: [Diagnostic.Note("it is locked here", at: place)]
        ),
        version: twin.name
    )
}

private func orderFindings(
    _ bundle: CheckedBundle,
    _ located: LocatedLock,
    _ indexes: [String: Int]
) -> [Finding] {
    var findings: [Finding] = []
    var latest = -1
    var latestName = ""
    for locked in located.lock.versions {
        guard let index = indexes[locked.name] else { continue }
        if index < latest {
            let place = SourceLocation(path: located.path, line: locked.line)
            let message =
                "'\(locked.name)' comes before '\(latestName)' in the bundle and after it"
                + " in the lock: restore the order of the lock, or the names"
            let diagnostic = Diagnostic("locked-versions-reordered", message, at: place)
            findings.append(Finding(diagnostic, version: locked.name))
        } else {
            (latest, latestName) = (index, locked.name)
        }
    }
    for (index, version) in bundle.versions.enumerated()
    where index < latest && !bundle.locked.contains(version.name) {
        let message =
            "the new version '\(version.name)' comes before '\(latestName)', which shipped:"
            + " give it a name that sorts after it"
        let diagnostic = Diagnostic(
            "locked-versions-reordered",
            message,
            at: version.elementLocation
        )
        findings.append(Finding(diagnostic, version: version.name))
    }
    return findings
}

private func unlockedFindings(_ bundle: CheckedBundle, _ located: LocatedLock) -> [Finding] {
    guard let current = bundle.versions.first(where: \.isCurrent),
        !bundle.locked.contains(current.name)
    else { return [] }
    let message =
        "the current version '\(current.name)' has no lock yet: run momtool lock when it ships"
    return [
        Finding(
            Diagnostic(
                "current-version-not-locked",
                message,
                severity: .warning,
                at: current.elementLocation
            ),
            version: current.name
        )
    ]
}
