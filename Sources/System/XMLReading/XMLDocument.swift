package import Diagnostics

package struct XMLAttribute: Sendable, Hashable {
    package var name: String
    package var value: String
}

package struct XMLElement: Sendable {
    package var name: String
    package var attributes: [XMLAttribute]
    /// The child elements, in file order.
    package var children: [XMLElement]
    /// The character data; white space between child elements is left out.
    package var text: String
    /// The bytes from the element's `<` to the end of its end tag; only the start in files that are not UTF-8.
    package var range: Range<Int>

    package subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }
}

package struct XMLDocument: Sendable {
    package var root: XMLElement
    /// The text it was read from, for locations.
    package var source: XMLSource
}

package struct XMLFault: Error, Sendable, Hashable { package var diagnostic: Diagnostic }
