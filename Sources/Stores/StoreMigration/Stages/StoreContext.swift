import Diagnostics
import ObjectModel
public import SQLiteAccess
import StoreFormat

/// An object of a store: its identifier, its entity and its values.
public struct StoreObject: Sendable {
    /// The identifier, unique among the objects of a root entity and everything below it.
    public var id: Int64
    /// The name of its entity.
    public var entity: String
    fileprivate var row: [SQLiteValue]
    fileprivate var places: [String: Int]

    /// The value of an attribute, or the identifier of a to-one relationship's destination.
    public subscript(_ name: String) -> SQLiteValue {
        places[name].map { row[$0] } ?? .null
    }
}

/// The store that the handler of a custom stage works on, at one version of its model.
///
/// Names are those of the model; an element of a composite attribute is an attribute with the path as its name, such as
/// `home.city`. Values are as Core Data stores them: dates in seconds since 2001, Booleans as 0 and 1, UUIDs as 16 bytes; a
/// value that may live in a file beside the store is its data. It is of no use any more when the handler has returned.
///
/// Every call, and every step of ``fetch(_:where:_:)``, ends with an error when the time of the stage is over or the
/// migration was cancelled. Code that computes for long without calling the context is not stopped by it.
public final class StoreContext {
    private let session: StageSession
    private let deadline: ScriptDeadline
    private var statements = RecentValues<String, Statement>(limit: 256)
    private var recent: (key: [String], entity: String, statement: Statement)?
    private var found = FoundObjects()
    private var isOpen = true

    /// The number of objects that are fetched at a time: fewer where each may bring the data of a file with it.
    private static func batch(of view: ModelViews.EntityView) -> Int {
        view.external.isEmpty ? 1000 : 10
    }

    init(_ session: StageSession, _ deadline: ScriptDeadline) {
        self.session = session
        self.deadline = deadline
    }

    func close() {
        isOpen = false
        recent = nil
        statements.forgetAll()
    }

    /// Hands over the objects of an entity, sub-entities included, one by one in the order of their identifiers.
    ///
    /// Objects may be changed, inserted and deleted meanwhile; inserted ones are not handed over.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - condition: a condition in SQL over attributes, such as `age > 3`; `nil` for all objects.
    ///   - body: what is done with each object.
    /// - Throws: what SQLite refused, and what `body` throws.
    public func fetch(
        _ entity: String,
        where condition: String? = nil,
        _ body: (StoreObject) throws -> Void
    ) throws {
        let view = try view(of: entity)
        let columns = try columnNames(of: entity)
        let places = Dictionary(
            columns.enumerated().map { ($1, $0 + 2) },
            uniquingKeysWith: { first, _ in first }
        )
        let name = quotedIdentifier(view.name)
        let list = (["objectID", "entity"] + columns.map(quotedIdentifier)).joined(separator: ", ")
        let batch = Self.batch(of: view)
        let last = try value("SELECT max(objectID) FROM \(name)").integer ?? 0
        let statement = try prepare(
            "SELECT \(list) FROM \(name) WHERE objectID > ? AND objectID <= \(last)"
                + (condition.map { " AND (\($0))" } ?? "")
                + " ORDER BY objectID LIMIT \(batch)"
        )
        var position = Int64.min
        while true {
            var objects: [StoreObject] = []
            objects.reserveCapacity(batch)
            try failures {
                () throws(StoreError) in
                try statement.run([.integer(position)]) { row throws(StoreError) in
                    let entity = row[1].text ?? ""
                    let id = row[0].integer ?? 0
                    objects.append(StoreObject(id: id, entity: entity, row: row, places: places))
                }
            }
            for object in objects {
                try checkDeadline()
                try body(object)
            }
            guard objects.count == batch, let end = objects.last else { return }
            position = end.id
        }
    }

    /// Returns the objects of an entity that satisfy a condition in SQL.
    public func objects(_ entity: String, where condition: String? = nil) throws -> [StoreObject] {
        var objects: [StoreObject] = []
        try fetch(entity, where: condition) { objects.append($0) }
        return objects
    }

    /// Returns the first object of an entity whose attribute has a value.
    public func first(
        _ entity: String,
        _ attribute: String,
        equals value: SQLiteValue
    ) throws -> Int64? {
        let name = quotedIdentifier(try view(of: entity).name)
        let sql = "SELECT objectID FROM \(name) WHERE \(quotedIdentifier(attribute)) IS ? LIMIT 1"
        return try results(sql, [value]).first?.first?.integer
    }

