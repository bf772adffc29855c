import Diagnostics
public import SQLiteAccess
import StoreFormat

/// The store that the handler of a custom stage works on, at one version of its model.
///
/// Names are those of the model; an element of a composite attribute is an attribute named by its path, such as
/// `home.city`. Values are as Core Data stores them: dates in seconds since 2001, Booleans as 0 and 1, UUIDs as 16
/// bytes; a value in an external file is its data. The context becomes invalid when the handler has returned.
///
/// An unknown name or identifier always throws a ``StoreContextError``.
///
/// Every call, and every step of ``fetch(_:where:_:)``, throws when the time of the stage is over or the migration was
/// cancelled. Code that computes without calling the context is not stopped.
public final class StoreContext {
    /// Whether the store is a copy that is thrown away when the code has run.
    ///
    /// `Migrator.losses(of:)` runs a migration with stages or mapping models on a copy, as each step reads the result
    /// of the previous one; the code of stages and policies runs there once. A migration also runs it once, without a
    /// rehearsal before. Effects outside the store should wait for that run:
    ///
    /// ```swift
    /// let report = StageHandlers(didMigrate: { store in
    ///     let books = try store.count("Book")
    ///     if !store.isRehearsal { print("\(books) books are migrated") }
    /// })
    /// ```
    ///
    /// Where a migration fails or is refused after the code ran, its changes are rolled back, though this was `false`.
    public let isRehearsal: Bool
    let session: StageSession
    /// Records what the code reads; `nil` where nobody asks.
    let reads: ReadRecord?
    var statements = RecentValues<String, Statement>(limit: 256)
    private var recent: (key: [String], entity: String, update: Update)?
    var links = RecentValues<[String], Link>(limit: 256)
    private var found = FoundObjects()
    var isOpen = true

    init(_ session: StageSession, reads: ReadRecord? = nil) {
        (self.session, self.reads) = (session, reads)
        isRehearsal = session.isRehearsal
    }

    func close() {
        isOpen = false
        recent = nil
        statements.forgetAll()
    }

    /// Passes the objects of an entity, sub-entities included, to `body` one by one in the order of their identifiers.
    ///
    /// Objects may be changed, inserted and deleted meanwhile; inserted ones are not passed.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - condition: a condition in SQL over attributes, such as `age > 3`; `nil` for all objects.
    ///   - body: the code that is called with each object.
    /// - Throws: what SQLite refused, and what `body` throws.
    public func fetch(
        _ entity: String,
        where condition: String? = nil,
        _ body: (StoreObject) throws -> Void
    ) throws {
        if condition != nil { reads?.noteStatement() }
        try handOver(entity, where: condition, body)
    }

    /// Passes on objects, by a condition that is not the code's own.
    func handOver(
        _ entity: String,
        where condition: String?,
        _ body: (StoreObject) throws -> Void
    ) throws {
        var batches = try batches(of: entity, where: condition)
        while let batch = try next(of: &batches) {
            for object in batch {
                try checkDeadline()
                try body(object)
            }
        }
    }

    /// Returns the objects of an entity that satisfy a condition in SQL.
    ///
    /// - Throws: what SQLite refused.
    public func objects(
        _ entity: String,
        where condition: String? = nil
    ) throws(StoreContextError) -> [StoreObject] {
        if condition != nil { reads?.noteStatement() }
        return try all(of: entity, where: condition)
    }

    private func all(
        of entity: String,
        where condition: String?
    ) throws(StoreContextError) -> [StoreObject] {
        var objects: [StoreObject] = []
        var batches = try batches(of: entity, where: condition)
        while let batch = try next(of: &batches) { objects += batch }
        return objects
    }

    /// Returns the first object of an entity whose attribute has a value; `nil` when there is none.
    ///
    /// - Throws: what SQLite refused.
    public func first(
        _ entity: String,
        _ attribute: String,
        equals value: SQLiteValue
    ) throws(StoreContextError) -> Int64? {
        let view = try view(of: entity)
        try requireProperties([attribute], of: view)
        reads?.note(attribute, of: entity)
        let name = quotedIdentifier(view.name)
        let sql = "SELECT objectID FROM \(name) WHERE \(quotedIdentifier(attribute)) IS ? LIMIT 1"
        return try results(sql, [value]).first?.first?.integer
    }

    /// Returns the object of an entity with an identifier; `nil` when there is none.
    ///
    /// - Throws: what SQLite refused.
    public func object(_ entity: String, _ id: Int64) throws(StoreContextError) -> StoreObject? {
        try all(of: entity, where: "objectID = \(id)").first
    }

