import Diagnostics

/// The path of an element in a model: the elements around it and its own, each by kind and key.
package struct ElementPath: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        package var kind: ElementKind
        /// Its name, or for constraints the list of its properties.
        package var key: String

        package init(_ kind: ElementKind, _ key: String) { (self.kind, self.key) = (kind, key) }
    }

    /// The steps from the model to the element; none for the model itself.
    package var steps: [Step]

    package init(_ steps: [Step] = []) { self.steps = steps }

    package static let model = ElementPath()

    package static func entity(_ name: String) -> ElementPath { ElementPath([Step(.entity, name)]) }

    package static func attribute(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.attribute, name)
    }

    package static func relationship(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.relationship, name)
    }

    package static func index(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.index, name)
    }

    package static func constraint(_ properties: [String], of entity: String) -> ElementPath {
        .entity(entity).appending(.constraint, properties.joined(separator: ","))
    }

    package func appending(_ kind: ElementKind, _ key: String) -> ElementPath {
        ElementPath(steps + [Step(kind, key)])
    }

    /// The path of the element's parent; the model's is itself.
    package var parent: ElementPath { ElementPath(Array(steps.dropLast())) }

    /// The kind of the element; `nil` for the model.
    package var kind: ElementKind? { steps.last?.kind }

    /// The key of the element; empty for the model.
    package var key: String { steps.last?.key ?? "" }
}

extension ElementPath {
    /// The path as edits write it: `attribute Book.title`, `attribute Book.title / userInfo author`.
    ///
    /// Special characters are written as their numbers, such as `%2E`.
    package var text: String {
        guard !steps.isEmpty else { return "model" }
        var words: [String] = []
        var rest = steps[...]
        while let step = rest.popFirst() {
            if let inner = rest.first, words.isEmpty, Self.isDotted(inner.kind) {
                words.append("\(inner.kind.rawValue) \(escaped(step.key)).\(escaped(inner.key))")
                rest.removeFirst()
            } else {
                words.append("\(step.kind.rawValue) \(escaped(step.key))")
            }
        }
        return words.joined(separator: " / ")
    }

    package init(text: String) throws(EditFault) { self = try Self.read(text) }

    /// Reads a path, such as `attribute Book.title`, `member Cloud.Book` or `attribute Book.title / userInfo author`.
    package static func read(_ text: String) throws(EditFault) -> ElementPath {
        guard text != "model" else { return .model }
        var steps: [Step] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            let words = part.drop { $0 == " " }
            let kind = try kind(words.prefix { $0 != " " })
            var key = String(words.dropFirst(kind.rawValue.count).drop { $0 == " " })
            while key.last == " " { key.removeLast() }
            if steps.isEmpty, let outer = outer(of: kind) {
                guard let dot = key.firstIndex(of: ".") else {
                    let word = outer == .entity ? "Entity" : outer.rawValue
                    throw EditFault("name the \(kind.rawValue) as \(word).\(key)")
                }
                let owner = try unescaped(String(key[..<dot]))
                key = String(key[key.index(after: dot)...])
                steps.append(Step(outer, owner))
                if kind == .request {
                    // It has no name: the path names the fetched property.
                    steps.append(Step(.fetchedProperty, try unescaped(key)))
                    key = ""
                }
            }
            steps.append(Step(kind, try unescaped(key)))
            guard kind.parents.contains(steps.dropLast().last?.kind) else {
                let advice = "; name its owner first, as in '\(kind.example)'"
                throw EditFault("a \(kind.rawValue) is not allowed there: '\(text)'\(advice)")
            }
        }
        return ElementPath(steps)
    }

    private static func kind(_ word: Substring) throws(EditFault) -> ElementKind {
        if let kind = ElementKind(rawValue: String(word)) { return kind }
        guard word != "model" else { throw EditFault("the model has no name: write only 'model'") }
        let kinds = ["model"] + ElementKind.allCases.map(\.rawValue)
        let near =
            word.contains(".")
            ? "; write its kind first, as in attribute \(word)"
            : suggestion(for: String(word), among: kinds)
        throw EditFault(
            "'\(word)' is not a kind of element\(near); the kinds are "
                + kinds.joined(separator: ", ")
        )
    }

    /// The kind before the dot of a name; `nil` for names without one.
    private static func outer(of kind: ElementKind) -> ElementKind? {
        kind == .request ? .entity : kind.parents.count == 1 ? kind.parents[0] : nil
    }

    private static func isDotted(_ kind: ElementKind) -> Bool {
        kind.parents == [.entity] || kind == .element
    }

    private func escaped(_ key: String) -> String {
        var bytes: [UInt8] = []
        for byte in key.utf8 {
            guard byte < 0x20 || byte == 0x7F || "./%".utf8.contains(byte) else {
                bytes.append(byte)
                continue
            }
            let digits = String(byte, radix: 16, uppercase: true)
            bytes += Array(("%" + (digits.utf8.count < 2 ? "0" : "") + digits).utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ text: String) throws(EditFault) -> String {
        guard text.contains("%") else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { throw EditFault("'\(text)' has a % without two digits; write %25") }
            bytes.append(number)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
