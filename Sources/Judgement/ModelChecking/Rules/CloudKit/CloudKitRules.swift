extension Rule {
    /// CloudKit's demands, by ID; those with a check of their own have files beside it.
    static let cloudKit: [Rule] = table(
        .cloudKit,
        """
        cloudkit-accepted-change (note, schemaStep): Additions of a new schema
          Production accepts new record types and fields.
        cloudkit-attribute-type
        cloudkit-crossing-relationship (error, schema): Relationships stay within the mirrored configuration
          The destination's objects would not be in the zone. Core Data allows no relationship between stores; use a
          fetched property or an identifier.
        cloudkit-deny-rule
        cloudkit-encrypted-index (warning, schema): Encrypted fields have no index
          The server cannot read their values, so it can neither search nor sort by them.
        cloudkit-entity-renamed (error, planning): Entities in CloudKit keep their names
          "CloudKit integration forbids renaming 'Old' to 'New'": Core Data refuses it.
        cloudkit-field-encryption (error, schema): A field is encrypted where the model says so, and nowhere else
          The encryption of a field cannot change once it is deployed. Undo the change of the model, or give the
          property another name.
        cloudkit-field-name (error, schema): Each property has its own field, with a name that CloudKit allows
          Names are ASCII letters, digits and `_`. A property `entityName` or `moveReceipt`, or `x_ckAsset` beside a
          string, binary or transformable `x`, has the name of a field that mirroring uses; names that differ only
          in letter case may be the same to the server. The last two kinds are warnings.
        cloudkit-field-type (error, schema): A field has the type that mirroring writes
          Mirroring writes one type for each kind of property: a to-one relationship is a STRING, never a REFERENCE.
          A deployed field keeps its type permanently, so a wrong one needs a property of another name.
        cloudkit-mandatory-attribute
        cloudkit-mandatory-relationship
        cloudkit-missing-companion (warning, schema): A field of variable length has a companion for large values
          A value that is too large for a field goes to the asset beside it, which Production does not create
          automatically. A schema created by saving small records has none: run `initializeCloudKitSchema` in
          Development, or import what `momtool cloudkit schema` prints.
        cloudkit-missing-field (error, schema): A mirrored property has a field in the schema
          Production creates nothing automatically: a save with a value for the property fails with «Cannot create
          or modify field». Deploy the schema with the field first.
        cloudkit-missing-inverse
        cloudkit-missing-receipt (warning, schema): A record type has the fields for moving and sharing records
          Mirroring records there how a record came into its zone. An app that shares records needs them, so
          `--sharing` makes this an error.
        cloudkit-missing-record-type (error, schema): A mirrored entity has a record type in the schema
          Production creates nothing automatically: the first save of such an object fails with «Cannot create new
          type». Deploy the schema with the type first.
        cloudkit-missing-share-type (error, schema): The schema of an app that shares records has the record type of shares
          `cloudkit.share` appears when the first share is saved in Development; in Production it must exist
          beforehand. Checked with `--sharing`.
        cloudkit-ordered-relationship
        cloudkit-refused-change (error, schemaStep): A new schema keeps everything that Production has
          Production only grows. A schema that lacks one of its record types or fields, or changes its type or
          encryption, is refused, and nothing of it is deployed.
        cloudkit-renamed-item (warning, schemaStep): A rename is a new field beside the old one
          CloudKit has no renames. The new field begins empty; the old one keeps its values, and older versions of
          the app still write it.
        cloudkit-schema-removal
        cloudkit-settings-change (note, schemaStep): Changes of indexes
          They do not affect values. A field on the server whose line is left out stays but loses its index.
        cloudkit-sibling-types (error, schema): Properties of the same name in a hierarchy share a field
          All entities of a hierarchy share the record type of their root, so two properties with the same name
          share a field, which has one type.
        cloudkit-surplus (note, schema): Record types and fields that the model does not have
          This is normal: a production schema keeps what older versions wrote, and record types of the app's own.
        cloudkit-unique-constraint
        cloudkit-unproven (note, schema): Parts that no published schema confirms
          Apple's text says so, or it follows from known cases; no known schema has an example. Compare it with what
          `initializeCloudKitSchema` creates for the model before you rely on it.
        malformed-cloudkit-schema (error, schema): A valid CloudKit schema
          The text does not begin with `DEFINE SCHEMA`, or part of it is not a role, record type, field or grant of
          the CloudKit Schema Language. Export the schema again, or correct the line.
        """,
        with: [
            cloudkitAttributeType, cloudkitDenyRule, cloudkitMandatoryAttribute,
            cloudkitMandatoryRelationship, cloudkitMissingInverse, cloudkitOrderedRelationship,
            cloudkitSchemaRemoval, cloudkitUniqueConstraint,
        ]
    )
}
