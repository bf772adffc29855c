package import Diagnostics
package import ObjectModel

/// Returns the names of the versions of which nothing can be read, by what the reader had to say.
package func unreadVersions(_ versions: [ModelVersion], reading: [Diagnostic]) -> Set<String> {
    ReadableVersions(versions, reading: reading, nil).broken
}

/// The versions of a bundle that can be compared with each other: a file that cannot be read tells nothing of its
/// version, so that next to it every entity would seem to be lost.
struct ReadableVersions {
    /// The names of those of which nothing can be read.
    let broken: Set<String>
    /// The versions with a model, oldest first.
    let versions: [ModelVersion]
    /// The lock without the versions that cannot be read, which are neither missing nor edited.
    let lock: LocatedLock?
    /// The names of the versions of which a part is not read; they are checked by themselves alone.
    let incomplete: Set<String>
    /// Whether the version that apps are built with is among those that cannot be read.
    let lacksCurrent: Bool

    init(_ versions: [ModelVersion], reading: [Diagnostic], _ lock: LocatedLock?) {
        func names(where isFault: (Diagnostic) -> Bool) -> Set<String> {
            let paths = Set(reading.filter(isFault).compactMap(\.location?.path))
            guard !paths.isEmpty else { return [] }
            return Set(
                versions.filter { version in
                    ["", "/contents", "/elements"].contains { paths.contains(version.path + $0) }
                }.map(\.name)
            )
        }
        let broken = names { Self.rules.contains($0.rule) && $0.severity == .error }
        let incomplete = names { Self.partialRules.contains($0.rule) }
        self.broken = broken
        self.versions = versions.filter { !broken.contains($0.name) }
        self.incomplete = incomplete
        lacksCurrent = versions.contains { $0.isCurrent && broken.contains($0.name) }
        var lock = lock
        lock?.lock.versions.removeAll { broken.contains($0.name) }
        self.lock = lock
    }

    /// The rules of a file of which a part is not read.
    private static let partialRules: Set<RuleID> = [
        "unknown-attribute-type", "unknown-legacy-part",
    ]
    /// The rules of a file of which nothing is read.
    private static let rules: Set<RuleID> = [
        "malformed-xml", "merge-conflict", "not-a-model", "unreadable-file",
        "xml-entity-declaration",
    ]
}
