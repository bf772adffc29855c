extension CloudKitRuling {
    /// In the order of the page of verdicts.
    package static let table: [CloudKitRuling] =
        entities + attributes + relationships + [.noSchemaChange]

    private static let forModels = "Creating a Core Data Model for CloudKit"
    private static let forSchemas = "Deploying an iCloud Container's Schema"
    private static let forRecords = "Reading CloudKit Records for Core Data"
    private static let deploy = "deploy it before the app"

    private static let entities = [
        entityAdded, subentityAdded, entityRemoved, entityRenamed, entityMoved, constraintAdded,
        mirroringBegins, mirroringEnds,
    ]

    static let entityAdded = on(.accepted)
        .when("an entity is added").then("record type '{type}' is new: \(deploy)")
        .by(.documented, forSchemas)
    static let subentityAdded = on(.accepted)
        .when("a sub-entity is added")
        .then("record type '{type}' of the root entity gets new fields: \(deploy)")
        .by(.documented, forRecords)
    static let entityRemoved = on(.refused)
        .when("an entity is removed")
        .then("record type '{type}' keeps its records; CloudKit refuses a schema without it")
        .by(.documented, forSchemas)
    static let entityRenamed = on(.refused)
        .when("an entity is renamed")
        .then("Core Data does not migrate a mirrored store to it; '{old}' keeps its records")
        .by(.reported, "Passepartout issue 586")
    static let entityMoved = on(.refused)
        .when("an entity enters or leaves a hierarchy")
        .then("new objects become records of '{type}'; existing records stay in '{old}'")
        .by(.documented, forRecords)
    static let constraintAdded = on(.unsupported)
        .when("a uniqueness constraint is added").then("CloudKit has no uniqueness constraints")
        .by(.documented, forModels)
    static let mirroringBegins = on(.accepted)
        .when("an entity joins the mirrored configuration")
        .then("record type '{type}' is new: \(deploy)").by(.documented, forModels)
    static let mirroringEnds = on(.refused)
        .when("an entity leaves the mirrored configuration")
        .then("record type '{old}' keeps its records, but nothing updates them any more")
        .by(.documented, forSchemas)
    private static let attributes = [
        attributeAdded, encryptedAttributeAdded, mandatoryAttribute, unsupportedAttribute,
        derivedAttribute, attributeRemoved, attributeRenamed, attributeRetyped, attributeKept,
        attributeGrows, encryptionChanged,
    ]

    static let attributeAdded = on(.accepted)
        .when("an attribute is added, or becomes stored")
        .then("field '{field}' of '{type}' is new, {to}: \(deploy)")
        .by(.measured, "758 fields of twelve apps")
    static let encryptedAttributeAdded = on(.accepted)
        .when("an encrypted attribute is added")
        .then(
            "field '{field}' of '{type}' is new, ENCRYPTED {to}, permanently and without an index: \(deploy)"
        )
        .by(.measured, "11 fields of twelve apps")
    static let mandatoryAttribute = on(.unsupported)
        .when("an attribute becomes mandatory, without a default")
        .then("mirroring requires attributes to be optional or to have a default")
        .by(.documented, forModels)
    static let unsupportedAttribute = on(.unsupported)
        .when("an attribute has, or gets, a type that mirroring does not support")
        .then("CloudKit has no field for values of type {to}").by(.documented, forModels)
    static let derivedAttribute = on(.unknown)
        .when("a derived attribute is added, removed or changed")
        .then("no document or published schema shows whether derived attributes have fields")
        .by(.unverified)
    static let attributeRemoved = on(.refused)
        .when("an attribute is removed, or becomes transient")
        .then(
            "field '{field}' of '{type}' stays, as older versions of the app write it; CloudKit refuses a schema without it"
        )
        .by(.documented, forSchemas)
    static let attributeRenamed = on(.refused)
        .when("an attribute or a to-one relationship is renamed")
        .then("field '{to}' of '{type}' is new and empty in CloudKit; '{from}' keeps its values")
        .by(.documented, forModels)
    static let attributeRetyped = on(.refused)
        .when("an attribute changes to a type that CloudKit stores differently")
        .then("field '{field}' of '{type}' stays {from}, but the app would write {to}")
        .by(.documented, forSchemas)
    static let attributeKept = on(.noTrace)
        .when("an attribute changes to a type that CloudKit stores the same way")
        .then("field '{field}' of '{type}' stays {to}")
        .by(.measured, "116 fields INT64 of four types")
    static let attributeGrows = on(.accepted)
        .when("an attribute changes to a type of the same field that may hold large values")
        .then("'{field}_ckAsset' of '{type}' is new, for large values: \(deploy)").by(.inferred)
    static let encryptionChanged = on(.refused)
        .when("encryption is switched on or off")
        .then("field '{field}' of '{type}' stays as it was deployed")
        .by(.documented, "Apple's sample of encrypted fields")
    private static let relationships = [
        toOneAdded, manyToManyAdded, toOneRemoved, manyToManyRemoved, manyToManyRenamed,
        orderedRelationship, mandatoryRelationship, denyRule, missingInverse,
    ]

    static let toOneAdded = on(.accepted)
        .when("a to-one relationship is added, or a relationship becomes to-one")
        .then("field '{field}' of '{type}' is new, STRING: \(deploy)")
        .by(.measured, "18 fields of twelve apps")
    static let manyToManyAdded = on(.accepted)
        .when("a many-to-many relationship is added, or a relationship becomes many-to-many")
        .then("its links are records of 'CDMR', which must be deployed before the app")
        .by(.documented, forRecords)
    static let toOneRemoved = on(.refused)
        .when("a to-one relationship is removed, or becomes to-many")
        .then("field '{field}' of '{type}' stays; CloudKit refuses a schema without it")
        .by(.documented, forSchemas)
    static let manyToManyRemoved = on(.refused)
        .when("a many-to-many relationship is removed, or changes its kind")
        .then("'CDMR' and its link records stay").by(.documented, forSchemas)
    static let manyToManyRenamed = on(.unknown)
        .when("a many-to-many relationship is renamed")
        .then(
            "link records hold the relationship's name; it is unknown whether Core Data finds those with the old name"
        )
        .by(.unverified)
    static let orderedRelationship = on(.unsupported)
        .when("a relationship becomes ordered").then("CloudKit keeps no order of related records")
        .by(.documented, "\(forModels); CubeTime issue 131")
    static let mandatoryRelationship = on(.unsupported)
        .when("a relationship becomes mandatory")
        .then("mirroring requires relationships to be optional").by(.documented, forModels)
    static let denyRule = on(.unsupported)
        .when("the delete rule becomes Deny")
        .then("the delete rule Deny cannot refuse a deletion from another device")
        .by(.documented, forModels)
    static let missingInverse = on(.unsupported)
        .when("a relationship loses its inverse")
        .then("mirroring requires an inverse of each relationship").by(.documented, forModels)
    static let noSchemaChange = on(.noTrace)
        .when(
            "anything else: optionality, defaults, delete rules, indexes, external storage, classes, "
                + "transient properties, to-many relationships with a to-one inverse, cases of composites"
        )
        .then("the schema does not change").by(.measured, "766 fields of twelve apps")
}
