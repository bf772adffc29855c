import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Why an expression cannot be carried out.
struct MapFault: Error {
    var reason: String
}

/// The objects of the old version as a map sees them: in tables that stand aside under other names.
struct MapSource {
    let layout: StoreLayout
    let graph: ModelGraph
    /// The names of the tables while they stand aside.
    let names: [String: String]

    init(model: ManagedObjectModel, layout: StoreLayout) {
        self.layout = layout
        graph = ModelGraph(model)
        let tables = layout.tables.map(\.name) + layout.joinTables.map(\.name)
        names = Dictionary(
            tables.enumerated().map { ($1, "momtool_old_\($0)") },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the name by which a table is known while it stands aside.
    func table(_ name: String) -> String { names[name] ?? quotedIdentifier(name) }

    /// Returns the table of an entity's objects.
    func table(of entity: Entity) throws(MapFault) -> String {
        guard let table = layout.table(of: entity.name) else {
            throw MapFault(reason: "'\(entity.name)' has no table")
        }
        return self.table(table.name)
    }

    /// Returns the condition on a row `s` that it is an object of an entity that takes part in a mapping.
    func condition(of map: StageMap.EntityMap, on entity: Entity) throws(MapFault) -> String {
        guard let number = layout.number(of: entity.name) else {
            throw MapFault(reason: "'\(entity.name)' has no table")
        }
        let own = "s.Z_ENT = \(number)"
        guard let predicate = map.condition else { return own }
        let expressions = MapExpressions(source: self, entity: entity)
        return "\(own) AND (\(try expressions.condition(predicate)))"
    }

    /// Returns the relationship of an entity.
    func relationship(_ name: String, of entity: Entity) throws(MapFault) -> Relationship {
        guard let (relationship, _) = graph.relationship(name, of: entity) else {
            throw MapFault(reason: "'\(entity.name)' has no relationship '\(name)'")
        }
        return relationship
    }

    /// Returns the entity that a path of relationships leads to.
    func destination(of path: [String], from entity: Entity) throws(MapFault) -> Entity {
        var entity = entity
        for name in path {
            let relationship = try relationship(name, of: entity)
            guard let next = graph.destination(of: relationship) else {
                throw MapFault(reason: "'\(entity.name).\(name)' leads nowhere")
            }
            entity = next
        }
        return entity
    }

    /// Returns the links along a path of relationships, as a query of `source`, `destination` and `position`.
    func links(along path: [String], from entity: Entity) throws(MapFault) -> String {
        guard path.count <= 8 else {
            throw MapFault(reason: "a path of at most eight relationships is needed")
        }
        guard let first = path.first else {
            return "SELECT Z_PK AS source, Z_PK AS destination, NULL AS position "
                + "FROM \(try table(of: entity))"
        }
        let own = try links(of: first, entity)
        guard path.count > 1 else { return own }
        let next = try destination(of: [first], from: entity)
        let rest = try links(along: Array(path.dropFirst()), from: next)
        return "SELECT a.source AS source, b.destination AS destination, a.position AS position "
            + "FROM (\(own)) AS a JOIN (\(rest)) AS b ON a.destination = b.source"
    }

    private func links(of name: String, _ entity: Entity) throws(MapFault) -> String {
        let relationship = try relationship(name, of: entity)
        let (from, source, destination, position): (String, String, String, String?)
        switch layout.storage(of: name, declaredBy: entity.name) {
        case .joinTable(let table, let own, let other, let key)?:
            (from, source, destination, position) = (
                table, quotedIdentifier(own), quotedIdentifier(other), key
            )
        case .foreignKey(let table, let column, _, _)?:
            (from, source, destination, position) = (
                table, "Z_PK", quotedIdentifier(column), nil
            )
        case .inverseForeignKey(let table, let column, _, let key)?:
            (from, source, destination, position) = (
                table, quotedIdentifier(column), "Z_PK", relationship.isOrdered ? key : nil
            )
        case .ownerColumn(let table, let column, let key)?:
            (from, source, destination, position) = (table, quotedIdentifier(column), "Z_PK", key)
        case RelationshipStorage.none?, nil:
            throw MapFault(reason: "'\(entity.name).\(name)' is not stored")
        }
        let place = position.map(quotedIdentifier) ?? "NULL"
        return "SELECT \(source) AS source, \(destination) AS destination, \(place) AS position "
            + "FROM \(table(from)) WHERE \(source) NOT NULL AND \(destination) NOT NULL"
    }
}
