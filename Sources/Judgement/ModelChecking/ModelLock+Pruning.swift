package import ObjectModel

extension ModelLock {
    /// How people mark versions in a lock that no store has any more, as advice.
    package static let pruningWords =
        "add 'pruned DAY', such as 'pruned 2026-11-24', below each checksum"

    /// Whether a text is a day as in locks, such as `2026-11-24`.
    package static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return false }
        return (1...12).contains(Int(parts[1]) ?? 0) && (1...31).contains(Int(parts[2]) ?? 0)
    }

    package func prunedVersion(withHashes hashes: ModelHashes) -> Version? {
        prunedVersions.first { !$0.entities.isEmpty && $0.hashes == hashes }
    }
}

extension ModelLock.Version {
    /// What is wrong with stores of the version, for people; `nil` for a version that is not pruned.
    package var pruningRemark: String? {
        prunedDay.map { day in
            "it is a store of '\(name)', which was pruned on \(day): this model cannot open it; first open it with "
                + "an app that has '\(name)', or restore the version from version control"
        }
    }
}
