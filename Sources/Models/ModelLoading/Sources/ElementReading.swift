import Diagnostics
import ObjectModel
import XMLReading

/// What is collected while one model is read.
struct ReadingContext {
    let source: XMLSource
    let map: any SourceMap
    var diagnostics: [Diagnostic] = []
    /// Unknown parts of something that cannot keep them; its parent does.
    private var strays: [UnrecognizedItem] = []
    /// Why the current entity has no hash.
    private var gaps: [EntityGap] = []

    init(source: XMLSource) {
        self.source = source
        map = XMLSourceMap(source: source)
    }

    func mark(_ element: XMLElement) -> SourceMark {
        SourceMark(map, offset: element.range.lowerBound)
    }

    func location(_ attribute: String, of element: XMLElement) -> FileLocation? {
        source.location(ofAttribute: attribute, inTagAt: element.range.lowerBound)
            ?? source.location(atOffset: element.range.lowerBound)
    }

    mutating func unknown(_ attribute: XMLAttribute, of element: XMLElement) -> UnrecognizedItem {
        diagnostics.report(
            "unknown-attribute",
            "unknown attribute '\(attribute.name)' of '\(element.name)': it may come from a newer Xcode",
            severity: .warning,
            at: location(attribute.name, of: element)
        )
        return unread(attribute, of: element)
    }

    mutating func unknown(_ element: XMLElement, in parent: XMLElement) -> UnrecognizedItem {
        diagnostics.report(
            "unknown-element",
            "unknown element '\(element.name)' in '\(parent.name)': it may come from a newer Xcode",
            severity: .warning,
            at: source.location(atOffset: element.range.lowerBound)
        )
        return UnrecognizedItem(
            kind: .element,
            name: element.name,
            text: source.text(of: element),
            source: mark(element)
        )
    }

    /// Keeps an unknown attribute of an element that cannot keep it itself.
    mutating func stray(_ attribute: XMLAttribute, of element: XMLElement) {
        strays.append(unknown(attribute, of: element))
    }

    /// Keeps an unknown element, in an element that cannot keep it itself.
    mutating func stray(_ element: XMLElement, in parent: XMLElement) {
        strays.append(unknown(element, in: parent))
    }

    /// Reports an attribute type of a newer Xcode; without it, the entity has no hash.
    mutating func unknownType(_ attribute: XMLAttribute, of element: XMLElement) {
        unknown(
            attribute,
            of: element,
            what: "attribute type",
            among: AttributeType.allCases.compactMap(\.sourceName),
            rule: .unknownAttributeType
        )
        gaps.append("the type '\(attribute.value)' of '\(element["name"] ?? "")' is unknown")
    }

    /// Reports an unknown value of a list that may have grown since: the rest of the model is read without it.
    mutating func unknown(
        _ attribute: XMLAttribute,
        of element: XMLElement,
        what: String,
        among known: [String],
        rule: RuleID = .unknownKeyword
    ) {
        let meant = suggestion(for: attribute.value, among: known)
        let message =
            "'\(attribute.value)' is not a known \(what)\(meant.isEmpty ? ":" : meant + "; otherwise")"
            + " it may come from a newer Xcode, and the rest of the model is read without it"
        diagnostics.append(Diagnostic(rule, message, at: location(attribute.name, of: element)))
    }

    /// Hands over the reasons why entities have no hash, since the last call.
    mutating func takeGaps() -> [EntityGap] {
        defer { gaps = [] }
        return gaps
    }

    func unread(_ attribute: XMLAttribute, of element: XMLElement) -> UnrecognizedItem {
        UnrecognizedItem(
            kind: .attribute,
            name: attribute.name,
            text: attribute.value,
            source: mark(element)
        )
    }

    /// Hands over the strays that the functions above kept since the last call.
    mutating func takeStrays() -> [UnrecognizedItem] {
        defer { strays = [] }
        return strays
    }

    mutating func invalid(
        _ attribute: XMLAttribute,
        of element: XMLElement,
        expected: String,
        severity: Severity = .error
    ) {
        diagnostics.report(
            .invalidValue,
            "'\(attribute.value)' is not a value of '\(attribute.name)'; write \(expected)",
            severity: severity,
            at: location(attribute.name, of: element)
        )
    }

    /// Reports a missing name, without which the element cannot be referred to.
    mutating func requireName(_ name: String, of element: XMLElement) {
        guard name.isEmpty else { return }
        diagnostics.report(
            "missing-attribute",
            "give this '\(element.name)' a name",
            at: location("name", of: element)
        )
    }

    mutating func flag(_ attribute: XMLAttribute, of element: XMLElement) -> Bool {
        switch attribute.value {
        case "YES", "true", "1": return true
        case "NO", "false", "0", "": return false
        default:
            invalid(attribute, of: element, expected: "YES or NO")
            return false
        }
    }

    mutating func count(_ attribute: XMLAttribute, of element: XMLElement) -> Int? {
        guard let count = Int32(attribute.value), count >= 0 else {
            invalid(attribute, of: element, expected: "a whole number from 0 to \(Int32.max)")
            return nil
        }
        return Int(count)
    }

    /// Reads the bound of a relationship; models made in code may have -1 for none.
    mutating func bound(_ attribute: XMLAttribute, of element: XMLElement) -> Int? {
        guard let count = Int32(attribute.value), count < 0 else {
            return count(attribute, of: element)
        }
        invalid(
            attribute,
            of: element,
            expected: "a whole number from 0 to \(Int32.max)",
            severity: .warning
        )
        return Int(count)
    }

    mutating func userInfo(_ element: XMLElement) -> [UserInfoEntry] {
        element.children.compactMap { entry in
            guard entry.name == "entry", let key = entry["key"] else {
                stray(entry, in: element)
                return nil
            }
            return UserInfoEntry(key: key, value: entry["value"] ?? "")
        }
    }
}

private final class XMLSourceMap: SourceMap {
    private let source: XMLSource

    init(source: XMLSource) { self.source = source }

    func location(of attribute: String?, ofElementAt offset: Int) -> FileLocation? {
        guard let attribute else { return source.location(atOffset: offset) }
        return source.location(ofAttribute: attribute, inTagAt: offset)
    }
}
