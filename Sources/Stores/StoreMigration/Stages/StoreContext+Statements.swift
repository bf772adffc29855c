import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

extension StoreContext {
    /// The objects of an entity by identifier, in batches, so that they may be changed meanwhile.
    struct ObjectBatches {
        let statement: Statement
        let entity: String
        let places: [String: Int]
        let size: Int
        /// The last identifier that was read; `nil` after the last batch.
        var position: Int64? = Int64.min
    }

    struct Update {
        var statement: Statement
        /// Whether it changes the table itself, not the view.
        var isDirect: Bool
    }

    struct Link {
        var name: String
        var source: ModelViews.EntityView
        /// `nil` where the model gives the relationship no destination.
        var destination: ModelViews.EntityView?
    }

    func results(
        _ sql: String,
        _ arguments: [SQLiteValue] = []
    ) throws(StoreContextError) -> [[SQLiteValue]] {
        let statement = try prepare(sql)
        return try failures { () throws(StoreError) in
            var rows: [[SQLiteValue]] = []
            try statement.run(arguments) { row throws(StoreError) in rows.append(row) }
            return rows
        }
    }

    func value(_ sql: String) throws(StoreContextError) -> SQLiteValue {
        try results(sql).first?.first ?? .null
    }

    func view(of entity: String) throws(StoreContextError) -> ModelViews.EntityView {
        guard isOpen else { throw .refused("the stage is over") }
        guard let view = session.views.entities[entity.lowercased()], view.entity == entity else {
            let names = session.views.entities.values.map(\.entity).sorted()
            throw .unknownEntity(entity, help: suggestion(for: entity, among: names))
        }
        return view
    }

    /// Refuses names of properties that the view of an entity does not show.
    func requireProperties(
        _ names: [String],
        of view: ModelViews.EntityView
    ) throws(StoreContextError) {
        guard let name = names.first(where: { !view.properties.contains($0) }) else { return }
        let composite = session.views.advice(onComposite: name, of: view.entity)
        let help = composite ?? suggestion(for: name, among: view.properties.sorted())
        throw .unknownProperty(entity: view.entity, name: name, help: help)
    }

    /// Refuses an identifier without an object.
    func require(_ id: Int64, of view: ModelViews.EntityView) throws(StoreContextError) {
        let sql = "SELECT 1 FROM \(quotedIdentifier(view.name)) WHERE objectID = ?"
        guard try results(sql, [.integer(id)]).isEmpty else { return }
        throw .noObject(entity: view.entity, id: id)
    }

    func link(_ entity: String, _ relationship: String) throws(StoreContextError) -> Link {
        let source = try view(of: entity)
        if let link = links[[entity, relationship]] { return link }
        let (views, name) = (session.views, "\(source.name)_\(relationship)")
        let known = views.graph.entity(entity).map { views.graph.relationships(of: $0) } ?? []
        let toMany = known.filter {
            $0.isToMany && views.names.contains("\(source.name)_\($0.name)")
        }
        guard let found = toMany.first(where: { $0.name == relationship }) else {
            let help = suggestion(for: relationship, among: toMany.map(\.name))
            throw .unknownRelationship(entity: entity, name: relationship, help: help)
        }
        let end = found.destinationEntity.flatMap { views.entities[$0.lowercased()] }
        let link = Link(name: name, source: source, destination: end)
        links[[entity, relationship]] = link
        return link
    }

