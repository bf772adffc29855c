package import ObjectModel

/// Which of several versions with equal hashes wrote a store, and the evidence.
package struct WriterChoice: Sendable, Hashable {
    package enum Proof: Sendable, Hashable {
        /// No other version has the hashes.
        case hashes
        /// The version identifiers that the store has.
        case versionIdentifiers
        /// The model that the store carries, which differs least from the version.
        case embeddedModel
        /// Nothing: the current version is assumed, or the newest.
        case nothing
    }

    /// The index of the version among the given ones.
    package var place: Int
    package var proof: Proof

    /// Chooses among versions, the oldest first, with the hashes of a store; `nil` for none.
    ///
    /// `embedded` returns the model that the store carries, if that can be read.
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
        let wanted = Self.distinctive(identifiers)
        let named = places.filter {
            Self.distinctive(versions[$0].model.versionIdentifiers) == wanted
        }
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
    private static func distinctive(_ identifiers: [String]) -> Set<String> {
        Set(identifiers).subtracting([""])
    }
}

extension WriterChoice.Proof {
    /// Lower case, no final period.
    package var words: String {
        switch self {
        case .hashes: "its hashes"
        case .versionIdentifiers: "its version identifiers"
        case .embeddedModel: "the model that it contains"
        case .nothing: "nothing distinguishes them"
        }
    }
}
