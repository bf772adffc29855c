import Diagnostics
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
            var fields = RowFields(of: numbered, in: store)
        else { return nil }
        fields.fields.removeAll { field in
            if case .toMany(let link) = field { link.links.form == .inverseKey } else { false }
        }
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
func members(of line: [UInt8]) throws(StoreError) -> [(name: String, value: [UInt8])] {
    let reader = JSONReader(RowSource(bytes: line, path: "row"))
    try reader.expect("{")
    var members: [(name: String, value: [UInt8])] = []
    try reader.forEachMember { name, _ throws(StoreError) in
        let name = String(decoding: name, as: UTF8.self)
        try reader.expect(":")
        let value = try reader.rawValue()
        if name != "@id" { members.append((name, value)) }
    }
    return members
}
