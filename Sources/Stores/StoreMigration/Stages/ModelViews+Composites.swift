import ObjectModel
import SQLiteAccess
import StoreFormat

extension ModelViews {
    /// Adds to SQLite's words how the elements of a composite are named, where a statement names it as a column.
    func explained(_ message: String) -> String {
        for phrase in ["no such column: ", "has no column named "] {
            guard let range = message.firstRange(of: phrase) else { continue }
            // The name of a table may stand before, that of an element behind.
            for name in message[range.upperBound...].split(separator: ".") {
                guard let (entity, elements) = composite(named: name.lowercased()) else { continue }
                let columns = elements.prefix(3).map { quotedIdentifier($0.name) }
                return
                    "\(message): '\(entity).\(elements[0].path[0])' is a composite, whose elements are the "
                    + "columns \(columns.joined(separator: ", "))\(elements.count > 3 ? "…" : "")"
            }
        }
        return message
    }

    private func composite(named name: String) -> (entity: String, elements: [StoredAttribute])? {
        for entity in layout.entities.compactMap({ graph.entity($0.name) }) {
            let elements = attributes(of: entity).filter {
                $0.path.count > 1 && $0.path[0].lowercased() == name
            }
            if !elements.isEmpty { return (entity.name, elements) }
        }
        return nil
    }
}
