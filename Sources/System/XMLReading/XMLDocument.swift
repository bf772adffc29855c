package import Diagnostics

/// An XML attribute: a name and its value, references resolved.
package struct XMLAttribute: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String
}

/// An XML element with its place in the file.
package struct XMLElement: Sendable {
    /// The name.
    package var name: String
    /// The attributes, in file order.
    package var attributes: [XMLAttribute]
    /// The child elements, in file order.
    package var children: [XMLElement]
    /// The character data; white space between child elements is left out.
    package var text: String
    /// The bytes from the element's `<` to behind its end tag; only the start in files that are not UTF-8.
    package var range: Range<Int>
    /// The number of a known element with the same text, which then stands for attributes and content.
    package var knownElement: Int?

    /// Returns the value of an attribute.
    package subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }
}

/// Elements that other files held, so that the same text need not be taken apart again.
package protocol XMLKnownElements {
    /// The names: the first of children of the root, each other of children of an element of the name before.
    var path: [String] { get }

    /// Finds the known element whose text stands at a place.
    ///
    /// - Parameters:
    ///   - level: the place of its name in the path.
    ///   - offset: where the text stands.
    ///   - bytes: the file's content.
    /// - Returns: its number, and the length of its text in bytes.
    func element(
        _ level: Int,
        at offset: Int,
        of bytes: UnsafeRawBufferPointer
    ) -> (number: Int, length: Int)?
}

/// A well-formed XML document.
package struct XMLDocument: Sendable {
    /// The root element.
    package var root: XMLElement
    /// The text it was read from, for places.
    package var source: XMLSource
    /// Whether it declares something, as default values of attributes, that changes what text means.
    package var hasDeclarations = false
}

/// Why a document could not be read.
package struct XMLFault: Error, Sendable, Hashable {
    /// The diagnostic to show.
    package var diagnostic: Diagnostic
}
