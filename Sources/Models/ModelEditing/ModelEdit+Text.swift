import Diagnostics
import YAMLReading

extension ModelEdit {
    package static func text(of edits: [ModelEdit]) -> String {
        edits.isEmpty ? "[]\n" : edits.map { $0.lines.joined(separator: "\n") + "\n" }.joined()
    }

    /// The edit of a list as the beginning of a message; empty where there is only one.
    package static func label(of index: Int, in edits: [ModelEdit]) -> String {
        guard edits.count > 1 else { return "" }
        return "edit \(index + 1) (\(edits[index].verb) \(edits[index].path.text)): "
    }

    /// Its first word.
    private var verb: String {
        switch self {
        case .add: "add"
        case .insert: "insert"
        case .remove, .removeWithReferences: "remove"
        case .rename: "rename"
        case .move: "move"
        case .set, .setParts: "set"
        case .order: "order"
        }
    }

    private var lines: [String] {
        let head = "- \(verb): \(yamlText(path.text))"
        switch self {
        case .add(_, let settings): return [head] + Self.lines(settings)
        case .insert(_, let settings, let parts):
            return [head] + Self.lines(settings) + Self.lines(parts)
        case .remove: return [head]
        case .removeWithReferences: return [head, "  withReferences: YES"]
        case .rename(_, let name): return [head, "  to: \(yamlText(name))"]
        case .move(_, let entity): return [head, "  to: \(yamlText(entity.text))"]
        case .set(_, let settings): return [head] + Self.lines(settings)
        case .setParts(_, let parts): return [head] + Self.lines(parts)
        case .order(_, let steps):
            let items = steps.map { "    - \(yamlText("\($0.kind.rawValue) \($0.key)"))" }
            return [head, "  as:"] + items
        }
    }

    private static func lines(_ settings: [ElementSetting]) -> [String] {
        guard !settings.isEmpty else { return [] }
        return ["  with:"]
            + settings.map { "    \(yamlText($0.name)): \($0.value.map(yamlText) ?? "null")" }
    }

    private static func lines(_ parts: [[ElementSetting]]) -> [String] {
        guard !parts.isEmpty else { return [] }
        return ["  parts:"]
            + parts.map { part in
                let items = part.map { "\(yamlText($0.name)): \($0.value.map(yamlText) ?? "null")" }
                return "    - {\(items.joined(separator: ", "))}"
            }
    }

    private static let limit = 100_000

    /// Reads edits from YAML; throws ``EditFault`` with the line if the text is not a list of edits.
    package static func read(_ text: String) throws(EditFault) -> [ModelEdit] {
        let root: YAMLNode?
        do throws(YAMLFault) { root = try parseYAML(text) } catch {
            throw EditFault((error.mark.map { "line \($0.line): " } ?? "") + error.reason)
        }
        guard let root, !root.isNull else { return [] }
        guard let list = root.sequence else {
            throw EditFault(
                saying: "edits are a list, each as '- add: attribute Book.rating'; \(.editExample)"
            )
        }
        guard list.count <= limit else { throw EditFault("there are more than \(limit) edits") }
        // JSON on one line has no other lines.
        let hasLines = list.last.map { $0.mark.line > 1 } == true
        var edits: [ModelEdit] = []
        for (index, item) in list.enumerated() {
            do throws(EditFault) { edits.append(try edit(item)) } catch {
                let line = hasLines ? ", line \(item.mark.line)" : ""
                throw EditFault(
                    saying: "edit \(index + 1)\(title(of: item))\(line): \(error.wording)"
                )
            }
        }
        return edits
    }

    private static let verbs = ["add", "insert", "remove", "rename", "move", "set", "order"]

    /// The subject of an edit in its own words, in parentheses; empty where it names none.
    private static func title(of node: YAMLNode) -> String {
        guard let mapping = node.mapping,
            let verb = verbs.first(where: { mapping[$0]?.string != nil }),
            let text = mapping[verb]?.string
        else { return "" }
        return " (\(verb) \(text))"
    }

    private static func edit(_ node: YAMLNode) throws(EditFault) -> ModelEdit {
        guard let mapping = node.mapping else { throw EditFault("an edit must be a mapping") }
        let words = Self.verbs
        let others = ["with", "parts", "to", "as", "withReferences"]
        let known = Set(words + others)
        for entry in mapping where !known.contains(entry.key.string ?? "") {
            let word = entry.key.string ?? ""
            let near = suggestion(for: word, among: words + others)
            throw EditFault(
                saying:
                    "'\(word)' is not a key of an edit\(near); an edit has one of \(words.joined(separator: ", ")), and may add \(others.joined(separator: ", ")): \(.editExample)"
            )
        }
        let verbs = words.filter { mapping[$0] != nil }
        guard verbs.count == 1, let text = mapping[verbs[0]]?.string else {
            throw EditFault("an edit needs one of \(words.joined(separator: ", "))")
        }
        let path = try ElementPath.read(text)
        let settings = try settings(mapping["with"])
        let parts = try (mapping["parts"]?.sequence ?? []).map { item throws(EditFault) in
            try Self.settings(item)
        }
        switch verbs[0] {
        case "add": return .add(path, settings)
        case "insert": return .insert(path, settings, parts: parts)
        case "remove":
            let truth = ElementSetting("optional", mapping["withReferences"]?.string).written
            return truth.value == "YES" ? .removeWithReferences(path) : .remove(path)
        case "rename":
            guard let name = mapping["to"]?.string else {
                throw EditFault("give the new name, as in to: title")
            }
            return .rename(path, to: name)
        case "move":
            guard let text = mapping["to"]?.string else {
                throw EditFault("name the entity to move it to, as in to: entity Order")
            }
            guard let entity = try? ElementPath.read(text), entity.kind == .entity else {
                throw EditFault("'\(text)' is not an entity; write to: entity \(text)")
            }
            return .move(path, to: entity)
        case "order":
            let items = mapping["as"]?.sequence ?? []
            return .order(path, try items.map(step))
        default:
            if mapping["parts"] != nil { return .setParts(path, parts) }
            return .set(path, settings)
        }
    }

    private static func settings(_ node: YAMLNode?) throws(EditFault) -> [ElementSetting] {
        guard let node, !node.isNull else { return [] }
        guard let mapping = node.mapping else { throw EditFault("settings must be a mapping") }
        return try mapping.map { entry throws(EditFault) in
            guard let name = entry.key.string, isName(name) else {
                throw EditFault("'\(entry.key.string ?? "")' is not a setting")
            }
            if entry.value.isNull { return ElementSetting(name, nil) }
            guard let value = entry.value.string else {
                throw EditFault("the value of '\(name)' is not a string")
            }
            return ElementSetting(name, value)
        }
    }

    static func isName(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first.properties.isAlphabetic || first == "_" else {
            return false
        }
        return scalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
                || "_-.:".unicodeScalars.contains($0)
        }
    }

    private static func step(_ node: YAMLNode) throws(EditFault) -> ElementPath.Step {
        let text = node.string ?? ""
        let word = text.prefix { $0 != " " }
        guard let kind = ElementKind(rawValue: String(word)) else {
            throw EditFault("'\(word)' is not a kind of element")
        }
        return .init(kind, String(text.dropFirst(word.count + 1)))
    }
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
