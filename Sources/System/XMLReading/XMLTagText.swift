/// The text of a start tag, parsed so that it can be rewritten with some of it changed.
package struct XMLTagText: Sendable, Hashable {
    package struct Attribute: Sendable, Hashable {
        package var name: String
        /// The bytes from the white space before the name to the end of the closing quote.
        package var range: Range<Int>
    }

    /// The name, with its prefix.
    package var name: String
    package var attributes: [Attribute]
    /// The bytes from the end of the last attribute to the end of the `>`.
    package var close: Range<Int>
    package var isEmptyElement: Bool
}

extension XMLSource {
    /// Parses the start tag of an element; `nil` where offsets are not known, as in files that are not UTF-8.
    package func startTag(of element: XMLElement) -> XMLTagText? {
        let bytes = bytes(of: element)
        guard bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">") else { return nil }
        var scanner = TagScanner(bytes: bytes, position: bytes.startIndex + 1)
        let start = scanner.position
        scanner.skipName()
        let name = String(decoding: bytes[start..<scanner.position], as: UTF8.self)
        var attributes: [XMLTagText.Attribute] = []
        var end = scanner.position
        while let found = scanner.nextAttributeName() {
            let attribute = String(decoding: bytes[found], as: UTF8.self)
            attributes.append(.init(name: attribute, range: end..<scanner.position))
            end = scanner.position
        }
        guard end < bytes.endIndex, let last = bytes[end...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        return XMLTagText(
            name: name,
            attributes: attributes,
            close: end..<last + 1,
            isEmptyElement: bytes[last - 1] == UInt8(ascii: "/")
        )
    }
}
