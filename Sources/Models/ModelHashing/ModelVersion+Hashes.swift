import Essentials
package import ObjectModel
import Synchronization

extension ModelVersion {
    /// The version hashes of the entities, computed on first use.
    package var hashes: ModelHashes { content.hashes }

    /// Apple's `versionChecksum`, in base64, computed on first use.
    package var checksum: String { content.checksum }

    /// Whether it has the hashes of another version, and both are fully understood.
    ///
    /// Hashes of entities that are not understood are unknown, and prove nothing.
    package func hasHashes(of other: ModelVersion) -> Bool {
        isWhole && other.isWhole && hashes == other.hashes
    }

    private var content: HashMemo.Content {
        memo.content { HashMemo.Content(of: versionHashes(of: model)) }
    }
}

extension HashMemo.Content {
    init(of hashes: ModelHashes) { self.init(hashes: hashes, checksum: hashes.checksum) }
}

/// Computes the hashes of versions that have much in common: what is equal is hashed once, and known hashes are kept.
package func hashTogether(_ versions: some Sequence<ModelVersion>) {
    var memory = HashMemory()
    for version in versions where version.memo.known == nil {
        var hasher = EntityHasher(graph: ModelGraph(version.model), isRecording: false)
        swap(&hasher.memory, &memory)
        let hashes = hasher.modelHashes()
        swap(&hasher.memory, &memory)
        _ = version.memo.content { HashMemo.Content(of: hashes) }
    }
}

/// Finds the versions with certain hashes, and hashes only enough of the others to rule them out.
///
/// A store has one version, usually among the first tried. The others have different entity names, or differ in one
/// entity, usually the same one as the previously tried version.
package struct VersionSearch {
    private let hashes: ModelHashes
    private let names: Set<String>
    private var memory = HashMemory()
    /// Entities that ruled versions out, the last one first.
    private var distinctive: [String] = []

    /// Searches for the given hashes, such as those of a store.
    package init(for hashes: ModelHashes) {
        self.hashes = hashes
        names = Set(hashes.entities.keys)
    }

    /// Whether a version has the hashes; if so, they are known from then on.
    package mutating func matches(_ version: ModelVersion) -> Bool {
        if let known = version.memo.known { return known.hashes == hashes }
        guard Set(version.model.entities.map(\.name)) == names else { return false }
        var hasher = EntityHasher(graph: ModelGraph(version.model), isRecording: false)
        swap(&hasher.memory, &memory)
        defer { swap(&hasher.memory, &memory) }
        for name in distinctive + names.subtracting(distinctive) {
            guard let entity = hasher.graph.entity(name) else { return false }
            guard hasher.hash(of: entity).hash == hashes.entities[name] else {
                distinctive.removeAll { $0 == name }
                distinctive.insert(name, at: 0)
                return false
            }
        }
        HashingCounts.wholeModels.add(1, ordering: .relaxed)
        _ = version.memo.content { HashMemo.Content(of: hashes) }
        return true
    }
}

extension BidirectionalCollection<ModelVersion> {
    /// Finds the index of the version with the given hashes, such as those of a store; `nil` if none has them.
    ///
    /// Likely ones are tried first: those with the version identifiers of the store, most of which are empty and tell
    /// nothing, the current one, then from the newest to the oldest.
    package func index(withHashes hashes: ModelHashes, identifiers: [String] = []) -> Index? {
        var search = VersionSearch(for: hashes)
        let names = identifiers.contains { !$0.isEmpty } ? identifiers : nil
        let likely = [
            indices.reversed().filter { self[$0].model.versionIdentifiers == names },
            indices.reversed().filter { self[$0].isCurrent }, indices.reversed(),
        ]
        return likely.lazy.joined().first { search.matches(self[$0]) }
    }

    package func places(withHashes hashes: ModelHashes) -> [Index] {
        var search = VersionSearch(for: hashes)
        return indices.filter { search.matches(self[$0]) }
    }

    /// Finds the version with certain hashes, as the function above does.
    package func version(withHashes hashes: ModelHashes, identifiers: [String] = [])
        -> ModelVersion?
    { index(withHashes: hashes, identifiers: identifiers).map { self[$0] } }
}

/// How much was hashed in this process, for tests and benchmarks that limit it.
package enum HashingCounts {
    static let wholeModels = Atomic(0)
    static let singleEntities = Atomic(0)

    /// The number of models that were hashed completely.
    package static var models: Int { wholeModels.load(ordering: .relaxed) }
    /// The number of hashed entities, including those of models that were not hashed completely.
    package static var entities: Int { singleEntities.load(ordering: .relaxed) }
}

extension ModelHashes {
    /// Apple's `versionChecksum`, in base64: one value for the whole model version.
    package var checksum: String {
        var digest = SHA256()
        for name in entityNames { digest.update(entities[name]?.bytes ?? []) }
        return Data(digest.finalize()).base64EncodedString()
    }

    /// Apple's `NSStoreModelVersionHashesDigest`, in base64.
    package var digest: String {
        var digest = SHA512()
        for name in entityNames {
            digest.update(Array(name.utf8))
            digest.update(entities[name]?.bytes ?? [])
        }
        return Data(digest.finalize()).base64EncodedString()
    }
}
