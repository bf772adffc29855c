public import Diagnostics

/// An XML attribute: a name and its value, references resolved.
public struct XMLAttribute: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String
}

/// An XML element with its place in the file.
public struct XMLElement: Sendable {
    /// The name.
    public var name: String
    /// The attributes, in file order.
    public var attributes: [XMLAttribute]
    /// The child elements, in file order.
    public var children: [XMLElement]
    /// The character data; white space between child elements is left out.
    public var text: String
    /// The bytes from the element's `<` to behind its end tag; only the start in files that are not UTF-8.
    public var range: Range<Int>
    /// The number of a known element with the same text, which then stands for attributes and content.
    package var knownElement: Int?

    /// Returns the value of an attribute.
    public subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }
}

/// Elements that other files held, so that the same text need not be taken apart again.
package protocol XMLKnownElements {
    /// Finds the known element whose text stands at a place.
    ///
    /// - Returns: its number, and the length of its text in bytes.
    func element(at offset: Int, of bytes: [UInt8]) -> (number: Int, length: Int)?
}

/// A well-formed XML document.
public struct XMLDocument: Sendable {
    /// The root element.
    public var root: XMLElement
    /// The text it was read from, for places.
    public var source: XMLSource
}

/// Why a document could not be read.
public struct XMLFault: Error, Sendable, Hashable {
    /// The diagnostic to show.
    public var diagnostic: Diagnostic
}
