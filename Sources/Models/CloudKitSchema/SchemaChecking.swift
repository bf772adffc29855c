package import Diagnostics
import ObjectModel

/// Checks a schema against the one that mirroring needs: saves in Production fail on missing parts.
///
/// The findings are at the locations of the model's attributes, in its order, then those about the schema alone, whose
/// text is at `path`. Diagnostics of the prediction are not repeated. `isShared` says whether the app shares records.
package func checkSchema(
    _ schema: RecordSchema,
    path: String,
    against prediction: SchemaPrediction,
    isShared: Bool = false
) -> [Diagnostic] {
    var checker = SchemaChecker(path: path, isShared: isShared)
    let types = Dictionary(firstOf: schema.recordTypes.map { ($0.name, $0) })
    for type in prediction.recordTypes { checker.check(type, types[type.name]) }
    if isShared, types[SystemNames.share] == nil {
        checker.diagnostics.report(
            "cloudkit-missing-share-type",
            "the schema has no record type '\(SystemNames.share)': no record can be shared",
            at: FileLocation(path: path)
        )
    }
    checker.checkSurplus(schema, prediction)
    return checker.diagnostics
}

private struct SchemaChecker {
    let path: String
    let isShared: Bool
    var diagnostics: [Diagnostic] = []

    mutating func check(_ expected: PredictedRecordType, _ type: RecordType?) {
        guard let type else {
            let element = expected.entity ?? expected.name
            diagnostics.report(
                "cloudkit-missing-record-type",
                "the schema has no record type '\(expected.name)': no object of"
                    + " '\(element)' can be exported",
                at: expected.source.element,
                element: expected.entity,
                notes: [Diagnostic.Note("the schema", at: FileLocation(path: path))]
            )
            return
        }
        let fields = Dictionary(firstOf: type.fields.map { ($0.name, $0) })
        for field in expected.fields {
            if let found = fields[field.field.name] {
                compare(field, found)
            } else {
                reportMissing(field, in: type, hasBase: { fields[$0] != nil })
            }
        }
    }

    private mutating func compare(_ expected: PredictedField, _ found: RecordField) {
        let note = found.source.element.map { Diagnostic.Note("the field is here", at: $0) }
        let notes = [note].compactMap(\.self)
        guard expected.field.type == found.type else {
            if expected.evidence == .unknown { return }
            let isNumber = expected.field.type.isNumber && found.type.isNumber
            let message =
                isNumber
                ? "no published schema confirms '\(found.name)' as \(found.typeText)"
                : "'\(found.name)' is \(found.typeText) in the schema, but mirroring writes"
                    + " \(expected.field.typeText)"
            report(
                isNumber ? .unproven : "cloudkit-field-type",
                isNumber ? .note : .error,
                message,
                expected,
                notes
            )
            return
        }
        guard expected.field.isEncrypted != found.isEncrypted, expected.evidence != .unknown else {
            return
        }
        let message =
            found.isEncrypted
            ? "'\(found.name)' is encrypted in the schema, but not in the model"
            : "'\(found.name)' is encrypted in the model, but not in the schema; a deployed field"
                + " cannot change"
        report("cloudkit-field-encryption", .error, message, expected, notes)
    }

    private mutating func reportMissing(
        _ field: PredictedField,
        in type: RecordType,
        hasBase: (String) -> Bool
    ) {
        guard field.evidence != .unknown else { return }
        let name = field.field.name
        let place = "'\(type.name)' has no field '\(name)'"
        let note = type.source.element.map { Diagnostic.Note("the record type is here", at: $0) }
        let notes = [note].compactMap(\.self)
        switch field.role {
        case .entityName, .property, .link:
            let message = "\(place), \(field.field.typeText): objects with it cannot be exported"
            report("cloudkit-missing-field", .error, message, field, notes)
        case .receipt:
            let message = "\(place): no record of it can be shared or moved"
            report("cloudkit-missing-receipt", isShared ? .error : .warning, message, field, notes)
        case .companion(of: let base):
            // The missing field itself is already reported.
            guard hasBase(base) else { return }
            let message = "\(place): a large value of '\(base)' cannot be exported"
            report("cloudkit-missing-companion", .warning, message, field, notes)
        }
    }

    /// Notes what the model does not have, which is normal: fields stay when their properties are removed.
    mutating func checkSurplus(_ schema: RecordSchema, _ prediction: SchemaPrediction) {
        let expected = Dictionary(firstOf: prediction.recordTypes.map { ($0.name, $0) })
        for type in schema.recordTypes {
            for field in type.fields where field.isEncrypted && !field.options.isEmpty {
                let message = "'\(field.name)' is encrypted, so it cannot have an index"
                note(
                    "cloudkit-encrypted-index",
                    .warning,
                    message,
                    field.source,
                    "\(type.name).\(field.name)"
                )
            }
            guard type.name != SystemNames.users, type.name != SystemNames.share else { continue }
            guard let expected = expected[type.name] else {
                note(
                    .surplusItem,
                    .note,
                    "no entity has the record type '\(type.name)'",
                    type.source,
                    type.name
                )
                continue
            }
            let names = Set(expected.fields.map(\.field.name))
            for field in type.fields
            where !names.contains(field.name) && !SystemNames.isSystemField(field.name) {
                let message = "no property has the field '\(field.name)' of '\(type.name)'"
                note(.surplusItem, .note, message, field.source, "\(type.name).\(field.name)")
            }
        }
    }

    private mutating func report(
        _ rule: RuleID,
        _ severity: Severity,
        _ message: String,
        _ field: PredictedField,
        _ notes: [Diagnostic.Note]
    ) {
        diagnostics.report(
            rule,
            message,
            severity: severity,
            at: field.source.element,
            element: field.element,
            notes: notes
        )
    }

    private mutating func note(
        _ rule: RuleID,
        _ severity: Severity,
        _ message: String,
        _ source: SourceMark,
        _ element: String
    ) {
        diagnostics.append(
            Diagnostic(rule, message, severity: severity, at: source.element, element: element)
        )
    }
}

extension FieldType {
    fileprivate var isNumber: Bool {
        switch self {
        case .single(let value): value == .int64 || value == .double || value.isNumber
        case .list: false
        }
    }
}
