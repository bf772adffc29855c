import ObjectModel
import SQLiteAccess
import StoreFormat

extension ModelViews {
    /// Adds to SQLite's message the names of a composite's elements, where a statement uses it as a column, or the
    /// owner of a value that must be unique.
    func explained(_ message: String) -> String {
        let unique = uniqueProperties(in: message)
        guard unique.isEmpty else {
            let names = unique.map { "'\($0)'" }.joined(separator: ", ")
            return "\(names) must be unique, but another object has the same value"
        }
        for phrase in ["no such column: ", "has no column named "] {
            guard let range = message.firstRange(of: phrase) else { continue }
            // The name of a table may come before, that of an element after.
            for name in message[range.upperBound...].split(separator: ".") {
                guard let (entity, elements) = composite(named: name.lowercased()) else { continue }
                return message + advice(entity, elements)
            }
        }
        return message
    }

    /// Says how the elements of a composite are named; `nil` where the entity has none of this name.
    func advice(onComposite name: String, of entity: String) -> String? {
        let elements = graph.entity(entity).map { self.elements(of: $0, named: name.lowercased()) }
        return elements.flatMap { $0.isEmpty ? nil : advice(entity, $0) }
    }

    private func advice(_ entity: String, _ elements: [StoredAttribute]) -> String {
        let columns = elements.prefix(3).map { quotedIdentifier($0.name) }
        return ": '\(entity).\(elements[0].path[0])' is a composite; its elements are the "
            + "columns \(columns.joined(separator: ", "))\(elements.count > 3 ? "…" : "")"
    }

    /// The properties whose values must be unique together, where SQLite reports that they are not; none for other
    /// messages.
    func uniqueProperties(in message: String) -> [PropertyReference] {
        guard let start = message.firstRange(of: "UNIQUE constraint failed: ") else { return [] }
        return message[start.upperBound...].split(separator: ", ").compactMap { place in
            let names = place.split(separator: ".", maxSplits: 1).map(String.init)
            let table = layout.tables.first { $0.name == names[0] }
            switch table?.columns.first(where: { $0.name == names.last })?.role {
            case .attribute(let entity, let name, _)?, .toOne(let entity, let name)?:
                return PropertyReference(entity: entity, name: name)
            default: return nil
            }
        }
    }

    private func composite(named name: String) -> (entity: String, elements: [StoredAttribute])? {
        for entity in layout.entities.compactMap({ graph.entity($0.name) }) {
            let elements = elements(of: entity, named: name)
            if !elements.isEmpty { return (entity.name, elements) }
        }
        return nil
    }

    private func elements(of entity: Entity, named name: String) -> [StoredAttribute] {
        attributes(of: entity).filter { $0.path.count > 1 && $0.path[0].lowercased() == name }
    }
}
