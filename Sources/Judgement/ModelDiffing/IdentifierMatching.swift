package struct IdentifierMatching: Sendable, Hashable {
    /// The index in the old list for each item of the new list that has a partner.
    package var sourceIndexes: [Int?]
    package var unmatchedSources: [Int]
    /// Identifiers that several items share, with their indexes; only those with a partner.
    package var conflicts: [(side: MatchConflict.Side, identifier: String, indexes: [Int])] {
        sourceConflicts.map { (.from, $0.identifier, $0.indexes) }
            + destinationConflicts.map { (.to, $0.identifier, $0.indexes) }
    }
    private var sourceConflicts: [SharedIdentifier]
    private var destinationConflicts: [SharedIdentifier]

    /// Pairs items with equal identifiers; of several the first in order wins.
    ///
    /// Apple pairs by `renamingIdentifier`, which defaults to the name (MigrationBehaviour, "Matching old and new").
    /// The plain name is not tried afterwards: an identifier that matches nothing is remove and add.
    package init(from: [String], to: [String]) {
        if from == to, Set(from).count == from.count {
            sourceIndexes = to.indices.map(Optional.some)
            (unmatchedSources, sourceConflicts, destinationConflicts) = ([], [], [])
            return
        }
        let old = Self.group(from)
        let new = Self.group(to)
        sourceIndexes = to.enumerated().map { index, identifier in
            new[identifier]?.first == index ? old[identifier]?.first : nil
        }
        let taken = Set(sourceIndexes.compactMap(\.self))
        unmatchedSources = from.indices.filter { !taken.contains($0) }
        sourceConflicts = Self.shared(from, old, partners: new)
        destinationConflicts = Self.shared(to, new, partners: old)
    }

    private struct SharedIdentifier: Sendable, Hashable {
        var identifier: String
        var indexes: [Int]
    }

    private static func group(_ identifiers: [String]) -> [String: [Int]] {
        Dictionary(grouping: identifiers.indices, by: { identifiers[$0] })
    }

    private static func shared(
        _ identifiers: [String],
        _ groups: [String: [Int]],
        partners: [String: [Int]]
    ) -> [SharedIdentifier] {
        identifiers.enumerated().compactMap { index, identifier in
            guard let indexes = groups[identifier], indexes.count > 1, indexes.first == index,
                partners[identifier] != nil
            else { return nil }
            return SharedIdentifier(identifier: identifier, indexes: indexes)
        }
    }
}
