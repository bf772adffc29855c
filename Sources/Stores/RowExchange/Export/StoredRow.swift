package import ObjectModel
import SQLiteAccess
package import StoreFormat

/// An object as read from a store: its values in the types of their attributes.
///
/// ```swift
/// try readRows(of: store, model: model) { row in print(row.reference, row.values) }
/// ```
package struct StoredRow: Sendable, Hashable {
    package struct Reference: Sendable, Hashable {
        /// The name of its own entity, which may be a sub-entity of the relationship's destination.
        package var entity: String
        /// The key, unique in the hierarchy of the entity.
        package var key: Int64
    }

    /// What an entity has by its model, shared by all of its rows.
    package struct Shape: Sendable, Hashable {
        /// The attributes by name, those of a composite by their path, such as `address.city`.
        package var attributes: Set<String> = []
        package var relationships: Set<String> = []
    }

    package var reference: Reference
    package var shape: Shape
    package var values: [String: AttributeValue] = [:]
    package var links: [String: [Reference]] = [:]
    /// The attributes whose values are stored in another type.
    package var misfits: Set<String> = []
}

/// Reads the rows of a store one by one, in the order of an export.
///
/// Throws ``StoreError`` if the store cannot be read or belongs to another model; or what `body` throws.
package func readRows(
    of file: StoreFile,
    model: ManagedObjectModel,
    options: RowExportOptions = RowExportOptions(),
    _ body: (StoredRow) throws -> Void
) throws {
    let chosen = try ChosenRows(of: file, model: model, options)
    for entity in chosen.entities {
        guard let rows = try chosen.rows(of: entity) else { continue }
        let writer = try RowWriter(rows, chosen.store)
        let reader = RowReader(writer, ExternalData(folder: externalDataFolder(of: file.path)))
        while let row = try reader.next() { try body(row) }
    }
}

private struct RowReader {
    private let writer: RowWriter
    private let files: ExternalData
    private let shape: StoredRow.Shape

    init(_ writer: RowWriter, _ files: ExternalData) {
        (self.writer, self.files) = (writer, files)
        var shape = StoredRow.Shape()
        for field in writer.fields.fields { shape.add(field, below: "") }
        self.shape = shape
    }

    /// The next row; `nil` after the last one.
    func next() throws(StoreError) -> StoredRow? {
        guard try writer.next() else { return nil }
        let key = writer.statement.integer(0)
        let name = writer.fields.entity.name
        var row = StoredRow(reference: .init(entity: name, key: key), shape: shape)
        for (field, column) in zip(writer.fields.fields, writer.writers) {
            switch column.kind {
            case .value, .composite: read(field, column, below: "", into: &row)
            case .toOne(let column, let entityColumn, let destination):
                guard writer.statement.kind(column) != .null else { continue }
                let number = entityColumn.map { writer.statement.integer($0) }
                let link = writer.statement.integer(column)
                row.links[field.name] = [.init(entity: destination.name(of: number), key: link)]
            case .toMany(let cursor):
                let links = try cursor.links(of: key)
                guard !links.isEmpty else { continue }
                row.links[field.name] = links.map { .init(entity: $0.entity, key: $0.key) }
            }
        }
        return row
    }

    private func read(
        _ field: RowField,
        _ column: FieldWriter,
        below path: String,
        into row: inout StoredRow
    ) {
        let name = path + field.name
        switch (field, column.kind) {
        case (.composite(_, let elements), .composite(let columns)):
            for (element, column) in zip(elements, columns) {
                read(element, column, below: name + ".", into: &row)
            }
        case (_, .value(let value)):
            guard writer.statement.kind(value.column) != .null else { return }
            let form = StoredForm(of: value.attribute, in: value.column, of: writer.statement)
            let read = form.flatMap { AttributeValue($0, of: value.attribute, files) }
            if let read { row.values[name] = read } else { row.misfits.insert(name) }
        default: return
        }
    }
}

extension StoredRow.Shape {
    fileprivate mutating func add(_ field: RowField, below path: String) {
        switch field {
        case .value: attributes.insert(path + field.name)
        case .composite(let name, let elements):
            for element in elements { add(element, below: "\(path)\(name).") }
        case .toOne, .toMany: relationships.insert(field.name)
        }
    }
}
