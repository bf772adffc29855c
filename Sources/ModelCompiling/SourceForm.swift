import XMLReading

/// Returns a model source as Xcode writes it: its order of attributes and elements, its spelling, its line ends.
///
/// No value is changed. What the form of is not known stays as it is: the attributes of `<model>`, the order of indexes
/// and constraints, the places of a diagram, a line end behind the last tag.
///
/// - Parameters:
///   - contents: the bytes of the source.
///   - path: the path of the file.
/// - Returns: the bytes; `nil` for what is no such source, or holds comments, which the form has no place for.
package func xcodeForm(of contents: [UInt8], path: String) -> [UInt8]? {
    let text = String(decoding: contents, as: UTF8.self)
    guard !text.contains("<!"), let document = try? readXML(contents, path: path, knowing: nil),
        document.root.name == "model"
    else { return nil }
    // Xcode up to 5 writes this character as it is.
    var writer = SourceFormWriter(isEscapingGreater: text.contains("&gt;"))
    writer.xml.declaration()
    guard writer.write(document.root) else { return nil }
    return Array((writer.xml.text + (text.last?.isNewline == true ? "\n" : "")).utf8)
}

/// Writes the elements of one source in Xcode's form.
private struct SourceFormWriter {
    var xml = XMLText()

    init(isEscapingGreater: Bool) {
        xml.isEscapingGreater = isEscapingGreater
    }

    /// Writes an element; `false` where something has no place in the form.
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

    /// The truth values that Xcode leaves out where they are false.
    private static let flags: Set = [
        "optional", "transient", "toMany", "ordered", "indexed", "isAbstract", "derived",
    ]

    /// The value of an attribute as Xcode spells it; `nil` for one that it leaves out.
    private static func spelled(_ attribute: XMLAttribute) -> String? {
        guard flags.contains(attribute.name) else { return attribute.value }
        switch attribute.value {
        case "YES", "true", "1": return "YES"
        case "NO", "false", "0", "": return nil
        default: return attribute.value
        }
    }

    /// The children of an element in the order of their kinds.
    private static let kinds: [String: [String: Int]] = [
        "model": [
            "entity": 0, "composite": 1, "fetchRequest": 2, "configuration": 3, "elements": 5,
        ],
        "entity": [
            "attribute": 0, "relationship": 1, "fetchedProperty": 2, "compoundIndexes": 3,
            "fetchIndex": 3, "uniquenessConstraints": 4, "userInfo": 5,
        ],
        "fetchedProperty": ["fetchRequest": 0, "userInfo": 1],
    ]
    /// The kinds of elements that Xcode sorts by name, or by key.
    private static let sorted: Set = [
        "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "configuration",
        "entry",
    ]

    private static func ordered(_ children: [XMLElement], in parent: String) -> [XMLElement] {
        let ranks = kinds[parent] ?? [:]
        let groups = Dictionary(grouping: children) { $0.name }
        // Places within a group stay those of the group: only what is sorted moves in it.
        var queues = groups.mapValues { group in
            sorted.contains(group[0].name) ? SourceNameOrder.sorted(group)[...] : group[...]
        }
        let inGroups = children.compactMap { queues[$0.name]?.popFirst() }
        return inGroups.enumerated().sorted { left, right in
            (ranks[left.element.name] ?? 4, left.offset)
                < (ranks[right.element.name] ?? 4, right.offset)
        }.map(\.element)
    }
}

/// The order of names in a source: without case, digits by their value.
private struct SourceNameOrder: Comparable {
    private enum Part: Comparable {
        case underscore
        case number(length: Int, digits: String)
        case letter(UInt8)
    }

    private let parts: [Part]
    private let underscoreIsLast: Bool

    /// Returns elements in the order of their names; those whose order is not known stay as they are.
    static func sorted(_ elements: [XMLElement]) -> [XMLElement] {
        let names = elements.map { $0["name"] ?? $0["key"] ?? "" }
        guard names.allSatisfy({ $0.utf8.allSatisfy(isKnown) }) else { return elements }
        // Whether digits come before an underscore is on no record.
        for underscoreIsLast in [false, true] {
            let keys = names.map { Self($0, underscoreIsLast: underscoreIsLast) }
            if zip(keys, keys.dropFirst()).allSatisfy({ $0 <= $1 }) { return elements }
        }
        let keyed = zip(names.map { Self($0, underscoreIsLast: false) }, elements).enumerated()
        return keyed.sorted { left, right in
            left.element.0 == right.element.0
                ? left.offset < right.offset : left.element.0 < right.element.0
        }.map(\.element.1)
    }

    private static func isKnown(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private init(_ name: String, underscoreIsLast: Bool) {
        self.underscoreIsLast = underscoreIsLast
        var parts: [Part] = []
        var rest = name.utf8[...]
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        while let byte = rest.first {
            if isDigit(byte) {
                let digits = rest.prefix(while: isDigit).drop { $0 == 0x30 }
                rest = rest.drop(while: isDigit)
                parts.append(
                    .number(length: digits.count, digits: String(decoding: digits, as: UTF8.self))
                )
                continue
            }
            rest = rest.dropFirst()
            parts.append(byte == UInt8(ascii: "_") ? .underscore : .letter(byte | 0x20))
        }
        self.parts = parts
    }

    static func < (left: Self, right: Self) -> Bool {
        for (one, two) in zip(left.parts, right.parts) where one != two {
            switch (one, two) {
            case (.underscore, .number), (.number, .underscore):
                return (one < two) != left.underscoreIsLast
            default: return one < two
            }
        }
        return left.parts.count < right.parts.count
    }

    static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }
}
