package import Diagnostics

extension RuleID {
    package static let unreadableFile: RuleID = "unreadable-file"
    package static let notAModel: RuleID = "not-a-model"
    /// An `.xcdatamodeld` without a single version, such as projects leave behind.
    package static let emptyBundle: RuleID = "empty-bundle"
    /// An `.xccurrentversion` names no version, or is needed and missing.
    package static let missingCurrentVersion: RuleID = "missing-current-version"
    /// A file in which git left the markers of a merge conflict.
    package static let mergeConflict: RuleID = "merge-conflict"
    /// A compiled model in the form that only Core Data reads.
    package static let optimizedModel: RuleID = "optimized-model"
    package static let unknownAttributeType: RuleID = "unknown-attribute-type"
    /// A delete rule or a type of index that the reader does not know.
    package static let unknownKeyword: RuleID = "unknown-keyword"
    package static let invalidValue: RuleID = "invalid-value"
    /// Two items that need distinct names have the same name.
    package static let duplicateName: RuleID = "duplicate-name"
    package static let redeclaredProperty: RuleID = "redeclared-property"
    /// A hierarchy of entities with more levels than any model needs.
    package static let hierarchyTooDeep: RuleID = "hierarchy-too-deep"
    package static let unknownDestination: RuleID = "unknown-destination"
    /// An inverse relationship that does not exist or does not point back.
    package static let brokenInverse: RuleID = "broken-inverse"
    /// An index, constraint, configuration or request that names something that does not exist.
    package static let unknownReference: RuleID = "unknown-reference"
}
