/// The names of entities and properties in the merged file, by their names in the base.
struct MergedNames {
    private var entities: [String: String] = [:]
    private var properties: [String: [String: String]] = [:]
    private let ours: Renaming
    private let theirs: Renaming

    init(_ root: MergedElement, ours: Renaming, theirs: Renaming) {
        (self.ours, self.theirs) = (ours, theirs)
        for entity in root.ourElements where entity.source.name == "entity" {
            let former = entity.former ?? entity["name"] ?? ""
            if let name = entity["name"], name != former { entities[former] = name }
            for property in entity.ourElements where property.source.isProperty {
                guard let old = property.former, let name = property["name"], name != old else {
                    continue
                }
                properties[former, default: [:]][old] = name
            }
        }
    }

    /// Returns the value to write of an attribute, with the names of the merged file.
    ///
    /// `entity` is the name in the base of the entity around `element`.
    func value(
        of attribute: MergedElement.Attribute,
        in element: MergedElement,
        of entity: String?
    ) -> String {
        let side = attribute.side
        let attribute = attribute.source
        let (value, name) = (attribute.value, element.source.name)
        if let subject = attribute.subject {
            return (side == .ours ? ours : theirs).mapped(attribute.written, of: subject) {
                properties[$0]?[$1] ?? $1
            }
        }
        if Vocabulary.namesEntity(attribute.name, of: name) { return entities[value] ?? value }
        if Vocabulary.namesOwnProperty(attribute.name, of: name) {
            return entity.flatMap { properties[$0]?[value] } ?? value
        }
        guard name == "relationship", attribute.name == "inverseName" else { return value }
        let end = element["inverseEntity"] ?? element["destinationEntity"]
        return end.flatMap { properties[$0]?[value] } ?? value
    }
}

extension MergedElement {
    /// The name in the base, if either side renamed the element.
    var former: String? { source.formerName ?? other?.formerName }

    fileprivate var ourElements: [MergedElement] {
        children.flatMap { $0.flattened(preferring: .ours) }
    }
}
