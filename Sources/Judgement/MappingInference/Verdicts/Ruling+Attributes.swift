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

    static let transientAttributeAdded = row(.noEffectOnHash, "attribute-added")
        .when("a transient attribute is added").then("transient attributes are not stored")
        .by(.measured)
    /// Computed when an object is saved; how existing rows are filled is on no record.
    static let derivedAttributeAdded = undocumented("derived-attribute-added")
        .when("a derived attribute is added").then("its values are computed for existing rows")
        .by(.unverified)
    static let optionalAttributeAdded = row(.lightweight, "attribute-added")
        .when("an optional attribute without a default is added").then("existing rows get NULL")
        .by(.measured, "Wire 2.91 to 2.92")
    static let defaultedAttributeAdded = row(.lightweight, "attribute-added")
        .when("an attribute with a default is added, optional or not")
        .then("existing rows get the default").by(.measured, "Wire 2.91 to 2.92, 2.95 to 2.96")
    static let momentAttributeAdded = row(.lightweight, "attribute-added")
        .when(
            "a SwiftData attribute is added whose default is computed at creation, such as `UUID()`"
        )
        .then("all existing rows get the same single value of {value}").by(.measured)
    static let unreadDefaultAdded = row(.lightweight, "attribute-added")
        .when("a SwiftData attribute is added whose default is code")
        .then("existing rows get the default, which momtool cannot evaluate: {value}").by(.measured)
    static let unreadDefaultBecomesMandatory = row(.lightweight, "attribute-becomes-mandatory")
        .when("a SwiftData attribute whose default is code becomes mandatory")
        .then("NULL becomes the default, which momtool cannot evaluate: {value}").by(.documented)
    static let mandatoryAttributeAdded = row(.dependsOnRows, "mandatory-attribute-added")
        .when("a mandatory attribute without a default is added or becomes stored")
        .then("the migration fails with 134110 if there is any object")
        .cured("give '{name}' a default value, or make it optional").by(.reported, "logs of users")
    static let mandatoryAttributeOfAbstractAdded = row(.lightweight, "mandatory-attribute-added")
        .when("a mandatory attribute without a default is added to an abstract entity")
        .then("no object is affected: an abstract entity has none of its own").by(.reported)
    static let attributeRemoved = row(.losesData, "attribute-removed")
        .when("an attribute is removed").then("the values are dropped")
        .cured("if it was renamed, set the renaming identifier of the new attribute")
        .by(.measured, "Wire 2.99 to 2.100")
    static let derivedAttributeRemoved = row(.lightweight, "derived-attribute-removed")
        .when("a derived attribute is removed")
        .then("its values were computed from others, which stay").by(.tested)
    static let transientAttributeRemoved = row(.noEffectOnHash, "attribute-removed")
        .when("a transient attribute is removed").then("transient attributes are not stored")
        .by(.measured)
    static let attributeRenamed = row(.lightweight, "attribute-renamed")
        .when("an attribute is renamed, with a renaming identifier")
        .then("values are kept under the new name")
        .by(.measured, "Apple's documentation; Wire 2.46 to 2.49")
    static let attributeMoved = row(.lightweight, "attribute-moved")
        .when("an attribute moves within a hierarchy").then("values are kept")
        .by(.documented, "WWDC22 session 10120")
    static let attributeBecomesOptional = row(.lightweight, "attribute-becomes-optional")
        .when("an attribute becomes optional").then("values are kept")
        .by(.documented, "Apple's documentation")
    static let attributeBecomesMandatory = row(.lightweight, "attribute-becomes-mandatory")
        .when("an attribute with a default becomes mandatory")
        .then("NULL becomes the default, other values are kept")
        .by(.documented, "Apple's documentation; Brave 19 to 20")
    /// Each of the rows without a value gets the same one.
    static let uniqueBecomesMandatory = row(.dependsOnRows, "attribute-becomes-mandatory")
        .when("an attribute of a uniqueness constraint becomes mandatory, with a default")
        .then(
            "NULL becomes the default; with two equal values the whole migration fails with 134110"
        )
        .cured("give each such object a unique value in an earlier stage").by(.tested)
    static let elementBecomesMandatory = undocumented("attribute-becomes-mandatory")
        .when("an element of an optional composite becomes mandatory")
        .then("values are kept; where the composite is nil, so is the element").by(.unverified)
    static let derivedAttributeBecomesMandatory = row(.lightweight, "attribute-becomes-mandatory")
        .when("a derived attribute becomes mandatory").then("values are computed").by(.documented)
    static let mandatoryWithoutDefault = row(.dependsOnRows, "mandatory-without-default")
        .when("an attribute without a default becomes mandatory")
        .then("the migration fails with 134110 if any row has NULL")
        .cured("give '{name}' a default value, or fill NULLs in an earlier stage")
        .by(.reported, "logs of users")
    static let attributeBecomesTransient = row(.losesData, "attribute-becomes-transient")
        .when("an attribute becomes transient").then("the stored values are dropped").by(.inferred)
    static let attributeBecomesStored = undocumented("attribute-becomes-stored")
        .when("a transient attribute becomes stored").then("existing rows get the default or NULL")
        .by(.shipped, "Wire 2.66 to 2.67")
    static let attributeBecomesDerived = row(.losesData, "derivation-changed")
        .when("a stored attribute becomes derived").then("computed values replace the stored ones")
        .by(.unverified)
    static let derivedAttributeBecomesStored = undocumented("derivation-changed")
        .when("a derived attribute becomes stored").then("the computed values are kept")
        .by(.unverified)
    static let derivationChanged = undocumented("derivation-changed")
        .when("the derivation of an attribute changes")
        .then("its values are computed again for existing rows").by(.unverified)
    /// In the hash, and both forms of a value are on record; a migration from one to the other is not.
    static let externalStorageChanged = undocumented("external-storage-changed")
        .when("external storage is switched on or off")
        .then("values are rewritten with a marker: stored in the database or in a file")
        .by(.unverified)
    static let preservationChanged = undocumented("preservation-after-deletion-changed")
        .when("preservation after deletion is switched on or off").then("values are kept")
        .by(.unverified)
    static let attributeHashModifierChanged = row(.lightweight, "hash-modifier-changed")
        .when("the version hash modifier of an attribute changes").then("values are kept")
        .by(.documented, "Apple's documentation")
    /// Not in the hash, and never filled in afterwards.
    static let defaultChanged = row(.noEffectOnHash, "default-changed")
        .when("the default of an attribute changes").then("existing rows keep their values")
        .cured("fill existing rows in a custom stage if they need the new default")
        .by(.reported, "Apple's developer forums, thread 734693")

    /// Flags in the hash have rulings of their own; the others do nothing.
    static func of(_ flag: PropertyFlag) -> Ruling {
        switch flag {
        case .externalStorage: .externalStorageChanged
        case .preservationAfterDeletion: .preservationChanged
        case .cloudEncryption, .indexed, .spotlightIndexing, .storedInTruthFile:
            .attributeSettingChanged
        }
    }
}
