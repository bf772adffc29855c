package import Diagnostics
package import ObjectModel

/// Something removed and something added that may be one thing renamed, without saying so.
///
/// Core Data drops the one and adds the other without a word. It is asked about, never acted on.
package struct RenameSuspicion: Sendable, Hashable {
    /// What kind of thing it is.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// An entity.
        case entity
        /// An attribute.
        case attribute
        /// A relationship.
        case relationship
    }

    /// Why it is suspected.
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

    /// What kind of thing it is.
    package var kind: Kind
    /// The entity of the new version that the properties are in; `nil` for entities.
    package var entity: String?
    /// The name of what was removed.
    package var from: String
    /// The name of what was added.
    package var to: String
    /// The `elementID` to give to what was added, if it is a rename.
    package var elementID: String
    /// Why it is suspected.
    package var ground: Ground
    /// Where the removed one stands.
    package var fromSource: SourceMark
    /// Where the added one stands.
    package var toSource: SourceMark

    /// Whether it is a class of SwiftData, which has no renaming identifier.
    package var isOfClass: Bool { kind == .entity && toSource.isOfSwift }

    /// The suspicion as a diagnostic, at what was added.
    package var diagnostic: Diagnostic {
        let cure =
            isOfClass
            ? "SwiftData cannot rename a class: if '\(to)' is '\(from)' renamed, keep the name '\(from)', or carry"
                + " its objects over in a custom stage"
            : "set the renaming identifier of '\(to)' to '\(elementID)' if it is '\(from)' renamed"
        return Diagnostic(
            "undeclared-rename",
            "\(cure); else the data of '\(from)' is dropped",
            severity: ground == .onlyCandidates ? .note : .warning,
            at: toSource.location(of: "elementID"),
            element: entity.map { "\($0).\(to)" } ?? to,
            notes: [Diagnostic.Note("'\(from)' was here", at: fromSource.element)]
        )
    }
}
