package import ObjectModel

/// The new names of record types and fields by their old ones, from the renaming identifiers of two models.
///
/// CloudKit has no renames: a renamed property is a new field, and the old one keeps its values.
package struct SchemaRenames: Sendable {
    private var types: [String: String] = [:]
    private var fields: [String: [String: String]] = [:]

    /// Creates a value without renames, as between two schemas.
    package init() {}

    package init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        let (olds, news) = (ModelGraph(old), ModelGraph(new))
        let entities = Dictionary(new.entities.map { ($0.matchingIdentifier, $0) }) { $1 }
        for entity in old.entities {
            guard let target = entities[entity.matchingIdentifier] ?? entities[entity.name] else {
                continue
            }
            let from = SystemNames.prefix + olds.root(of: entity).name
            let to = SystemNames.prefix + news.root(of: target).name
            if from != to, new.entities.allSatisfy({ $0.name != entity.name }) { types[from] = to }
            let properties = Dictionary(
                target.properties.map { ($0.matchingIdentifier, $0.name) }
            ) { $1 }
            for property in entity.properties {
                guard
                    let name = properties[property.matchingIdentifier] ?? properties[property.name],
                    name != property.name, target.property(property.name) == nil
                else { continue }
                fields[from, default: [:]][SystemNames.prefix + property.name] =
                    SystemNames.prefix + name
            }
        }
    }

    /// Returns the new name of a removed record type or field; `nil` when it was not renamed.
    package func newName(of change: SchemaChange) -> String? {
        switch change.kind {
        case .recordTypeRemoved: types[change.type.name]
        case .fieldRemoved: change.field.flatMap { newName(of: $0.name, in: change.type.name) }
        case .recordTypeAdded, .fieldAdded, .fieldRetyped, .encryptionChanged, .optionsChanged,
            .systemFieldRemoved:
            nil
        }
    }

    private func newName(of field: String, in type: String) -> String? {
        guard let names = fields[type] else { return nil }
        if let name = names[field] { return name }
        let suffix = SystemNames.companion(of: "")
        guard field.hasSuffix(suffix) else { return nil }
        return names[String(field.dropLast(suffix.count))].map { SystemNames.companion(of: $0) }
    }
}
