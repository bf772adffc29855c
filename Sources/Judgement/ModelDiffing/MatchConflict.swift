package import Diagnostics
package import ObjectModel

/// Several items of one version that claim the same item of the other by their renaming identifiers.
///
/// Apple's inference has one partner for each item (MigrationBehaviour, "Matching old and new"); the first claimant in
/// source order is used so that the comparison can continue, and the conflict is an error.
package struct MatchConflict: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        case entity, attribute, relationship, fetchedProperty
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

/// A removed and an added item that may be an undeclared rename.
///
/// Core Data silently drops the old one and adds the new one. momtool asks about it, and never acts on it.
package struct RenameSuspicion: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable { case entity, attribute, relationship }

    package enum Ground: Sendable, Hashable, CaseIterable {
        /// The names are alike and the types equal.
        case similarName
        /// They are the only removed and added ones of their type.
        case onlyCandidates
        /// They have most of their properties in common.
        case sharedProperties
        /// The names are equal, the renaming identifiers are not: the new one names nothing.
        case staleIdentifier
        /// The renaming identifier is the plain name of the old one, which has an identifier of its own.
        case nameInsteadOfIdentifier
    }

    package var kind: Kind
    /// The entity of the new version that has the properties; `nil` for entities.
    package var entity: String?
    package var from: String
    package var to: String
    /// The `elementID` for the added item, if it is a rename.
    package var elementID: String
    /// The renaming identifier that the added item has now.
    package var writtenID: String?
    package var isFromMandatory: Bool
    package var ground: Ground
    package var fromSource: SourceMark
    package var toSource: SourceMark

    /// Whether it is a SwiftData class, which has no renaming identifier.
    package var isOfClass: Bool { kind == .entity && toSource.isOfSwift }

    /// Whether an item that had no renaming identifier got one: between edits of one version it declares a rename.
    package var isDeclaration: Bool { from == to && elementID == from }

    /// What declares the rename; lower case, no final period.
    package var cure: String {
        let condition = "if it is '\(from)' renamed"
        guard !isOfClass else {
            return
                "SwiftData cannot rename a class: if '\(to)' is '\(from)' renamed, keep the name '\(from)', or move"
                + " its objects in a custom stage"
        }
        guard !isDeclaration else {
            let setting = toSource.isOfSwift ? "originalName:" : "the renaming identifier"
            return "remove \(setting) of '\(to)' if it is the same as before"
        }
        guard toSource.isOfSwift else {
            return "set the renaming identifier of '\(to)' to '\(elementID)' \(condition)"
        }
        let macro = kind == .relationship ? "@Relationship" : "@Attribute"
        let name = "originalName: \"\(elementID)\""
        return writtenID.map {
            "replace originalName: \"\($0)\" by \(name) at 'var \(to)' \(condition)"
        } ?? "write \(macro)(\(name)) before 'var \(to)' \(condition)"
    }

    package var diagnostic: Diagnostic {
        Diagnostic(
            "undeclared-rename",
            "\(cure); otherwise the data of '\(from)' is dropped",
            severity: ground == .onlyCandidates ? .note : .warning,
            at: toSource.location(of: "elementID"),
            element: entity.map { "\($0).\(to)" } ?? to,
            notes: [Diagnostic.Note("'\(from)' was here", at: fromSource.element)]
        )
    }
}
