import XMLReading

/// Returns a model source as Xcode writes it: its order of attributes and elements, its spelling, its line ends.
///
/// No value changes. Parts whose form in Xcode is unknown stay as they are: the attributes of `<model>`, the order of
/// indexes and constraints, the positions of a diagram, a line end after the last tag. Returns `nil` for a text that is
/// not a source or has comments, which the form cannot keep.
package func xcodeForm(of contents: [UInt8], path: String) -> [UInt8]? {
    let text = String(decoding: contents, as: UTF8.self)
    guard !text.contains("<!"), let document = try? readXML(contents, path: path),
        document.root.name == "model"
    else { return nil }
    // Xcode up to 5 writes this character as it is.
    var writer = SourceFormWriter(isEscapingGreater: text.contains("&gt;"))
    writer.xml.declaration()
    guard writer.write(document.root) else { return nil }
    return Array((writer.xml.text + (text.last?.isNewline == true ? "\n" : "")).utf8)
}

private struct SourceFormWriter {
    var xml = XMLText()

    init(isEscapingGreater: Bool) { xml.isEscapingGreater = isEscapingGreater }

    /// Writes an element; `false` where something in it is not part of the form.
    mutating func write(_ element: XMLElement) -> Bool {
        guard element.text.allSatisfy(\.isWhitespace) else { return false }
        let attributes = element.attributes.compactMap { attribute -> XMLText.Attribute? in
            Self.spelled(attribute).map { (attribute.name, $0) }
        }
        guard !element.children.isEmpty else {
            xml.element(element.name, attributes)
            return true
        }
        xml.open(element.name, attributes)
        for child in Self.ordered(element.children, in: element.name) {
            guard write(child) else { return false }
        }
        xml.close(element.name)
        return true
    }

    /// The truth values that Xcode omits where they are false.
    private static let flags: Set = [
        "optional", "transient", "toMany", "ordered", "indexed", "isAbstract", "derived",
    ]

    /// The value of an attribute as Xcode spells it; `nil` for one that it omits.
    private static func spelled(_ attribute: XMLAttribute) -> String? {
        guard flags.contains(attribute.name) else { return attribute.value }
        switch attribute.value {
        case "YES", "true", "1": return "YES"
        case "NO", "false", "0", "": return nil
        default: return attribute.value
        }
    }

    private static let kinds: [String: [String: Int]] = [
        "model": [
            "entity": 0, "composite": 1, "fetchRequest": 2, "configuration": 3, "elements": 5,
        ],
        "entity": [
            "attribute": 0, "relationship": 1, "fetchedProperty": 2, "compoundIndexes": 3,
            "fetchIndex": 3, "uniquenessConstraints": 4, "userInfo": 5,
        ], "fetchedProperty": ["fetchRequest": 0, "userInfo": 1],
    ]
    /// The kinds of elements that Xcode sorts by name, or by key.
    private static let sorted: Set = [
        "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "configuration",
        "entry",
    ]

    private static func ordered(_ children: [XMLElement], in parent: String) -> [XMLElement] {
        let ranks = kinds[parent] ?? [:]
        let groups = Dictionary(grouping: children) { $0.name }
        // A group keeps its positions: only its sorted elements move within it.
        var queues = groups.mapValues { group in
            sorted.contains(group[0].name)
                ? SourceNameOrder.sorted(group) { $0["name"] ?? $0["key"] ?? "" }[...] : group[...]
        }
        let inGroups = children.compactMap { queues[$0.name]?.popFirst() }
        return inGroups.enumerated().sorted { left, right in
            (ranks[left.element.name] ?? 4, left.offset)
                < (ranks[right.element.name] ?? 4, right.offset)
        }.map(\.element)
    }
}
