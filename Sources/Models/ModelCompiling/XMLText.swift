import Essentials
import XMLReading

/// XML in the form that Xcode gives model sources, the attributes of each element in Xcode's order.
struct XMLText {
    /// A name and a value; an attribute without a value is not written.
    typealias Attribute = (name: String, value: String?)

    private(set) var text = ""
    /// Whether a character was replaced because XML 1.0 cannot contain it.
    private(set) var hasLostCharacters = false
    /// Whether `>` is written as a reference, as Xcode does since version 6.
    var isEscapingGreater = true
    private var depth = 0

    mutating func declaration() {
        text += #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
    }

    mutating func open(_ name: String, _ attributes: [Attribute]) {
        start(name, attributes)
        text += ">"
        depth += 1
    }

    mutating func close(_ name: String) {
        depth -= 1
        indent()
        text += "</\(name)>"
    }

    mutating func element(_ name: String, _ attributes: [Attribute]) {
        start(name, attributes)
        text += "/>"
    }

    mutating func verbatim(_ element: String) {
        indent()
        text += element
    }

    private mutating func start(_ name: String, _ attributes: [Attribute]) {
        indent()
        text += "<\(name)"
        let present = attributes.filter { $0.value != nil }
        for case (let name, let value?) in SourceOrder.sorted(present, of: name, name: \.name) {
            let plain = markup(value, in: .attribute)
            let written = isEscapingGreater ? plain : plain.replacingBytes(of: "&gt;", with: ">")
            text += " \(name)=\"\(written)\""
            if !value.unicodeScalars.allSatisfy(hasMarkup) { hasLostCharacters = true }
        }
    }

    private mutating func indent() { text += "\n" + String(repeating: "    ", count: depth) }
}
