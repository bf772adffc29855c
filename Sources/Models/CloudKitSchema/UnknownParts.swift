package import ObjectModel

/// What cannot be predicted of a schema, because the model's sources are not fully understood.
///
/// The same property may be understood in another version: its field coming or going there means nothing.
package struct UnknownParts: Sendable {
    private var types: Set<String> = []
    /// The fields of properties that are not understood, by record type.
    private var fields: [String: Set<String>] = [:]

    /// Knows of no gaps, as in an exported schema.
    package init() {}

    /// Finds what a model leaves open in its mirrored entities.
    package init(of model: ManagedObjectModel, mirroring mirrored: MirroredEntities) {
        let graph = ModelGraph(model)
        for entity in model.entities where mirrored.contains(entity.name) {
            for gap in entity.gaps {
                let owner = gap.entity.flatMap(graph.entity) ?? entity
                let type = SystemNames.prefix + graph.root(of: owner).name
                if let property = gap.property {
                    fields[type, default: []].insert(SystemNames.prefix + property)
                } else {
                    types.insert(type)
                }
            }
        }
        // A relationship that is not understood may be many-to-many.
        if !types.isEmpty || !fields.isEmpty { types.insert(SystemNames.links) }
    }

    package mutating func formUnion(_ other: UnknownParts) {
        types.formUnion(other.types)
        fields.merge(other.fields) { $0.union($1) }
    }

    package func explain(_ change: SchemaChange) -> Bool {
        guard let field = change.field else { return types.contains(change.type.name) }
        return change.kind != .systemFieldRemoved && explain(field, in: change.type)
    }

    private func explain(_ field: RecordField, in type: RecordType) -> Bool {
        if types.contains(type.name) { return true }
        guard let open = fields[type.name] else { return false }
        return open.contains(field.name)
            || open.contains { SystemNames.companion(of: $0) == field.name }
    }
}
