extension CloudKitRuling {
    /// In the order of the page of verdicts.
    package static let table: [CloudKitRuling] =
        entities + attributes + relationships + [.noSchemaChange]

    private static let forModels = "Apple on models"
    private static let forSchemas = "Apple on schemas"
    private static let forRecords = "Apple on records"
    private static let deploy = "deploy it before the app"

    private static let entities = [
        entityAdded, subentityAdded, entityRemoved, entityRenamed, entityMoved, constraintAdded,
        mirroringBegins, mirroringEnds,
    ]

    static let entityAdded = CloudKitRuling(
        "an entity is added",
        .accepted,
        "record type '{type}' is new: \(deploy)",
        .by(.documented, forSchemas)
    )
    static let subentityAdded = CloudKitRuling(
        "a sub-entity is added",
        .accepted,
        "record type '{type}' of the root entity gets new fields: \(deploy)",
        .by(.documented, forRecords)
    )
    static let entityRemoved = CloudKitRuling(
        "an entity is removed",
        .refused,
        "record type '{type}' keeps its records; CloudKit refuses a schema without it",
        .by(.documented, forSchemas)
    )
    static let entityRenamed = CloudKitRuling(
        "an entity is renamed",
        .unsupported,
        "Core Data refuses a mirrored store with a renamed entity",
        .by(.reported, "Passepartout issue 586")
    )
    static let entityMoved = CloudKitRuling(
        "an entity enters or leaves a hierarchy",
        .refused,
        "new objects become records of '{type}'; existing records stay in '{old}'",
        .by(.documented, forRecords)
    )
    static let constraintAdded = CloudKitRuling(
        "a uniqueness constraint is added",
        .unsupported,
        "CloudKit has no uniqueness constraints",
        .by(.documented, forModels)
    )
    static let mirroringBegins = CloudKitRuling(
        "an entity joins the mirrored configuration",
        .accepted,
        "record type '{type}' is new: \(deploy)",
        .by(.documented, forModels)
    )
    static let mirroringEnds = CloudKitRuling(
        "an entity leaves the mirrored configuration",
        .refused,
        "record type '{old}' keeps its records, but nothing updates them any more",
        .by(.documented, forSchemas)
    )

    private static let attributes = [
        attributeAdded, encryptedAttributeAdded, mandatoryAttribute, unsupportedAttribute,
        derivedAttribute, attributeRemoved, attributeRenamed, attributeRetyped, attributeKept,
        attributeGrows, encryptionChanged,
    ]

    static let attributeAdded = CloudKitRuling(
        "an attribute is added, or becomes stored",
        .accepted,
        "field '{field}' of '{type}' is new, {to}: \(deploy)",
        .by(.measured, "758 fields of twelve apps")
    )
    static let encryptedAttributeAdded = CloudKitRuling(
        "an encrypted attribute is added",
        .accepted,
        "field '{field}' of '{type}' is new, ENCRYPTED {to}, permanently and without an index: \(deploy)",
        .by(.measured, "11 fields of twelve apps")
    )
    static let mandatoryAttribute = CloudKitRuling(
        "an attribute becomes mandatory, without a default",
        .unsupported,
        "mirroring requires attributes to be optional or to have a default",
        .by(.documented, forModels)
    )
    static let unsupportedAttribute = CloudKitRuling(
        "an attribute has, or gets, a type that mirroring does not support",
        .unsupported,
        "CloudKit has no field for values of type {to}",
        .by(.documented, forModels)
    )
    static let derivedAttribute = CloudKitRuling(
        "a derived attribute is added, removed or changed",
        .unknown,
        "no document or published schema shows whether derived attributes have fields",
        .by(.unverified)
    )
    static let attributeRemoved = CloudKitRuling(
        "an attribute is removed, or becomes transient",
        .refused,
        "field '{field}' of '{type}' stays, as older versions of the app write it; CloudKit refuses a schema without it",
        .by(.documented, forSchemas)
    )
    static let attributeRenamed = CloudKitRuling(
        "an attribute or a to-one relationship is renamed",
        .refused,
        "field '{to}' of '{type}' is new and empty in CloudKit; '{from}' keeps its values",
        .by(.documented, forModels)
    )
    static let attributeRetyped = CloudKitRuling(
        "an attribute changes to a type that CloudKit stores differently",
        .refused,
        "field '{field}' of '{type}' stays {from}, but the app would write {to}",
        .by(.documented, forSchemas)
    )
    static let attributeKept = CloudKitRuling(
        "an attribute changes to a type that CloudKit stores the same way",
        .noTrace,
        "field '{field}' of '{type}' stays {to}",
        .by(.measured, "116 fields INT64 of four types")
    )
    static let attributeGrows = CloudKitRuling(
        "an attribute changes to a type of the same field that may hold large values",
        .accepted,
        "'{field}_ckAsset' of '{type}' is new, for large values: \(deploy)",
        .by(.inferred)
    )
    static let encryptionChanged = CloudKitRuling(
        "encryption is switched on or off",
        .refused,
        "field '{field}' of '{type}' stays as it was deployed",
        .by(.documented, "Apple's sample of encrypted fields")
    )

