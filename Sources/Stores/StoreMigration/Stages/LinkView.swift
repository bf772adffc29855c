import MappingInference
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
        // The row of the destination has the link: without one the update would pass over it.
        return [
            "SELECT RAISE(ABORT, 'no such object: the destination of the link is missing') "
                + "WHERE NOT EXISTS (SELECT 1 FROM \(quotedTable) WHERE Z_PK = NEW.destination)",
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

/// The links of a column that other links may displace: those of an object that keeps only one.
///
/// The triggers of the views note each link that is removed because another object gets its destination. Nobody wrote
/// that it should be removed: links from before the stage without a destination afterwards are counted.
struct MovedLinks {
    /// The temporary table that the triggers write: the column, the key in its table, and what the link led to.
    static let table = "momtool_moved_links"

    static let creation = [
        "DROP TABLE IF EXISTS temp.\(table)",
        "CREATE TEMP TABLE \(table) (link TEXT, source INTEGER, destination INTEGER)",
    ]

    /// The statement of a trigger that notes the links of a column that are about to go.
    static func noting(_ column: String, of table: String, where condition: String) -> String {
        "INSERT INTO \(Self.table) SELECT \(quotedText("\(table).\(column)")), Z_PK, "
            + "\(quotedIdentifier(column)) FROM \(quotedIdentifier(table)) WHERE \(condition)"
    }

    /// The statement of a trigger that notes an object whose own link of a column is written.
    static func noting(writtenIn column: String, of table: String, where condition: String)
        -> String
    {
        "INSERT INTO \(Self.table) SELECT \(quotedText("\(table).\(column)")), OLD.objectID, 0 WHERE \(condition)"
    }

    private var entityTable: String
    private var column: String
    private var target: String
    /// The side of the objects that have room for one, and the other one.
    private var sides: [PropertyReference]
    /// The column of the other side of a one-to-one relationship, as the triggers note it.
    private var inverse: String?

    /// Returns the columns of a store that keep such links.
    static func all(in layout: StoreLayout) -> [MovedLinks] {
        let graph = layout.graph
        let entities = layout.entities.compactMap { graph.entity($0.name) }
        return graph.storedRelationships(of: entities).compactMap { own, relationship in
            guard let target = relationship.destinationEntity.flatMap(layout.table)?.name,
                let links = layout.links(of: own), [.key, .owner].contains(links.form)
            else { return nil }
            let other = links.form == .key ? graph.inverse(of: own) : nil
            guard links.form == .owner || other != nil else { return nil }
            let owner = layout.table(of: own.entity)?.name ?? ""
            return MovedLinks(
                entityTable: links.table,
                column: links.key,
                target: links.form == .key ? target : owner,
                sides: [own] + [other].compactMap(\.self),
                inverse: other.flatMap { layout.links(of: $0, as: .key) }
                    .map { "\($0.table).\($0.key)" }
            )
        }
    }

    func isWritten(_ columns: [String: Set<String>]) -> Bool {
        columns[entityTable]?.contains(column) == true
    }

    private var former: String {
        "temp.\(quotedIdentifier("momtool_links_\(entityTable)_\(column)"))"
    }

    /// Keeps the links as they are before the stage writes any.
    var keeping: String {
        let link = quotedIdentifier(column)
        return "CREATE TABLE \(former) AS SELECT Z_PK, \(link) AS link FROM "
            + "\(quotedIdentifier(entityTable)) WHERE \(link) NOT NULL"
    }

    var removal: String { "DROP TABLE \(former)" }

    /// The question which of the kept links were displaced, and have no destination now.
    var question: RowQuestion {
        let (link, own) = (quotedIdentifier(column), quotedIdentifier(entityTable))
        let name = "\(entityTable).\(column)"
        let isLeft =
            inverse.map { inverse in
                // Of two objects with one link each, the one that lost its link may have been given another.
                let written = "SELECT 1 FROM temp.\(Self.table) WHERE destination = 0 AND "
                return
                    "(s.\(link) IS NULL OR s.\(link) IS NOT f.link AND NOT EXISTS (\(written)(link, source) IN "
                    + "(VALUES (\(quotedText(name)), f.Z_PK), (\(quotedText(inverse)), f.link))))"
            } ?? "s.\(link) IS NOT f.link"
        let isOneToOne = inverse != nil
        let lost =
            "SELECT DISTINCT f.Z_PK, f.link FROM temp.\(Self.table) AS m JOIN \(former) AS f "
            + "ON f.Z_PK = m.source AND f.link = m.destination JOIN \(own) AS s ON s.Z_PK = f.Z_PK "
            + "JOIN \(quotedIdentifier(target)) AS d ON d.Z_PK = f.link "
            + "WHERE m.link = \(quotedText(name)) AND \(isLeft)"
        let loser = isOneToOne ? sides[0] : sides[sides.count - 1]
        let winner = isOneToOne ? sides[1] : sides[0]
        let risk = RowRisk(.sharedDestination, ofLinks: loser, to: winner)
        let (key, names) = (isOneToOne ? "Z_PK" : "link", sides.map(\.description))
        return RowQuestion(risk, from: "(\(lost))", key: key, isRepeated: true, names: names)
    }
}
