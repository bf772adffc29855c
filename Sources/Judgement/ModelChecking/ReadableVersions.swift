package import Diagnostics
package import ObjectModel

/// Returns the names of completely unreadable versions, by the reader's findings.
package func unreadVersions(_ versions: [ModelVersion], reading: [Diagnostic]) -> Set<String> {
    ReadableVersions(versions, reading: reading, nil).broken
}

/// The comparable versions of a bundle: next to an unreadable file every entity would seem to be lost.
struct ReadableVersions {
    let broken: Set<String>
    let versions: [ModelVersion]
    /// The lock without the versions that cannot be read, which are neither missing nor edited.
    let lock: LocatedLock?
    /// The names of partly read versions, which are checked separately.
    let incomplete: Set<String>
    /// Whether the version that apps are built with cannot be read.
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

    private static let partialRules: Set<RuleID> = [
        "unknown-attribute-type", "unknown-legacy-part",
    ]
    private static let rules: Set<RuleID> = [
        "malformed-xml", "merge-conflict", "not-a-model", "unreadable-file",
        "xml-entity-declaration",
    ]
}
