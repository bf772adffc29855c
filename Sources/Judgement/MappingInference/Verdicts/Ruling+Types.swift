import Diagnostics
import ObjectModel

extension Ruling {
    static let types = [
        typeChanged, numericTypeChanged, integer64BecomesDouble, numericTypeNarrowed,
        uriBecomesString, typesRefused, typesUnknown,
    ]

    static let typeChanged = row(.lightweight, "attribute-type-changed")
        .when("the type changes but is stored the same way").then("values are kept").by(.inferred)
    static let numericTypeChanged = undocumented("numeric-type-changed")
        .when("a number gets a type that holds all old values").then("values are converted")
        .by(.shipped, "JVDatabase 1 to 2")
    static let integer64BecomesDouble = row(.dependsOnRows, "numeric-type-narrowed")
        .when("Integer 64 becomes Double").then("values beyond 2⁵³ change")
        .by(.shipped, "WooCommerce 87 to 88")
    static let numericTypeNarrowed = row(.dependsOnRows, "numeric-type-narrowed")
        .when("a number gets a type that cannot hold all old values")
        .then("values that do not fit are changed").by(.unverified)
    static let uriBecomesString = undocumented("uri-becomes-string")
        .when("a URI becomes a String").then("the text is kept as it is").by(.shipped)
    static let typesRefused = row(.needsCustomStage, "incompatible-attribute-types")
        .when("the type changes to one that Core Data cannot convert to, such as String to Binary")
        .then("Core Data refuses with 134190").cured(incompatible).by(.reported)
    static let typesUnknown = row(.needsCustomStage, "incompatible-attribute-types")
        .when("the type changes, and nothing public shows what Core Data does")
        .then("momtool cannot tell whether Core Data converts the values").cured(incompatible)
        .by(.unverified)
    private static let incompatible =
        "add a new attribute and convert {from} to {to} in a custom stage or a mapping model"

    static let composites = [
        compositeAttributeAdded, elementAdded, mandatoryElementAdded, elementRemoved,
    ]

    /// Its elements are columns of their own; nothing public says that mappings are inferred.
    static let compositeAttributeAdded = undocumented("composite-attribute-added")
        .when("a composite attribute is added")
        .then("each element is added like an attribute of its own").by(.unverified)
    static let elementAdded = undocumented("composite-element-added")
        .when("an element is added that is optional or has a default")
        .then("existing rows get the default or NULL").by(.unverified)
    static let mandatoryElementAdded = row(.dependsOnRows, "mandatory-composite-element-added")
        .when("a mandatory element without a default is added")
        .then("the migration may fail if there is any object; nothing public shows whether it does")
        .cured("give '{name}' a default value, or make it optional").by(.unverified)
    static let elementRemoved = row(.losesData, "composite-element-removed")
        .when("an element is removed").then("the values are dropped").by(.unverified)

    static func of(_ conversion: AttributeConversion) -> Ruling {
        switch conversion {
        case .none: .typeChanged
        case .numeric(.integer64, .double): .integer64BecomesDouble
        case .numeric, .unverified:
            conversion.isNarrowing ? .numericTypeNarrowed : .numericTypeChanged
        case .externalStorage: .externalStorageChanged
        case .uriToString: .uriBecomesString
        case .incompatible(let from, let to):
            (AttributeConversion.refusalEvidence(from, to).isGuess
                ? Ruling.typesUnknown : Ruling.typesRefused)
                .with("from", from.displayName).with("to", to.displayName)
        }
    }
}
