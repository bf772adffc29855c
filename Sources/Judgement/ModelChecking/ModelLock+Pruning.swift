package import ObjectModel

extension ModelLock {
    /// Whether a text is a day as locks have it, such as `2026-11-24`.
    package static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return false }
        return (1...12).contains(Int(parts[1]) ?? 0) && (1...31).contains(Int(parts[2]) ?? 0)
    }

    /// Returns the pruned version that has some hashes; `nil` when there is none.
    package func prunedVersion(withHashes hashes: ModelHashes) -> Version? {
        prunedVersions.first { !$0.entities.isEmpty && $0.hashes == hashes }
    }

    /// Marks versions as pruned: they are named from then on, and no longer missed.
    ///
    /// What their steps were meant to lose goes over to the next version that stays, because the step into that one
    /// takes their place; where no version before it stays, there is no step any more, and nothing that it loses.
    ///
    /// - Parameters:
    ///   - pruned: the versions, as the lock or the model has them.
    ///   - order: the names of all versions of the model, from the oldest to the newest.
    ///   - day: the day, as `2026-11-24`.
    package mutating func prune(_ pruned: [Version], among order: [String], on day: String) {
        let names = Set(pruned.map(\.name))
        var known = order
        for version in versions where !known.contains(version.name) { known.append(version.name) }
        for (name, carried) in Self.carriers(of: names, among: known) {
            guard let index = versions.firstIndex(where: { $0.name == name }) else { continue }
            guard let carried else {
                versions[index].losses = nil
                continue
            }
            let gained = carried.flatMap { name in version(named: name)?.losses ?? [] }
            guard !gained.isEmpty else { continue }
            let all = Set(gained + (versions[index].losses ?? []))
            versions[index].losses =
                all.contains(Self.anyLoss)
                ? [Self.anyLoss] : all.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
        }
        versions.removeAll { names.contains($0.name) }
        prunedVersions.removeAll { names.contains($0.name) }
        prunedVersions += pruned.map { version in
            var version = version
            (version.prunedDay, version.losses) = (day, nil)
            return version
        }
    }

    /// The versions that stay directly behind pruned ones.
    ///
    /// - Parameters:
    ///   - pruned: the names of the versions that go.
    ///   - order: the names of all versions, from the oldest to the newest.
    /// - Returns: each version with the pruned ones directly before it, whose steps its own step takes over; `nil` for the
    ///   first version, into which no step leads any more.
    package static func carriers(
        of pruned: Set<String>,
        among order: [String]
    ) -> [(name: String, carried: [String]?)] {
        var result: [(name: String, carried: [String]?)] = []
        var (gone, isFirst): ([String], Bool) = ([], true)
        for name in order {
            if pruned.contains(name) {
                gone.append(name)
                continue
            }
            if !gone.isEmpty { result.append((name, isFirst ? nil : gone)) }
            (gone, isFirst) = ([], false)
        }
        return result
    }
}

extension ModelLock.Version {
    /// What stands against stores of the version, for people; `nil` for a version that is not pruned.
    package var pruningRemark: String? {
        prunedDay.map { day in
            "it is of '\(name)', which was pruned on \(day): an app with this model cannot open it; open it first with "
                + "an app that has '\(name)', or restore the version from version control"
        }
    }
}
