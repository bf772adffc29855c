import ObjectModel
import SQLiteAccess

/// An array of values as SwiftData keeps it: an archive of an `NSArray`, in a transformable attribute.
///
/// The name of the class gives the type of the elements, so these need no marker.
struct ArchivedArray {
    private enum Element { case text, integer, real, boolean, bytes, date, uuid, uri }

    private let element: Element
    /// What to write in rows.
    let words: String

    private static let kinds: [(names: Set<Substring>, element: Element, words: String)] = [
        (["String"], .text, "a list of strings"),
        (
            ["Int", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32"], .integer,
            "a list of numbers"
        ),
        (["Double", "Float"], .real, "a list of numbers"),
        (["Bool"], .boolean, "a list of true and false"),
        (["Data"], .bytes, "a list of bytes as base64"),
        (["Date"], .date, "a list of dates as \"2001-01-31T12:30:00Z\""),
        (["UUID"], .uuid, "a list of UUIDs as strings"),
        (["URL"], .uri, "a list of URIs as strings"),
    ]

    /// Uses the class named by a transformable attribute; `nil` if it is not an array of plain values.
    init?(_ attribute: Attribute) {
        guard attribute.type == .transformable,
            attribute.valueTransformerName == "NSSecureUnarchiveFromData",
            let name = attribute.customClassName, name.hasPrefix("Array<"), name.hasSuffix(">"),
            case let type = name.dropFirst("Array<".count).dropLast(),
            let kind = Self.kinds.first(where: { $0.names.contains(type) })
        else { return nil }
        (element, words) = (kind.element, kind.words)
    }

    /// Writes an archived object; `false` if it is not such an array.
    func write(_ object: ArchivedObject, into text: inout JSONText) -> Bool {
        guard case .list(let objects) = object, objects.allSatisfy(isElement) else { return false }
        ArchivedObject.write(objects, into: &text) { $0.writePlainly(into: &$1) }
        return true
    }

    /// Reads an array from JSON; `nil` if an element has another type.
    func read(from reader: JSONReader) throws(StoreError) -> ArchivedObject? {
        guard let objects = try ArchivedObject.objects(from: reader, depth: 0) else { return nil }
        let elements = objects.compactMap(taken)
        return elements.count == objects.count ? .list(elements) : nil
    }

    private func isElement(_ object: ArchivedObject) -> Bool {
        switch (element, object) {
        case (.text, .text), (.integer, .integer), (.real, .real), (.boolean, .boolean),
            (.bytes, .bytes), (.date, .date), (.uuid, .uuid), (.uri, .uri):
            true
        default: false
        }
    }

    private func taken(_ object: ArchivedObject) -> ArchivedObject? {
        switch (element, object) {
        case (.real, .integer(let number)): .real(Double(number))
        case (.uri, .text(let text)): .uri(text)
        case (.bytes, _): object.asBytes
        case (.date, _): object.asDate
        case (.uuid, _): object.asUUID
        default: isElement(object) ? object : nil
        }
    }
}
