import Diagnostics

extension Ruling {
    static let entities = [
        entityAdded, entityRemoved, abstractEntityRemoved, entityRenamed, entityBecomesAbstract,
        entityBecomesConcrete,
        parentRenamed, mergedHierarchies, parentChanged, uniquenessConstraintAdded,
        uniquenessConstraintMet, uniquenessConstraintRemoved, hashModifierChanged,
    ]

    static let entityAdded = Ruling(
        "an entity is added",
        .is(.lightweight, "entity-added"),
        "the new entity has no objects",
        .by(.measured, "Apple's documentation; Wire 2.74 to 2.75")
    )
    static let entityRemoved = Ruling(
        "an entity is removed",
        .is(.losesData, "entity-removed"),
        "the entity and its objects are dropped",
        cure: "if it was renamed, set the renaming identifier of the new entity",
        .by(.measured, "Apple's documentation; Wire 2.100 to 2.101")
    )
    /// Changes of its sub-entities cover what they inherited, and their objects.
    static let abstractEntityRemoved = Ruling(
        "an abstract entity is removed",
        .is(.lightweight, "abstract-entity-removed"),
        "no object is affected: an abstract entity has none of its own",
        .by(.documented, "Apple's documentation")
    )
    /// SwiftData's classes have no renaming identifier.
    static let classRemoved: Ruling = {
        var ruling = entityRemoved
        ruling.cure =
            "if it was renamed, keep its old name, as SwiftData cannot rename a class, or move its objects in a"
            + " custom stage"
        return ruling
    }()
    static let entityRenamed = Ruling(
        "an entity is renamed, with a renaming identifier",
        .is(.lightweight, "entity-renamed"),
        "objects are kept under the new name",
        .by(.tested, "Apple's documentation; WooCommerce 114 to 115")
    )
    static let entityBecomesAbstract = Ruling(
        "an entity becomes abstract",
        .is(.dependsOnRows, "entity-becomes-abstract"),
        "its own objects, not those of sub-entities, become invalid",
        cure: "move or delete them in an earlier stage",
        .by(.inferred)
    )
    static let entityBecomesConcrete = Ruling(
        "an abstract entity becomes concrete",
        .is(.lightweight, "entity-becomes-concrete"),
        "no object is affected",
        .by(.inferred)
    )
    static let parentRenamed = Ruling(
        "the parent of an entity is renamed",
        .is(.lightweight, "parent-renamed"),
        "objects are kept",
        .by(.documented, "WWDC22 session 10120")
    )
    static let mergedHierarchies = Ruling(
        "an entity gets a parent of another hierarchy that has a table of its own",
        .is(.impossible, "merged-hierarchies"),
        "Core Data does not merge the tables of several root entities",
        cure: "keep the hierarchies apart, or add a new entity and move the objects in a custom"
            + " stage",
        .by(.documented, "WWDC22 session 10120")
    )
    /// Properties that come and go with the parent may make it worse.
    static let parentChanged = Ruling(
        "an entity gets another parent, or none",
        .is(.lightweight, "parent-changed"),
        "objects are kept",
        .by(.documented, "WWDC22 session 10120")
    )
    static let uniquenessConstraintAdded = Ruling(
        "a uniqueness constraint is added",
        .is(.dependsOnRows, "uniqueness-constraint-added"),
        "with duplicates the whole migration fails with 134110",
        cure: "remove duplicates in an earlier stage",
        .by(.reported, "logs of users")
    )
    static let uniquenessConstraintMet = Ruling(
        "a uniqueness constraint is added that all rows meet",
        .is(.lightweight, "uniqueness-constraint-moved"),
        "the rows already meet it",
        .by(.inferred)
    )
    static let uniquenessConstraintRemoved = Ruling(
        "a uniqueness constraint is removed",
        .is(.lightweight, "uniqueness-constraint-removed"),
        "the unique index is dropped",
        .by(.shipped, "LoopKit")
    )
    /// The documented way to force a migration.
    static let hashModifierChanged = Ruling(
        "the version hash modifier of an entity changes",
        .is(.lightweight, "hash-modifier-changed"),
        "objects are kept; indexes are rebuilt",
        .by(.documented, "Apple's documentation; Wire, WooCommerce")
    )
}
