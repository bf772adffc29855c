public import Diagnostics

extension RuleID {
    /// A path names nothing, or nothing that can be read.
    public static let unreadableFile: RuleID = "unreadable-file"
    /// A path names something that holds no Core Data model.
    public static let notAModel: RuleID = "not-a-model"
    /// A model in the format of Xcode 3: a folder with `elements` in place of `contents`.
    public static let legacyModelFormat: RuleID = "legacy-model-format"
    /// An `.xcdatamodeld` without a single version, as projects leave it behind.
    public static let emptyBundle: RuleID = "empty-bundle"
    /// An `.xccurrentversion` names no version, or is needed and missing.
    public static let missingCurrentVersion: RuleID = "missing-current-version"
    /// A file in which git left the markers of a merge conflict.
    public static let mergeConflict: RuleID = "merge-conflict"
    /// A compiled model in the form that only Core Data reads.
    public static let optimizedModel: RuleID = "optimized-model"
    /// An attribute of a type that the reader does not know.
    public static let unknownAttributeType: RuleID = "unknown-attribute-type"
    /// A delete rule or a type of index that the reader does not know.
    public static let unknownKeyword: RuleID = "unknown-keyword"
    /// An XML element that is no part of the known vocabulary.
    public static let unknownElement: RuleID = "unknown-element"
    /// An XML attribute that is no part of the known vocabulary.
    public static let unknownAttribute: RuleID = "unknown-attribute"
    /// An XML attribute that must be there is missing or empty.
    public static let missingAttribute: RuleID = "missing-attribute"
    /// A value that is none of those possible in its place.
    public static let invalidValue: RuleID = "invalid-value"
    /// Two things that must be told apart by name have the same name.
    public static let duplicateName: RuleID = "duplicate-name"
    /// A property that a parent entity declares too.
    public static let redeclaredProperty: RuleID = "redeclared-property"
    /// A parent entity that does not exist.
    public static let unknownParentEntity: RuleID = "unknown-parent-entity"
    /// An entity that is its own ancestor.
    public static let parentCycle: RuleID = "parent-cycle"
    /// A hierarchy of entities with more levels than any model needs.
    public static let hierarchyTooDeep: RuleID = "hierarchy-too-deep"
    /// A destination entity that is missing or does not exist.
    public static let unknownDestination: RuleID = "unknown-destination"
    /// An inverse relationship that does not exist or does not point back.
    public static let brokenInverse: RuleID = "broken-inverse"
    /// A composite type that does not exist, or an attribute of type Composite without one.
    public static let unknownComposite: RuleID = "unknown-composite"
    /// A composite type that contains itself, or becomes too large.
    public static let compositeCycle: RuleID = "composite-cycle"
    /// An index, constraint, configuration or request that names something that does not exist.
    public static let unknownReference: RuleID = "unknown-reference"
}
