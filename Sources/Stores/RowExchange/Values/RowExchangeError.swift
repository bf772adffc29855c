package import Diagnostics
package import SQLiteAccess
import StoreFormat

/// Why rows cannot be exported or imported.
package enum RowExchangeError: Error, Sendable, Hashable {
    /// The store cannot be read or made.
    case store(StoreError)
    /// The rows, or what was asked of them, are at fault; the location is one in the JSON text.
    case rows(Diagnostic)
    /// Rows leave out several values or links that they must have; each location is that of a row.
    case incomplete([Diagnostic])
    /// The file of the rows cannot be read or written, for a reason of the system.
    case file(path: String, reason: String)
}

extension RowExchangeError: CustomStringConvertible {
    /// What is wrong and where.
    package var description: String {
        switch self {
        case .store(let error): error.description
        case .rows(let diagnostic): diagnostic.description
        case .incomplete(let diagnostics):
            diagnostics.map(\.description).joined(separator: "\n")
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }
}

extension RowExchangeError {
    /// What rows leave out; `nil` when it is nothing.
    init?(missing diagnostics: [Diagnostic]) {
        guard let first = diagnostics.first else { return nil }
        self = diagnostics.count == 1 ? .rows(first) : .incomplete(diagnostics)
    }
}

extension RuleID {
    /// The text is no JSON.
    static let invalidJSON: RuleID = "invalid-json"
    /// The JSON has another shape than rows have.
    static let unexpectedShape: RuleID = "unexpected-rows-shape"
    /// Rows are given for an entity that the model does not have, or of which no object can be.
    static let unknownEntity: RuleID = "unknown-row-entity"
    /// A row names a property that its entity does not have, or that is not stored.
    static let unknownProperty: RuleID = "unknown-row-property"
    /// A value is not of its attribute's type.
    static let wrongValue: RuleID = "wrong-row-value"
    /// A number does not fit its attribute's type.
    static let outOfRange: RuleID = "row-value-out-of-range"
    /// A required property is left out.
    static let missingValue: RuleID = "missing-row-value"
    /// Two rows of an entity have one `@id`.
    static let duplicateID: RuleID = "duplicate-row-id"
    /// A reference leads to no row.
    static let danglingReference: RuleID = "dangling-row-reference"
    /// The two sides of a relationship say different things.
    static let contradiction: RuleID = "contradicting-links"
    /// Rows share values that a uniqueness constraint keeps apart.
    static let duplicateValue: RuleID = "duplicate-row-value"
    /// A stored value is not of the form that its type has.
    static let damagedValue: RuleID = "damaged-value"
    /// A store does not fit the model that it is to be read with.
    static let otherModel: RuleID = "other-model"
    /// A predicate cannot be understood, or cannot be expressed in SQL.
    static let unusablePredicate: RuleID = "unusable-predicate"
}
