import struct Essentials.Data
import struct Essentials.UUID
import ModelLanguage
package import ObjectModel
import PropertyLists

extension ModelArchiver {
    mutating func defaultValue(_ value: AttributeValue?) -> Reference {
        switch value {
        case nil: .null
        case .integer(let number): plain(.integer(number))
        case .double(let number): real(.real64(number))
        case .float(let number): real(.real32(number))
        case .string(let text): plain(.string(text))
        case .boolean(let flag): plain(.boolean(flag))
        case .binary(let bytes): plain(.data(bytes))
        case .date(let seconds): add(.date, ["NS.time": .plain(.real64(seconds))])
        case .uuid(let uuid):
            add(.uuid, ["NS.uuidbytes": .plain(.data(withUnsafeBytes(of: uuid.uuid) { Data($0) }))])
        case .uri(let text): add(.url, ["NS.base": .null, "NS.relative": string(text)])
        case .decimal(let number): decimal(number)
        }
    }

    /// Adds a real number; not shared by value, because zeros of either sign are equal.
    private mutating func real(_ value: PropertyList) -> Reference { archive.add(.plain(value)) }

    /// Adds a decimal number as `NSDecimal` in memory: the mantissa in 16-bit words, least first.
    package mutating func decimal(_ number: DecimalValue) -> Reference {
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number.mantissa >> UInt128(8 * $0)) }
        let bits = 128 - number.mantissa.leadingZeroBitCount
        return add(
            .decimal,
            [
                "NS.mantissa": .plain(.data(Data(bytes))), "NS.mantissa.bo": .integer(1),
                "NS.length": .integer(Int64((bits + 15) / 16)),
                "NS.exponent": .integer(Int64(number.exponent)),
                "NS.negative": .boolean(number.isNegative),
                "NS.compact": .boolean(false),
            ]
        )
    }

    /// A limit as a predicate, with the number of the error for breaking it.
    struct ArchivedLimit {
        var predicate: Reference
        var warning: Int64
    }

    /// Adds the limits of an attribute in Apple's order: least, greatest, pattern.
    ///
    /// The error numbers are those of `CoreDataErrors.h`.
    mutating func addValidation(of attribute: Attribute, _ owner: Owner) -> [ArchivedLimit] {
        guard !attribute.validation.isEmpty else { return [] }
        let codes: (minimum: Int64, maximum: Int64) =
            switch attribute.type {
            case .string: (1670, 1660)
            case .date: (1640, 1630)
            default: (1620, 1610)
            }
        var limits: [ArchivedLimit] = []
        if let minimum = attribute.validation.minimum {
            let predicate = limit(minimum, .greaterThanOrEqual, of: attribute, owner)
            limits.append(ArchivedLimit(predicate: predicate, warning: codes.minimum))
        }
        if let maximum = attribute.validation.maximum {
            let predicate = limit(maximum, .lessThanOrEqual, of: attribute, owner)
            limits.append(ArchivedLimit(predicate: predicate, warning: codes.maximum))
        }
        if let pattern = attribute.validation.regularExpression {
            let comparison = PredicateComparison(
                .evaluatedObject,
                .matches,
                .constant(.string(pattern))
            )
            let predicate = self.predicate(.comparison(comparison), owner)
            limits.append(ArchivedLimit(predicate: predicate, warning: 1680))
        }
        return limits
    }

    private mutating func limit(
        _ value: AttributeValue,
        _ comparison: PredicateComparison.Operator,
        of attribute: Attribute,
        _ owner: Owner
    ) -> Reference {
        let left: PredicateExpression
        let constant: Reference
        switch (attribute.type, value) {
        case (.string, _):
            left = .keyPath("length")
            constant = defaultValue(value)
        case (_, .date(let seconds)):
            left = .keyPath("timeIntervalSinceReferenceDate")
            constant = plain(.real64(seconds))
        default:
            left = .evaluatedObject
            constant = defaultValue(value)
        }
        let right = node(.constantExpression, 0, ["NSConstantValue": .reference(constant)])
        return addComparison(
            left: expression(left, owner),
            right: right,
            PredicateComparison(left, comparison, .constant(.null)),
            owner
        )
    }
}
