package import ObjectModel

/// Which of several versions with equal hashes wrote a store, and what tells.
package struct WriterChoice: Sendable, Hashable {
    /// What tells.
    package enum Proof: Sendable, Hashable {
        /// No other version has the hashes.
        case hashes
        /// The version identifiers that the store has.
        case versionIdentifiers
        /// The model that the store carries, which differs least from the version.
        case embeddedModel
        /// Nothing: the current version is taken, else the newest.
        case nothing
    }

    /// Where the version stands among those that were given.
    package var place: Int
    /// What tells.
    package var proof: Proof

    /// Chooses among versions with the hashes of a store.
    ///
    /// - Parameters:
    ///   - versions: the versions, the oldest first; `nil` comes of none.
    ///   - identifiers: the version identifiers of the store.
    ///   - embedded: gives the model that the store carries, if it carries one that can be read.
    package init?(
        among versions: [ModelVersion],
        identifiers: [String],
        embedded: () -> ManagedObjectModel?
    ) {
        guard versions.count > 1 else {
            guard !versions.isEmpty else { return nil }
            (place, proof) = (0, .hashes)
            return
        }
        var places = Array(versions.indices)
        let wanted = Self.telling(identifiers)
        let named = places.filter { Self.telling(versions[$0].model.versionIdentifiers) == wanted }
        if named.count == 1 {
            (place, proof) = (named[0], .versionIdentifiers)
            return
        }
        if !named.isEmpty { places = named }
        if let model = embedded() {
            let counts = places.map { diff(from: model, to: versions[$0].model).changes.count }
            let least = counts.min() ?? 0
            places = zip(places, counts).filter { $1 == least }.map(\.0)
            if places.count == 1 {
                (place, proof) = (places[0], .embeddedModel)
                return
            }
        }
        place = places.first { versions[$0].isCurrent } ?? places.last ?? 0
        proof = .nothing
    }

    /// An empty identifier says no more than none.
    private static func telling(_ identifiers: [String]) -> Set<String> {
        Set(identifiers).subtracting([""])
    }
}

extension WriterChoice.Proof {
    /// What tells, in words: lower case, no final period.
    package var words: String {
        switch self {
        case .hashes: "its hashes"
        case .versionIdentifiers: "its version identifiers"
        case .embeddedModel: "the model that it contains"
        case .nothing: "nothing tells them apart"
        }
    }
}
