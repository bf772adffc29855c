import Diagnostics
import YAMLReading

/// An XML attribute of an element, in the words of the source.
package struct ElementSetting: Sendable, Hashable {
    /// The name of the XML attribute, such as `attributeType`.
    package var name: String
    /// Its value; `nil` removes the attribute.
    package var value: String?

    package init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value) }
}

/// A change of a model source.
///
/// The list is closed, and edits of one source are applied in their order, all or none. The page about sources lists
/// the settings; the most common ones have names in Swift too, such as `.type(.double)`.
package enum ModelEdit: Sendable, Hashable {
    /// Adds an element with the settings given and Xcode's defaults.
    case add(ElementPath, [ElementSetting])
    /// Adds an element with exactly these settings and parts, as fetch indexes have them.
    case insert(ElementPath, [ElementSetting], parts: [[ElementSetting]])
    /// Removes an element; references to it stay and must go with other edits.
    case remove(ElementPath)
    case removeWithReferences(ElementPath)
    /// Renames an element and all references to it, and sets its renaming identifier.
    case rename(ElementPath, to: String)
    case move(ElementPath, to: ElementPath)
    case set(ElementPath, [ElementSetting])
    case setParts(ElementPath, [[ElementSetting]])
    /// Orders all child elements of one.
    case order(ElementPath, [ElementPath.Step])

    package var path: ElementPath {
        switch self {
        case .add(let path, _), .insert(let path, _, _), .remove(let path),
            .removeWithReferences(let path), .rename(let path, _), .move(let path, _),
            .set(let path, _), .setParts(let path, _), .order(let path, _):
            path
        }
    }

    /// The settings of the element itself, and those of each of its parts.
    var settings: (own: [ElementSetting], parts: [[ElementSetting]]) {
        switch self {
        case .add(_, let settings), .set(_, let settings): (settings, [])
        case .insert(_, let settings, let parts): (settings, parts)
        case .setParts(_, let parts): ([], parts)
        case .remove, .removeWithReferences, .rename, .move, .order: ([], [])
        }
    }

    /// Whether the element continues under another name or at another place.
    package var isRenaming: Bool {
        switch self {
        case .rename, .move: true
        case .add, .insert, .remove, .removeWithReferences, .set, .setParts, .order: false
        }
    }
}

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
        let rest: [String] =
            switch self {
            case .add, .insert, .remove, .set, .setParts: []
            case .removeWithReferences: ["  withReferences: YES"]
            case .rename(_, let name): ["  to: \(yamlText(name))"]
            case .move(_, let entity): ["  to: \(yamlText(entity.text))"]
            case .order(_, let steps):
                ["  as:"] + steps.map { "    - \(yamlText("\($0.kind.rawValue) \($0.key)"))" }
            }
        let (own, parts) = settings
        return ["- \(verb): \(yamlText(path.text))"] + Self.lines(own) + Self.lines(parts) + rest
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