    private static let relationships = [
        toOneAdded, manyToManyAdded, toOneRemoved, manyToManyRemoved, manyToManyRenamed,
        orderedRelationship, mandatoryRelationship, denyRule, missingInverse,
    ]

    static let toOneAdded = CloudKitRuling(
        "a to-one relationship is added, or a relationship becomes to-one",
        .accepted,
        "field '{field}' of '{type}' is new, STRING: \(deploy)",
        .by(.measured, "18 fields of twelve apps")
    )
    static let manyToManyAdded = CloudKitRuling(
        "a many-to-many relationship is added, or a relationship becomes many-to-many",
        .accepted,
        "its links are records of 'CDMR', which must be deployed before the app",
        .by(.documented, forRecords)
    )
    static let toOneRemoved = CloudKitRuling(
        "a to-one relationship is removed, or becomes to-many",
        .refused,
        "field '{field}' of '{type}' stays; CloudKit refuses a schema without it",
        .by(.documented, forSchemas)
    )
    static let manyToManyRemoved = CloudKitRuling(
        "a many-to-many relationship is removed, or changes its kind",
        .refused,
        "'CDMR' and its link records stay",
        .by(.documented, forSchemas)
    )
    static let manyToManyRenamed = CloudKitRuling(
        "a many-to-many relationship is renamed",
        .unknown,
        "link records hold the relationship's name; it is unknown whether Core Data finds those with the old name",
        .by(.unverified)
    )
    static let orderedRelationship = CloudKitRuling(
        "a relationship becomes ordered",
        .unsupported,
        "CloudKit keeps no order of related records",
        .by(.documented, "\(forModels); CubeTime issue 131")
    )
    static let mandatoryRelationship = CloudKitRuling(
        "a relationship becomes mandatory",
        .unsupported,
        "mirroring requires relationships to be optional",
        .by(.documented, forModels)
    )
    static let denyRule = CloudKitRuling(
        "the delete rule becomes Deny",
        .unsupported,
        "the delete rule Deny cannot refuse a deletion from another device",
        .by(.documented, forModels)
    )
    static let missingInverse = CloudKitRuling(
        "a relationship loses its inverse",
        .unsupported,
        "mirroring requires an inverse of each relationship",
        .by(.documented, forModels)
    )

    static let noSchemaChange = CloudKitRuling(
        "anything else: optionality, defaults, delete rules, indexes, external storage, classes, "
            + "transient properties, to-many relationships with a to-one inverse, cases of composites",
        .noTrace,
        "the schema does not change",
        .by(.measured, "766 fields of twelve apps")
    )
}
