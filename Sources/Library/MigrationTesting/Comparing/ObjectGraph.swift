import Diagnostics
import Essentials
import ObjectModel

struct ObjectGraph {
    enum Value: Decodable {
        case null
        case boolean(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Value].self) {
                self = .list(value)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }
    }

    /// `links` name other objects as `Entity/id`.
    struct Object {
        var entity: String
        var reference: String
        var values: [String: Value]
        var links: [String: [String]]
    }

    private(set) var objects: [Object]
    /// The names in the rows' own text, by the names in an export.
    let names: [String: String]
    /// The lines of an object and its properties in the text of expected rows.
    struct Lines {
        var path: String
        var row: Int
        var properties: [String: Int]
    }

    /// The lines of the objects, by their names in an export; empty for a store.
    var lines: [String: Lines] = [:]
    private let relationships: Set<String>
    private let ordered: Set<String>
    private var places: [String: Int]

    init(rows: Data, model: ManagedObjectModel, names: [String: String] = [:]) throws {
        let graph = ModelGraph(model)
        let entities = try JSONDecoder().decode([String: [[String: Value]]].self, from: rows)
        var (ordered, all): (Set<String>, Set<String>) = ([], [])
        var objects: [Object] = []
        for name in entities.keys.sorted() {
            guard let entity = graph.entity(name) else { continue }
            let relationships = graph.relationships(of: entity)
            for relationship in relationships {
                all.insert("\(name).\(relationship.name)")
                if relationship.isOrdered { ordered.insert("\(name).\(relationship.name)") }
            }
            let linking = Set(relationships.map(\.name))
            for row in entities[name] ?? [] {
                var object = Object(entity: name, reference: "", values: [:], links: [:])
                for (key, value) in row {
                    switch (key, value) {
                    case ("@id", .text(let id)): object.reference = "\(name)/\(id)"
                    case (_, .text(let target)) where linking.contains(key):
                        object.links[key] = [target]
                    case (_, .list(let targets)) where linking.contains(key):
                        object.links[key] = targets.compactMap {
                            if case .text(let target) = $0 { target } else { nil }
                        }
                    default: object.values[key] = value
                    }
                }
                objects.append(object)
            }
        }
        (self.objects, self.ordered, self.names) = (objects, ordered, names)
        self.relationships = all
        places = Self.places(of: objects)
    }

    static func places(of objects: [Object]) -> [String: Int] {
        Dictionary(firstOf: objects.enumerated().map { ($1.reference, $0) })
    }

    func keeping(_ isKept: (Object) -> Bool) -> ObjectGraph {
        var graph = self
        graph.objects = objects.filter(isKept)
        graph.places = Self.places(of: graph.objects)
        return graph
    }

    /// Gives each object a colour; two have the same if their values and reachable objects are equal, regardless of
    /// their keys.
    ///
    /// Neighbours refine the colours until no further objects can be distinguished.
    func colours() -> [Int] {
        var colours = objects.map { object in
            var hasher = Hasher()
            hasher.combine(object.entity)
            hasher.combine(object.values)
            return hasher.finalize()
        }
        var count = Set(colours).count
        for _ in 0..<max(1, objects.count) {
            let old = colours
            colours = objects.indices.map { index in
                var hasher = Hasher()
                hasher.combine(old[index])
                for name in objects[index].links.keys.sorted() {
                    let targets = (objects[index].links[name] ?? []).map { target in
                        places[target].map { old[$0] } ?? 0
                    }
                    let isOrdered = isOrdered(name, of: objects[index])
                    hasher.combine(name)
                    hasher.combine(isOrdered ? targets : targets.sorted())
                }
                return hasher.finalize()
            }
            let newCount = Set(colours).count
            if newCount == count { break }
            count = newCount
        }
        return colours
    }

    /// An object as its file names it, and as a person would: its entity and its first distinctive value.
    func title(of reference: String) -> String {
        places[reference].map { title(of: objects[$0]) } ?? reference
    }

    func isOrdered(_ relationship: String, of object: Object) -> Bool {
        ordered.contains("\(object.entity).\(relationship)")
    }

    func isRelationship(_ property: String, of object: Object) -> Bool {
        relationships.contains("\(object.entity).\(property)")
    }

    /// The location before a message about an object or a property of it, as `after.json:7: `; empty for none.
    func place(of object: Object, _ property: String? = nil) -> String {
        guard let lines = lines[object.reference] else { return "" }
        let line = property.flatMap { lines.properties[$0] } ?? lines.row
        return "\(FileLocation(path: lines.path, line: line)): "
    }

    func title(of object: Object) -> String {
        guard let name = names[object.reference] else { return plainTitle(of: object) }
        guard let text = distinctiveText(of: object) else { return name }
        return "\(name) \"\(text)\""
    }

    /// A row as its file names it, with the distinctive value of the object found for it.
    func title(of row: Object, asIn found: ObjectGraph, _ object: Object) -> String {
        let text = found.distinctiveText(of: object) ?? distinctiveText(of: row)
        let name = names[row.reference]
        guard let text else { return name ?? row.reference }
        return "\(name ?? row.entity) \"\(text)\""
    }

    /// An object as a person would name it, regardless of its file.
    func plainTitle(of object: Object) -> String {
        distinctiveText(of: object).map { "\(object.entity) \"\($0)\"" } ?? object.reference
    }

    private func distinctiveText(of object: Object) -> String? {
        let names = object.values.keys.sorted()
        let preferred = ["name", "title", "fullName"].filter(names.contains) + names
        for name in preferred {
            if case .text(let text)? = object.values[name], text.count < 60 { return text }
        }
        return nil
    }
}

extension ObjectGraph.Value: Hashable {
    /// Texts are compared by their bytes, as in a store.
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let first), .boolean(let second)): first == second
        case (.number(let first), .number(let second)): first == second
        case (.text(let first), .text(let second)): haveSameBytes(first, second)
        case (.list(let first), .list(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        case (.null, _), (.boolean, _), (.number, _), (.text, _), (.list, _), (.object, _): false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .text(let text): hasher.combine(Array(text.utf8))
        case .list(let values): hasher.combine(values)
        case .object(let values): hasher.combine(values)
        }
    }
}