    /// Returns the object of an entity with an identifier; `nil` when there is none.
    public func object(_ entity: String, _ id: Int64) throws -> StoreObject? {
        try objects(entity, where: "objectID = \(id)").first
    }

    /// Returns the first object of an entity with these values, and makes it when there is none.
    ///
    /// Nil is a value like any other. The new object has the key's values, and default values for the rest.
    ///
    /// - Parameters:
    ///   - entity: the entity; objects of its sub-entities are found too.
    ///   - key: attributes or to-one relationships with their values, at least one.
    /// - Returns: the identifier of the object.
    /// - Throws: what SQLite refused.
    public func findOrCreate(_ entity: String, _ key: [String: SQLiteValue]) throws -> Int64 {
        let names = key.keys.sorted()
        guard !names.isEmpty else { throw ContextFault(reason: "name an attribute to find by") }
        let view = try view(of: entity)
        let values = names.map { key[$0] ?? .null }
        let known = FoundObjects.Key(table: view.table, entity: view.entity, attributes: names)
        if !found.knows(known) {
            // Links change with what they lead to, so that objects are not kept by them.
            let isKept = names.allSatisfy { view.attributeColumns[$0.lowercased()] != nil }
            guard isKept else { return try scan(view, names, values) ?? insert(entity, key) }
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
        let objects = found.taken(known)
        let object = try insert(entity, key)
        found.put(back: objects, known)
        found.add(object, known, values)
        return object
    }

    private func scan(
        _ view: ModelViews.EntityView,
        _ names: [String],
        _ values: [SQLiteValue]
    ) throws -> Int64? {
        let condition = names.map { "\(quotedIdentifier($0)) IS ?" }.joined(separator: " AND ")
        let sql =
            "SELECT objectID FROM \(quotedIdentifier(view.name)) WHERE \(condition) "
            + "ORDER BY objectID LIMIT 1"
        return try results(sql, values).first?.first?.integer
    }

    /// Returns the number of objects of an entity.
    public func count(_ entity: String) throws -> Int {
        let name = quotedIdentifier(try view(of: entity).name)
        return Int(clamping: try value("SELECT count(*) FROM \(name)").integer ?? 0)
    }

    /// Inserts an object and returns its identifier; attributes that are not given get their default values.
    @discardableResult
    public func insert(_ entity: String, _ values: [String: SQLiteValue] = [:]) throws -> Int64 {
        let view = try view(of: entity)
        let names = values.keys.sorted()
        let table = session.views.layout.table(of: view.entity)
        let number = session.views.layout.number(of: table?.rootEntity ?? "") ?? 0
        // The trigger of the view counts the key up.
        let next = "SELECT Z_MAX + 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)"
        let key = try value(next).integer ?? 1
        let columns = (["objectID"] + names).map(quotedIdentifier).joined(separator: ", ")
        let marks = Array(repeating: "?", count: names.count + 1).joined(separator: ", ")
        let sql = "INSERT INTO \(quotedIdentifier(view.name)) (\(columns)) VALUES (\(marks))"
        found.forget(table: view.table)
        _ = try results(sql, [.integer(key)] + names.map { values[$0] ?? .null })
        return key
    }

    /// Changes values of an object.
    public func update(
        _ entity: String,
        _ id: Int64,
        _ values: KeyValuePairs<String, SQLiteValue>
    ) throws {
        guard !values.isEmpty else { return }
        if !found.isEmpty { found.forget(table: try view(of: entity).table) }
        var arguments = values.map(\.value)
        arguments.append(.integer(id))
        if let recent, recent.entity == entity, recent.key.count == values.count,
            zip(recent.key, values).allSatisfy({ $0 == $1.key })
        {
            try checkDeadline()
            try failures { () throws(StoreError) in try recent.statement.run(arguments) }
            return
        }
        let names = values.map(\.key)
        let view = try view(of: entity)
        let statement = try prepareUpdate(names, of: view)
        recent = (names, entity, statement)
        try failures { () throws(StoreError) in try statement.run(arguments) }
    }

    /// Deletes an object; links to it become nil.
    public func delete(_ entity: String, _ id: Int64) throws {
        let view = try view(of: entity)
        found.forget(table: view.table)
        let name = quotedIdentifier(view.name)
        _ = try results("DELETE FROM \(name) WHERE objectID = ?", [.integer(id)])
    }

    /// Returns the destinations of an object's to-many relationship, in their order where there is one.
    public func destinations(
        _ entity: String,
        _ relationship: String,
        of id: Int64
    ) throws -> [Int64] {
        let name = "\(try view(of: entity).name)_\(relationship)"
        let order = session.views.orderedLinks.contains(name) ? "position" : "destination"
        let view = quotedIdentifier(name)
        let sql = "SELECT destination FROM \(view) WHERE source = ? ORDER BY \(order)"
        return try results(sql, [.integer(id)]).compactMap(\.first?.integer)
    }

    /// Adds a link to a to-many relationship, at the end where it keeps an order.
    public func link(
        _ entity: String,
        _ relationship: String,
        from source: Int64,
        to destination: Int64
    ) throws {
        let view = quotedIdentifier("\(try self.view(of: entity).name)_\(relationship)")
        let sql = "INSERT INTO \(view) (source, destination) VALUES (?, ?)"
        _ = try results(sql, [.integer(source), .integer(destination)])
    }

    /// Runs one statement of SQL over the views, as a script would, and returns its rows.
    @discardableResult
    public func rows(_ sql: String, _ arguments: [SQLiteValue] = []) throws -> [[SQLiteValue]] {
        let statement = try prepare(sql)
        if !statement.isReadOnly { found.forget() }
        return try results(sql, arguments)
    }

    private func results(_ sql: String, _ arguments: [SQLiteValue] = []) throws -> [[SQLiteValue]] {
        let statement = try prepare(sql)
        return try failures { () throws(StoreError) in
            var rows: [[SQLiteValue]] = []
            try statement.run(arguments) { row throws(StoreError) in rows.append(row) }
            return rows
        }
    }

    private func value(_ sql: String) throws -> SQLiteValue {
        try results(sql).first?.first ?? .null
    }

    private func view(of entity: String) throws -> ModelViews.EntityView {
        guard isOpen else { throw ContextFault(reason: "the stage is over") }
        guard let view = session.views.entities[entity.lowercased()] else {
            throw ContextFault(reason: "there is no entity '\(entity)'")
        }
        return view
    }

    private func columnNames(of entity: String) throws -> [String] {
        guard let entity = session.views.graph.entity(entity) else { return [] }
        let attributes = session.views.attributes(of: entity).map(\.name)
        return attributes + session.views.toOneLinks(of: entity).map(\.name)
    }

    private func prepareUpdate(
        _ names: [String],
        of view: ModelViews.EntityView
    ) throws -> Statement {
        let columns = names.compactMap { view.attributeColumns[$0.lowercased()] }
        guard columns.count == names.count else {
            let list = names.map { "\(quotedIdentifier($0)) = ?" }.joined(separator: ", ")
            let name = quotedIdentifier(view.name)
            return try prepare("UPDATE \(name) SET \(list) WHERE objectID = ?")
        }
        let list = columns.map { "\(quotedIdentifier($0)) = ?" }.joined(separator: ", ")
        let condition = view.condition.map { " AND \($0)" } ?? ""
        session.scriptGuard.writableTable = view.table
        defer { session.scriptGuard.writableTable = nil }
        return try prepare(
            "UPDATE main.\(quotedIdentifier(view.table)) SET \(list), Z_OPT = Z_OPT + 1 "
                + "WHERE Z_PK = ?\(condition)"
        )
    }

    private func checkDeadline() throws(ContextFault) {
        guard !deadline.hasPassed else {
            throw ContextFault(reason: "the time of the stage is over, or it was cancelled")
        }
    }

    private func prepare(_ sql: String) throws -> Statement {
        guard isOpen else { throw ContextFault(reason: "the stage is over") }
        try checkDeadline()
        if let statement = statements[sql] { return statement }
        session.scriptGuard.reset()
        let statement = try failures { () throws(StoreError) in
            try session.statement(sql)
        }
        statements[sql] = statement
        return statement
    }

    private func failures<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(ContextFault) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw ContextFault(reason: session.reason(of: error))
        }
    }
}

/// Why a handler's request could not be fulfilled.
private struct ContextFault: Error, CustomStringConvertible {
    var reason: String
    var description: String { reason }
}
