import struct Essentials.Data
import struct Essentials.UUID
import ModelLanguage
import ObjectModel
import PropertyLists

extension ArchiveReader {
    /// Returns the value of an attribute of a type; `nil` for other objects.
    func attributeValue(_ reference: Reference, of type: AttributeType) -> AttributeValue? {
        switch archive[reference] {
        case .plain(let value): attributeValue(value, of: type)
        case .instance(let instance): attributeValue(instance, at: reference, of: type)
        case .null, .classRecord: nil
        }
    }

    private func attributeValue(_ value: PropertyList, of type: AttributeType) -> AttributeValue? {
        switch (value, type.values) {
        case (.integer(let number), .boolean):
            number == 0 || number == 1 ? .boolean(number == 1) : nil
        case (.integer(let number), .double): .double(Double(number))
        case (.integer(let number), .float): .float(Float(number))
        case (.integer(let number), .decimal): DecimalValue(String(number)).map { .decimal($0) }
        case (.integer(let number), _): .integer(number)
        case (.real64(let number), .float): .float(Float(number))
        case (.real64(let number), .decimal): DecimalValue("\(number)").map { .decimal($0) }
        case (.real64(let number), _): .double(number)
        case (.real32(let number), .double): .double(Double(number))
        case (.real32(let number), _): .float(number)
        case (.boolean(let flag), .integer): .integer(flag ? 1 : 0)
        case (.boolean(let flag), _): .boolean(flag)
        case (.string(let text), .uri): .uri(text)
        case (.string(let text), _): .string(text)
        case (.data(let bytes), _): .binary(bytes)
        case (.date(let seconds), _): .date(seconds)
        default: nil
        }
    }

    private func attributeValue(
        _ instance: KeyedArchive.Instance,
        at reference: Reference,
        of type: AttributeType
    ) -> AttributeValue? {
        switch instance.className {
        case "NSMutableString", "NSString": return text(of: reference).map { .string($0) }
        // Compilers before Xcode 4 wrote the latter, with a time zone and a format that no value keeps.
        case "NSDate", "NSCalendarDate":
            guard case .plain(.real64(let seconds)) = instance.values["NS.time"] else { return nil }
            return .date(seconds)
        case "NSUUID":
            guard case .plain(.data(let bytes)) = instance.values["NS.uuidbytes"], bytes.count == 16
            else { return nil }
            let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            var text = hex.joined()
            for offset in [20, 16, 12, 8] {
                text.insert("-", at: text.index(text.startIndex, offsetBy: offset))
            }
            return UUID(uuidString: text).map { .uuid($0) }
        case "NSURL":
            guard case .reference(let relative) = instance.values["NS.relative"],
                instance.values["NS.base"] == .reference(.null)
            else { return nil }
            return text(of: relative).map { .uri($0) }
        case "NSData", "NSMutableData":
            guard case .plain(.data(let bytes)) = instance.values["NS.data"] else { return nil }
            return .binary(bytes)
        case "NSDecimalNumberPlaceholder", "NSDecimalNumber":
            return decimal(instance).map { .decimal($0) }
        default: return nil
        }
    }

    /// Reads the 16-bit words of `NSDecimal`, in the byte order that the archive names.
    func decimal(_ instance: KeyedArchive.Instance) -> DecimalValue? {
        guard case .plain(.data(let bytes)) = instance.values["NS.mantissa"], bytes.count == 16,
            case .plain(.integer(let exponent)) = instance.values["NS.exponent"],
            case .plain(.integer(let length)) = instance.values["NS.length"],
            let exponent = Int8(exactly: exponent), (0...8).contains(length)
        else { return nil }
        let isBigEndian = instance.values["NS.mantissa.bo"] == .plain(.integer(2))
        let isNegative = instance.values["NS.negative"] == .plain(.boolean(true))
        // NSDecimal's NaN has a sign and no words.
        guard length > 0 || !isNegative else { return nil }
        var mantissa: UInt128 = 0
        let content = Array(bytes)
        for word in (0..<Int(length)).reversed() {
            let (first, second) = (UInt128(content[2 * word]), UInt128(content[2 * word + 1]))
            mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return DecimalValue(
            isNegative: isNegative && mantissa != 0,
            mantissa: mantissa,
            exponent: exponent
        )
    }

    /// Reads the limits, which the compiler archives as predicates; others are reported and kept.
    mutating func readValidation(
        of object: inout ArchivedObject,
        into attribute: inout Attribute,
        _ element: String
    ) {
        let predicates = elements(object.reference("NSValidationPredicates"))
        object.skip(["NSValidationWarnings"])
        for reference in predicates {
            if let limit = limit(reference, of: attribute.type),
                attribute.validation[keyPath: limit.place] == nil
            {
                attribute.validation[keyPath: limit.place] = limit.value
            } else if let pattern = predicate(reference).flatMap(pattern),
                attribute.validation.regularExpression == nil
            {
                attribute.validation.regularExpression = pattern
            } else {
                attribute.unrecognized.append(
                    unknownObject(reference, key: "NSValidationPredicates", of: element)
                )
            }
        }
    }

    private typealias Limit = (
        place: WritableKeyPath<Attribute.Validation, AttributeValue?>, value: AttributeValue
    )

    /// Reads a limit from its parts: the constant can be a decimal, which no predicate text can express.
    private func limit(_ reference: Reference, of type: AttributeType) -> Limit? {
        guard let predicate = archive.instance(reference),
            predicate.className == "NSComparisonPredicate",
            case .reference(let left) = predicate.values["NSLeftExpression"],
            case .reference(let right) = predicate.values["NSRightExpression"],
            case .reference(let sign) = predicate.values["NSPredicateOperator"],
            case .plain(.integer(let code)) = archive.instance(sign)?.values["NSOperatorType"],
            expression(left) == limitSubject(of: type),
            case .reference(let constant) = archive.instance(right)?.values["NSConstantValue"],
            let value = attributeValue(constant, of: type == .string ? .integer64 : type)
        else { return nil }
        let limit: AttributeValue =
            switch (type, value) {
            case (.date, .double(let seconds)): .date(seconds)
            case (.date, .integer(let seconds)): .date(Double(seconds))
            default: value
            }
        switch PredicateComparison.Operator(rawValue: Int(code)) {
        case .greaterThanOrEqual: return (\.minimum, limit)
        case .lessThanOrEqual: return (\.maximum, limit)
        default: return nil
        }
    }

    private func limitSubject(of type: AttributeType) -> PredicateExpression {
        switch type {
        case .string: .keyPath("length")
        case .date: .keyPath("timeIntervalSinceReferenceDate")
        default: .evaluatedObject
        }
    }

    private func pattern(_ predicate: Predicate) -> String? {
        guard case .comparison(let comparison) = predicate, comparison.operator == .matches,
            comparison.left == .evaluatedObject, comparison.options.isEmpty,
            case .constant(.string(let pattern)) = comparison.right
        else { return nil }
        return pattern
    }
}
