import Diagnostics
package import LogReading
package import MappingInference

extension LoggedSymptom.Kind {
    /// Lower case, without a final period.
    package var words: (title: String, meaning: String) {
        switch self {
        case .code(let code): ("\(code.number) \(code.constantName)", code.meaning)
        case .sqlite(let code): ("SQLite error \(code)", SQLiteCode.known(code).meaning)
        case .missingTable(let name): ("no table \(name)", Explanation.missingTable)
        case .missingColumn(let name): ("no column \(name)", Explanation.missingColumn)
        case .duplicateValues(let columns): ("equal values in \(columns)", Explanation.equalValues)
        case .missingMandatoryValue(let entity, let attribute):
            (
                attribute == nil
                    ? "no value for a mandatory attribute"
                    : "no value for \([entity, attribute].compactMap(\.self).joined(separator: "."))",
                "a mandatory attribute has no default value for existing rows"
            )
        case .requiredValue(let property):
            ("'\(property)' has no value", "a saved object lacks a required value")
        case .uninferableProperty(let entity, let property):
            ("\(entity).\(property) cannot be inferred", Explanation.uninferable)
        case .duplicateChecksums: ("two stages with one checksum", Explanation.duplicateChecksums)
        case .mergedModels(let entity):
            ("two entities named \(entity ?? "alike")", Explanation.mergedModels)
        case .mergedHierarchies:
            ("several roots for one hierarchy", "no mapping gives two entities a common new parent")
        case .unknownEntity(let name):
            ("no entity \(name ?? "of this name")", Explanation.unknownEntity)
        case .missingCloudKitField(let field, let type):
            ("Production has no field \(field) in \(type)", Explanation.missingField)
        case .missingCloudKitType(let type):
            ("Production has no record type \(type)", "the schema was not deployed since")
        case .modelUnfitForCloudKit(let demand, let properties):
            (
                properties.isEmpty
                    ? "the model is not valid for CloudKit"
                    : "CloudKit does not support \(properties.listed(most: 10))",
                demand?.meaning ?? Explanation.unfit
            )
        case .brokenConstraint(let attributes):
            (
                "two objects with the same \(attributes.listed(most: 5))",
                Explanation.brokenConstraint
            )
        case .unreadableHash(let entity):
            (
                "the hash of \(entity) cannot be read",
                "it has characters other than hexadecimal digits, so it is not compared"
            )
        case .goneObject(let object):
            ("the object is \(object)", "its row is no longer in the store")
        case .message(let message): (message.title, message.meaning)
        case .insecureTransformer:
            (
                "a transformer without secure coding",
                "a transformable attribute names no transformer, or one that reads any class"
            )
        }
    }
}

/// The meanings that are too long to be beside their titles.
private enum Explanation {
    static let missingTable =
        "the tables do not fit the model in the metadata: a migration was interrupted"
        + ", or done by hand"
    static let duplicateChecksums =
        "usually a version is listed in two stages; otherwise two versions of the plan have equal hashes,"
        + " because what differs is not part of any hash"
    static let missingColumn =
        "the store has the hashes of the model but lacks this column: the model was edited"
        + " without a new version, or the store was changed by hand"
    static let equalValues =
        "a uniqueness constraint is new, and rows have equal values; remove"
        + " duplicates before the migration"
    static let uninferable = "its type or destination changes in a way that Core Data cannot infer"
    static let mergedModels =
        "the app merges all its models, and two of them have this entity: load one by its"
        + " URL, or remove the stale one from the bundle"
    static let unknownEntity =
        "the context has another model, or none: the store was not loaded, or two models"
        + " are loaded"
    static let unfit = "mirroring has stricter rules than Core Data"
    static let brokenConstraint =
        "a save violates its uniqueness constraint, and no merge policy resolves it"
    static let missingField =
        "the schema was not deployed since the property was added, or since its first large"
        + " value"
}

extension CloudKitDemand {
    /// What mirroring demands, and how the model meets it.
    fileprivate var meaning: String {
        switch self {
        case .optionalAttributes:
            "a mandatory attribute needs a default value: give it one, or make it optional"
        case .optionalRelationships:
            "relationships must be optional: make them optional, and expect that an object may be missing"
        case .inverses: "each relationship needs an inverse: add it"
        case .noOrder:
            "ordered relationships are not supported: make them unordered, and keep the order in an attribute"
        case .noConstraints:
            "uniqueness constraints are not supported: remove them, and look for the existing object before"
                + " inserting another"
        case .noRenaming: "an entity cannot be renamed: keep its name, and rename its class only"
        }
    }
}

extension CoreDataErrorCode {
    /// What the code means, in plain words.
    package var meaning: String {
        switch self {
        case .managedObjectValidation, .validationMultipleErrors:
            "saved objects violate the rules of the model"
        case .validationMissingMandatoryProperty: "a saved object lacks a mandatory value"
        case .validationRelationshipLacksMinimumCount: "a relationship has too few objects"
        case .validationRelationshipExceedsMaximumCount: "a relationship has too many objects"
        case .validationRelationshipDeniedDelete: "a delete rule denies the deletion"
        case .validationNumberTooLarge, .validationNumberTooSmall: "a number is outside its limits"
        case .validationDateTooLate, .validationDateTooSoon: "a date is outside its limits"
        case .validationInvalidDate: "a date is not valid"
        case .validationStringTooLong, .validationStringTooShort:
            "a string is longer or shorter than the model allows"
        case .validationStringPatternMatching: "a string does not match its pattern"
        case .managedObjectMerge: "two contexts changed one object, and no merge policy resolves it"
        case .managedObjectConstraintMerge: "a save violates a uniqueness constraint"
        case .persistentStoreTypeMismatch: "the store has another type than the app says"
        case .persistentStoreIncompatibleSchema:
            "the store's tables do not fit the model, or were made for another configuration of it"
        case .coreData: "no specific cause; also used for models that CloudKit refuses"
        case .persistentStoreOpen:
            "the store cannot be opened: check its path, permissions and data protection"
        case .persistentStoreTimeout: "the store could not be opened in time"
        case .incompatibleVersionHash:
            "another version of the model wrote the store, and migration is off"
        case .migration: "a migration began and failed; the store is as it was"
        case .migrationConstraintViolation: "rows violate a constraint of the new version"
        case .migrationCancelled: "the migration was cancelled"
        case .migrationMissingSourceModel:
            "no model in the app has the store's hashes: a shipped version was edited or left out"
        case .migrationMissingMappingModel:
            "there is no mapping model for the step, and none can be inferred"
        case .migrationManagerSourceStore: "the old store of a migration has a problem"
        case .migrationManagerDestinationStore: "the new store of a migration has a problem"
        case .entityMigrationPolicy: "a migration policy of the app failed"
        case .sqlite: "SQLite failed; see its own error code"
        case .inferredMappingModel: "no mapping between the versions can be inferred"
        case .managedObjectModelReferenceNotFound:
            "no stage lists the store's version: it was edited after it shipped, or left out"
        case .stagedMigrationFrameworkVersionMismatch:
            "the store is too old for stages: its metadata has no checksum"
        case .stagedMigrationBackward: "the store is newer than the app's stages"
        }
    }
}
