import ObjectModel

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
        let old = Dictionary(firstOf: zip(from, from.indices))
        let new = Dictionary(firstOf: zip(to, to.indices))
        sourceIndexes = to.enumerated().map { new[$1] == $0 ? old[$1] : nil }
        let taken = Set(sourceIndexes.compactMap(\.self))
        unmatchedSources = from.indices.filter { !taken.contains($0) }
        sourceConflicts = Self.shared(from, old, partners: new)
        destinationConflicts = Self.shared(to, new, partners: old)
    }

    private struct SharedIdentifier: Sendable, Hashable {
        var identifier: String
        var indexes: [Int]
    }

    private static func shared(
        _ identifiers: [String],
        _ firsts: [String: Int],
        partners: [String: Int]
    ) -> [SharedIdentifier] {
        guard firsts.count < identifiers.count else { return [] }
        let groups = Dictionary(grouping: identifiers.indices) { identifiers[$0] }
        return identifiers.enumerated().compactMap { index, identifier in
            guard let indexes = groups[identifier], indexes.count > 1, indexes.first == index,
                partners[identifier] != nil
            else { return nil }
            return SharedIdentifier(identifier: identifier, indexes: indexes)
        }
    }
}
