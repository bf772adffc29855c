import ObjectModel
import ModelEditing

/// What one side renamed since the base, by renaming identifiers.
struct Renaming {
    private let graph: EntityGraph
    /// The names in the base, by the names in the side.
    private(set) var entities: [String: String] = [:]
    /// The names in the base of the properties of each entity, by the names in the side.
    private(set) var properties: [String: [String: String]] = [:]

    init(in side: SourceText) { graph = side.graph }

    init(from base: SourceElement, to side: SourceText) {
        graph = side.graph
        let side = side.root
        entities = Self.renamed(
            from: base.children.filter { $0.name == "entity" },
            to: side.children.filter { $0.name == "entity" }
        )
        let former = Dictionary(
            firstOf: base.children.filter { $0.name == "entity" }.map { ($0["name"] ?? "", $0) }
        )
        for entity in side.children where entity.name == "entity" {
            let name = entity["name"] ?? ""
            guard let old = former[entities[name] ?? name] else { continue }
            properties[entities[name] ?? name] = Self.renamed(
                from: old.children.filter(\.isProperty),
                to: entity.children.filter(\.isProperty)
            )
        }
    }

    /// Returns the side's root with the names of the base in all references.
    func undone(in root: SourceElement) -> SourceElement {
        guard !entities.isEmpty || properties.values.contains(where: { !$0.isEmpty }) else {
            return root
        }
        var root = root
        for index in root.children.indices {
            let name = root.children[index]["name"] ?? ""
            let isEntity = root.children[index].name == "entity"
            if isEntity { root.children[index].formerName = entities[name] }
            undo(in: &root.children[index], of: isEntity ? entities[name] ?? name : nil)
        }
        return root
    }

    private func undo(in element: inout SourceElement, of entity: String?) {
        let own = entity.flatMap { properties[$0] } ?? [:]
        if element.isProperty { element.formerName = own[element["name"] ?? ""] }
        for index in element.attributes.indices {
            let attribute = element.attributes[index]
            if Vocabulary.namesEntity(attribute.name, of: element.name) {
                element.attributes[index].value = entities[attribute.value] ?? attribute.value
            } else if Vocabulary.namesOwnProperty(attribute.name, of: element.name) {
                element.attributes[index].value = own[attribute.value] ?? attribute.value
            } else if let subject = attribute.subject {
                element.attributes[index].value = mapped(attribute.written, of: subject) { $1 }
            }
        }
        if let place = element.attributes.firstIndex(where: { $0.name == "inverseName" }),
            let end = element.inverseEntity
        {
            let name = element.attributes[place].value
            element.attributes[place].value = properties[end]?[name] ?? name
        }
        for index in element.children.indices { undo(in: &element.children[index], of: entity) }
    }

    /// Returns a predicate or an expression of the side with its properties renamed.
    ///
    /// `subject` has the entities whose properties it names. `name` maps the base's names of an entity and a property to a
    /// new name, or `nil` to keep it.
    func mapped(
        _ text: String,
        of subject: (entity: String, source: String?),
        _ name: (_ entity: String, _ property: String) -> String?
    ) -> String {
        TextNames(graph, root: subject.entity, source: subject.source).mapped(text) {
            written,
            owner in
            guard case .entity(let entity) = owner else { return written }
            for entity in graph.chain(from: entity) {
                let former = entities[entity] ?? entity
                let old = properties[former]?[written]
                if let new = name(former, old ?? written), old != nil || new != written {
                    return new
                }
            }
            return written
        }
    }

    /// Pairs removed items with new ones that have their renaming identifier.
    private static func renamed(
        from old: [SourceElement],
        to new: [SourceElement]
    ) -> [String: String] {
        let oldNames = Set(old.compactMap { $0["name"] })
        let newNames = Set(new.compactMap { $0["name"] })
        var gone: [String: String] = [:]
        for element in old {
            guard let name = element["name"], !newNames.contains(name) else { continue }
            gone[name] = name
            if let identifier = element["elementID"] { gone[identifier] = name }
        }
        var pairs: [String: String] = [:]
        var taken: Set<String> = []
        for element in new {
            guard let name = element["name"], !oldNames.contains(name),
                let former = element["elementID"].flatMap({ gone[$0] }),
                taken.insert(former).inserted
            else { continue }
            pairs[name] = former
        }
        return pairs
    }
}

extension SourceElement {
    var isProperty: Bool { ["attribute", "relationship", "fetchedProperty"].contains(name) }

    var inverseEntity: String? { self["inverseEntity"] ?? self["destinationEntity"] }
}
