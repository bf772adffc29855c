import ObjectModel
import SQLiteAccess
import StoreFormat

struct LinkView {
    private enum Form {
        /// A join table, with the order keys of the relationship and of its inverse.
        case join(source: String, destination: String, inverseKey: String?)
        case key(column: String, entityColumn: String?, sourceTable: String)
    }

    private let form: Form
    private let table: String
    /// The table for use after `FROM`.
    private let storage: String
    private let orderKey: String?
    /// The condition on the source when the entity does not have all of the relationship's links.
    private let scope: String?

    init?(
        _ storage: RelationshipStorage,
        of relationship: Relationship,
        _ entity: Entity,
        _ views: ModelViews
    ) {
        guard let sourceTable = views.layout.table(of: entity.name)?.name else { return nil }
        switch storage {
        case .joinTable(let name, let source, let destination, let orderKey):
            let join = views.layout.joinTables.first { $0.name == name }
            let sides = [join?.first, join?.second].compactMap(\.self)
            let inverseKey = sides.first { $0.name == source }?.orderKey
            form = .join(source: source, destination: destination, inverseKey: inverseKey)
            (table, self.orderKey) = (name, orderKey)
        case .inverseForeignKey(let name, let column, let entityColumn, let orderKey):
            form = .key(column: column, entityColumn: entityColumn, sourceTable: sourceTable)
            (table, self.orderKey) = (name, relationship.isOrdered ? orderKey : nil)
        case .ownerColumn(let name, let column, let orderKey):
            form = .key(column: column, entityColumn: nil, sourceTable: sourceTable)
            (table, self.orderKey) = (name, orderKey)
        case .foreignKey, .none: return nil
        }
        self.storage = views.table(table)
        let isInherited = !entity.relationships.contains { $0.name == relationship.name }
        let numbers = numberList(views.layout.numbers(ofHierarchy: entity.name))
        scope =
            isInherited
            ? "(SELECT Z_PK FROM \(views.table(sourceTable)) WHERE Z_ENT IN (\(numbers)))" : nil
    }

    var hasPosition: Bool { orderKey != nil }

    private var quotedTable: String { quotedIdentifier(table) }

    func statements(named name: String, isReadOnly: Bool) -> [String] {
        let view = quotedIdentifier(name)
        let position = orderKey.map { ", \(quotedIdentifier($0)) AS position" } ?? ""
        let (source, destination, condition) =
            switch form {
            case .join(let source, let destination, _):
                (quotedIdentifier(source), quotedIdentifier(destination), String?.none)
            case .key(let column, _, _):
                (quotedIdentifier(column), "Z_PK", "\(quotedIdentifier(column)) NOT NULL")
            }
        let conditions = [condition, scope.map { "\(source) IN \($0)" }].compactMap(\.self)
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let creation =
            "CREATE TEMP VIEW \(view) AS SELECT \(source) AS source, "
            + "\(destination) AS destination\(position) FROM \(storage)\(filter)"
        guard !isReadOnly else { return [creation] }
        return [creation]
            + [("INSERT", insertion), ("UPDATE", update), ("DELETE", deletion)].map { event, body in
                let trigger = quotedIdentifier("momtool_\(event.lowercased())_\(name)")
                return "CREATE TEMP TRIGGER \(trigger) INSTEAD OF \(event) ON \(view) BEGIN "
                    + body.map { $0 + "; " }.joined() + "END"
            }
    }

    /// The next order key among the links that share a value in a column.
    private func next(_ key: String, sharing column: String, _ value: String) -> String {
        "(SELECT COALESCE(MAX(\(quotedIdentifier(key))), 1024) + 1024 FROM \(quotedTable) "
            + "WHERE \(quotedIdentifier(column)) = \(value))"
    }

    private var insertion: [String] {
        switch form {
        case .join(let source, let destination, let inverseKey):
            var cells = [(source, "NEW.source"), (destination, "NEW.destination")]
            if let orderKey {
                let place = next(orderKey, sharing: source, "NEW.source")
                cells.append((orderKey, "COALESCE(NEW.position, \(place))"))
            }
            if let inverseKey {
                cells.append(
                    (inverseKey, next(inverseKey, sharing: destination, "NEW.destination"))
                )
            }
            let values = cells.map(\.1).joined(separator: ", ")
            return [
                "INSERT OR IGNORE INTO \(quotedTable) (\(columnList(cells.map(\.0)))) "
                    + "VALUES (\(values))"
            ]
        case .key(let column, let entityColumn, let sourceTable):
            var cells = ["\(quotedIdentifier(column)) = NEW.source", "Z_OPT = Z_OPT + 1"]
            if let entityColumn {
                let number =
                    "(SELECT Z_ENT FROM \(quotedIdentifier(sourceTable)) WHERE Z_PK = NEW.source)"
                cells.append("\(quotedIdentifier(entityColumn)) = \(number)")
            }
            if let orderKey {
                let place = next(orderKey, sharing: column, "NEW.source")
                cells.append("\(quotedIdentifier(orderKey)) = COALESCE(NEW.position, \(place))")
            }
            let taken = "Z_PK = NEW.destination AND \(quotedIdentifier(column)) <> NEW.source"
            return [
                MovedLinks.noting(column, of: table, where: taken),
                "UPDATE \(quotedTable) SET \(cells.joined(separator: ", ")) "
                    + "WHERE Z_PK = NEW.destination",
            ]
        }
    }

    private var deletion: [String] {
        switch form {
        case .join(let source, let destination, _):
            return [
                "DELETE FROM \(quotedTable) WHERE \(quotedIdentifier(source)) = OLD.source "
                    + "AND \(quotedIdentifier(destination)) = OLD.destination"
            ]
        case .key(let column, let entityColumn, _):
            let emptied = [column, entityColumn, orderKey].compactMap(\.self).map {
                "\(quotedIdentifier($0)) = NULL"
            }
            return [
                "UPDATE \(quotedTable) SET \(emptied.joined(separator: ", ")), Z_OPT = Z_OPT + 1 "
                    + "WHERE Z_PK = OLD.destination AND \(quotedIdentifier(column)) = OLD.source"
            ]
        }
    }

    private var update: [String] {
        switch form {
        case .join(let source, let destination, _):
            let place = orderKey.map { ", \(quotedIdentifier($0)) = NEW.position" } ?? ""
            return [
                "UPDATE \(quotedTable) SET \(quotedIdentifier(source)) = NEW.source, "
                    + "\(quotedIdentifier(destination)) = NEW.destination\(place) "
                    + "WHERE \(quotedIdentifier(source)) = OLD.source "
                    + "AND \(quotedIdentifier(destination)) = OLD.destination"
            ]
        case .key: return deletion + insertion
        }
    }
}