    /// Returns the identifier of the first object of an entity with these values, after making it when there is none.
    ///
    /// Nil is a value like any other. A new object has the key's values, and default values for the rest.
    ///
    /// - Parameters:
    ///   - entity: the entity; objects of its sub-entities are found too.
    ///   - key: attributes or to-one relationships with their values, at least one.
    /// - Returns: the identifier of the object.
    /// - Throws: what SQLite refused.
    public func findOrCreate(
        _ entity: String,
        _ key: [String: SQLiteValue]
    ) throws(StoreContextError) -> Int64 {
        let names = key.keys.sorted()
        guard !names.isEmpty else { throw .refused("name an attribute to find by") }
        let view = try view(of: entity)
        try requireProperties(names, of: view)
        let values = names.map { key[$0] ?? .null }
        let known = FoundObjects.Key(table: view.table, entity: view.entity, attributes: names)
        if !found.knows(known) {
            // Links change with their destinations, so objects are not remembered by them.
            let isKept = names.allSatisfy { view.attributeColumns[$0.lowercased()] != nil }
            guard isKept else {
                let condition = names.map { "\(quotedIdentifier($0)) IS ?" }
                    .joined(separator: " AND ")
                let sql =
                    "SELECT objectID FROM \(quotedIdentifier(view.name)) WHERE \(condition) "
                    + "ORDER BY objectID LIMIT 1"
                if let object = try results(sql, values).first?.first?.integer { return object }
                return try insert(entity, key)
            }
            found.begin(known)
            let list = names.map(quotedIdentifier).joined(separator: ", ")
            let name = quotedIdentifier(view.name)
            let statement = try prepare("SELECT objectID, \(list) FROM \(name) ORDER BY objectID")
            try failures { () throws(StoreError) in
                try statement.run { row throws(StoreError) in
                    found.add(row[0].integer ?? 0, known, Array(row.dropFirst()))
                }
            }
        }
        if let object = found.object(known, values) { return object }
        found.forget(table: view.table, except: known)
        let object = try insert(key, into: view)
        found.add(object, known, values)
        return object
    }

    /// Returns the number of objects of an entity.
    ///
    /// - Throws: what SQLite refused.
    public func count(_ entity: String) throws(StoreContextError) -> Int {
        let name = quotedIdentifier(try view(of: entity).name)
        return Int(clamping: try value("SELECT count(*) FROM \(name)").integer ?? 0)
    }

    /// Inserts an object and returns its identifier; attributes that are not given get their default values.
    ///
    /// - Throws: what SQLite refused.
    @discardableResult
    public func insert(
        _ entity: String,
        _ values: [String: SQLiteValue] = [:]
    ) throws(StoreContextError) -> Int64 {
        let view = try view(of: entity)
        found.forget(table: view.table)
        return try insert(values, into: view)
    }

    private func insert(
        _ values: [String: SQLiteValue],
        into view: ModelViews.EntityView
    ) throws(StoreContextError) -> Int64 {
        let names = values.keys.sorted()
        try requireProperties(names, of: view)
        let table = session.views.layout.table(of: view.entity)
        let number = session.views.layout.number(of: table?.rootEntity ?? "") ?? 0
        // The trigger of the view increments the key counter.
        let next = "SELECT min(Z_MAX, \(keyLimit)) + 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)"
        let key = try value(next).integer ?? 1
        let columns = (["objectID"] + names).map(quotedIdentifier).joined(separator: ", ")
        let marks = Array(repeating: "?", count: names.count + 1).joined(separator: ", ")
        let sql = "INSERT INTO \(quotedIdentifier(view.name)) (\(columns)) VALUES (\(marks))"
        let statement = try prepare(sql)
        do throws(StoreError) {
            try statement.run([.integer(key)] + names.map { values[$0] ?? .null })
        } catch { throw refusal(error, of: view, key, values) }
        return key
    }

    /// Changes values of an object.
    ///
    /// - Throws: ``StoreContextError/noObject(entity:id:)`` if the object does not exist, and SQLite's errors.
    public func update(
        _ entity: String,
        _ id: Int64,
        _ values: KeyValuePairs<String, SQLiteValue>
    ) throws(StoreContextError) {
        guard !values.isEmpty else { return try require(id, of: try view(of: entity)) }
        if !found.isEmpty { found.forget(table: try view(of: entity).table) }
        let update: Update
        if let recent, recent.entity == entity, recent.key.count == values.count,
            zip(recent.key, values).allSatisfy({ $0 == $1.key })
        {
            try checkDeadline()
            update = recent.update
        } else {
            let names = values.map(\.key)
            update = try prepareUpdate(names, of: try view(of: entity))
            recent = (names, entity, update)
        }
        // SQLite does not count rows that a trigger of a view changes.
        if !update.isDirect { try require(id, of: try view(of: entity)) }
        let arguments = values.map(\.value) + [.integer(id)]
        do throws(StoreError) { try update.statement.run(arguments) } catch {
            let values = Dictionary(values.map { ($0, $1) }) { _, last in last }
            throw refusal(error, of: try view(of: entity), id, values)
        }
        guard !update.isDirect || session.connection.changeCount > 0 else {
            throw .noObject(entity: entity, id: id)
        }
    }

