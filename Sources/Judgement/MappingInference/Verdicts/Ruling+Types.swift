import Diagnostics
import ObjectModel

extension Ruling {
    static let types = [
        typeChanged, numericTypeChanged, integer64BecomesDouble, numericTypeNarrowed,
        uriBecomesString, typesRefused, typesUnknown,
    ]

    static let typeChanged = Ruling(
        "the type changes but is stored the same way",
        .is(.lightweight, "attribute-type-changed"),
        "values are kept",
        .by(.inferred)
    )
    static let numericTypeChanged = Ruling(
        "a number gets a type that holds all old values",
        .is(.lightweightThoughUndocumented, "numeric-type-changed"),
        "values are converted",
        .by(.shipped, "JVDatabase 1 to 2")
    )
    static let integer64BecomesDouble = Ruling(
        "Integer 64 becomes Double",
        .is(.dependsOnRows, "numeric-type-narrowed"),
        "values beyond 2⁵³ change",
        .by(.shipped, "WooCommerce 87 to 88")
    )
    static let numericTypeNarrowed = Ruling(
        "a number gets a type that cannot hold all old values",
        .is(.dependsOnRows, "numeric-type-narrowed"),
        "values that do not fit are changed",
        .by(.unverified)
    )
    static let uriBecomesString = Ruling(
        "a URI becomes a String",
        .is(.lightweightThoughUndocumented, "uri-becomes-string"),
        "the text is kept as it is",
        .by(.shipped)
    )
    static let typesRefused = Ruling(
        "the type changes to one that Core Data cannot convert to, such as String to Binary",
        .is(.needsCustomStage, "incompatible-attribute-types"),
        "Core Data refuses with 134190",
        cure: incompatible,
        .by(.reported)
    )
    static let typesUnknown = Ruling(
        "the type changes, and nothing public shows what Core Data does",
        .is(.needsCustomStage, "incompatible-attribute-types"),
        "momtool cannot tell whether Core Data converts the values",
        cure: incompatible,
        .by(.unverified)
    )
    private static let incompatible =
        "add a new attribute and convert {from} to {to} in a custom stage or a mapping model"

    static let composites = [
        compositeAttributeAdded, elementAdded, mandatoryElementAdded, elementRemoved,
    ]

    /// Its elements are columns of their own; nothing public says that mappings are inferred.
    static let compositeAttributeAdded = Ruling(
        "a composite attribute is added",
        .is(.lightweightThoughUndocumented, "composite-attribute-added"),
        "each element is added like an attribute of its own",
        .by(.unverified)
    )
    static let elementAdded = Ruling(
        "an element is added that is optional or has a default",
        .is(.lightweightThoughUndocumented, "composite-element-added"),
        "existing rows get the default or NULL",
        .by(.unverified)
    )
    static let mandatoryElementAdded = Ruling(
        "a mandatory element without a default is added",
        .is(.dependsOnRows, "mandatory-composite-element-added"),
        "the migration may fail if there is any object; nothing public shows whether it does",
        cure: "give '{name}' a default value, or make it optional",
        .by(.unverified)
    )
    static let elementRemoved = Ruling(
        "an element is removed",
        .is(.losesData, "composite-element-removed"),
        "the values are dropped",
        .by(.unverified)
    )
}

func ruling(on conversion: AttributeConversion) -> Ruling {
    switch conversion {
    case .none: .typeChanged
    case .numeric(.integer64, .double): .integer64BecomesDouble
    case .numeric, .unverified: conversion.isNarrowing ? .numericTypeNarrowed : .numericTypeChanged
    case .externalStorage: .externalStorageChanged
    case .uriToString: .uriBecomesString
    case .incompatible(let from, let to):
        (AttributeConversion.refusalEvidence(from, to).isGuess
            ? Ruling.typesUnknown : Ruling.typesRefused)
            .with("from", from.displayName).with("to", to.displayName)
    }
}
