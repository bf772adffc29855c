import Diagnostics
import Essentials
import XMLReading

/// The text of one side, with its elements.
struct SourceText {
    /// The bytes, without a byte order mark.
    var bytes: [UInt8]
    /// The root element.
    var root: SourceElement
}

/// An element of a side with the bytes that it stands in, so that it can be written as it was.
struct SourceElement {
    /// An attribute.
    struct Attribute {
        var name: String
        /// The value, in which names of what was renamed are those of the base.
        var value: String
        /// The value as it stands in the file.
        let written: String
        /// The bytes from the white space before it to behind its closing quote.
        let range: Range<Int>
    }

    let name: String
    /// The name in the base of what was renamed since.
    var formerName: String?
    var attributes: [Attribute]
    var children: [SourceElement]
    /// The character data of an element without children.
    let text: String
    /// What stands between this element and the one before it, or the start tag of its parent.
    var gap: Range<Int> = 0..<0
    /// Whether a comment stands there.
    var hasComment = false
    /// The bytes from `<` to behind the end tag.
    let range: Range<Int>
    /// The bytes of `<` and the name.
    let opening: Range<Int>
    /// The bytes from behind the last attribute to behind the start tag's `>`.
    let closing: Range<Int>
    let isEmptyElement: Bool
    /// What stands between the last child, or the start tag, and the end tag.
    var tail: Range<Int> = 0..<0

    subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }
}

extension SourceText {
    /// Reads a side.
    ///
    /// - Throws: `MergeFault` when the text is no XML, or not in UTF-8, in which Xcode writes it.
    init(_ text: [UInt8], path: String, name: String) throws(MergeFault) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        bytes = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
        let document: XMLDocument
        do throws(XMLFault) {
            document = try readXML(Data(bytes), path: path)
        } catch {
            var fault = error.diagnostic
            fault.message = "\(name): \(fault.message)"
            throw MergeFault(diagnostics: [fault])
        }
        guard let root = SourceElement(document.root, in: document.source) else {
            let message = "\(name): the file is not in UTF-8, in which Xcode writes models"
            throw MergeFault(
                diagnostics: [Diagnostic(.malformedXML, message, at: SourceLocation(path: path))]
            )
        }
        self.root = root
        self.root.gap = 0..<root.range.lowerBound
    }
}

extension SourceElement {
    fileprivate init?(_ element: XMLElement, in source: XMLSource) {
        guard let tag = source.startTag(of: element) else { return nil }
        name = tag.name
        let bytes = source.bytes(of: element)
        attributes = tag.attributes.map { attribute in
            // Declarations of name spaces are none of the attributes that the reader gives.
            let value =
                element[attribute.name] ?? String(decoding: bytes[attribute.range], as: UTF8.self)
            return Attribute(
                name: attribute.name,
                value: value,
                written: value,
                range: attribute.range
            )
        }
        text = element.children.isEmpty ? element.text : ""
        range = element.range
        opening =
            range.lowerBound..<(tag.attributes.first?.range.lowerBound ?? tag.close.lowerBound)
        closing = tag.close
        isEmptyElement = tag.isEmptyElement
        children = []
        var end = closing.upperBound
        for child in element.children {
            guard var child = SourceElement(child, in: source), child.range.lowerBound >= end else {
                return nil
            }
            child.gap = end..<child.range.lowerBound
            child.hasComment = source.contains(UInt8(ascii: "<"), in: child.gap)
            end = child.range.upperBound
            children.append(child)
        }
        guard !isEmptyElement else { return }
        let slash = bytes.lastIndex(of: UInt8(ascii: "<")) ?? end
        guard slash >= end else { return nil }
        tail = end..<slash
    }
}
