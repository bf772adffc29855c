import Essentials
package import ObjectModel
import StoreFormat

package enum MissingValues: Sendable, Hashable {
    /// It is refused, with what to add.
    case refused
    /// Plain values, different for each row.
    case filled
    /// Nothing: the rows are incomplete on purpose.
    case left
}

/// Returns a plain value within the limits of a required attribute; `nil` for an attribute without plain values.
///
/// `number` is that of the row, from 1. With `isUnique` no two rows share the value.
package func fillingValue(
    of attribute: Attribute,
    number: Int64,
    isUnique: Bool = false
) -> String? {
    let least = isUnique ? number : 0
    switch attribute.type.values {
    case .boolean: return "false"
    case .integer: return integer(attribute, least).description
    case .double, .float: return real(attribute, Double(least)).description
    case .decimal: return "\"\(decimal(attribute, least))\""
    case .date:
        let seconds = real(attribute, Double(least))
        return StoredDate.text(of: seconds).map { "\"\($0)\"" } ?? seconds.description
    case .string: return quoted(text(attribute, number))
    case .uri: return "\"https://example.com/\(number)\""
    case .uuid:
        let digits = String(max(0, number), radix: 16, uppercase: true).suffix(12)
        let padding = String(repeating: "0", count: 12 - digits.count)
        return "\"00000000-0000-4000-8000-\(padding)\(digits)\""
    case .binary: return "\"AA==\""
    case .transformable: return ArchivedArray(attribute) == nil ? "{\"@archive\": []}" : "[]"
    case .undefined, .objectID, .composite: return nil
    }
}

/// Returns the values that a composite attribute needs in Swift.
package func fillingValue(of attribute: Attribute, elements: [Attribute]) -> String {
    let values = fillingValues(of: attribute, elements)
    return "{\(values.map { "\(quoted($0.names[0])): \($0.value)" }.joined(separator: ", "))}"
}

/// Returns what a composite attribute needs in Swift: elements one of which must have a value, with a value for the first
/// of them; of each enum it is the first case.
func fillingValues(
    of attribute: Attribute,
    _ elements: [Attribute]
) -> [(names: [String], value: String)] {
    elements.compactMap { element in
        let name = element.name
        let required = attribute.enumCases.required.first { $0.first == name }
        guard let names = required ?? (element.isOptional ? nil : [name]) else { return nil }
        let value = attribute.enumCases[[name]]?.first.flatMap {
            rowText(of: $0.value, as: element)
        }
        return (value ?? fillingValue(of: element, number: 1)).map { (names, $0) }
    }
}

/// Returns a value of a model in the form of rows; `nil` if JSON has no form for it.
package func rowText(of value: AttributeValue, as attribute: Attribute) -> String? {
    if case .binary(let data) = value, let array = ArchivedArray(attribute),
        let object = data.withUnsafeBytes({ ArchivedObject(archive: $0) })
    {
        var text = JSONText(capacity: 64)
        if array.write(object, into: &text) { return String(decoding: text.bytes, as: UTF8.self) }
    }
    return switch value {
    case .integer(let number): number.description
    case .boolean(let truth): truth.description
    case .double(let number): number.isFinite ? number.description : nil
    case .float(let number): number.isFinite ? number.description : nil
    case .decimal(let number): "\"\(number.description)\""
    case .string(let text), .uri(let text): quoted(text)
    case .date(let seconds): StoredDate.text(of: seconds).map { "\"\($0)\"" }
    case .uuid(let identifier): "\"\(identifier.uuidString)\""
    case .binary(let data): "\"\(data.base64EncodedString())\""
    }
}

private func integer(_ attribute: Attribute, _ number: Int64) -> Int64 {
    var value = number
    if case .integer(let least)? = attribute.validation.minimum { value = max(value, least) }
    if case .integer(let most)? = attribute.validation.maximum { value = min(value, most) }
    return value
}

private func real(_ attribute: Attribute, _ number: Double) -> Double {
    var value = number
    if let least = attribute.validation.minimum.flatMap(double) { value = max(value, least) }
    if let most = attribute.validation.maximum.flatMap(double) { value = min(value, most) }
    return value
}

/// A fractional limit is met by the limit itself.
private func decimal(_ attribute: Attribute, _ number: Int64) -> String {
    if case .decimal(let least)? = attribute.validation.minimum,
        let value = Double(least.description), value > Double(number)
    {
        return least.description
    }
    if case .decimal(let most)? = attribute.validation.maximum,
        let value = Double(most.description), value < Double(number)
    {
        return most.description
    }
    return number.description
}

private func double(_ limit: AttributeValue) -> Double? {
    switch limit {
    case .integer(let value): Double(value)
    case .double(let value), .date(let value): value.isFinite ? value : nil
    case .float(let value): value.isFinite ? Double(value) : nil
    case .decimal(let value): Double(value.description)
    case .string, .boolean, .binary, .uuid, .uri: nil
    }
}

/// The name with the number; no test text is longer than a thousand characters.
private func text(_ attribute: Attribute, _ number: Int64) -> String {
    var text = "\(attribute.name) \(number)"
    if case .integer(let least)? = attribute.validation.minimum {
        let missing = min(Int(clamping: least), 1000) - text.utf16.count
        if missing > 0 { text += String(repeating: ".", count: missing) }
    }
    if case .integer(let most)? = attribute.validation.maximum, most >= 0, most < text.utf16.count {
        // The number distinguishes two rows.
        text = String(text.suffix(Int(most)))
    }
    return text
}

private func quoted(_ text: String) -> String {
    var json = JSONText(capacity: text.utf8.count + 2)
    json.append(quoted: text)
    return String(decoding: json.bytes, as: UTF8.self)
}
