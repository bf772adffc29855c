import Essentials
import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// A value in the form of an attribute type, and whether it is still the same value.
///
/// The only conversion of what expressions give; inference converts alike in SQL (`AttributeConversion`).
struct FittedValue: Equatable {
    var value: SQLiteValue
    var isWhole: Bool

    /// A value without any form in the type.
    static let none = FittedValue(value: .null, isWhole: false)

    static func whole(_ value: SQLiteValue) -> FittedValue {
        FittedValue(value: value, isWhole: true)
    }
}

/// Brings values into the form of a type.
///
/// Numbers that do not fit become the nearest that does; other values outside the type become NULL.
struct ValueFitting: Hashable {
    var type: AttributeType
    /// Its present type, if known.
    var origin: AttributeType?
    /// Whether this is an explicit cast, which reads texts.
    var isCast = false

    func fit(_ value: SQLiteValue) -> FittedValue {
        switch value {
        case .null: .whole(.null)
        case .integer(let number): fit(integer: number)
        case .real(let number): fit(real: number)
        case .text(let text): fit(text: text)
        case .blob(let data): fit(data: data)
        }
    }

    private func fit(integer number: Int64) -> FittedValue {
        switch type.values {
        case .boolean:
            return FittedValue(value: .integer(number == 0 ? 0 : 1), isWhole: 0...1 ~= number)
        case .integer:
            let fitted = max(type.integers.lowerBound, min(type.integers.upperBound, number))
            return FittedValue(value: .integer(fitted), isWhole: fitted == number)
        case .double:
            let real = Double(number)
            return FittedValue(value: .real(real), isWhole: Int64(exactly: real) == number)
        case .float:
            let real = Double(Float(number))
            return FittedValue(value: .real(real), isWhole: Int64(exactly: real) == number)
        case .decimal: return .whole(.integer(number))
        case .date:
            guard isCast || origin == nil else { return .none }
            let real = Double(number)
            return FittedValue(value: .real(real), isWhole: Int64(exactly: real) == number)
        case .string: return isCast ? text(of: .integer(number)) : .none
        case .undefined: return .whole(.integer(number))
        case .binary, .uuid, .uri, .transformable, .objectID, .composite: return .none
        }
    }

    private func fit(real number: Double) -> FittedValue {
        switch type.values {
        case .boolean:
            let isWhole = number == 0 || number == 1
            return FittedValue(value: .integer(number == 0 ? 0 : 1), isWhole: isWhole)
        case .integer:
            guard let whole = Int64(exactly: number.rounded(.towardZero)) else {
                let end = number < 0 ? type.integers.lowerBound : type.integers.upperBound
                return FittedValue(value: .integer(end), isWhole: false)
            }
            var fitted = fit(integer: whole)
            fitted.isWhole = fitted.isWhole && Double(whole) == number
            return fitted
        case .float:
            guard number.isFinite else { return .whole(.real(number)) }
            var float = Float(number)
            if !float.isFinite {
                float = number < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
            }
            return FittedValue(value: .real(Double(float)), isWhole: Double(float) == number)
        case .double, .undefined: return .whole(.real(number))
        case .decimal: return DecimalValue.holds(number) ? .whole(.real(number)) : .none
        case .date:
            return number.isFinite && (isCast || origin == nil) ? .whole(.real(number)) : .none
        case .string: return isCast ? text(of: .real(number)) : .none
        case .binary, .uuid, .uri, .transformable, .objectID, .composite: return .none
        }
    }

    private func fit(text: String) -> FittedValue {
        switch type.values {
        case .string, .uri, .undefined: return .whole(.text(text))
        // A decimal that is not a number is stored as this text.
        case .decimal where text == "NaN": return .whole(.text(text))
        case _ where !isCast: return .none
        case .boolean:
            if let word = Self.truths[text.lowercased()] { return .whole(.integer(word)) }
            return number(in: text)
        case .integer, .double, .float, .decimal: return number(in: text)
        case .date: return StoredDate.seconds(typed: text).map { .whole(.real($0)) } ?? .none
        case .uuid: return UUID(uuidString: text).map { .whole(.blob($0.bytes)) } ?? .none
        case .binary: return .whole(.blob(Data(text.utf8)))
        case .transformable, .objectID, .composite: return .none
        }
    }

