package import Diagnostics

extension RuleID {
    /// SQLite's own check of the file found a fault.
    package static let damagedDatabase: RuleID = "damaged-database"
    /// Core Data may look for a join table under another name.
    package static let guessedJoinTable: RuleID = "guessed-join-table"
    package static let missingTable: RuleID = "missing-table"
    package static let surplusTable: RuleID = "surplus-table"
    package static let missingColumn: RuleID = "missing-column"
    package static let surplusColumn: RuleID = "surplus-column"
    /// A join table has no primary key, so it may have duplicate links.
    package static let missingPrimaryKey: RuleID = "missing-primary-key"
    package static let missingIndex: RuleID = "missing-index"
    package static let surplusIndex: RuleID = "surplus-index"
    package static let missingTrigger: RuleID = "missing-trigger"
    package static let surplusTrigger: RuleID = "surplus-trigger"
    package static let entityNumbers: RuleID = "entity-numbers"
    /// The store knows an entity by the name that it had before a migration.
    package static let staleEntityName: RuleID = "stale-entity-name"
    /// The hashes in the metadata differ from the model.
    package static let otherModel: RuleID = "other-model"
    package static let storeInUse: RuleID = "store-in-use"
    package static let missingUUID: RuleID = "missing-uuid"
    /// A row has the number of an entity that does not live in its table.
    package static let foreignEntityNumber: RuleID = "foreign-entity-number"
    package static let abstractEntityRow: RuleID = "abstract-entity-row"
    /// A key is greater than the recorded greatest one.
    package static let keyAboveMaximum: RuleID = "key-above-maximum"
    package static let missingValue: RuleID = "missing-value"
    package static let wrongType: RuleID = "wrong-type"
    package static let invalidText: RuleID = "invalid-text"
    /// No entity has any rows, although keys were used, or the log may be missing.
    package static let noRows: RuleID = "no-rows"
    package static let duplicateValue: RuleID = "duplicate-value"
    package static let missingDestination: RuleID = "missing-destination"
    /// A to-many relationship has fewer or more destinations than the model allows.
    package static let destinationCount: RuleID = "destination-count"
    /// A row points at an object that does not exist, or is not of the destination entity.
    package static let danglingReference: RuleID = "dangling-reference"
    /// A row stayed when its owner was deleted, although a delete rule includes it.
    package static let cascadeOrphan: RuleID = "cascade-orphan"
    /// A row has no owner that would delete it with itself, and nothing else refers to it.
    package static let ownerlessRow: RuleID = "ownerless-row"
    package static let heavyHistory: RuleID = "heavy-history"
    /// A change in persistent history has no transaction, or an entity that the model does not have.
    package static let orphanedChange: RuleID = "orphaned-change"
    /// An object was deleted although rows that should have prevented it point at it.
    package static let denyViolated: RuleID = "deny-violated"
    /// The entity number beside a to-one key is not that of the destination.
    package static let wrongEntityColumn: RuleID = "wrong-entity-column"
    package static let brokenInversePair: RuleID = "broken-inverse-pair"
    /// A row of an ordered relationship has no order key, or shares it with another.
    package static let orderKey: RuleID = "order-key"
    package static let duplicateLink: RuleID = "duplicate-link"
    package static let missingExternalFile: RuleID = "missing-external-file"
    /// Two values name one external file: Core Data deletes it with the object of either.
    package static let sharedExternalFile: RuleID = "shared-external-file"
    package static let surplusExternalFile: RuleID = "surplus-external-file"
    /// An externally storable value lacks the mark of where it is.
    package static let invalidExternalValue: RuleID = "invalid-external-value"
}
