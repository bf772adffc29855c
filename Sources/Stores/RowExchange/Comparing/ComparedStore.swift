import Diagnostics
import Essentials
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// A store whose rows are compared with another store's, with its own model.
package struct ComparedStore {
    private let store: LaidOutStore

    package var file: StoreFile { store.file }
    var layout: StoreLayout { store.layout }

    /// Opens a store for comparison; throws if it cannot be read, or does not have the version of the model.
    package init(_ file: StoreFile, _ model: ManagedObjectModel) throws(StoreError) {
        store = try LaidOutStore(file, model)
        try store.requireFit()
        try store.requireTables()
    }

    /// The entities that may have objects, by name.
    func entities(_ chosen: [String]) throws(StoreError) -> [NumberedEntity] {
        let names = try chosenEntities(chosen, in: layout)
        return layout.entities.filter { !$0.isAbstract && names?.contains($0.name) ?? true }
    }

    /// The fields of an entity that are compared: not links that the other side keeps.
    func fields(of entity: String) -> RowFields? {
        guard let numbered = layout.entities.first(where: { $0.name == entity }),
            var fields = RowFields(of: numbered, in: layout)
        else { return nil }
        fields.fields.removeAll { $0.link?.links.form == .inverseKey }
        return fields
    }

    /// Reads some fields of the rows of an entity, by their keys.
    func rows(_ fields: RowFields?) throws(StoreError) -> RowWriter? {
        try fields.map { fields throws(StoreError) in
            try RowWriter(EntityRows(fields: fields), store)
        }
    }

    /// The attributes that identify the objects of an entity, given for it or for the nearest entity above it.
    func naturalKey(of entity: String, _ keys: [String: [String]]) -> [String]? {
        guard let own = store.graph.entity(entity) else { return nil }
        return store.graph.lineage(of: own).lazy.compactMap { keys[$0.name] }.first
    }

    func requireAttributes(_ attributes: [String], of entity: String) throws(StoreError) {
        guard let fields = fields(of: entity)?.fields else { return }
        for attribute in attributes {
            let isKnown = fields.contains {
                if case .value = $0 { $0.name == attribute } else { false }
            }
            guard !isKnown else { continue }
            let message = "'\(entity)' has no stored attribute '\(attribute)' in \(file.path)"
            throw .rows(Diagnostic(.unknownProperty, message))
        }
    }

    func unknownRows() throws(StoreError) -> [Diagnostic] { try store.unknownRows() }

    func table(of entity: String) -> String? { layout.table(of: entity)?.name }
}

struct ComparedRow {
    var name: String
    var key: Int64
    var line: [UInt8]
}

/// The rows of an entity, in the order of their keys or of their names.
protocol ComparedRows { mutating func next() throws(StoreError) -> ComparedRow? }

struct KeyedRows: ComparedRows {
    let entity: String
    var writer: RowWriter?
    var rewriting: RowRewriting?

    mutating func next() throws(StoreError) -> ComparedRow? {
        var text = JSONText(capacity: 256)
        guard let key = try writer?.writeNext(into: &text) else { return nil }
        let line = try rewriting?.rewritten(text.bytes) ?? text.bytes
        return ComparedRow(name: "\(entity)/p\(key)", key: key, line: line)
    }
}

/// The members of an exported line, without its `@id`, as compact JSON.
func members(of line: [UInt8]) throws(StoreError) -> [(String, String)] {
    let reader = JSONReader(RowSource(bytes: line, path: "row"))
    try reader.expect("{")
    var members: [(String, String)] = []
    try reader.forEachMember { name, _ throws(StoreError) in
        let name = String(decoding: name, as: UTF8.self)
        try reader.expect(":")
        let value = String(decoding: try reader.rawValue(), as: UTF8.self)
        if name != "@id" { members.append((name, value)) }
    }
    return members
}

/// The names of objects by their natural keys, kept in a temporary table, as there may be many.
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
            let values = Dictionary(firstOf: try members(of: text.bytes))
            text.removeAll()
            // An object without any of them is identified only by its key.
            guard attributes.contains(where: { values[$0] != nil }) else { continue }
            let parts = attributes.map { "\($0)=\(values[$0] ?? "null")" }
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
        for link in fields.fields.compactMap(\.link) {
            let table = store.table(of: link.destination) ?? ""
            links[link.property.name] = (table, link.relationship.isOrdered)
        }
    }

    /// The line with other names for objects; members stay in their order.
    func rewritten(_ line: [UInt8]) throws(StoreError) -> [UInt8] {
        var text = JSONText(capacity: line.count)
        text.append("{")
        for (place, (name, value)) in try members(of: line).enumerated() {
            if place > 0 { text.append(", ") }
            text.append(quoted: name)
            text.append(": ")
            guard let (table, isOrdered) = links[name] else {
                text.append(raw: value)
                continue
            }
            let precedes =
                isOrdered
                ? nil
                : { (left: String, right: String) in left.utf8.lexicographicallyPrecedes(right.utf8)
                }
            let renamed = try renamedReferences(value, sortedBy: precedes) {
                text throws(StoreError) in
                guard let object = ObjectReference(text) else { return text }
                return try names.name(of: object.key, in: table) ?? text
            }
            text.append(raw: renamed)
        }
        text.append("}")
        return text.bytes
    }
}

/// The references of a relationship, as in an export, with other names, which are sorted if their order does not count.
func renamedReferences(
    _ references: String,
    sortedBy precedes: ((String, String) -> Bool)?,
    _ rename: (String) throws(StoreError) -> String
) throws(StoreError) -> [UInt8] {
    let reader = JSONReader(RowSource(bytes: Array(references.utf8), path: "row"))
    var text = JSONText(capacity: references.utf8.count)
    func name() throws(StoreError) -> String {
        try rename(String(decoding: try reader.string(), as: UTF8.self))
    }
    guard try reader.take("[") else {
        text.append(quoted: try name())
        return text.bytes
    }
    var names: [String] = []
    try reader.forEachElement { () throws(StoreError) in names.append(try name()) }
    if let precedes { names.sort(by: precedes) }
    text.append("[")
    for (place, name) in names.enumerated() {
        if place > 0 { text.append(", ") }
        text.append(quoted: name)
    }
    text.append("]")
    return text.bytes
}