    private func fit(data: Data) -> FittedValue {
        switch type.values {
        case .binary, .undefined: return .whole(.blob(data))
        case .transformable:
            return origin == nil || origin == .transformable ? .whole(.blob(data)) : .none
        case .uuid: return data.count == 16 ? .whole(.blob(data)) : .none
        case .string where isCast: return self.text(of: .blob(data))
        case .boolean, .integer, .double, .float, .decimal, .date, .string, .uri, .objectID,
            .composite:
            return .none
        }
    }

    /// The number of a whole text, except for white space around it.
    private func number(in text: String) -> FittedValue {
        let digits = text.trimmed(where: \.isWhitespace)
        guard let first = digits.utf8.first(where: { $0 != 43 && $0 != 45 }),
            48...57 ~= first || first == 46, !digits.utf8.contains(where: { $0 == 120 || $0 == 88 })
        else { return .none }
        if let integer = Int64(digits) { return fit(integer: integer) }
        guard let real = Double(digits), real.isFinite else { return .none }
        var fitted = fit(real: real)
        if type == .double || type == .decimal, digits.utf8.count > Self.exactDigits,
            let decimal = DecimalValue(String(digits))
        {
            fitted.isWhole = fitted.isWhole && decimal.isSame(as: DecimalValue(real.description))
        }
        // A text's number is decimal; other digits in the nearest Float are not a loss.
        guard type == .float else { return fitted }
        return FittedValue(
            value: fitted.value,
            isWhole: abs(real) <= Double(Float.greatestFiniteMagnitude)
        )
    }

    private func text(of value: SQLiteValue) -> FittedValue {
        switch (value, origin) {
        case (.integer(let seconds), .date?): return date(Double(seconds))
        case (.real(let seconds), .date?): return date(seconds)
        case (.integer(let number), _): return .whole(.text(String(number)))
        case (.real(let number), _): return .whole(.text(number.description))
        case (.blob(let data), .uuid?): return uuidText(data).map { .whole(.text($0)) } ?? .none
        case (.blob(let data), _):
            return String(validating: data, as: UTF8.self).map { .whole(.text($0)) } ?? .none
        case (.text, _), (.null, _): return .whole(value)
        }
    }

    private func date(_ seconds: Double) -> FittedValue {
        StoredDate.text(of: seconds).map { .whole(.text($0)) } ?? .none
    }

    /// The nearest Double always has this many exact digits.
    private static let exactDigits = 15

    private static let truths: [String: Int64] = ["true": 1, "yes": 1, "false": 0, "no": 0]

    func sql(of value: String) -> String { call(isCast ? Self.cast : Self.fit, value) }

    func misfit(of value: String) -> String { call(isCast ? Self.castMisfit : Self.misfit, value) }

    private func call(_ function: String, _ value: String) -> String {
        let names = [type.sourceName, origin?.sourceName].map { quotedText($0 ?? "") }
        return "\(function)(\(value), \(names[0]), \(names[1]))"
    }

    private static let fit = "momtool_fit"
    private static let misfit = "momtool_misfit"
    private static let cast = "momtool_cast"
    private static let castMisfit = "momtool_cast_misfit"
    /// The function that gives the seconds of a text in ISO 8601, as rows are read; NULL for a more precise text.
    static let exactDate = "momtool_exact_date"

    static func register(on connection: SQLiteConnection) throws(StoreError) {
        @Sendable func fitted(_ values: [SQLiteValue], isCast: Bool) -> FittedValue {
            guard let type = AttributeType(sourceName: values[1].text ?? "") else { return .none }
            let fitting = ValueFitting(
                type: type,
                origin: AttributeType(sourceName: values[2].text ?? ""),
                isCast: isCast
            )
            return fitting.fit(values[0])
        }
        for (name, isCast) in [(fit, false), (cast, true)] {
            try connection.register(name, arguments: 3) { fitted($0, isCast: isCast).value }
        }
        try connection.register(exactDate, arguments: 1) { values in
            values[0].text.flatMap(StoredDate.exactSeconds).map { .real($0) } ?? .null
        }
        for (name, isCast) in [(misfit, false), (castMisfit, true)] {
            try connection.register(name, arguments: 3) {
                .integer(fitted($0, isCast: isCast).isWhole ? 0 : 1)
            }
        }
    }
}

