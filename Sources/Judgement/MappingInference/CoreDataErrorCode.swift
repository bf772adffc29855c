/// An error code of Core Data, as its public header numbers them (MigrationBehaviour, "Error codes").
package enum CoreDataErrorCode: Int, Sendable, Hashable, CaseIterable {
    /// An object is invalid.
    case managedObjectValidation = 1550
    /// An object is invalid in several ways.
    case validationMultipleErrors = 1560
    /// A mandatory property has no value.
    case validationMissingMandatoryProperty = 1570
    /// A relationship has too few objects.
    case validationRelationshipLacksMinimumCount = 1580
    /// A relationship has too many objects.
    case validationRelationshipExceedsMaximumCount = 1590
    /// A delete rule denies a deletion.
    case validationRelationshipDeniedDelete = 1600
    /// A number is too large.
    case validationNumberTooLarge = 1610
    /// A number is too small.
    case validationNumberTooSmall = 1620
    /// A date is too late.
    case validationDateTooLate = 1630
    /// A date is too early.
    case validationDateTooSoon = 1640
    /// A date is none.
    case validationInvalidDate = 1650
    /// A string is too long.
    case validationStringTooLong = 1660
    /// A string is too short.
    case validationStringTooShort = 1670
    /// A string does not match its pattern.
    case validationStringPatternMatching = 1680
    /// A merge policy could not merge.
    case managedObjectMerge = 133020
    /// A merge policy could not resolve a violated constraint.
    case managedObjectConstraintMerge = 133021
    /// The store is of another type than named.
    case persistentStoreTypeMismatch = 134010
    /// The tables of the store are not those of the model.
    case persistentStoreIncompatibleSchema = 134020
    /// Something else; CloudKit refuses models with it.
    case coreData = 134060
    /// The store could not be opened.
    case persistentStoreOpen = 134080
    /// The store could not be opened in time.
    case persistentStoreTimeout = 134090
    /// The store is incompatible with the model.
    case incompatibleVersionHash = 134100
    /// A migration failed.
    case migration = 134110
    /// A migration met a violated constraint; users in fact report 134110.
    case migrationConstraintViolation = 134111
    /// A migration was cancelled.
    case migrationCancelled = 134120
    /// The model of the store was not found.
    case migrationMissingSourceModel = 134130
    /// No mapping model was found or inferred.
    case migrationMissingMappingModel = 134140
    /// The source store of a migration has a problem.
    case migrationManagerSourceStore = 134150
    /// The destination store of a migration has a problem.
    case migrationManagerDestinationStore = 134160
    /// An entity migration policy failed.
    case entityMigrationPolicy = 134170
    /// SQLite failed.
    case sqlite = 134180
    /// A mapping could not be inferred.
    case inferredMappingModel = 134190
    /// A staged migration knows no model of the store's or the coordinator's version.
    case managedObjectModelReferenceNotFound = 134504
    /// The store's metadata does not support staged migration.
    case stagedMigrationFrameworkVersionMismatch = 134505
    /// A staged migration would go backwards.
    case stagedMigrationBackward = 134506

    package var number: Int { rawValue }

    /// The name of the constant in Apple's header.
    package var constantName: String {
        switch self {
        case .managedObjectValidation: "NSManagedObjectValidationError"
        case .validationMultipleErrors: "NSValidationMultipleErrorsError"
        case .validationMissingMandatoryProperty: "NSValidationMissingMandatoryPropertyError"
        case .validationRelationshipLacksMinimumCount:
            "NSValidationRelationshipLacksMinimumCountError"
        case .validationRelationshipExceedsMaximumCount:
            "NSValidationRelationshipExceedsMaximumCountError"
        case .validationRelationshipDeniedDelete: "NSValidationRelationshipDeniedDeleteError"
        case .validationNumberTooLarge: "NSValidationNumberTooLargeError"
        case .validationNumberTooSmall: "NSValidationNumberTooSmallError"
        case .validationDateTooLate: "NSValidationDateTooLateError"
        case .validationDateTooSoon: "NSValidationDateTooSoonError"
        case .validationInvalidDate: "NSValidationInvalidDateError"
        case .validationStringTooLong: "NSValidationStringTooLongError"
        case .validationStringTooShort: "NSValidationStringTooShortError"
        case .validationStringPatternMatching: "NSValidationStringPatternMatchingError"
        case .managedObjectMerge: "NSManagedObjectMergeError"
        case .managedObjectConstraintMerge: "NSManagedObjectConstraintMergeError"
        case .persistentStoreTypeMismatch: "NSPersistentStoreTypeMismatchError"
        case .persistentStoreIncompatibleSchema: "NSPersistentStoreIncompatibleSchemaError"
        case .coreData: "NSCoreDataError"
        case .persistentStoreOpen: "NSPersistentStoreOpenError"
        case .persistentStoreTimeout: "NSPersistentStoreTimeoutError"
        case .incompatibleVersionHash: "NSPersistentStoreIncompatibleVersionHashError"
        case .migration: "NSMigrationError"
        case .migrationConstraintViolation: "NSMigrationConstraintViolationError"
        case .migrationCancelled: "NSMigrationCancelledError"
        case .migrationMissingSourceModel: "NSMigrationMissingSourceModelError"
        case .migrationMissingMappingModel: "NSMigrationMissingMappingModelError"
        case .migrationManagerSourceStore: "NSMigrationManagerSourceStoreError"
        case .migrationManagerDestinationStore: "NSMigrationManagerDestinationStoreError"
        case .entityMigrationPolicy: "NSEntityMigrationPolicyError"
        case .sqlite: "NSSQLiteError"
        case .inferredMappingModel: "NSInferredMappingModelError"
        case .managedObjectModelReferenceNotFound:
            "NSManagedObjectModelReferenceNotFoundError"
        case .stagedMigrationFrameworkVersionMismatch:
            "NSStagedMigrationFrameworkVersionMismatchError"
        case .stagedMigrationBackward: "NSStagedMigrationBackwardMigrationError"
        }
    }
}
