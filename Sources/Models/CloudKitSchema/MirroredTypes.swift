import ObjectModel

/// Returns the type of an attribute's field; `nil` where mirroring knows none.
func mirroredType(of type: AttributeType) -> FieldType.Value? {
    type.row.field.flatMap(FieldType.Value.init)
}

/// Returns the options of a field that a saved record makes in Development: all that its type allows.
func options(of type: FieldType.Value) -> [FieldOption] {
    switch type {
    case .string: [.queryable, .searchable, .sortable]
    case .bytes, .double, .int64, .timestamp: [.queryable, .sortable]
    case .asset, .location, .reference, .number, .numberAsInt64, .numberAsDouble: []
    }
}

/// What no published schema has shown of an attribute, and the evidence for its field all the same.
func doubt(about attribute: Attribute) -> (text: String, evidence: PredictedField.Evidence)? {
    if attribute.derivation != nil { return ("whether a derived attribute has a field", .unknown) }
    switch attribute.type {
    case .float: return ("the field of a Float attribute", .documented)
    case .uri: return ("the field of a URI attribute", .documented)
    case .composite where attribute.userInfo.contains { $0.key == "enum" }:
        return ("the field of an enum without raw values", .documented)
    case .composite where !attribute.source.isOfSwift:
        return ("the field of a composite attribute that is not a SwiftData struct", .documented)
    default: return nil
    }
}
