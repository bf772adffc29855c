import Diagnostics
package import ObjectModel
import SQLiteAccess
package import StoreFormat

struct RowWriter {
    /// The approximate size of the pieces of text that are passed on, in bytes.
    static let pieceSize = 1 << 16

    private(set) var count = 0
    let fields: RowFields
    let writers: [FieldWriter]
    let statement: Statement
    private var values: ValueWriter

    init(_ rows: EntityRows, _ store: LaidOutStore) throws(StoreError) {
        let fields = rows.fields
        var columns = RowColumns()
        var writers: [FieldWriter] = []
        for field in fields.fields { writers.append(try FieldWriter(field, &columns, store)) }
        (self.fields, self.writers) = (fields, writers)
        let sql = "SELECT \(columns.list.joined(separator: ", ")) \(rows.source) ORDER BY t.Z_PK"
        statement = try Statement(sql, on: store.connection)
        values = ValueWriter(path: store.file.path, entity: fields.entity.name)
    }

    var diagnostics: [Diagnostic] { values.diagnostics }

    mutating func writeAll(
        into text: inout JSONText,
        after separator: StaticString,
        _ write: ([UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        func pass(_ text: inout JSONText) throws(StoreError) {
            guard text.bytes.count >= Self.pieceSize else { return }
            try write(text.bytes)
            text.removeAll()
        }
        while try next() {
            if count == 0 {
                text.append(separator)
                text.append(quoted: fields.entity.name)
                text.append(": [\n")
            } else {
                text.append(",\n")
            }
            count += 1
            try writeRow(into: &text, pass)
            try pass(&text)
        }
        if count > 0 { text.append("\n]") }
        return count > 0
    }

    /// Writes the next row, and returns its key; `nil` after the last one.
    mutating func writeNext(into text: inout JSONText) throws(StoreError) -> Int64? {
        guard try next() else { return nil }
        try writeRow(into: &text) { _ in }
        return statement.integer(0)
    }

    /// Moves to the next row; `false` after the last one.
    func next() throws(StoreError) -> Bool { try statement.step() }

    private mutating func writeRow(
        into text: inout JSONText,
        _ pass: (inout JSONText) throws(StoreError) -> Void
    ) throws(StoreError) {
        let key = statement.integer(0)
        text.append("{\"@id\": \"p")
        text.append(key)
        text.append("\"")
        for writer in writers {
            switch writer.kind {
            case .value(let value):
                if statement.kind(value.column) == .null {
                    guard value.isFilled else { continue }
                    text.append(raw: writer.prefix)
                    text.append("null")
                    continue
                }
                text.append(raw: writer.prefix)
                values.write(value.attribute, value.column, of: statement, into: &text)
            case .composite(let elements): write(elements, after: writer.prefix, into: &text)
            case .toOne(let column, let entityColumn, let destination):
                guard statement.kind(column) != .null else { continue }
                text.append(raw: writer.prefix)
                guard statement.kind(column) == .integer else {
                    values.writeStored(column, of: statement, into: &text)
                    continue
                }
                let number = entityColumn.map { statement.integer($0) }
                destination.write(statement.integer(column), number, into: &text)
            case .toMany(let links):
                try links.write(of: key, after: writer.prefix, into: &text, pass)
            }
        }
        text.append("}")
    }

    /// Nothing marks a composite whose elements are all nil (SQLiteStores, "Composite attributes").
    private mutating func write(
        _ elements: [FieldWriter],
        after prefix: [UInt8],
        into text: inout JSONText
    ) {
        guard elements.contains(where: isPresent) else { return }
        text.append(raw: prefix)
        text.append("{")
        var isFirst = true
        for element in elements where isPresent(element) {
            text.append(raw: isFirst ? Array(element.prefix.dropFirst(2)) : element.prefix)
            isFirst = false
            switch element.kind {
            case .value(let value):
                values.write(value.attribute, value.column, of: statement, into: &text)
            case .composite(let inner): write(inner, after: [], into: &text)
            case .toOne, .toMany: break
            }
        }
        text.append("}")
    }

    private func isPresent(_ writer: FieldWriter) -> Bool {
        switch writer.kind {
        case .value(let value): statement.kind(value.column) != .null
        case .composite(let elements): elements.contains(where: isPresent)
        case .toOne, .toMany: false
        }
    }
}

/// The columns of the statement that reads the rows, in SQL; the key is the first.
struct RowColumns {
    private(set) var list = ["t.Z_PK"]

    mutating func add(_ column: String) -> Int32 {
        list.append("t." + quotedIdentifier(column))
        return Int32(list.count - 1)
    }
}

/// An attribute with its column in the statement that reads the rows; a class, as each value of each row passes it on.
final class ValueColumn {
    let column: Int32
    let attribute: Attribute
    /// Whether an import would compute an omitted value, or fill it with its default.
    let isFilled: Bool

    init(_ attribute: Attribute, _ column: Int32) {
        (self.attribute, self.column) = (attribute, column)
        let hasDefault = !attribute.isOptional && attribute.defaultValue != nil
        isFilled = attribute.derivation != nil || hasDefault
    }
}

final class FieldWriter {
    enum Kind {
        case value(ValueColumn)
        case composite([FieldWriter])
        case toOne(column: Int32, entityColumn: Int32?, EntityNames)
        case toMany(LinkCursor)
    }

    /// The quoted name with its punctuation: `, "name": `.
    let prefix: [UInt8]
    let kind: Kind

    init(_ field: RowField, _ columns: inout RowColumns, _ store: LaidOutStore) throws(StoreError) {
        var prefix = JSONText(capacity: 32)
        prefix.append(", ")
        prefix.append(quoted: field.name)
        prefix.append(": ")
        self.prefix = prefix.bytes
        switch field {
        case .value(let field):
            kind = .value(ValueColumn(field.attribute, columns.add(field.column)))
        case .composite(_, let elements):
            var writers: [FieldWriter] = []
            for element in elements { writers.append(try FieldWriter(element, &columns, store)) }
            kind = .composite(writers)
        case .toOne(let field):
            kind = .toOne(
                column: columns.add(field.links.key),
                entityColumn: field.links.entityColumn.map { columns.add($0) },
                EntityNames(destination: field.destination, in: store.layout)
            )
        case .toMany(let field):
            let names = EntityNames(destination: field.destination, in: store.layout)
            kind = .toMany(try LinkCursor(of: field, to: names, in: store))
        }
    }
}

/// The beginnings of references: `"Person/p`.
struct EntityNames {
    private let prefixes: [Int64: (text: [UInt8], rank: Int, name: String)]
    private let declared: [UInt8]
    private let declaredName: String
    let areSeveral: Bool

    init(destination: String, in layout: StoreLayout) {
        let numbers = Set(layout.numbers(ofHierarchy: destination))
        let entities = layout.entities.filter { numbers.contains($0.number) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        prefixes = Dictionary(
            firstOf: entities.enumerated().map { rank, entity in
                (Int64(entity.number), (Self.prefix(entity.name), rank, entity.name))
            }
        )
        (declared, declaredName) = (Self.prefix(destination), destination)
        areSeveral = entities.count > 1
    }

    /// Writes a reference; an unknown number, as in a dangling one, counts as the declared destination.
    func write(_ key: Int64, _ number: Int64?, into text: inout JSONText) {
        text.append(raw: number.flatMap { prefixes[$0]?.text } ?? declared)
        text.append(key)
        text.append("\"")
    }

    /// The name of an entity; an unknown number counts as the declared destination.
    func name(of number: Int64?) -> String { number.flatMap { prefixes[$0]?.name } ?? declaredName }

    func rank(of number: Int64) -> Int { prefixes[number]?.rank ?? Int.max }

    private static func prefix(_ name: String) -> [UInt8] {
        var text = JSONText(capacity: 32)
        text.append(quoted: name)
        return text.bytes.dropLast() + Array("/p".utf8)
    }
}

/// An object as read from a store: its values in the types of their attributes.
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
