package import Diagnostics

/// An XML attribute: a name and its value, references resolved.
package struct XMLAttribute: Sendable, Hashable {
    package var name: String
    package var value: String
}

/// An XML element with its place in the file.
package struct XMLElement: Sendable {
    package var name: String
    /// The attributes, in file order.
    package var attributes: [XMLAttribute]
    /// The child elements, in file order.
    package var children: [XMLElement]
    /// The character data; white space between child elements is left out.
    package var text: String
    /// The bytes from the element's `<` to behind its end tag; only the start in files that are not UTF-8.
    package var range: Range<Int>

    /// Returns the value of an attribute.
    package subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }
}

/// A well-formed XML document.
package struct XMLDocument: Sendable {
    /// The root element.
    package var root: XMLElement
    /// The text it was read from, for places.
    package var source: XMLSource
}

/// Why a document could not be read.
package struct XMLFault: Error, Sendable, Hashable {
    /// The diagnostic to show.
    package var diagnostic: Diagnostic
}
