import Diagnostics

/// A lock in which git left the conflicts of a merge.
///
/// Each side is a complete lock: git may have split a block, and a version on one side only is not a fault.
struct LockConflict {
    typealias Line = (number: Int, text: Substring.UTF8View)

    private(set) var ours: [Line] = []
    private(set) var theirs: [Line] = []
    let firstMarker: Int

    init?(in lines: [Line]) {
        guard let start = lines.first(where: { Marker($0.text) == .ours }) else { return nil }
        firstMarker = start.number
        var side: Marker?
        var isEnded = false
        for line in lines {
            switch Marker(line.text) {
            case .theirs: (side, isEnded) = (nil, true)
            case let marker?: side = marker
            case nil:
                if side == nil || side == .ours { ours.append(line) }
                if side == nil || side == .middle { theirs.append(line) }
            }
        }
        guard isEnded, side == nil else { return nil }
    }

    enum Marker {
        /// Our side follows.
        case ours
        /// What both sides started from follows.
        case base
        /// Their side follows.
        case middle
        /// Their side ends.
        case theirs

        init?(_ line: Substring.UTF8View) {
            guard let first = line.first, line.prefix(7).count(where: { $0 == first }) == 7 else {
                return nil
            }
            switch first {
            case UInt8(ascii: "<"): self = .ours
            case UInt8(ascii: "|"): self = .base
            case UInt8(ascii: "="): self = .middle
            case UInt8(ascii: ">"): self = .theirs
            default: return nil
            }
        }
    }

    /// The error at the first marker, with what is on each side, and what to do.
    func diagnostic(_ ours: ModelLock, _ theirs: ModelLock, path: String) -> Diagnostic {
        Diagnostic(
            "invalid-lock",
            saying: "unresolved merge conflict: \(wording(ours, theirs))",
            at: FileLocation(path: path, line: firstMarker)
        )
    }

    private func wording(_ ours: ModelLock, _ theirs: ModelLock) -> Wording {
        let torn = ours.versionsDiffering(from: theirs).map { "'\($0.name)'" }
        guard torn.isEmpty else {
            let fact = torn.count == 1 ? "differs" : "differ"
            return """
                \(torn.listed(most: 3)) \(fact) on both sides: keep the block of what shipped, give the other version a new \
                name in the model, and run \(.lock) when it ships
                """
        }
        let mine = ours.versionsMissing(in: theirs).map { "'\($0.name)'" }
        let others = theirs.versionsMissing(in: ours).map { "'\($0.name)'" }
        guard !mine.isEmpty || !others.isEmpty else {
            return "both sides lock the same versions: keep either side"
        }
        let words = [
            mine.isEmpty ? nil : "only our side has \(mine.listed(most: 3))",
            others.isEmpty ? nil : "only their side has \(others.listed(most: 3))",
        ].compactMap(\.self).joined(separator: ", ")
        return """
            \(words): keep all blocks in the order of shipping, as \(.merging) does; or keep one side, and \
            \(.lock) adds what is missing
            """
    }
}

extension ModelLock {
    func joined(with other: ModelLock) -> ModelLock {
        var lock = self
        let torn = Set(versionsDiffering(from: other).map(\.name))
        lock.versions = (versions + other.versionsMissing(in: self))
            .filter { !torn.contains($0.name) }
        lock.prunedVersions += other.prunedVersions.filter { pruned in
            !prunedVersions.contains { $0.name == pruned.name }
        }
        return lock
    }

    fileprivate func versionsDiffering(from other: ModelLock) -> [Version] {
        versions.filter { version in
            other.version(named: version.name).map { $0.hashes != version.hashes } ?? false
        }
    }

    fileprivate func versionsMissing(in other: ModelLock) -> [Version] {
        versions.filter { other.version(named: $0.name) == nil }
    }
}
