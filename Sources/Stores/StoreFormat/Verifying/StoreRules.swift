package import Diagnostics

extension RuleID {
    /// SQLite's own check of the file found a fault.
    package static let damagedDatabase: RuleID = "damaged-database"
    /// Core Data may look for a join table under another name.
    package static let guessedJoinTable: RuleID = "guessed-join-table"
    /// A table of the layout is not there.
    package static let missingTable: RuleID = "missing-table"
    /// A table is there that the model does not explain.
    package static let surplusTable: RuleID = "surplus-table"
    /// A column of the layout is not there.
    package static let missingColumn: RuleID = "missing-column"
    /// A column is there that the model does not explain.
    package static let surplusColumn: RuleID = "surplus-column"
    /// A join table has no primary key, so that it may have a link twice.
    package static let missingPrimaryKey: RuleID = "missing-primary-key"
    /// An index of the layout is not there.
    package static let missingIndex: RuleID = "missing-index"
    /// An index is there that the model does not explain.
    package static let surplusIndex: RuleID = "surplus-index"
    /// A trigger of the layout is not there.
    package static let missingTrigger: RuleID = "missing-trigger"
    /// A trigger is there that the model does not explain.
    package static let surplusTrigger: RuleID = "surplus-trigger"
    /// The store numbers its entities otherwise than the model.
    package static let entityNumbers: RuleID = "entity-numbers"
    /// The store knows an entity by the name that it had before a migration.
    package static let staleEntityName: RuleID = "stale-entity-name"
    /// The hashes in the metadata are not those of the model.
    package static let otherModel: RuleID = "other-model"
    /// Another process has the store open.
    package static let storeInUse: RuleID = "store-in-use"
    /// The metadata have no UUID of the store.
    package static let missingUUID: RuleID = "missing-uuid"
    /// A row has the number of an entity that does not live in its table.
    package static let foreignEntityNumber: RuleID = "foreign-entity-number"
    /// A row is of an abstract entity.
    package static let abstractEntityRow: RuleID = "abstract-entity-row"
    /// A key is greater than the greatest one that was handed out.
    package static let keyAboveMaximum: RuleID = "key-above-maximum"
    /// A required attribute has no value.
    package static let missingValue: RuleID = "missing-value"
    /// A value is not of its attribute's type.
    package static let wrongType: RuleID = "wrong-type"
    /// A text is not UTF-8.
    package static let invalidText: RuleID = "invalid-text"
    /// No entity has any rows, although keys were handed out, or the log may be missing.
    package static let noRows: RuleID = "no-rows"
    /// Rows share values that a uniqueness constraint keeps apart.
    package static let duplicateValue: RuleID = "duplicate-value"
    /// A required relationship has no destination.
    package static let missingDestination: RuleID = "missing-destination"
    /// A to-many relationship has fewer or more destinations than the model allows.
    package static let destinationCount: RuleID = "destination-count"
    /// A row points at an object that does not exist, or is not of the destination entity.
    package static let danglingReference: RuleID = "dangling-reference"
    /// A row was left behind when the owner that should have taken it along was deleted.
    package static let cascadeOrphan: RuleID = "cascade-orphan"
    /// A row belongs to no object that would delete it with itself, and nothing else points at it.
    package static let ownerlessRow: RuleID = "ownerless-row"
    /// Most of the file is persistent history.
    package static let heavyHistory: RuleID = "heavy-history"
    /// A change in persistent history has no transaction, or an entity that the model does not have.
    package static let orphanedChange: RuleID = "orphaned-change"
    /// An object was deleted although rows that should have prevented it point at it.
    package static let denyViolated: RuleID = "deny-violated"
    /// The entity number beside a to-one key is not that of the destination.
    package static let wrongEntityColumn: RuleID = "wrong-entity-column"
    /// The two sides of a one-to-one relationship do not point at each other.
    package static let brokenInversePair: RuleID = "broken-inverse-pair"
    /// A row of an ordered relationship has no order key, or shares it with another.
    package static let orderKey: RuleID = "order-key"
    /// A join table has a link more than once.
    package static let duplicateLink: RuleID = "duplicate-link"
    /// A value points at a file beside the store that is not there.
    package static let missingExternalFile: RuleID = "missing-external-file"
    /// Two values point at one file beside the store: Core Data deletes it with the object of either.
    package static let sharedExternalFile: RuleID = "shared-external-file"
    /// A file beside the store belongs to no value.
    package static let surplusExternalFile: RuleID = "surplus-external-file"
    /// A value that may live beside the store does not say where it lives.
    package static let invalidExternalValue: RuleID = "invalid-external-value"
}
