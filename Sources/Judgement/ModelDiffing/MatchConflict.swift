package import Diagnostics
package import ObjectModel

/// Several items of one version that claim the same item of the other by their renaming identifiers.
///
/// Apple's inference has one partner for each item (MigrationBehaviour, "Matching old and new"); the first claimant in
/// source order is used so that the comparison can continue, and the conflict is an error.
package struct MatchConflict: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        case entity
        case attribute
        case relationship
        case fetchedProperty
    }

    package enum Side: Sendable, Hashable, CaseIterable {
        /// Two items of the old version carry one identifier that the new version uses.
        case from
        /// Two items of the new version claim one item of the old version.
        case to
    }

    package var kind: Kind
    package var side: Side
    /// The entity of the claimants in their version; `nil` when they are entities.
    package var entity: String?
    package var identifier: String
    /// In source order; the first one is used.
    package var claimants: [String]
    /// The locations of the claimants, in the order of `claimants`.
    package var sources: [SourceMark]

    package var diagnostic: Diagnostic {
        let names = claimants.map { "'\($0)'" }.joined(separator: ", ")
        return Diagnostic(
            "ambiguous-renaming-identifier",
            "give each of \(names) its own renaming identifier: all match '\(identifier)'",
            at: sources.last?.location(of: "elementID"),
            element: entity.map { "\($0).\(claimants.last ?? "")" } ?? claimants.last,
            notes: zip(claimants, sources).dropLast().map { name, source in
                Diagnostic.Note("'\(name)' has it too", at: source.location(of: "elementID"))
            }
        )
    }
}
