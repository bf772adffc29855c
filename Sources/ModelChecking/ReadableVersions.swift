import Diagnostics
import ObjectModel

/// The versions of a bundle that can be compared with each other: a file that cannot be read tells nothing of its
/// version, so that next to it every entity would seem to be lost.
struct ReadableVersions {
    /// The versions with a model, oldest first.
    let versions: [ModelVersion]
    /// The lock without the versions that cannot be read, which are neither missing nor edited.
    let lock: LocatedLock?
    /// Whether the version that apps are built with is among those that cannot be read.
    let lacksCurrent: Bool

    init(_ versions: [ModelVersion], reading: [Diagnostic], _ lock: LocatedLock?) {
        let broken = Set(
            reading.filter { Self.rules.contains($0.rule) && $0.severity == .error }
                .compactMap(\.location?.path)
        )
        func isBroken(_ version: ModelVersion) -> Bool {
            broken.contains(version.path) || broken.contains(version.path + "/contents")
        }
        self.versions = versions.filter { !isBroken($0) }
        lacksCurrent = versions.contains { $0.isCurrent && isBroken($0) }
        let names = Set(versions.filter(isBroken).map(\.name))
        var lock = lock
        lock?.lock.versions.removeAll { names.contains($0.name) }
        self.lock = lock
    }

    /// The rules of a file of which nothing is read.
    private static let rules: Set<RuleID> = [
        "malformed-xml", "merge-conflict", "not-a-model", "unreadable-file", "legacy-model-format",
        "xml-entity-declaration",
    ]
}
