/// The names that CloudKit and Core Data's mirroring use themselves.
enum SystemNames {
    /// The record type of users: in every export, never made by a model.
    static let users = "Users"
    /// The record type of shares.
    static let share = "cloudkit.share"
    /// The record type that holds the links of all many-to-many relationships.
    static let links = "CDMR"
    /// The prefix of the record types of entities, and of the fields of properties.
    static let prefix = "CD_"
    /// The field that tells sub-entities apart.
    static let entityName = "CD_entityName"
    /// The field that mirroring keeps moves between zones in.
    static let receipt = "CD_moveReceipt"

    /// Returns the name of the field that takes a value that is too large for its own.
    static func companion(of field: String) -> String { field + "_ckAsset" }

    /// Whether the server makes the field itself, in every record type.
    static func isSystemField(_ name: String) -> Bool { name.hasPrefix("___") }

    /// The fields that the server makes in every record type.
    static let fields: [RecordField] = [
        RecordField("___createTime", .single(.timestamp)),
        RecordField("___createdBy", .single(.reference)),
        RecordField("___etag", .single(.string)),
        RecordField("___modTime", .single(.timestamp)),
        RecordField("___modifiedBy", .single(.reference)),
        RecordField("___recordID", .single(.reference)),
    ]
}