    func batches(
        of entity: String,
        where condition: String?
    ) throws(StoreContextError) -> ObjectBatches {
        let view = try view(of: entity)
        let (name, properties) = (quotedIdentifier(view.name), view.properties.sorted())
        let columns = (["objectID", "entity"] + properties).map(quotedIdentifier)
        // Each may load the data of a file.
        let size = view.external.isEmpty ? 1000 : 10
        let last = try value("SELECT max(objectID) FROM \(name)").integer ?? 0
        let statement = try prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM \(name) "
                + "WHERE objectID > ? AND objectID <= \(last)"
                + (condition.map { " AND (\($0))" } ?? "") + " ORDER BY objectID LIMIT \(size)"
        )
        let places = Dictionary(uniqueKeysWithValues: zip(properties, 2...))
        return ObjectBatches(statement: statement, entity: entity, places: places, size: size)
    }

    /// Reads the next objects; `nil` after the last ones.
    func next(of batches: inout ObjectBatches) throws(StoreContextError) -> [StoreObject]? {
        guard let position = batches.position else { return nil }
        let (statement, entity, places) = (batches.statement, batches.entity, batches.places)
        var objects: [StoreObject] = []
        objects.reserveCapacity(batches.size)
        try checkDeadline()
        try failures { () throws(StoreError) in
            try statement.run([.integer(position)]) { row throws(StoreError) in
                objects.append(StoreObject(row: row, places: places, of: entity, reads))
            }
        }
        batches.position = objects.count == batches.size ? objects.last?.id : nil
        return objects
    }

    func prepareUpdate(
        _ names: [String],
        of view: ModelViews.EntityView
    ) throws(StoreContextError) -> Update {
        try requireProperties(names, of: view)
        let columns = names.compactMap { view.attributeColumns[$0.lowercased()] }
        guard columns.count == names.count else {
            let list = names.map { "\(quotedIdentifier($0)) = ?" }.joined(separator: ", ")
            let name = quotedIdentifier(view.name)
            let statement = try prepare("UPDATE \(name) SET \(list) WHERE objectID = ?")
            return Update(statement: statement, isDirect: false)
        }
        let list = columns.map { "\(quotedIdentifier($0)) = ?" }.joined(separator: ", ")
        let condition = view.condition.map { " AND \($0)" } ?? ""
        session.scriptGuard.writableTable = view.table
        defer { session.scriptGuard.writableTable = nil }
        let statement = try prepare(
            "UPDATE main.\(quotedIdentifier(view.table)) SET \(list), Z_OPT = Z_OPT + 1 "
                + "WHERE Z_PK = ?\(condition)"
        )
        return Update(statement: statement, isDirect: true)
    }

    func checkDeadline() throws(StoreContextError) {
        guard !session.deadline.hasPassed else {
            throw .refused("the stage timed out or was cancelled")
        }
    }

    func prepare(_ sql: String) throws(StoreContextError) -> Statement {
        guard isOpen else { throw .refused("the stage is over") }
        try checkDeadline()
        if let statement = statements[sql] { return statement }
        session.scriptGuard.reset()
        let statement = try failures { () throws(StoreError) in try session.statement(sql) }
        statements[sql] = statement
        return statement
    }

    /// The reason of a refusal, which for duplicate values names the object that already has them.
    func refusal(
        _ error: StoreError,
        of view: ModelViews.EntityView,
        _ id: Int64,
        _ values: [String: SQLiteValue]
    ) -> StoreContextError {
        let reason = session.reason(of: error)
        guard error.isUniquenessViolation, case .sqlite(_, _, let message, _) = error else {
            return .refused(reason)
        }
        let unique = session.views.uniqueProperties(in: message)
        guard let first = unique.first, let owner = try? self.view(of: first.entity) else {
            return .refused(reason)
        }
        let own = "SELECT %@ FROM \(quotedIdentifier(view.name)) WHERE objectID = \(id)"
        let conditions = unique.map { property in
            let name = quotedIdentifier(property.name)
            return "\(name) IS "
                + (values[property.name] == nil ? "(\(own.replacing("%@", with: name)))" : "?")
        }
        let sql =
            "SELECT objectID FROM \(quotedIdentifier(owner.name)) WHERE objectID <> \(id) AND "
            + conditions.joined(separator: " AND ") + " LIMIT 1"
        let other = try? results(sql, unique.compactMap { values[$0.name] }).first?.first?.integer
        return .refused(other.map { "\(reason): object \($0)" } ?? reason)
    }

    func failures<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreContextError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .refused(session.reason(of: error))
        }
    }
}
