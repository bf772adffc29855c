import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension CheckedValue {
    var name: String { "\(property)" }

    /// Writes a plain value in the form in which the attribute stores it.
    func write(_ value: String, where condition: String, _ what: String) -> RowChange {
        let stored = value == "NULL" ? value : ExternalForm.stored(value, as: attribute)
        return .write(table: table, column: column, value: stored, where: condition, what: what)
    }
}

extension RepairScan {
    /// Gives required attributes missing values, and converts or replaces those of another type, as the options allow.
    mutating func scanValues() throws(StoreError) {
        for entity in model.entities {
            for attribute in entity.attributes where !attribute.isTransient {
                guard let value = checkedValue(of: attribute, in: entity.name) else { continue }
                try scanMissing(value)
                try scanTypes(of: value)
            }
        }
    }

    private mutating func scanMissing(_ values: CheckedValue) throws(StoreError) {
        guard !values.attribute.isOptional else { return }
        guard let rows = try someRows(values.table, where: values.isMissing) else { return }
        let entity = values.property.entity
        if let derivation = values.attribute.derivation {
            // It has no value where what it is computed from has none.
            let value = try? DerivedAttribute(values.property, derivation, graph)
                .value(ofRow: "t", layout)
            let filled = try? value.map {
                try count(values.table, where: "\(values.isMissing) AND (\($0)) NOT NULL")
            }
            guard filled != 0, let change = self.derivation(of: values.attribute, entity)
            else { return }
            return add(change)
        }
        guard let given = options.values[values.name] else {
            let list = try examples(values.table, values.isMissing)
            return refuse(
                "'\(values.name)' is required, and \(rows.counted("row"))\(list)"
                    + " \(rows == 1 ? "has" : "have") no value",
                "give one value for all of them: \(.advice(.nameValue(of: values.name)))\(hint(values.attribute))",
                FindingKind(.missingValue, entity, values.property.name)
            )
        }
        let what = "give \(rows.counted("row")) of '\(values.name)' the value \(given.words)"
        add(values.write(given.sqlLiteral, where: values.isMissing, what))
    }

    private func hint(_ attribute: Attribute) -> String {
        attribute.defaultValue.map { "; the default of the model is \($0.words)" }
            ?? dateForm(of: attribute)
    }

    /// How a date is written; empty for other types.
    private func dateForm(of attribute: Attribute) -> String {
        attribute.type == .date ? ", a date such as 2024-02-29T12:30:00Z" : ""
    }

    private mutating func scanTypes(of values: CheckedValue) throws(StoreError) {
        guard let (form, wrong) = values.isOfOtherType else { return }
        guard let rows = try someRows(values.table, where: wrong) else { return }
        let conversion = values.attribute.type.lossless(values.value)
        let fitting =
            try conversion.map { conversion throws(StoreError) in
                try count(values.table, where: "\(wrong) AND \(conversion.condition)")
            } ?? 0
        let isConverting = options.decisions.contains(.convertValues)
        if isConverting, let conversion, fitting > 0 {
            let what = "convert \(fitting.counted("value")) of '\(values.name)' to \(form)"
            add(values.write(conversion.value, where: "\(wrong) AND \(conversion.condition)", what))
            return
        }
        let given = options.values[values.name]
        // A required value never becomes nil, regardless of the options.
        let mayBeNil = values.attribute.isOptional
        let decision: Advice =
            mayBeNil ? .clearValues(of: values.name) : .nameValue(of: values.name)
        guard given != nil || mayBeNil && options.decisions.contains(decision) else {
            let list = try examples(values.table, wrong)
            let convert: Wording =
                fitting == 0 || isConverting
                ? ""
                : "convert \(fitting == rows ? "them" : "\(fitting) of them") with \(.advice(.convertValues)), or "
            let rest = convert.advice.isEmpty || fitting == rows ? "them" : "the rest"
            let clear: Wording = mayBeNil ? "make \(rest) nil with \(.advice(decision)), or " : ""
            return refuse(
                "\(rows.counted("value")) of '\(values.name)'\(list) \(rows == 1 ? "is" : "are") not of type \(form)",
                """
                \(convert)\(clear)replace \(rest) with \(.advice(.nameValue(of: values.name)))\
                \(dateForm(of: values.attribute))
                """,
                advice: convert.advice + (fitting == rows ? [] : [decision]),
                [FindingKind(.wrongType, values.property.entity, values.property.name)]
            )
        }
        let which =
            "\(rows.counted("value")) of '\(values.name)' that \(rows == 1 ? "is" : "are") not of type \(form)"
        let change =
            given.map {
                values.write($0.sqlLiteral, where: wrong, "replace \(which) by \($0.words)")
            } ?? values.write("NULL", where: wrong, "make \(which) nil")
        steps.append(StoreRepair.Step(change: .rows(change), lost: rows.counted("value")))
    }
}

extension AttributeType {
    /// A lossless conversion of a value of another type, and the condition under which it is lossless.
    fileprivate func lossless(_ value: String) -> (value: String, condition: String)? {
        let (integer, real) = ("CAST(\(value) AS INTEGER)", "CAST(\(value) AS NUMERIC)")
        let isText = "typeof(\(value)) = 'text'"
        let date = "\(ValueFitting.exactDate)(\(value))"
        func within(_ range: String) -> (value: String, condition: String) {
            let isWhole =
                "(\(isText) AND CAST(\(integer) AS TEXT) = \(value) OR "
                + "typeof(\(value)) = 'real' AND \(integer) = \(value))"
            return (integer, "\(isWhole) AND \(integer) \(range)")
        }
        let (least, most) = (integers.lowerBound, integers.upperBound)
        return switch values {
        case .boolean: within("IN (0, 1)")
        // SQLite reads greater numbers as floating-point ones, which lose digits.
        case .integer: within("BETWEEN \(max(least, -1 << 53)) AND \(min(most, 1 << 53))")
        case .double, .float, .decimal: (real, "\(isText) AND CAST(\(real) AS TEXT) = \(value)")
        case .date:
            (
                "COALESCE(\(date), \(real))",
                "\(isText) AND (\(date) NOT NULL OR CAST(\(real) AS TEXT) = \(value))"
            )
        // SQLite's own text of a number has 15 digits.
        case .string, .uri:
            (
                ValueFitting(type: .string, isCast: true).sql(of: value),
                "typeof(\(value)) IN ('integer', 'real')"
            )
        case .binary: ("CAST(\(value) AS BLOB)", isText)
        case .uuid, .transformable, .undefined, .objectID, .composite: nil
        }
    }
}