extension String {
    fileprivate func trimmed(where isLeftOut: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return rest.drop(while: isLeftOut)
    }
}

extension DecimalValue {
    /// Whether both numbers have the same value, regardless of trailing zeros.
    fileprivate func isSame(as other: DecimalValue?) -> Bool {
        guard let other else { return false }
        return parts == other.parts
    }

    private var parts: [String] {
        var (digits, power) = (mantissa, Int(exponent))
        while digits != 0, digits % 10 == 0 { (digits, power) = (digits / 10, power + 1) }
        return ["\(isNegative)", "\(digits)", digits == 0 ? "0" : "\(power)"]
    }
}

extension AttributeConversion {
    /// Whether a value of the old type is stored differently as one of the new type.
    var changesForm: Bool { sql(of: "") != "" }

    /// The converted value of a column; the column itself when the value stays as it is.
    ///
    /// What does not fit becomes the nearest value of the new type: Core Data's own choice is not on record.
    func sql(of column: String) -> String {
        switch self {
        case .none, .uriToString, .incompatible: column
        case .externalStorage(isAllowed: true): "\(ExternalForm.adding)(\(column))"
        case .externalStorage(isAllowed: false): "\(ExternalForm.removing)(\(column))"
        case .unverified: fitting?.sql(of: column) ?? column
        case .numeric(let from, let to):
            switch to.values {
            case .boolean: "\(column) <> 0"
            case .integer: integer(column, from, to)
            case .float where [.integer32, .integer64, .double].contains(from): float(column)
            default: column
            }
        }
    }

    /// The condition for values which the new type cannot hold; `nil` when there are none.
    func misfit(of column: String) -> String? {
        if let fitting { return fitting.misfit(of: column) }
        guard case .numeric(_, let to) = self, isNarrowing else { return nil }
        return switch to.values {
        case .boolean: "\(column) NOT IN (0, 1)"
        case .integer where to == .integer64: "\(column) <> CAST(\(column) AS INTEGER)"
        case .integer: "(NOT \(to.within(column)) OR \(column) <> CAST(\(column) AS INTEGER))"
        case .double: "CAST(\(column) AS REAL) <> \(column)"
        case .float: "\(float(column)) <> \(column)"
        default: nil
        }
    }

    /// The conversion by momtool's own functions, for maps that convert Decimals from or into other numbers.
    var fitting: ValueFitting? {
        guard case .unverified(let from, let to) = self else { return nil }
        return ValueFitting(type: to, origin: from)
    }

    private func integer(_ column: String, _ from: AttributeType, _ to: AttributeType) -> String {
        let whole = from.isInteger || from == .boolean ? column : "CAST(\(column) AS INTEGER)"
        guard to != .integer64, isNarrowing else { return whole }
        return "max(\(to.integers.lowerBound), min(\(to.integers.upperBound), \(whole)))"
    }

    /// The nearest number of 24 bits, by Veltkamp's splitting: SQLite's only floating type is Double.
    private func float(_ column: String) -> String {
        let greatest = "3.4028234663852886e38"
        // A number whose last place is that of the smallest Float, so that a sum with it rounds there: 1.5 · 2⁻⁹⁷.
        let rounding = "(1.5 / (4294967296.0 * 4294967296.0 * 4294967296.0 * 2.0))"
        let size = "abs(CAST(\(column) AS REAL))"
        return "CASE WHEN \(size) = 9e999 THEN \(column) "
            + "WHEN \(column) > \(greatest) THEN \(greatest) "
            + "WHEN \(column) < -\(greatest) THEN -\(greatest) "
            + "WHEN \(size) < 1.1754943508222875e-38 "
            + "THEN CAST(\(column) AS REAL) + \(rounding) - \(rounding) "
            + "ELSE \(column) * 536870913.0 - (\(column) * 536870913.0 - \(column)) END"
    }
}
