import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// The names of objects by their natural keys, kept in a temporary table so that memory does not grow with their
/// number.
struct NaturalNames {
    /// The side of the comparison: 0 for the old store, 1 for the new one.
    let side: Int64
    private let store: ComparedStore
    private let connection: SQLiteConnection
    private let keys: [String: [String]]
    private let lookup: Statement

    /// Names the objects of entities that have a natural key, the attributes in `keys` by entity; `connection` has the
    /// temporary tables.
    init(
        of store: ComparedStore,
        side: Int64,
        _ keys: [String: [String]],
        on connection: SQLiteConnection
    ) throws(StoreError) {
        (self.store, self.side, self.keys) = (store, side, keys)
        self.connection = connection
        lookup = try Statement(
            "SELECT name FROM temp.momtool_names WHERE side = ? AND place = ? AND key = ?",
            on: connection
        )
        for entity in try store.entities([]) {
            guard let attributes = store.naturalKey(of: entity.name, keys) else { continue }
            try name(entity.name, by: attributes)
        }
    }

    static func makeTables(on connection: SQLiteConnection) throws(StoreError) {
        for name in ["names", "rows"] {
            try connection.execute("DROP TABLE IF EXISTS temp.momtool_\(name)")
        }
        try connection.execute(
            "CREATE TEMP TABLE momtool_names (side INTEGER, place TEXT, key INTEGER, name TEXT, "
                + "PRIMARY KEY (side, place, key)) WITHOUT ROWID"
        )
        try connection.execute(
            "CREATE TEMP TABLE momtool_rows (side INTEGER, entity TEXT, name TEXT, key INTEGER, "
                + "line BLOB, PRIMARY KEY (side, entity, name, key)) WITHOUT ROWID"
        )
    }

    private func name(_ entity: String, by attributes: [String]) throws(StoreError) {
        guard var fields = store.fields(of: entity) else { return }
        fields.fields.removeAll { !attributes.contains($0.name) }
        var rows = try store.rows(fields)
        let insertion = try Statement(
            "INSERT INTO temp.momtool_names VALUES (?, ?, ?, ?)",
            on: connection
        )
        let table = store.table(of: entity) ?? ""
        var text = JSONText(capacity: 256)
        while let key = try rows?.writeNext(into: &text) {
            let values = Dictionary(
                firstOf: try members(of: text.bytes).map { ($0.name, $0.value) }
            )
            text.removeAll()
            // An object without any of them is identified only by its key.
            guard attributes.contains(where: { values[$0] != nil }) else { continue }
            let parts = attributes.map { attribute in
                "\(attribute)=\(values[attribute].map { String(decoding: $0, as: UTF8.self) } ?? "null")"
            }
            let name = "\(entity)[\(parts.joined(separator: ", "))]"
            try insertion.run([.integer(side), .text(table), .integer(key), .text(name)])
        }
    }

    /// The name of an object; `nil` where only its key is known.
    func name(of key: Int64, in table: String) throws(StoreError) -> String? {
        var name: String?
        try lookup.run([.integer(side), .text(table), .integer(key)]) { name = $0[0].text }
        return name
    }

    /// The rows of an entity: by name with a natural key, otherwise by their keys.
    func rows(of entity: String) throws(StoreError) -> any ComparedRows {
        let fields = store.fields(of: entity)
        let rewriting = fields.map { RowRewriting(self, $0, store) }
        var keyed = KeyedRows(entity: entity, writer: try store.rows(fields), rewriting: rewriting)
        guard store.naturalKey(of: entity, keys) != nil else { return keyed }
        let insertion = try Statement(
            "INSERT INTO temp.momtool_rows VALUES (?, ?, ?, ?, ?)",
            on: connection
        )
        let table = store.table(of: entity) ?? ""
        while let row = try keyed.next() {
            let name = try name(of: row.key, in: table) ?? row.name
            try insertion.run([
                .integer(side), .text(entity), .text(name), .integer(row.key),
                .blob(Data(row.line)),
            ])
        }
        let statement = try Statement(
            "SELECT name, key, line FROM temp.momtool_rows WHERE side = ? AND entity = ? "
                + "ORDER BY name, key",
            on: connection
        )
        try statement.bind(side, at: 1)
        try statement.bindText(entity, at: 2)
        return NamedRows(statement: statement)
    }
}

private struct NamedRows: ComparedRows {
    let statement: Statement

    mutating func next() throws(StoreError) -> ComparedRow? {
        guard try statement.step() else { return nil }
        return ComparedRow(
            name: String(decoding: statement.text(0), as: UTF8.self),
            key: statement.integer(1),
            line: Array(statement.bytes(2))
        )
    }
}

/// Replaces the links of a row by the natural names of their destinations.
struct RowRewriting {
    private let names: NaturalNames
    /// The tables that links lead to, by the names of relationships, and whether their order counts.
    private var links: [String: (table: String, isOrdered: Bool)] = [:]

    init(_ names: NaturalNames, _ fields: RowFields, _ store: ComparedStore) {
        self.names = names
        for field in fields.fields {
            switch field {
            case .value, .composite: break
            case .toOne(let link):
                links[field.name] = (store.table(of: link.destination) ?? "", true)
            case .toMany(let link):
                let table = store.table(of: link.destination) ?? ""
                links[field.name] = (table, link.relationship.isOrdered)
            }
        }
    }

    /// The line with other names for objects; members stay in their order.
    func rewritten(_ line: [UInt8]) throws(StoreError) -> [UInt8] {
        var text = JSONText(capacity: line.count)
        text.append("{")
        for (place, member) in try members(of: line).enumerated() {
            if place > 0 { text.append(", ") }
            text.append(quoted: member.name)
            text.append(": ")
            guard let link = links[member.name] else {
                text.append(raw: member.value)
                continue
            }
            try write(member.value, link.table, isOrdered: link.isOrdered, into: &text)
        }
        text.append("}")
        return text.bytes
    }

    private func write(
        _ value: [UInt8],
        _ table: String,
        isOrdered: Bool,
        into text: inout JSONText
    ) throws(StoreError) {
        let reader = JSONReader(RowSource(bytes: value, path: "row"))
        guard try reader.take("[") else { return text.append(quoted: try name(reader, table)) }
        var all: [String] = []
        try reader.forEachElement { () throws(StoreError) in all.append(try name(reader, table)) }
        if !isOrdered { all.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
        text.append("[")
        for (place, name) in all.enumerated() {
            if place > 0 { text.append(", ") }
            text.append(quoted: name)
        }
        text.append("]")
    }

    private func name(_ reader: JSONReader, _ table: String) throws(StoreError) -> String {
        _ = try reader.peek()
        let text = String(decoding: try reader.string(), as: UTF8.self)
        guard let object = ObjectReference(text) else { return text }
        return try names.name(of: object.key, in: table) ?? text
    }
}
