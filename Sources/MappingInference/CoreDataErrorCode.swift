/// An error code of Core Data, as its public header numbers them (MIGRATION_BEHAVIOUR 1.4).
public enum CoreDataErrorCode: Int, Sendable, Hashable, CaseIterable {
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

    /// The number.
    public var number: Int { rawValue }

    /// The name of the constant in Apple's header.
    public var constantName: String {
        switch self {
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
