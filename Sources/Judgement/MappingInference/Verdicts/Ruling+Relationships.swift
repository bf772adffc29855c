import Diagnostics

extension Ruling {
    static let relationships = [
        relationshipAdded, transientRelationshipAdded, mandatoryRelationshipAdded,
        relationshipRemoved, sideRemoved, orderedSideRemoved, transientRelationshipRemoved,
        relationshipRenamed, relationshipMoved, mandatoryDestinationReplaced, destinationRenamed,
        destinationWidened, destinationNarrowed, destinationReplaced, inverseRenamed,
        inverseChanged, inverseLimits, becomesToMany, becomesToOne, becomesOrdered,
        becomesUnordered, toOneBecomesUnordered, orderLost, maximumLowered, countChanged,
        optionalityChanged, relationshipBecomesMandatory, relationshipBecomesTransient,
        relationshipBecomesStored, relationshipHashModifierChanged, deleteRuleChanged,
    ]

    /// A new to-many need not be optional.
    static let relationshipAdded = row(.lightweight, "relationship-added")
        .when("a to-many or an optional to-one is added").then("existing objects have no links")
        .by(.measured, "Wire 2.54 to 2.57")
    static let transientRelationshipAdded = row(.noEffectOnHash, "relationship-added")
        .when("a transient relationship is added").then("transient properties are not stored")
        .by(.measured)
    /// The three cases in public repositories ship a mapping model.
    static let mandatoryRelationshipAdded = row(.dependsOnRows, "mandatory-relationship-added")
        .when("a mandatory to-one is added or becomes stored")
        .then(
            "existing objects have no destination: the migration fails with 134110 if there are any"
        )
        .cured("make '{name}' optional until a custom stage has filled it")
        .by(.reported, "logs of users; openradar 12153321")
    static let mandatoryDestinationReplaced = row(.needsCustomStage, "mandatory-relationship-added")
        .when("the destination of a mandatory to-one becomes an entity to which no link leads")
        .then("refused: existing objects have no destination")
        .cured("make '{name}' optional, or fill it in a custom stage").by(.unverified)
    /// The column or the join table is dropped with its rows.
    static let relationshipRemoved = row(.losesData, "relationship-removed")
        .when("a relationship is removed").then("the links are dropped")
        .cured("if it was renamed, set the renaming identifier of the new relationship")
        .by(.measured, "Wire 2.92 to 2.93, 2.8 to 2.21")
    /// The links are in the column of the inverse.
    static let sideRemoved = row(.lightweight, "inverse-removed")
        .when("a to-many is removed, and its to-one inverse stays")
        .then("the inverse keeps the links").by(.shipped, "Wire 2.10 to 2.11, 2.30 to 2.31")
    static let orderedSideRemoved = row(.losesData, "inverse-removed")
        .when("an ordered to-many is removed, and its to-one inverse stays")
        .then("the inverse keeps the links but not their order")
        .cured("if it was renamed, set the renaming identifier of the new relationship")
        .by(.shipped, "Wire 2.10 to 2.11, 2.30 to 2.31")
    static let transientRelationshipRemoved = row(.noEffectOnHash, "relationship-removed")
        .when("a transient relationship is removed").then("transient properties are not stored")
        .by(.measured)
    static let relationshipRenamed = row(.lightweight, "relationship-renamed")
        .when("a relationship is renamed, with a renaming identifier")
        .then("links are kept under the new name").by(.documented, "Apple's documentation")
    static let relationshipMoved = row(.lightweight, "relationship-moved")
        .when("a relationship moves within a hierarchy").then("links are kept")
        .by(.documented, "WWDC22 session 10120")
    static let destinationRenamed = row(.lightweight, "destination-renamed")
        .when("the destination of a relationship is renamed").then("links are kept").by(.documented)
    static let destinationWidened = undocumented("relationship-destination-changed")
        .when("the destination becomes an entity that includes all objects of the old one")
        .then("links are kept: all lead to objects of the new destination entity")
        .by(.tested, "artsy opens four old stores; Nova")
    static let destinationNarrowed = row(.losesData, "relationship-destination-changed")
        .when("the destination becomes an entity that includes some objects of the old one")
        .then("links to objects outside the new destination are dropped").cured(anotherName)
        .by(.tested)
    static let destinationReplaced = row(.losesData, "relationship-destination-changed")
        .when("the destination becomes an entity that includes no objects of the old one")
        .then("Core Data treats the relationship as new and drops its old links").cured(anotherName)
        .by(.tested)
    private static let anotherName =
        "keep the links in a relationship with another name, filled in a custom stage"
    static let inverseRenamed = row(.lightweight, "inverse-renamed")
        .when("the inverse of a relationship is renamed").then("links are kept").by(.shipped)
    static let inverseChanged = row(.lightweight, "inverse-changed")
        .when("a relationship gets another inverse, or loses it").then("links are kept")
        .by(.shipped, "Wire 2.10 to 2.11, 2.30 to 2.31")
    /// Which link survives is on no record, so it counts as a loss.
    static let inverseLimits = row(.losesData, "inverse-changed")
        .when(
            "an inverse changes or is lost, or a relationship without one becomes to-many, so that not all links can be kept"
        )
        .then(
            "where several links lead to one object, or the two sides disagree, only one link is kept"
        )
        .cured("in an earlier stage, leave one link to each object, the same on both sides")
        .by(.unverified)
    static let becomesToMany = row(.lightweight, "relationship-becomes-to-many")
        .when("a to-one becomes to-many").then("links are kept")
        .by(.documented, "Apple's documentation")
    /// Which link survives is on no record, so it counts as a loss.
    static let becomesToOne = row(.losesData, "relationship-becomes-to-one")
        .when("a to-many becomes to-one").then("each object keeps one of its links")
        .cured("leave one link to each object in an earlier stage").by(.unverified)
    static let becomesOrdered = row(.lightweight, "relationship-becomes-ordered")
        .when("a to-many becomes ordered").then("links are kept and numbered")
        .by(.tested, "WooCommerce 25 to 26, 30 to 31, 65 to 66; Wire 2.59 to 2.60")
    static let becomesUnordered = row(.losesData, "relationship-becomes-unordered")
        .when("an ordered to-many becomes unordered").then("links are kept but not their order")
        .by(.measured)
    static let toOneBecomesUnordered = row(.lightweight, "relationship-becomes-unordered")
        .when("an ordered to-many becomes an unordered to-one")
        .then("links are kept but not their order").by(.measured)
    static let orderLost = row(.losesData, "order-lost-in-many-to-many")
        .when("the inverse of an ordered to-many becomes an ordered to-many")
        .then("links are kept but not their order")
        .cured("save the order in a custom stage before the step and restore it after")
        .by(.tested, "DuckDuckGo")
    static let maximumLowered = row(.dependsOnRows, "relationship-maximum-lowered")
        .when("the maximum count of a to-many is lowered")
        .then("links are kept, but objects with more of them cannot be saved").by(.inferred)
    /// In the hash; the data is not checked.
    static let countChanged = row(.lightweight, "relationship-count-changed")
        .when("the minimum count of a to-many changes, or its maximum is raised")
        .then("links are kept; the new limit is not checked").by(.inferred)
    static let optionalityChanged = row(.lightweight, "relationship-optionality-changed")
        .when("a relationship becomes optional, or a to-many mandatory").then("links are kept")
        .by(.measured)
    static let relationshipBecomesMandatory = row(.dependsOnRows, "relationship-becomes-mandatory")
        .when("a to-one becomes mandatory")
        .then("the migration fails if any object has no destination")
        .cured("link every object in an earlier stage").by(.inferred)
    static let relationshipBecomesTransient = row(.losesData, "relationship-becomes-transient")
        .when("a relationship becomes transient").then("the stored links are dropped")
        .by(.unverified)
    static let relationshipBecomesStored = undocumented("relationship-becomes-stored")
        .when("a transient to-many or optional to-one becomes stored")
        .then("existing objects have no links").by(.inferred)
    static let relationshipHashModifierChanged = row(.lightweight, "hash-modifier-changed")
        .when("the version hash modifier of a relationship changes").then("links are kept")
        .by(.documented, "Apple's documentation")
    /// Apple's page on version hashes says that it is in the hash; stores show that it is not.
    static let deleteRuleChanged = row(.noEffectOnHash, "delete-rule-changed")
        .when("the delete rule of a relationship changes").then("links are kept")
        .by(.measured, "Wire 2.46 to 2.49")
}
