extension CloudKitRuling {
    /// In the order of the page of verdicts.
    package static let table: [CloudKitRuling] = entities + attributes + relationships + [.untold]

    private static let forModels = "Apple's Creating a Core Data Model for CloudKit"
    private static let forSchemas = "Apple's articles on text-based schemas and on deploying them"
    private static let forRecords = "Apple's Reading CloudKit Records for Core Data"
    private static let deploy = "deploy it before the app, as Production creates none itself"

    private static let entities = [
        entityAdded, subentityAdded, entityRemoved, entityRenamed, entityMoved, constraintAdded,
        mirroringBegins, mirroringEnds,
    ]

    static let entityAdded = CloudKitRuling(
        "an entity is added",
        .accepted,
        "record type '{type}' is new: \(deploy)",
        .documented,
        seen: forSchemas
    )
    static let subentityAdded = CloudKitRuling(
        "a sub-entity is added",
        .accepted,
        "its fields are new ones of record type '{type}', that of the root: \(deploy)",
        .documented,
        seen: forRecords
    )
    static let entityRemoved = CloudKitRuling(
        "an entity is removed",
        .refused,
        "record type '{type}' stays with its records; a schema without it is refused",
        .documented,
        seen: forSchemas
    )
    static let entityRenamed = CloudKitRuling(
        "an entity is renamed",
        .refused,
        "record type '{type}' is new and empty to CloudKit; '{old}' stays with its records",
        .documented,
        seen: forModels
    )
    static let entityMoved = CloudKitRuling(
        "an entity gets into another hierarchy, or out of one",
        .refused,
        "new objects are records of '{type}'; those of '{old}' stay there",
        .documented,
        seen: forRecords
    )
    static let constraintAdded = CloudKitRuling(
        "a uniqueness constraint is added",
        .unsupported,
        "mirroring supports no uniqueness constraints",
        .documented,
        seen: forModels
    )
    static let mirroringBegins = CloudKitRuling(
        "an entity gets into the configuration that is mirrored",
        .accepted,
        "record type '{type}' is new: \(deploy)",
        .documented,
        seen: forModels
    )
    static let mirroringEnds = CloudKitRuling(
        "an entity leaves the configuration that is mirrored",
        .refused,
        "record type '{old}' stays with its records, which nothing updates any more",
        .documented,
        seen: forSchemas
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
        .measured,
        seen: "758 fields of twelve apps"
    )
    static let encryptedAttributeAdded = CloudKitRuling(
        "an encrypted attribute is added",
        .accepted,
        "field '{field}' of '{type}' is new, ENCRYPTED {to}, for ever and without an index: \(deploy)",
        .measured,
        seen: "11 fields of twelve apps"
    )
    static let mandatoryAttribute = CloudKitRuling(
        "an attribute is mandatory now, without a default",
        .unsupported,
        "mirroring asks of attributes to be optional or to have a default",
        .documented,
        seen: forModels
    )
    static let unsupportedAttribute = CloudKitRuling(
        "an attribute is added, or gets a type, that mirroring does not support",
        .unsupported,
        "mirroring supports no {to}",
        .documented,
        seen: forModels
    )
    static let derivedAttribute = CloudKitRuling(
        "a derived attribute is added, removed or changed",
        .unknown,
        "no document and no published schema tells whether derived attributes have fields",
        .unverified
    )
    static let attributeRemoved = CloudKitRuling(
        "an attribute is removed, or becomes transient",
        .refused,
        "field '{field}' of '{type}' stays, and older versions of the app write it; a schema without it is refused",
        .documented,
        seen: forSchemas
    )
    static let attributeRenamed = CloudKitRuling(
        "an attribute or a to-one relationship is renamed",
        .refused,
        "field '{to}' of '{type}' is new and empty to CloudKit; '{from}' stays with its values",
        .documented,
        seen: forModels
    )
    static let attributeRetyped = CloudKitRuling(
        "an attribute gets a type that is another one in CloudKit",
        .refused,
        "field '{field}' of '{type}' stays {from}, and the app would write {to}",
        .documented,
        seen: forSchemas
    )
    static let attributeKept = CloudKitRuling(
        "an attribute gets a type that is the same one in CloudKit",
        .noTrace,
        "field '{field}' of '{type}' stays {to}",
        .measured,
        seen: "116 fields INT64 of four types"
    )
    static let attributeGrows = CloudKitRuling(
        "an attribute gets a type of the same field whose values may be large",
        .accepted,
        "'{field}_ckAsset' of '{type}' is new, for large values: \(deploy)",
        .inferred
    )
    static let encryptionChanged = CloudKitRuling(
        "encryption is switched on or off",
        .refused,
        "field '{field}' of '{type}' stays as it was deployed",
        .documented,
        seen: "Apple's sample of encrypted fields"
    )

    private static let relationships = [
        toOneAdded, manyToManyAdded, toOneRemoved, manyToManyRemoved, manyToManyRenamed,
        orderedRelationship, mandatoryRelationship, denyRule, missingInverse,
    ]

    static let toOneAdded = CloudKitRuling(
        "a to-one relationship is added, or a relationship becomes to-one",
        .accepted,
        "field '{field}' of '{type}' is new, STRING: \(deploy)",
        .measured,
        seen: "18 fields of twelve apps"
    )
    static let manyToManyAdded = CloudKitRuling(
        "a many-to-many relationship is added, or a relationship becomes many-to-many",
        .accepted,
        "its links are records of 'CDMR', which must be deployed before the app",
        .documented,
        seen: forRecords
    )
    static let toOneRemoved = CloudKitRuling(
        "a to-one relationship is removed, or is none any more",
        .refused,
        "field '{field}' of '{type}' stays; a schema without it is refused",
        .documented,
        seen: forSchemas
    )
    static let manyToManyRemoved = CloudKitRuling(
        "a many-to-many relationship is removed, or is none any more",
        .refused,
        "'CDMR' stays, with the records of its links",
        .documented,
        seen: forSchemas
    )
    static let manyToManyRenamed = CloudKitRuling(
        "a many-to-many relationship is renamed",
        .unknown,
        "records of links hold the names of relationships; whether those of the old name are found is not known",
        .unverified
    )
    static let orderedRelationship = CloudKitRuling(
        "a relationship is ordered now",
        .unsupported,
        "mirroring supports no ordered relationships",
        .documented,
        seen: "\(forModels); CubeTime issue 131"
    )
    static let mandatoryRelationship = CloudKitRuling(
        "a relationship is mandatory now",
        .unsupported,
        "mirroring asks of relationships to be optional",
        .documented,
        seen: forModels
    )
    static let denyRule = CloudKitRuling(
        "the delete rule is Deny now",
        .unsupported,
        "mirroring supports no delete rule Deny",
        .documented,
        seen: forModels
    )
    static let missingInverse = CloudKitRuling(
        "a relationship has no inverse now",
        .unsupported,
        "mirroring asks of relationships to have an inverse",
        .documented,
        seen: forModels
    )

    static let untold = CloudKitRuling(
        "anything else: optionality, defaults, delete rules, indexes, external storage, classes, "
            + "transient properties, to-many relationships with a to-one inverse, cases of composites",
        .noTrace,
        "the schema stays as it is",
        .measured,
        seen: "766 fields of twelve apps"
    )
}