    /// Deletes an object; links to it become nil.
    ///
    /// - Throws: ``StoreContextError/noObject(entity:id:)`` if the object does not exist, and SQLite's errors.
    public func delete(_ entity: String, _ id: Int64) throws(StoreContextError) {
        let view = try view(of: entity)
        try require(id, of: view)
        found.forget(table: view.table)
        let name = quotedIdentifier(view.name)
        _ = try results("DELETE FROM \(name) WHERE objectID = ?", [.integer(id)])
    }

    /// Returns the destinations of an object's to-many relationship, in their order where there is one.
    ///
    /// - Throws: ``StoreContextError/noObject(entity:id:)`` if the object does not exist, and SQLite's errors.
    public func destinations(
        _ entity: String,
        _ relationship: String,
        of id: Int64
    ) throws(StoreContextError) -> [Int64] {
        let link = try link(entity, relationship)
        try require(id, of: link.source)
        reads?.note(relationship, of: entity)
        let order = session.views.orderedLinks.contains(link.name) ? "position" : "destination"
        let view = quotedIdentifier(link.name)
        let sql = "SELECT destination FROM \(view) WHERE source = ? ORDER BY \(order)"
        return try results(sql, [.integer(id)]).compactMap(\.first?.integer)
    }

    /// Adds a link to a to-many relationship, at the end where it keeps an order.
    ///
    /// - Throws: ``StoreContextError/noObject(entity:id:)`` if one of the two does not exist, and SQLite's errors.
    public func link(
        _ entity: String,
        _ relationship: String,
        from source: Int64,
        to destination: Int64
    ) throws(StoreContextError) {
        let link = try link(entity, relationship)
        try require(source, of: link.source)
        if let end = link.destination { try require(destination, of: end) }
        let sql = "INSERT INTO \(quotedIdentifier(link.name)) (source, destination) VALUES (?, ?)"
        _ = try results(sql, [.integer(source), .integer(destination)])
    }

    /// Runs one statement of SQL over the views, as a script would, and returns its rows.
    ///
    /// - Throws: what SQLite refused.
    @discardableResult
    public func rows(
        _ sql: String,
        _ arguments: [SQLiteValue] = []
    ) throws(StoreContextError) -> [[SQLiteValue]] {
        reads?.noteStatement()
        let statement = try prepare(sql)
        if !statement.isReadOnly { found.forget() }
        return try results(sql, arguments)
    }
}

/// Why a call of a ``StoreContext``, a ``StoreObject`` or a ``MigrationManager`` was not carried out.
///
/// Uncaught in a stage's code, it ends the migration, and is the cause of the resulting error, which names the stage.
///
/// ```swift
/// let rate = StageHandlers(didMigrate: { store in
///     for book in try store.objects("Book") {
///         do throws(StoreContextError) {
///             try store.update("Book", book.id, ["rating": .integer(3)])
///         } catch .unknownProperty {
///             return
///         }
///     }
/// })
/// ```
public enum StoreContextError: Error, Sendable, Hashable {
    /// The version has no entity with this name; `help` suggests one, and is empty if none is similar.
    case unknownEntity(String, help: String)
    /// The entity stores no attribute or to-one relationship with this name; `help` suggests one.
    case unknownProperty(entity: String, name: String, help: String)
    /// The entity stores no to-many relationship with this name; `help` suggests one.
    case unknownRelationship(entity: String, name: String, help: String)
    /// No entity mapping with this name creates objects that policies may request; `help` suggests one.
    case unknownMapping(String, help: String)
    /// Neither the entity nor its sub-entities have an object with this identifier.
    case noObject(entity: String, id: Int64)
    /// The request cannot be carried out: in SQLite's words, or because no script may do it, or the stage or its time
    /// is over.
    case refused(String)
}

extension StoreContextError: CustomStringConvertible {
    /// What is wrong on one line; lower case, no final period.
    public var description: String { words.onOneLine }

    private var words: String {
        switch self {
        case .unknownEntity(let name, let help): "there is no entity '\(name)'\(help)"
        case .unknownProperty(let entity, let name, let help):
            "'\(entity)' stores no attribute or to-one relationship '\(name)'\(help)"
        case .unknownRelationship(let entity, let name, let help):
            "'\(entity)' stores no to-many relationship '\(name)'\(help)"
        case .unknownMapping(let name, let help): "there is no entity mapping '\(name)'\(help)"
        case .noObject(let entity, let id): "there is no object \(id) of '\(entity)'"
        case .refused(let reason): reason
        }
    }
}
