import Diagnostics
import ObjectModel

extension Ruling {
    static let attributes = [
        transientAttributeAdded, derivedAttributeAdded, optionalAttributeAdded,
        defaultedAttributeAdded, momentAttributeAdded, unreadDefaultAdded,
        unreadDefaultBecomesMandatory, mandatoryAttributeAdded, mandatoryAttributeOfAbstractAdded,
        attributeRemoved, derivedAttributeRemoved, transientAttributeRemoved, attributeRenamed,
        attributeMoved, attributeBecomesOptional, attributeBecomesMandatory, uniqueBecomesMandatory,
        elementBecomesMandatory, derivedAttributeBecomesMandatory, mandatoryWithoutDefault,
        attributeBecomesTransient, attributeBecomesStored, attributeBecomesDerived,
        derivedAttributeBecomesStored, derivationChanged,
        externalStorageChanged, preservationChanged, attributeHashModifierChanged, defaultChanged,
    ]

    static let transientAttributeAdded = Ruling(
        "a transient attribute is added",
        .is(.noEffectOnHash, "attribute-added"),
        "transient attributes are not stored",
        .by(.measured)
    )
    /// Computed when an object is saved; how existing rows are filled is on no record.
    static let derivedAttributeAdded = Ruling(
        "a derived attribute is added",
        .is(.lightweightThoughUndocumented, "derived-attribute-added"),
        "its values are computed for existing rows",
        .by(.unverified)
    )
    static let optionalAttributeAdded = Ruling(
        "an optional attribute without a default is added",
        .is(.lightweight, "attribute-added"),
        "existing rows get NULL",
        .by(.measured, "Wire 2.91 to 2.92")
    )
    static let defaultedAttributeAdded = Ruling(
        "an attribute with a default is added, optional or not",
        .is(.lightweight, "attribute-added"),
        "existing rows get the default",
        .by(.measured, "Wire 2.91 to 2.92, 2.95 to 2.96")
    )
    static let momentAttributeAdded = Ruling(
        "a SwiftData attribute is added whose default is computed at creation, such as `UUID()`",
        .is(.lightweight, "attribute-added"),
        "all existing rows get the same single value of {value}",
        .by(.measured)
    )
    static let unreadDefaultAdded = Ruling(
        "a SwiftData attribute is added whose default is code",
        .is(.lightweight, "attribute-added"),
        "existing rows get the default, which momtool cannot evaluate: {value}",
        .by(.measured)
    )
    static let unreadDefaultBecomesMandatory = Ruling(
        "a SwiftData attribute whose default is code becomes mandatory",
        .is(.lightweight, "attribute-becomes-mandatory"),
        "NULL becomes the default, which momtool cannot evaluate: {value}",
        .by(.documented)
    )
    static let mandatoryAttributeAdded = Ruling(
        "a mandatory attribute without a default is added or becomes stored",
        .is(.dependsOnRows, "mandatory-attribute-added"),
        "the migration fails with 134110 if there is any object",
        cure: "give '{name}' a default value, or make it optional",
        .by(.reported, "logs of users")
    )
    static let mandatoryAttributeOfAbstractAdded = Ruling(
        "a mandatory attribute without a default is added to an abstract entity",
        .is(.lightweight, "mandatory-attribute-added"),
        "the migration fails with 134110 if there is any object",
        cure: "give '{name}' a default value, or make it optional",
        .by(.reported)
    )
    static let attributeRemoved = Ruling(
        "an attribute is removed",
        .is(.losesData, "attribute-removed"),
        "the values are dropped",
        cure: "if it was renamed, set the renaming identifier of the new attribute",
        .by(.measured, "Wire 2.99 to 2.100")
    )
    static let derivedAttributeRemoved = Ruling(
        "a derived attribute is removed",
        .is(.lightweight, "derived-attribute-removed"),
        "its values were computed from others, which stay",
        .by(.tested)
    )
    static let transientAttributeRemoved = Ruling(
        "a transient attribute is removed",
        .is(.noEffectOnHash, "attribute-removed"),
        "transient attributes are not stored",
        .by(.measured)
    )
    static let attributeRenamed = Ruling(
        "an attribute is renamed, with a renaming identifier",
        .is(.lightweight, "attribute-renamed"),
        "values are kept under the new name",
        .by(.measured, "Apple's documentation; Wire 2.46 to 2.49")
    )
    static let attributeMoved = Ruling(
        "an attribute moves within a hierarchy",
        .is(.lightweight, "attribute-moved"),
        "values are kept",
        .by(.documented, "WWDC22 session 10120")
    )
    static let attributeBecomesOptional = Ruling(
        "an attribute becomes optional",
        .is(.lightweight, "attribute-becomes-optional"),
        "values are kept",
        .by(.documented, "Apple's documentation")
    )
    static let attributeBecomesMandatory = Ruling(
        "an attribute with a default becomes mandatory",
        .is(.lightweight, "attribute-becomes-mandatory"),
        "NULL becomes the default, other values are kept",
        .by(.documented, "Apple's documentation; Brave 19 to 20")
    )
    /// Each of the rows without a value gets the same one.
    static let uniqueBecomesMandatory = Ruling(
        "an attribute of a uniqueness constraint becomes mandatory, with a default",
        .is(.dependsOnRows, "attribute-becomes-mandatory"),
        "NULL becomes the default; with two equal values the whole migration fails with 134110",
        cure: "give each such object a unique value in an earlier stage",
        .by(.tested)
    )
    static let elementBecomesMandatory = Ruling(
        "an element of an optional composite becomes mandatory",
        .is(.lightweightThoughUndocumented, "attribute-becomes-mandatory"),
        "values are kept; where the composite is nil, so is the element",
        .by(.unverified)
    )
    static let derivedAttributeBecomesMandatory = Ruling(
        "a derived attribute becomes mandatory",
        .is(.lightweight, "attribute-becomes-mandatory"),
        "values are computed",
        .by(.documented)
    )
    static let mandatoryWithoutDefault = Ruling(
        "an attribute without a default becomes mandatory",
        .is(.dependsOnRows, "mandatory-without-default"),
        "the migration fails with 134110 if any row has NULL",
        cure: "give '{name}' a default value, or fill NULLs in an earlier stage",
        .by(.reported, "logs of users")
    )
    static let attributeBecomesTransient = Ruling(
        "an attribute becomes transient",
        .is(.losesData, "attribute-becomes-transient"),
        "the stored values are dropped",
        .by(.inferred)
    )
    static let attributeBecomesStored = Ruling(
        "a transient attribute becomes stored",
        .is(.lightweightThoughUndocumented, "attribute-becomes-stored"),
        "existing rows get the default or NULL",
        .by(.shipped, "Wire 2.66 to 2.67")
    )
    static let attributeBecomesDerived = Ruling(
        "a stored attribute becomes derived",
        .is(.losesData, "derivation-changed"),
        "computed values replace the stored ones",
        .by(.unverified)
    )
    static let derivedAttributeBecomesStored = Ruling(
        "a derived attribute becomes stored",
        .is(.lightweightThoughUndocumented, "derivation-changed"),
        "the computed values are kept",
        .by(.unverified)
    )
    static let derivationChanged = Ruling(
        "the derivation of an attribute changes",
        .is(.lightweightThoughUndocumented, "derivation-changed"),
        "its values are computed again for existing rows",
        .by(.unverified)
    )
    /// In the hash, and both forms of a value are on record; a migration from one to the other is not.
    static let externalStorageChanged = Ruling(
        "external storage is switched on or off",
        .is(.lightweightThoughUndocumented, "external-storage-changed"),
        "values are rewritten with a marker: stored in the database or in a file",
        .by(.unverified)
    )
    static let preservationChanged = Ruling(
        "preservation after deletion is switched on or off",
        .is(.lightweightThoughUndocumented, "preservation-after-deletion-changed"),
        "values are kept",
        .by(.unverified)
    )
    static let attributeHashModifierChanged = Ruling(
        "the version hash modifier of an attribute changes",
        .is(.lightweight, "hash-modifier-changed"),
        "values are kept",
        .by(.documented, "Apple's documentation")
    )
    /// Not in the hash, and never filled in afterwards.
    static let defaultChanged = Ruling(
        "the default of an attribute changes",
        .is(.noEffectOnHash, "default-changed"),
        "existing rows keep their values",
        cure: "fill existing rows in a custom stage if they need the new default",
        .by(.reported, "Apple's developer forums, thread 734693")
    )
}

/// Flags in the hash have rulings of their own; the others do nothing.
func ruling(on flag: PropertyFlag) -> Ruling {
    switch flag {
    case .externalStorage: .externalStorageChanged
    case .preservationAfterDeletion: .preservationChanged
    case .cloudEncryption, .indexed, .spotlightIndexing, .storedInTruthFile:
        .attributeSettingChanged
    }
}
