import Diagnostics

extension Rule {
    /// CloudKit's demands, by ID; those with a check of their own have files beside it.
    static let cloudKit: [Rule] = [
        Rule(
            .named("cloudkit-accepted-change", .cloudKit, .note, by: .schemaStep),
            summary: "Additions of a new schema",
            rationale: "Production accepts new record types and fields."
        ),
        cloudkitAttributeType,
        Rule(
            .named("cloudkit-crossing-relationship", .cloudKit, .error, by: .schema),
            summary: "Relationships stay within the mirrored configuration",
            rationale: """
                The destination's objects would not be in the zone. Core Data allows no relationship between stores; \
                use a fetched property or an identifier.
                """
        ),
        cloudkitDenyRule,
        Rule(
            .named("cloudkit-encrypted-index", .cloudKit, .warning, by: .schema),
            summary: "Encrypted fields have no index",
            rationale: """
                The server cannot read their values, so it can neither search nor sort by them.
                """
        ),
        Rule(
            .named("cloudkit-field-encryption", .cloudKit, .error, by: .schema),
            summary: "A field is encrypted where the model says so, and nowhere else",
            rationale: """
                The encryption of a field cannot change once it is deployed. Undo the change of the model, or give the \
                property another name.
                """
        ),
        Rule(
            .named("cloudkit-field-name", .cloudKit, .error, by: .schema),
            summary: "Each property has its own field, with a name that CloudKit allows",
            rationale: """
                Names are ASCII letters, digits and `_`. A property `entityName` or `moveReceipt`, or `x_ckAsset` \
                beside a string, binary or transformable `x`, has the name of a field that mirroring uses; names that \
                differ only in letter case may be the same to the server. The last two kinds are warnings.
                """
        ),
        Rule(
            .named("cloudkit-field-type", .cloudKit, .error, by: .schema),
            summary: "A field has the type that mirroring writes",
            rationale: """
                Mirroring writes one type for each kind of property: a to-one relationship is a STRING, never a \
                REFERENCE. A deployed field keeps its type permanently, so a wrong one needs a property of another \
                name.
                """
        ),
        cloudkitMandatoryAttribute, cloudkitMandatoryRelationship,
        Rule(
            .named("cloudkit-missing-companion", .cloudKit, .warning, by: .schema),
            summary: "A field of variable length has a companion for large values",
            rationale: """
                A value that is too large for a field goes to the asset beside it, which Production does not create \
                automatically. A schema created by saving small records has none: run `initializeCloudKitSchema` in \
                Development, or import what `momtool cloudkit schema` prints.
                """
        ),
        Rule(
            .named("cloudkit-missing-field", .cloudKit, .error, by: .schema),
            summary: "A mirrored property has a field in the schema",
            rationale: """
                Production creates nothing automatically: a save with a value for the property fails with «Cannot \
                create or modify field». Deploy the schema with the field first.
                """
        ),
        cloudkitMissingInverse,
        Rule(
            .named("cloudkit-missing-receipt", .cloudKit, .warning, by: .schema),
            summary: "A record type has the fields for moving and sharing records",
            rationale: """
                Mirroring records there how a record came into its zone. An app that shares records needs them, so \
                `--sharing` makes this an error.
                """
        ),
        Rule(
            .named("cloudkit-missing-record-type", .cloudKit, .error, by: .schema),
            summary: "A mirrored entity has a record type in the schema",
            rationale: """
                Production creates nothing automatically: the first save of such an object fails with «Cannot create \
                new type». Deploy the schema with the type first.
                """
        ),
        Rule(
            .named("cloudkit-missing-share-type", .cloudKit, .error, by: .schema),
            summary: "The schema of an app that shares records has the record type of shares",
            rationale: """
                `cloudkit.share` appears when the first share is saved in Development; in Production it must exist \
                beforehand. Checked with `--sharing`.
                """
        ),
        cloudkitOrderedRelationship,
        Rule(
            .named("cloudkit-refused-change", .cloudKit, .error, by: .schemaStep),
            summary: "A new schema keeps everything that Production has",
            rationale: """
                Production only grows. A schema that lacks one of its record types or fields, or changes its type or \
                encryption, is refused, and nothing of it is deployed.
                """
        ),
        Rule(
            .named("cloudkit-renamed-item", .cloudKit, .warning, by: .schemaStep),
            summary: "A rename is a new field beside the old one",
            rationale: """
                CloudKit has no renames. The new field begins empty; the old one keeps its values, and older versions \
                of the app still write it.
                """
        ),
        cloudkitSchemaRemoval,
        Rule(
            .named("cloudkit-settings-change", .cloudKit, .note, by: .schemaStep),
            summary: "Changes of indexes",
            rationale: """
                They do not affect values. A field on the server whose line is left out stays but loses its index.
                """
        ),
        Rule(
            .named("cloudkit-sibling-types", .cloudKit, .error, by: .schema),
            summary: "Properties of the same name in a hierarchy share a field",
            rationale: """
                All entities of a hierarchy share the record type of their root, so two properties with the same name \
                share a field, which has one type.
                """
        ),
        Rule(
            .named("cloudkit-surplus", .cloudKit, .note, by: .schema),
            summary: "Record types and fields that the model does not have",
            rationale: """
                This is normal: a production schema keeps what older versions wrote, and record types of the app's \
                own.
                """
        ),
        cloudkitUniqueConstraint,
        Rule(
            .named("cloudkit-unproven", .cloudKit, .note, by: .schema),
            summary: "Parts that no published schema confirms",
            rationale: """
                Apple's text says so, or it follows from known cases; no known schema has an example. Compare it with \
                what `initializeCloudKitSchema` creates for the model before you rely on it.
                """
        ),
        Rule(
            .named("malformed-cloudkit-schema", .cloudKit, .error, by: .schema),
            summary: "A valid CloudKit schema",
            rationale: """
                The text does not begin with `DEFINE SCHEMA`, or part of it is not a role, record type, field or grant \
                of the CloudKit Schema Language. Export the schema again, or correct the line.
                """
        ),
    ]
}
