package import Diagnostics
import Essentials
package import ObjectModel
import SQLiteAccess
package import StoreFormat

/// Changes the rows of a store as an app does that has it open: inserts objects, sets their values, links and deletes
/// them, and saves what it did.
///
/// Everything happens in the store's own tables, so that its indexes and triggers take part. What is not saved is seen
/// only through the editor; a save that is refused undoes all since the one before.
package struct RowEditor {
    /// An object: the index of its entity in the layout, and its key.
    package struct Object: Hashable, Sendable {
        var entity: Int
        var key: Int64
    }

    /// A relationship with the rule that nothing may be left where it leads when its object is deleted.
    struct Denial {
        var object: Object
        var relationship: String
        var destinations: [Object]
    }

    let connection: SQLiteConnection
    let model: ManagedObjectModel
    let layout: StoreLayout
    let graph: ModelGraph
    let values: ValueReader
    let externalData: ExternalData
    let fields: [RowFields?]
    private let path: String
    /// What each save asks for.
    lazy var verification = SaveVerification(of: model, layout)

    /// The objects that have names, by these.
    package private(set) var names: [String: Object]
    private var savedNames: [String: Object]
    var touched: Set<Object> = []
    var inserted: Set<Object> = []
    var deleted: Set<Object> = []
    var denials: [Denial] = []
    /// Values that are not unique, and that the table does not take.
    var conflicts: [SaveFault] = []
    /// The files of values that are gone when the deletion of their objects is saved.
    var surplusFiles: [String] = []
    /// The statements that make the unique indexes again; they would find fault with what is not saved yet.
    private var uniqueIndexes: [String] = []
    private var isOpen = false

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - path: the path of the store, which no other process has open.
    ///   - model: its model.
    ///   - names: what objects are called, by their names in an export, as `Person/ada` under `Person/p3`.
    /// - Throws: `RowExchangeError` when the store cannot be opened.
    package init(
        path: String,
        model: ManagedObjectModel,
        names: [String: String]
    ) throws(RowExchangeError) {
        self.path = path
        self.model = model
        graph = ModelGraph(model)
        connection = try reading { () throws(StoreError) in
            try SQLiteConnection(path: path, mode: .readWrite)
        }
        let file = StoreFile(on: connection)
        let (connection, graph) = (connection, graph)
        layout = try reading { () throws(StoreError) in
            try connection.registerTriggerFunctions()
            try registerFoldings(on: connection)
            try ValueRule.registerFunctions(on: connection)
            return storedLayout(of: model, try file.metadata(), try file.schema())
        }
        let layout = layout
        fields = layout.entities.map { RowFields(of: $0, in: layout, graph) }
        externalData = ExternalData(folder: externalDataFolder(of: path))
        values = ValueReader(externalData)
        self.names = [:]
        savedNames = [:]
        for (reference, name) in names { self.names[name] = object(keyed: reference) }
        savedNames = self.names
    }

    /// The rows as they are now, saved or not.
    package var file: StoreFile { StoreFile(on: connection) }

    /// Whether there is something that is not saved.
    package var hasChanges: Bool { isOpen }

    /// Begins to change what is saved.
    mutating func begin() throws(RowExchangeError) {
        guard !isOpen else { return }
        isOpen = true
        let connection = connection
        uniqueIndexes = try reading { () throws(StoreError) in
            try connection.execute("BEGIN IMMEDIATE")
            let rows = try connection.rows(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE %'"
            )
            for row in rows {
                try connection.execute("DROP INDEX \(quotedIdentifier(row[0].text ?? ""))")
            }
            return rows.compactMap { $0[1].text }
        }
    }

    /// Makes what was changed the store's, as it is or as it was.
    mutating func end(saving: Bool) throws(RowExchangeError) {
        let (connection, indexes) = (connection, uniqueIndexes)
        try reading { () throws(StoreError) in
            if saving { for sql in indexes { try connection.execute(sql) } }
            try connection.execute(saving ? "COMMIT" : "ROLLBACK")
        }
        if saving {
            savedNames = names.filter { !deleted.contains($0.value) }
            for name in surplusFiles { externalData.remove(name) }
        }
        names = savedNames
        (touched, inserted, deleted) = ([], [], [])
        (denials, conflicts, surplusFiles, uniqueIndexes) = ([], [], [], [])
        isOpen = false
    }

    /// Gives an object a name; `false` when another one has it.
    mutating func name(_ object: Object, _ name: String) -> Bool {
        guard names[name] == nil else { return false }
        names[name] = object
        return true
    }

    /// What an object is called: as it was named, else by its key.
    package func words(_ object: Object) -> String {
        let known = names.filter { $0.value == object }.keys.min()
        return known ?? "\(layout.entities[object.entity].name)/p\(object.key)"
    }

    /// Finds an object by its name, by its key as `Person/p3`, or by what is true of it alone, as `Person[age > 40]`.
    package func object(
        _ text: String,
        at location: FileLocation
    ) throws(RowExchangeError) -> Object {
        func fault(_ message: String) -> RowExchangeError {
            .rows(Diagnostic(.danglingReference, message, at: location))
        }
        if let object = names[text] {
            guard !deleted.contains(object) else { throw fault("'\(text)' is deleted") }
            return object
        }
        if text.hasSuffix("]"), text.contains("[") {
            let found = try objects(text, at: location)
            guard found.count == 1 else {
                throw fault("'\(text)' are \(found.count) objects; name one")
            }
            return found[0]
        }
        if let object = object(keyed: text), try exists(object) { return object }
        let nearest = suggestion(for: text, among: names.keys.sorted())
        throw fault("there is no object '\(text)'\(nearest)")
    }

    /// Finds the objects of an entity, and those below it: all, such as `Person`, or where something is true, as
    /// `Person[age > 40]`.
    package func objects(
        _ text: String,
        at location: FileLocation
    ) throws(RowExchangeError) -> [Object] {
        let parts = text.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let number = layout.number(of: name), let table = layout.table(of: name) else {
            let nearest = suggestion(for: name, among: layout.entities.map(\.name))
            let message = "there is no entity '\(name)' in the model\(nearest)"
            throw .rows(Diagnostic(.unknownEntity, message, at: location))
        }
        var condition = "1"
        if parts.count > 1 {
            let predicate = String(parts[1].dropLast(parts[1].hasSuffix("]") ? 1 : 0))
            do throws(RowExchangeError) {
                condition = try sqlCondition(predicate, about: name, layout, graph, file)
            } catch .rows(var diagnostic) {
                diagnostic.location = location
                throw .rows(diagnostic)
            } catch {
                throw error
            }
        }
        let numbers = layout.numbers(ofHierarchy: name)
        let sql =
            "SELECT Z_ENT, Z_PK FROM \(quotedIdentifier(table.name)) AS t WHERE Z_ENT BETWEEN "
            + "\(number) AND \(numbers.last ?? number) AND (\(condition)) ORDER BY Z_PK"
        return try objects(sql)
    }

    /// The objects whose entity numbers and keys a query gives.
    func objects(_ sql: String, _ arguments: [SQLiteValue] = []) throws(RowExchangeError)
        -> [Object]
    {
        let connection = connection
        return try reading { () throws(StoreError) in try connection.rows(sql, arguments) }
            .compactMap { row in
                guard let number = row[0].integer, let key = row[1].integer,
                    layout.entities.indices.contains(Int(clamping: number) - 1)
                else { return nil }
                return Object(entity: Int(number) - 1, key: key)
            }
    }

    /// The object that `Entity/p3` names.
    private func object(keyed reference: String) -> Object? {
        // A name may have slashes of its own, which a key has not.
        guard let slash = reference.lastIndex(of: "/") else { return nil }
        let text = reference[slash...].dropFirst()
        guard text.hasPrefix("p"), let key = Int64(text.dropFirst()),
            let number = layout.number(of: String(reference[..<slash]))
        else { return nil }
        return Object(entity: number - 1, key: key)
    }

    func exists(_ object: Object) throws(RowExchangeError) -> Bool {
        guard let table = fields[object.entity]?.table else { return false }
        let sql =
            "SELECT Z_ENT, Z_PK FROM \(quotedIdentifier(table)) WHERE Z_PK = ? AND Z_ENT = ?"
        let number = Int64(object.entity + 1)
        return try !objects(sql, [.integer(object.key), .integer(number)]).isEmpty
    }

    func execute(_ sql: String, _ arguments: [SQLiteValue] = []) throws(RowExchangeError) {
        let connection = connection
        try reading { () throws(StoreError) in try connection.execute(sql, arguments) }
    }

    func value(_ sql: String) throws(RowExchangeError) -> SQLiteValue? {
        let connection = connection
        return try reading { () throws(StoreError) in try connection.value(sql) }
    }
}
