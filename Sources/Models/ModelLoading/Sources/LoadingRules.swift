package import Diagnostics

extension RuleID {
    package static let unreadableFile: RuleID = "unreadable-file"
    package static let notAModel: RuleID = "not-a-model"
    package static let emptyBundle: RuleID = "empty-bundle"
    package static let missingCurrentVersion: RuleID = "missing-current-version"
    package static let mergeConflict: RuleID = "merge-conflict"
    package static let optimizedModel: RuleID = "optimized-model"
    package static let unknownAttributeType: RuleID = "unknown-attribute-type"
    package static let unknownKeyword: RuleID = "unknown-keyword"
    package static let invalidValue: RuleID = "invalid-value"
    package static let duplicateName: RuleID = "duplicate-name"
    package static let redeclaredProperty: RuleID = "redeclared-property"
    package static let hierarchyTooDeep: RuleID = "hierarchy-too-deep"
    package static let unknownDestination: RuleID = "unknown-destination"
    package static let brokenInverse: RuleID = "broken-inverse"
    package static let unknownReference: RuleID = "unknown-reference"
}
