import Diagnostics
import ModelHashing
package import ObjectModel

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
