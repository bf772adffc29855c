/// What key paths of a source lead through: entities with their parents and the ends of relationships.
package struct EntityGraph {
    private var parents: [String: String] = [:]
    private var ends: [String: [String: String]] = [:]
    private var composites: [String: [String: String]] = [:]
    private(set) var names: [String] = []

    package init(_ root: SourceNode) {
        for entity in root.children("entity") {
            let name = entity["name"] ?? ""
            names.append(name)
            parents[name] = entity["parentEntity"]
            for relationship in entity.children("relationship") {
                ends[name, default: [:]][relationship["name"] ?? ""] =
                    relationship["destinationEntity"]
            }
            for attribute in entity.children("attribute") {
                guard let composite = attribute["composite"] else { continue }
                composites[name, default: [:]][attribute["name"] ?? ""] = composite
            }
        }
    }

    package enum Owner: Hashable {
        case entity(String)
        case composite(String)
    }

    func isKind(_ entity: String, of other: String) -> Bool { chain(from: entity).contains(other) }

    /// Returns the destination of a property of an entity; `nil` for one without properties.
    func end(of property: String, in owner: Owner) -> Owner? {
        guard case .entity(let entity) = owner else { return nil }
        for name in chain(from: entity) {
            if let end = ends[name]?[property] { return .entity(end) }
            if let composite = composites[name]?[property] { return .composite(composite) }
        }
        return nil
    }

    /// An entity and its ancestors, the nearest first.
    package func chain(from entity: String) -> [String] {
        var chain: [String] = []
        var next: String? = entity
        while let name = next, !chain.contains(name), chain.count < 64 {
            chain.append(name)
            next = parents[name]
        }
        return chain
    }
}

/// The names in a predicate, an expression or a key path, each with its owner where that is known.
///
/// Texts are processed word by word, so everything else in them stays unchanged.
package struct TextNames {
    private let graph: EntityGraph
    private let root: EntityGraph.Owner
    private let source: EntityGraph.Owner?

    /// Takes the entity whose properties a text names, and the one of the fetched property that has it.
    package init(_ graph: EntityGraph, root: String, source: String? = nil) {
        self.graph = graph
        self.root = .entity(root)
        self.source = source.map { .entity($0) }
    }

    package func mapped(
        _ text: String,
        _ name: (_ name: String, _ owner: EntityGraph.Owner) -> String
    ) -> String {
        var result = ""
        var rest = text[...]
        // The variable of each subquery is an object at the end of its key path.
        var variables: [Substring: EntityGraph.Owner] = [:]
        variables["$FETCH_SOURCE"] = source
        var lastEnd: EntityGraph.Owner?
        while let character = rest.first {
            if character == "'" || character == "\"" {
                let quoted = Self.quoted(rest)
                result += quoted
                rest = rest.dropFirst(quoted.count)
            } else if character == "$" {
                let variable = rest.prefix(1) + rest.dropFirst().prefix(while: Self.isPart)
                result += variable
                rest = rest.dropFirst(variable.count)
                if variables[variable] == nil { variables[variable] = lastEnd }
                guard rest.first == "." else { continue }
                result += "."
                let path = Self.path(rest.dropFirst())
                rest = rest.dropFirst(path.count + 1)
                result += walk(path, from: variables[variable], name, &lastEnd)
            } else if character == "%" || character == "@" || character == "#" {
                let word = rest.prefix(1) + rest.dropFirst().prefix(while: Self.isPart)
                result += word
                rest = rest.dropFirst(word.count)
            } else if Self.isStart(character) {
                let path = Self.path(rest)
                rest = rest.dropFirst(path.count)
                let isCall = rest.first == ":" || rest.first == "("
                result += isCall ? String(path) : walk(path, from: root, name, &lastEnd)
            } else if character.isNumber {
                let number = rest.prefix { Self.isPart($0) || $0 == "." }
                result += number
                rest = rest.dropFirst(number.count)
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private func walk(
        _ path: Substring,
        from start: EntityGraph.Owner?,
        _ name: (String, EntityGraph.Owner) -> String,
        _ end: inout EntityGraph.Owner?
    ) -> String {
        var owner = start
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        let steps = parts.map { part -> String in
            guard let here = owner else { return String(part) }
            let text = String(part)
            if text == "SELF" || text == "self" || text.hasPrefix("@") { return text }
            owner = graph.end(of: text, in: here)
            return name(text, here)
        }
        end = owner
        return steps.joined(separator: ".")
    }

    private static func path(_ text: Substring) -> Substring {
        text.prefix { isPart($0) || $0 == "." || $0 == "@" }
    }

    private static func quoted(_ text: Substring) -> Substring {
        guard let quote = text.first else { return text }
        var isEscaped = false
        var count = 1
        for character in text.dropFirst() {
            count += 1
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == quote {
                break
            }
        }
        return text.prefix(count)
    }

    private static func isStart(_ character: Character) -> Bool {
        character.isLetter || character == "_"
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
