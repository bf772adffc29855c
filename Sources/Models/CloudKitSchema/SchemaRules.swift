package import Diagnostics

extension RuleID {
    /// A text that is not a CloudKit schema, or violates its grammar.
    package static let malformedSchema: RuleID = "malformed-cloudkit-schema"
    static let duplicateName: RuleID = "duplicate-name"

    package static let missingRecordType: RuleID = "cloudkit-missing-record-type"
    package static let missingField: RuleID = "cloudkit-missing-field"
    /// A field of another type than mirroring writes.
    package static let fieldType: RuleID = "cloudkit-field-type"
    package static let fieldEncryption: RuleID = "cloudkit-field-encryption"
    /// A field without its companion for large values.
    package static let missingCompanion: RuleID = "cloudkit-missing-companion"
    /// A record type without the fields that sharing moves records by.
    package static let missingReceipt: RuleID = "cloudkit-missing-receipt"
    /// A schema without the record type of shares.
    package static let missingShareType: RuleID = "cloudkit-missing-share-type"
    /// A record type or field that nothing in the model makes.
    package static let surplusItem: RuleID = "cloudkit-surplus"
    /// A name that CloudKit does not allow, or that two items of a schema would share.
    package static let fieldName: RuleID = "cloudkit-field-name"
    /// Two sub-entities with a property of one name that would need two fields.
    package static let siblingTypes: RuleID = "cloudkit-sibling-types"
    /// A property of a type that mirroring does not know.
    package static let unsupportedProperty: RuleID = "cloudkit-attribute-type"
    /// A relationship from a mirrored entity to one that is not.
    package static let crossingRelationship: RuleID = "cloudkit-crossing-relationship"
    /// Something whose record types or fields no published schema has shown.
    package static let unproven: RuleID = "cloudkit-unproven"
    package static let encryptedIndex: RuleID = "cloudkit-encrypted-index"

    /// A change that a production schema refuses.
    package static let refusedChange: RuleID = "cloudkit-refused-change"
    /// A rename, which is a new field or record type beside the old one.
    package static let renamedItem: RuleID = "cloudkit-renamed-item"
    /// A change that a production schema accepts.
    package static let acceptedChange: RuleID = "cloudkit-accepted-change"
    package static let settingsChange: RuleID = "cloudkit-settings-change"
}
