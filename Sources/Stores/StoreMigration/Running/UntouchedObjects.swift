import SQLiteAccess
import StoreFormat

/// The tables, indexes, triggers and views of a store that no step names, as they were before a run.
///
/// The run checks here that what it does not touch stays identical to the byte.
struct UntouchedObjects {
    private struct Key: Hashable {
        var kind: SchemaObject.Kind
        var name: String
    }

    private let texts: [Key: String]

    init(of connection: SQLiteConnection, without changes: [SchemaChange]) throws(StoreError) {
        var touched = TouchedNames()
        for change in changes { touched.add(change) }
        var texts: [Key: String] = [:]
        for object in try StoreFile(on: connection).schema() where !touched.contains(object) {
            texts[Key(kind: object.kind, name: object.name)] = object.sql
        }
        self.texts = texts
    }

    func check(on connection: SQLiteConnection) throws(StoreMigrationError) {
        let objects = try storeErrors(StoreFile(on: connection).schema())
        var left = texts
        for object in objects {
            let key = Key(kind: object.kind, name: object.name)
            if left[key] == object.sql { left[key] = nil }
        }
        guard let lost = left.min(by: { $0.key.name < $1.key.name }) else { return }
        throw .checkFailed(
            path: connection.path,
            subject: "the \(lost.key.kind.rawValue) \(lost.key.name), which no step changes,",
            expected: "unchanged",
            found: "changed"
        )
    }
}

/// The names in changes of a schema, in lower case.
private struct TouchedNames {
    private var objects: Set<String> = []
    /// The tables whose indexes and triggers go or change with them.
    private var tables: Set<String> = []

    func contains(_ object: SchemaObject) -> Bool {
        let (name, table) = (object.name.lowercased(), object.table.lowercased())
        if objects.contains(name) || tables.contains(table) { return true }
        // SQLite keeps a virtual table in tables of its own.
        return objects.contains { name.hasPrefix($0 + "_") && $0.hasPrefix("z_rt_") }
    }

    mutating func add(_ change: SchemaChange) {
        switch change {
        case .createTable(let table): objects.insert(table.name.lowercased())
        case .createJoinTable(let table): objects.insert(table.name.lowercased())
        case .dropTable(let name): tables.insert(name.lowercased())
        case .renameTable(let old, let new): tables.formUnion([old.lowercased(), new.lowercased()])
        case .addColumn(_, let table): objects.insert(table.lowercased())
        case .renameColumn(_, _, let table), .dropColumn(_, let table):
            tables.insert(table.lowercased())
        case .addTombstone: objects.insert("achange")
        case .createIndex(let index): objects.insert(index.name.lowercased())
        case .createTrigger(let trigger): objects.insert(trigger.name.lowercased())
        case .dropIndex(let name, _), .dropTrigger(let name, _), .restore(let name, _, _):
            objects.insert(name.lowercased())
        case .createSpatial(let index), .dropSpatial(let index):
            objects.insert(index.name.lowercased())
        case .fillSpatial, .createTemporary, .indexTemporary, .rebuildIndex: break
        }
    }
}
