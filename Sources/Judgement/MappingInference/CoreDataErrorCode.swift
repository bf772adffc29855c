/// An error code of Core Data, as its public header numbers them (MigrationBehaviour, "Error codes").
package enum CoreDataErrorCode: Int, Sendable, Hashable, CaseIterable {
    case managedObjectValidation = 1550
    case validationMultipleErrors = 1560
    case validationMissingMandatoryProperty = 1570
    case validationRelationshipLacksMinimumCount = 1580
    case validationRelationshipExceedsMaximumCount = 1590
    case validationRelationshipDeniedDelete = 1600
    case validationNumberTooLarge = 1610
    case validationNumberTooSmall = 1620
    case validationDateTooLate = 1630
    case validationDateTooSoon = 1640
    case validationInvalidDate = 1650
    case validationStringTooLong = 1660
    case validationStringTooShort = 1670
    case validationStringPatternMatching = 1680
    case managedObjectMerge = 133020
    case managedObjectConstraintMerge = 133021
    /// The store has another type than the app says.
    case persistentStoreTypeMismatch = 134010
    /// The tables of the store do not fit the model.
    case persistentStoreIncompatibleSchema = 134020
    /// No specific cause; CloudKit refuses models with it.
    case coreData = 134060
    case persistentStoreOpen = 134080
    case persistentStoreTimeout = 134090
    /// The store is incompatible with the model.
    case incompatibleVersionHash = 134100
    case migration = 134110
    /// A migration met a violated constraint; users in fact report 134110.
    case migrationConstraintViolation = 134111
    case migrationCancelled = 134120
    /// The model of the store was not found.
    case migrationMissingSourceModel = 134130
    case migrationMissingMappingModel = 134140
    /// The source store of a migration has a problem.
    case migrationManagerSourceStore = 134150
    /// The destination store of a migration has a problem.
    case migrationManagerDestinationStore = 134160
    case entityMigrationPolicy = 134170
    case sqlite = 134180
    case inferredMappingModel = 134190
    /// A staged migration has no model for the version of the store or the coordinator.
    case managedObjectModelReferenceNotFound = 134504
    /// The store's metadata does not support staged migration.
    case stagedMigrationFrameworkVersionMismatch = 134505
    case stagedMigrationBackward = 134506

    package var number: Int { rawValue }

    /// Apple's constant: the name of the case between `NS` and `Error`, but for three.
    package var constantName: String {
        switch self {
        case .incompatibleVersionHash: "NSPersistentStoreIncompatibleVersionHashError"
        case .sqlite: "NSSQLiteError"
        case .stagedMigrationBackward: "NSStagedMigrationBackwardMigrationError"
        default: "NS\("\(self)".prefix(1).uppercased())\("\(self)".dropFirst())Error"
        }
    }
}
