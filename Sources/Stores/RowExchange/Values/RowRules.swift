import Diagnostics
import SQLiteAccess

extension StoreError {
    init?(missing diagnostics: [Diagnostic]) {
        guard let first = diagnostics.first else { return nil }
        self = diagnostics.count == 1 ? .rows(first) : .incomplete(diagnostics)
    }
}

extension RuleID {
    static let invalidJSON: RuleID = "invalid-json"
    static let unexpectedShape: RuleID = "unexpected-rows-shape"
    /// Rows are given for an entity that the model does not have, or that is abstract.
    static let unknownEntity: RuleID = "unknown-row-entity"
    /// A row names a property that its entity does not have, or that is not stored.
    static let unknownProperty: RuleID = "unknown-row-property"
    static let wrongValue: RuleID = "wrong-row-value"
    static let outOfRange: RuleID = "row-value-out-of-range"
    static let missingValue: RuleID = "missing-row-value"
    static let duplicateID: RuleID = "duplicate-row-id"
    static let danglingReference: RuleID = "dangling-row-reference"
    static let contradiction: RuleID = "contradicting-links"
    static let duplicateValue: RuleID = "duplicate-row-value"
    static let damagedValue: RuleID = "damaged-value"
    static let otherModel: RuleID = "other-model"
    /// A predicate cannot be understood, or cannot be expressed in SQL.
    static let unusablePredicate: RuleID = "unusable-predicate"
}
