import ObjectModel
import SQLiteAccess
import StoreFormat

struct LinkView {
    private let links: StoredLinks
    /// The order key of the inverse, in a join table.
    private let inverseKey: String?
    private let sourceTable: String
    /// The table for use after `FROM`.
    private let storage: String
    /// The condition on the source when the entity does not have all of the relationship's links.
    private let scope: String?

    /// `nil` for a to-one relationship.
    init?(
        _ stored: StoredLinks,
        of relationship: Relationship,
        _ entity: Entity,
        _ views: ModelViews
    ) {
        guard let sourceTable = views.layout.table(of: entity.name)?.name, stored.form != .key
        else { return nil }
        var links = stored
        if links.form == .inverseKey, !relationship.isOrdered { links.orderKey = nil }
        let join = views.layout.joinTables.first { $0.name == stored.table }
        let sides = [join?.first, join?.second].compactMap(\.self)
        inverseKey = sides.first { $0.name == stored.source }?.orderKey
        (self.links, self.sourceTable) = (links, sourceTable)
        storage = views.table(links.table)
        let isInherited = !entity.relationships.contains { $0.name == relationship.name }
        let numbers = numberList(views.layout.numbers(ofHierarchy: entity.name))
        scope =
            isInherited
            ? "(SELECT Z_PK FROM \(views.table(sourceTable)) WHERE Z_ENT IN (\(numbers)))" : nil
    }

    var hasPosition: Bool { links.orderKey != nil }

    private var orderKey: String? { links.orderKey.map(quotedIdentifier) }
    private var source: String { quotedIdentifier(links.source) }
    private var destination: String { quotedIdentifier(links.destination) }

    private var quotedTable: String { quotedIdentifier(links.table) }

    func statements(named name: String, isReadOnly: Bool) -> [String] {
        let position = orderKey.map { ", \($0) AS position" } ?? ""
        let condition = links.form == .join ? nil : "\(source) NOT NULL"
        let conditions = [condition, scope.map { "\(source) IN \($0)" }].compactMap(\.self)
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let creation =
            "CREATE TEMP VIEW \(quotedIdentifier(name)) AS SELECT \(source) AS source, "
            + "\(destination) AS destination\(position) FROM \(storage)\(filter)"
        guard !isReadOnly else { return [creation] }
        return [creation]
            + [("INSERT", insertion), ("UPDATE", update), ("DELETE", deletion)]
            .map { ModelViews.trigger($0, on: name, $1) }
    }

    /// The next order key among the links that share a value in a column.
    private func next(_ key: String, sharing column: String, _ value: String) -> String {
        "(SELECT COALESCE(MAX(\(key)), 1024) + 1024 FROM \(quotedTable) "
            + "WHERE \(column) = \(value))"
    }

    private var insertion: [String] {
        guard links.form == .join else { return keyInsertion }
        var cells = [(source, "NEW.source"), (destination, "NEW.destination")]
        if let orderKey {
            let place = next(orderKey, sharing: source, "NEW.source")
            cells.append((orderKey, "COALESCE(NEW.position, \(place))"))
        }
        if let inverseKey = inverseKey.map(quotedIdentifier) {
            cells.append((inverseKey, next(inverseKey, sharing: destination, "NEW.destination")))
        }
        let columns = cells.map(\.0).joined(separator: ", ")
        let values = cells.map(\.1).joined(separator: ", ")
        return ["INSERT OR IGNORE INTO \(quotedTable) (\(columns)) VALUES (\(values))"]
    }

    private var keyInsertion: [String] {
        var cells = ["\(source) = NEW.source", "Z_OPT = Z_OPT + 1"]
        if let entityColumn = links.entityColumn {
            let number =
                "(SELECT Z_ENT FROM \(quotedIdentifier(sourceTable)) WHERE Z_PK = NEW.source)"
            cells.append("\(quotedIdentifier(entityColumn)) = \(number)")
        }
        if let orderKey {
            let place = next(orderKey, sharing: source, "NEW.source")
            cells.append("\(orderKey) = COALESCE(NEW.position, \(place))")
        }
        let taken = "Z_PK = NEW.destination AND \(source) <> NEW.source"
        return [
            MovedLinks.noting(links.key, of: links.table, where: taken),
            "UPDATE \(quotedTable) SET \(cells.joined(separator: ", ")) "
                + "WHERE Z_PK = NEW.destination",
        ]
    }

    private var deletion: [String] {
        guard links.form != .join else {
            return [
                "DELETE FROM \(quotedTable) WHERE \(source) = OLD.source "
                    + "AND \(destination) = OLD.destination"
            ]
        }
        let emptied = [source, links.entityColumn.map(quotedIdentifier), orderKey]
            .compactMap { $0.map { "\($0) = NULL" } }
        return [
            "UPDATE \(quotedTable) SET \(emptied.joined(separator: ", ")), Z_OPT = Z_OPT + 1 "
                + "WHERE Z_PK = OLD.destination AND \(source) = OLD.source"
        ]
    }

    private var update: [String] {
        guard links.form == .join else { return deletion + insertion }
        let place = orderKey.map { ", \($0) = NEW.position" } ?? ""
        return [
            "UPDATE \(quotedTable) SET \(source) = NEW.source, "
                + "\(destination) = NEW.destination\(place) "
                + "WHERE \(source) = OLD.source AND \(destination) = OLD.destination"
        ]
    }
}
