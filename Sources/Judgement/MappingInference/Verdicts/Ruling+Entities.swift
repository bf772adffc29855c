import Diagnostics

extension Ruling {
    static let entities = [
        entityAdded, entityRemoved, abstractEntityRemoved, entityRenamed, entityBecomesAbstract,
        entityBecomesConcrete,
        parentRenamed, mergedHierarchies, parentChanged, uniquenessConstraintAdded,
        uniquenessConstraintMet, uniquenessConstraintRemoved, hashModifierChanged,
    ]

    static let entityAdded = row(.lightweight, "entity-added")
        .when("an entity is added").then("the new entity has no objects")
        .by(.measured, "Apple's documentation; Wire 2.74 to 2.75")
    static let entityRemoved = row(.losesData, "entity-removed")
        .when("an entity is removed").then("the entity and its objects are dropped")
        .cured("if it was renamed, set the renaming identifier of the new entity")
        .by(.measured, "Apple's documentation; Wire 2.100 to 2.101")
    /// Changes of its sub-entities cover what they inherited, and their objects.
    static let abstractEntityRemoved = row(.lightweight, "abstract-entity-removed")
        .when("an abstract entity is removed")
        .then("no object is affected: an abstract entity has none of its own")
        .by(.documented, "Apple's documentation")
    /// SwiftData's classes have no renaming identifier.
    static let classRemoved: Ruling = {
        var ruling = entityRemoved
        ruling.cure =
            "if it was renamed, keep its old name, as SwiftData cannot rename a class, or move its objects in a"
            + " custom stage"
        return ruling
    }()
    static let entityRenamed = row(.lightweight, "entity-renamed")
        .when("an entity is renamed, with a renaming identifier")
        .then("objects are kept under the new name")
        .by(.tested, "Apple's documentation; WooCommerce 114 to 115")
    static let entityBecomesAbstract = row(.dependsOnRows, "entity-becomes-abstract")
        .when("an entity becomes abstract")
        .then("its own objects, not those of sub-entities, become invalid")
        .cured("move or delete them in an earlier stage").by(.inferred)
    static let entityBecomesConcrete = row(.lightweight, "entity-becomes-concrete")
        .when("an abstract entity becomes concrete").then("no object is affected").by(.inferred)
    static let parentRenamed = row(.lightweight, "parent-renamed")
        .when("the parent of an entity is renamed").then("objects are kept")
        .by(.documented, "WWDC22 session 10120")
    static let mergedHierarchies = row(.impossible, "merged-hierarchies")
        .when("an entity gets a parent of another hierarchy that has a table of its own")
        .then("Core Data does not merge the tables of several root entities")
        .cured(
            "keep the hierarchies apart, or add a new entity and move the objects in a custom"
                + " stage"
        )
        .by(.documented, "WWDC22 session 10120")
    /// Properties that come and go with the parent may make it worse.
    static let parentChanged = row(.lightweight, "parent-changed")
        .when("an entity gets another parent, or none").then("objects are kept")
        .by(.documented, "WWDC22 session 10120")
    static let uniquenessConstraintAdded = row(.dependsOnRows, "uniqueness-constraint-added")
        .when("a uniqueness constraint is added")
        .then("with duplicates the whole migration fails with 134110")
        .cured("remove duplicates in an earlier stage").by(.reported, "logs of users")
    static let uniquenessConstraintMet = row(.lightweight, "uniqueness-constraint-moved")
        .when("a uniqueness constraint is added that all rows meet")
        .then("no existing row violates it").by(.inferred)
    static let uniquenessConstraintRemoved = row(.lightweight, "uniqueness-constraint-removed")
        .when("a uniqueness constraint is removed").then("the unique index is dropped")
        .by(.shipped, "LoopKit")
    /// The documented way to force a migration.
    static let hashModifierChanged = row(.lightweight, "hash-modifier-changed")
        .when("the version hash modifier of an entity changes")
        .then("objects are kept; indexes are rebuilt")
        .by(.documented, "Apple's documentation; Wire, WooCommerce")
}
