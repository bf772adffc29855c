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
    static let relationshipAdded = Ruling(
        "a to-many or an optional to-one is added",
        .is(.lightweight, "relationship-added"),
        "existing objects have no links",
        .by(.measured, "Wire 2.54 to 2.57")
    )
    static let transientRelationshipAdded = Ruling(
        "a transient relationship is added",
        .is(.noEffectOnHash, "relationship-added"),
        "transient properties are not stored",
        .by(.measured)
    )
    /// The three cases in public repositories ship a mapping model.
    static let mandatoryRelationshipAdded = Ruling(
        "a mandatory to-one is added or becomes stored",
        .is(.dependsOnRows, "mandatory-relationship-added"),
        "existing objects have no destination: the migration fails with 134110 if there are any",
        cure: "make '{name}' optional until a custom stage has filled it",
        .by(.reported, "logs of users; openradar 12153321")
    )
    static let mandatoryDestinationReplaced = Ruling(
        "the destination of a mandatory to-one becomes an entity to which no link leads",
        .is(.needsCustomStage, "mandatory-relationship-added"),
        "refused: existing objects have no destination",
        cure: "make '{name}' optional, or fill it in a custom stage",
        .by(.unverified)
    )
    /// The column or the join table is dropped with its rows.
    static let relationshipRemoved = Ruling(
        "a relationship is removed",
        .is(.losesData, "relationship-removed"),
        "the links are dropped",
        cure: "if it was renamed, set the renaming identifier of the new relationship",
        .by(.measured, "Wire 2.92 to 2.93, 2.8 to 2.21")
    )
    /// The links are in the column of the inverse.
    static let sideRemoved = Ruling(
        "a to-many is removed, and its to-one inverse stays",
        .is(.lightweight, "inverse-removed"),
        "the inverse keeps the links",
        .by(.shipped, "Wire 2.10 to 2.11, 2.30 to 2.31")
    )
    static let orderedSideRemoved = Ruling(
        "an ordered to-many is removed, and its to-one inverse stays",
        .is(.losesData, "inverse-removed"),
        "the inverse keeps the links but not their order",
        cure: "if it was renamed, set the renaming identifier of the new relationship",
        .by(.shipped, "Wire 2.10 to 2.11, 2.30 to 2.31")
    )
    static let transientRelationshipRemoved = Ruling(
        "a transient relationship is removed",
        .is(.noEffectOnHash, "relationship-removed"),
        "transient properties are not stored",
        .by(.measured)
    )
    static let relationshipRenamed = Ruling(
        "a relationship is renamed, with a renaming identifier",
        .is(.lightweight, "relationship-renamed"),
        "links are kept under the new name",
        .by(.documented, "Apple's documentation")
    )
    static let relationshipMoved = Ruling(
        "a relationship moves within a hierarchy",
        .is(.lightweight, "relationship-moved"),
        "links are kept",
        .by(.documented, "WWDC22 session 10120")
    )
    static let destinationRenamed = Ruling(
        "the destination of a relationship is renamed",
        .is(.lightweight, "destination-renamed"),
        "links are kept",
        .by(.documented)
    )
    static let destinationWidened = Ruling(
        "the destination becomes an entity that includes all objects of the old one",
        .is(.lightweightThoughUndocumented, "relationship-destination-changed"),
        "links are kept: all lead to objects of the new destination entity",
        .by(.tested, "artsy opens four old stores; Nova")
    )
    static let destinationNarrowed = Ruling(
        "the destination becomes an entity that includes some objects of the old one",
        .is(.losesData, "relationship-destination-changed"),
        "links to objects outside the new destination are dropped",
        cure: anotherName,
        .by(.tested)
    )
    static let destinationReplaced = Ruling(
        "the destination becomes an entity that includes no objects of the old one",
        .is(.losesData, "relationship-destination-changed"),
        "Core Data treats the relationship as new and drops its old links",
        cure: anotherName,
        .by(.tested)
    )
    private static let anotherName =
        "keep the links in a relationship with another name, filled in a custom stage"
    static let inverseRenamed = Ruling(
        "the inverse of a relationship is renamed",
        .is(.lightweight, "inverse-renamed"),
        "links are kept",
        .by(.shipped)
    )
    static let inverseChanged = Ruling(
        "a relationship gets another inverse, or loses it",
        .is(.lightweight, "inverse-changed"),
        "links are kept",
        .by(.shipped, "Wire 2.10 to 2.11, 2.30 to 2.31")
    )
    /// Which link survives is on no record, so it counts as a loss.
    static let inverseLimits = Ruling(
        "an inverse changes or is lost, or a relationship without one becomes to-many, so that not all links can be kept",
        .is(.losesData, "inverse-changed"),
        "where several links lead to one object, or the two sides disagree, only one link is kept",
        cure: "in an earlier stage, leave one link to each object, the same on both sides",
        .by(.unverified)
    )
    static let becomesToMany = Ruling(
        "a to-one becomes to-many",
        .is(.lightweight, "relationship-becomes-to-many"),
        "links are kept",
        .by(.documented, "Apple's documentation")
    )
    /// Which link survives is on no record, so it counts as a loss.
    static let becomesToOne = Ruling(
        "a to-many becomes to-one",
        .is(.losesData, "relationship-becomes-to-one"),
        "each object keeps one of its links",
        cure: "leave one link to each object in an earlier stage",
        .by(.unverified)
    )
    static let becomesOrdered = Ruling(
        "a to-many becomes ordered",
        .is(.lightweight, "relationship-becomes-ordered"),
        "links are kept and numbered",
        .by(.tested, "WooCommerce 25 to 26, 30 to 31, 65 to 66; Wire 2.59 to 2.60")
    )
    static let becomesUnordered = Ruling(
        "an ordered to-many becomes unordered",
        .is(.losesData, "relationship-becomes-unordered"),
        "links are kept but not their order",
        .by(.measured)
    )
    static let toOneBecomesUnordered = Ruling(
        "an ordered to-many becomes an unordered to-one",
        .is(.lightweight, "relationship-becomes-unordered"),
        "links are kept but not their order",
        .by(.measured)
    )
    static let orderLost = Ruling(
        "the inverse of an ordered to-many becomes an ordered to-many",
        .is(.losesData, "order-lost-in-many-to-many"),
        "links are kept but not their order",
        cure: "save the order in a custom stage before the step and restore it after",
        .by(.tested, "DuckDuckGo")
    )
    static let maximumLowered = Ruling(
        "the maximum count of a to-many is lowered",
        .is(.dependsOnRows, "relationship-maximum-lowered"),
        "links are kept, but objects with more of them cannot be saved",
        .by(.inferred)
    )
    /// In the hash; the data is not checked.
    static let countChanged = Ruling(
        "the minimum count of a to-many changes, or its maximum is raised",
        .is(.lightweight, "relationship-count-changed"),
        "links are kept; the new limit is not checked",
        .by(.inferred)
    )
    static let optionalityChanged = Ruling(
        "a relationship becomes optional, or a to-many mandatory",
        .is(.lightweight, "relationship-optionality-changed"),
        "links are kept",
        .by(.measured)
    )
    static let relationshipBecomesMandatory = Ruling(
        "a to-one becomes mandatory",
        .is(.dependsOnRows, "relationship-becomes-mandatory"),
        "the migration fails if any object has no destination",
        cure: "link every object in an earlier stage",
        .by(.inferred)
    )
    static let relationshipBecomesTransient = Ruling(
        "a relationship becomes transient",
        .is(.losesData, "relationship-becomes-transient"),
        "the stored links are dropped",
        .by(.unverified)
    )
    static let relationshipBecomesStored = Ruling(
        "a transient to-many or optional to-one becomes stored",
        .is(.lightweightThoughUndocumented, "relationship-becomes-stored"),
        "existing objects have no links",
        .by(.inferred)
    )
    static let relationshipHashModifierChanged = Ruling(
        "the version hash modifier of a relationship changes",
        .is(.lightweight, "hash-modifier-changed"),
        "links are kept",
        .by(.documented, "Apple's documentation")
    )
    /// Apple's page on version hashes says that it is in the hash; stores show that it is not.
    static let deleteRuleChanged = Ruling(
        "the delete rule of a relationship changes",
        .is(.noEffectOnHash, "delete-rule-changed"),
        "links are kept",
        .by(.measured, "Wire 2.46 to 2.49")
    )
}
