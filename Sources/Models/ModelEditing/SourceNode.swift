import XMLReading

/// An element of a model source with its text, so that all that is not edited stays byte for byte.
package final class SourceNode {
    /// An attribute with its text, from the white space before it to its closing quote.
    package struct Attribute {
        package var name: String
        package var value: String
        package var text: String

        package init(name: String, value: String, text: String) {
            (self.name, self.value, self.text) = (name, value, text)
        }
    }

    /// The text before the element: white space, comments.
    package var gap: String
    package let name: String
    package var attributes: [Attribute]
    /// From the end of the last attribute to the `>` of the start tag.
    package var close: String
    package var children: [SourceNode]
    package var tail: String
    /// The end tag; empty for an element without one.
    package var endTag: String
    /// The offset of its tag in the original text; `nil` for a new element.
    package let offset: Int?
    package let characters: String

    package init(
        _ name: String,
        gap: String,
        attributes: [Attribute] = [],
        close: String = "/>",
        children: [SourceNode] = [],
        tail: String = "",
        endTag: String = "",
        offset: Int? = nil,
        characters: String = ""
    ) {
        (self.name, self.gap, self.attributes) = (name, gap, attributes)
        (self.offset, self.characters) = (offset, characters)
        (self.close, self.children, self.tail, self.endTag) = (close, children, tail, endTag)
    }

    package subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }

    package func children(_ name: String) -> [SourceNode] { children.filter { $0.name == name } }

    package func write(to text: inout String) {
        text += gap
        text += "<" + name
        for attribute in attributes { text += attribute.text }
        text += close
        for child in children { child.write(to: &text) }
        text += tail
        text += endTag
    }
}

extension SourceNode {
    /// Parses an element; `nil` where the offsets of its parts are not known.
    convenience init?(_ element: XMLElement, in source: XMLSource, gap: String) {
        guard let tag = source.startTag(of: element) else { return nil }
        let bytes = source.bytes(of: element)
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let attributes = tag.attributes.map { attribute in
            Attribute(
                name: attribute.name,
                value: element[attribute.name] ?? "",
                text: text(attribute.range)
            )
        }
        var children: [SourceNode] = []
        var end = tag.close.upperBound
        for child in element.children {
            let start = child.range.lowerBound
            guard start >= end, child.range.upperBound <= bytes.endIndex,
                let node = SourceNode(child, in: source, gap: text(end..<start))
            else { return nil }
            end = child.range.upperBound
            children.append(node)
        }
        var (tail, endTag) = ("", "")
        if !tag.isEmptyElement {
            guard let slash = bytes.lastIndex(of: UInt8(ascii: "<")), slash >= end else {
                return nil
            }
            (tail, endTag) = (text(end..<slash), text(slash..<bytes.endIndex))
        }
        self.init(
            tag.name,
            gap: gap,
            attributes: attributes,
            close: text(tag.close),
            children: children,
            tail: tail,
            endTag: endTag,
            offset: element.range.lowerBound,
            characters: element.children.isEmpty ? element.text : ""
        )
    }
}
