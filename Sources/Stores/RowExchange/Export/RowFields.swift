import ObjectModel
import StoreFormat

struct ValueField {
    var name: String
    var attribute: Attribute
    var column: String
}

struct LinkField {
    var relationship: Relationship
    var property: PropertyReference
    var destination: String
    var links: StoredLinks
}

indirect enum RowField {
    case value(ValueField)
    case composite(name: String, elements: [RowField])
    case toOne(LinkField)
    case toMany(LinkField)

    var name: String {
        switch self {
        case .value(let field): field.name
        case .composite(let name, _): name
        case .toOne(let field), .toMany(let field): field.property.name
        }
    }

    var link: LinkField? {
        switch self {
        case .toOne(let field), .toMany(let field): field
        case .value, .composite: nil
        }
    }
}

/// The stored properties of an entity, inherited ones too, sorted by name.
struct RowFields {
    let entity: NumberedEntity
    let table: String
    var fields: [RowField]

    init?(of entity: NumberedEntity, in layout: StoreLayout) {
        guard let table = layout.table(of: entity.name),
            let definition = layout.graph.entity(entity.name)
        else { return nil }
        self.entity = entity
        self.table = table.name
        let lineage = layout.graph.lineage(of: definition)
        var fields = attributeFields(of: entity.name, lineage, table, layout)
        var seen = Set(fields.map(\.name))
        for ancestor in lineage {
            for relationship in ancestor.relationships
            where !relationship.isTransient && seen.insert(relationship.name).inserted {
                if let field = relationshipField(relationship, ancestor.name, layout) {
                    fields.append(field)
                }
            }
        }
        self.fields = fields.sorted { precedes($0.name, $1.name) }
    }

    var orders: [String: Bool] {
        let links = fields.compactMap(\.link)
        return Dictionary(firstOf: links.map { ($0.property.name, $0.relationship.isOrdered) })
    }
}

/// Names sort by their UTF-8 bytes, which is the order of code points.
private func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}

private func relationshipField(
    _ relationship: Relationship,
    _ entity: String,
    _ layout: StoreLayout
) -> RowField? {
    let property = PropertyReference(entity: entity, name: relationship.name)
    guard let destination = relationship.destinationEntity, let links = layout.links(of: property)
    else { return nil }
    let field = LinkField(
        relationship: relationship,
        property: property,
        destination: destination,
        links: links
    )
    return links.form == .key ? .toOne(field) : .toMany(field)
}

/// Gathers attributes from the columns of the table, which are never too many; composite types could nest without end.
private func attributeFields(
    of entity: String,
    _ lineage: [Entity],
    _ table: EntityTable,
    _ layout: StoreLayout
) -> [RowField] {
    let ancestors = Dictionary(firstOf: lineage.map { ($0.name, $0) })
    var root = ElementNode()
    for column in table.columns {
        guard case .attribute(let own, let path) = column.role,
            let ancestor = ancestors[own.entity],
            layout.column(of: own.name, path: path, declaredBy: entity)?.name == column.name,
            let attribute = ancestor.attributes.first(where: { $0.name == own.name }),
            let element = element(of: attribute, at: path[...], layout.graph)
        else { continue }
        let name = path.last ?? own.name
        let field = ValueField(name: name, attribute: element, column: column.name)
        root.insert(field, at: ([own.name] + path)[...])
    }
    return root.fields
}

func element(
    of attribute: Attribute,
    at path: ArraySlice<String>,
    _ graph: ModelGraph
) -> Attribute? {
    var attribute = attribute
    for name in path {
        guard let type = attribute.compositeName.flatMap(graph.composite),
            let element = type.element(named: name)
        else { return nil }
        attribute = element
    }
    return attribute
}

/// A tree of the elements of composites, whose depth the layout bounds.
private struct ElementNode {
    private var value: ValueField?
    private var children: [String: ElementNode] = [:]

    mutating func insert(_ field: ValueField, at path: ArraySlice<String>) {
        guard let name = path.first else {
            value = field
            return
        }
        children[name, default: ElementNode()].insert(field, at: path.dropFirst())
    }

    var fields: [RowField] {
        children.sorted { precedes($0.key, $1.key) }.map { name, node in
            node.value.map { .value($0) } ?? .composite(name: name, elements: node.fields)
        }
    }
}
