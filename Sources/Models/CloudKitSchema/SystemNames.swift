/// The names that CloudKit and Core Data's mirroring reserve.
enum SystemNames {
    /// The record type of users: in every export, never made by a model.
    static let users = "Users"
    static let share = "cloudkit.share"
    static let links = "CDMR"
    /// The prefix of the record types of entities, and of the fields of properties.
    static let prefix = "CD_"
    /// The field that distinguishes sub-entities.
    static let entityName = "CD_entityName"
    /// The field in which mirroring records moves between zones.
    static let receipt = "CD_moveReceipt"

    /// Returns the name of the field for values that are too large for their own.
    static func companion(of field: String) -> String { field + "_ckAsset" }

    /// Whether the server makes the field itself, in every record type.
    static func isSystemField(_ name: String) -> Bool { name.hasPrefix("___") }

    static let fields: [RecordField] = [
        RecordField("___createTime", .single(.timestamp)),
        RecordField("___createdBy", .single(.reference)), RecordField("___etag", .single(.string)),
        RecordField("___modTime", .single(.timestamp)),
        RecordField("___modifiedBy", .single(.reference)),
        RecordField("___recordID", .single(.reference)),
    ]
}
