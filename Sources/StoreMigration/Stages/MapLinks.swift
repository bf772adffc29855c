import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Makes the links of a step by value expressions, when all of its objects are there.
struct MapLinks {
    let migration: MapMigration
    let connection: SQLiteConnection

    func run() throws(StoreError) {
        for target in migration.targets { try run(target, owners: target.objects) }
    }

    /// Makes the links of the objects that a table lists with their sources.
    func run(_ target: MapTarget, owners: String) throws(StoreError) {
        for (relationship, origin) in target.origins {
            try capture(origin, of: relationship, target, owners)
            try write(relationship, target)
        }
    }

    /// Collects the links of a relationship between new objects.
    private func capture(
        _ origin: MapTarget.Origin,
        of relationship: Relationship,
        _ target: MapTarget,
        _ owners: String
    ) throws(StoreError) {
        try connection.execute("DROP TABLE IF EXISTS temp.momtool_links")
        try connection.execute(
            "CREATE TEMP TABLE momtool_links (source INTEGER, destination INTEGER, position INTEGER)"
        )
        let query: String?
        switch origin {
        case .path(let path, let mapping):
            query = pathQuery(path, mapping, relationship, target, owners)
        case .find(let entity, let key, let equals):
            query = findQuery(entity, key, equals, target, owners)
        }
        guard let query else { return }
        try connection.execute("INSERT INTO momtool_links \(query)")
        try connection.execute(
            "CREATE INDEX temp.momtool_links_destination ON momtool_links (destination)"
        )
        try connection.execute(
            "CREATE INDEX temp.momtool_links_source ON momtool_links (source)"
        )
    }

    private func pathQuery(
        _ path: [String],
        _ mapping: String?,
        _ relationship: Relationship,
        _ target: MapTarget,
        _ owners: String
    ) -> String? {
        let source = migration.source
        guard let links = try? source.links(along: path, from: target.source),
            let end = try? source.destination(of: path, from: target.source),
            let table = source.layout.table(of: end.name)?.name
        else { return nil }
        let numbers = Set(
            migration.layout.numbers(ofHierarchy: relationship.destinationEntity ?? "")
        )
        let targets = migration.targets + migration.policyRuns.compactMap(\.target)
        let candidates = targets.filter { other in
            other.sourceTable.name == table && numbers.contains(other.number)
                && (mapping == nil || other.map.name == mapping)
        }
        guard !candidates.isEmpty else { return nil }
        let found = candidates.map { other in
            "SELECT source, destination FROM \(other.objects)"
        }
        return "SELECT o.destination, d.destination, l.position FROM (\(links)) AS l "
            + "JOIN \(owners) AS o ON o.source = l.source "
            + "JOIN (\(found.joined(separator: " UNION ALL "))) AS d ON d.source = l.destination"
    }

    private func findQuery(
        _ entity: String,
        _ key: String,
        _ equals: String,
        _ target: MapTarget,
        _ owners: String
    ) -> String? {
        guard let table = migration.layout.table(of: entity),
            let column = migration.layout.column(of: key, declaredBy: entity)
        else { return nil }
        let numbers = numberList(migration.layout.numbers(ofHierarchy: entity))
        return "SELECT o.destination, min(d.Z_PK), NULL FROM "
            + "\(migration.source.table(target.sourceTable.name)) AS s "
            + "JOIN \(owners) AS o ON o.source = s.Z_PK "
            + "JOIN \(quotedIdentifier(table.name)) AS d ON d.Z_ENT IN (\(numbers)) "
            + "AND d.\(quotedIdentifier(column.name)) = \(equals) GROUP BY s.Z_PK"
    }

    private func write(_ relationship: Relationship, _ target: MapTarget) throws(StoreError) {
        let storage = migration.layout.storage(
            of: relationship.name,
            declaredBy: target.destination.name
        )
        switch storage {
        case .foreignKey(let table, let column, let entityColumn, let orderKey)?:
            let end = migration.layout.table(of: relationship.destinationEntity ?? "")?.name
            try writeKeys(
                table,
                column,
                entityColumn,
                nil,
                own: "source",
                other: "destination",
                otherTable: end
            )
            if let orderKey { try number(table, column, orderKey) }
            try writeMate(of: relationship, table, column, target)
        case .inverseForeignKey(let table, let column, let entityColumn, let orderKey)?:
            try writeKeys(
                table,
                column,
                entityColumn,
                relationship.isOrdered ? orderKey : nil,
                own: "destination",
                other: "source",
                otherTable: target.table.name
            )
            if let orderKey { try number(table, column, orderKey) }
        case .ownerColumn(let table, let column, let orderKey)?:
            let (own, other) = ("destination", "source")
            try writeKeys(table, column, nil, orderKey, own: own, other: other, otherTable: nil)
            if let orderKey { try number(table, column, orderKey) }
        case .joinTable(let name, let source, let destination, let orderKey)?:
            try writeJoin(name, source, destination, orderKey)
        case RelationshipStorage.none?, nil: return
        }
    }

    /// Writes keys into the table of the objects on the side `own`.
    private func writeKeys(
        _ table: String,
        _ column: String,
        _ entityColumn: String?,
        _ orderKey: String?,
        own: String,
        other: String,
        otherTable: String?
    ) throws(StoreError) {
        var cells = ["\(quotedIdentifier(column)) = l.\(other)"]
        if let entityColumn, let otherTable {
            let number =
                "(SELECT Z_ENT FROM \(quotedIdentifier(otherTable)) WHERE Z_PK = l.\(other))"
            cells.append("\(quotedIdentifier(entityColumn)) = \(number)")
        }
        if let orderKey { cells.append("\(quotedIdentifier(orderKey)) = l.position") }
        let name = quotedIdentifier(table)
        try connection.execute(
            "UPDATE \(name) SET \(cells.joined(separator: ", ")) FROM temp.momtool_links AS l "
                + "WHERE l.\(own) = \(name).Z_PK"
        )
    }

    /// Numbers the objects that share an owner and have no place in its order yet, behind those that have one.
    private func number(
        _ table: String,
        _ column: String,
        _ orderKey: String
    ) throws(StoreError) {
        let (name, owner, key) = (
            quotedIdentifier(table), quotedIdentifier(column), quotedIdentifier(orderKey)
        )
        try connection.execute(
            "UPDATE \(name) SET \(key) = r.place FROM (SELECT Z_PK AS pk, 1024 + 1024 * row_number() "
                + "OVER (PARTITION BY \(owner) ORDER BY \(key) IS NULL, \(key), Z_PK) AS place "
                + "FROM \(name) WHERE \(owner) NOT NULL) AS r WHERE r.pk = \(name).Z_PK"
        )
    }

    /// Writes the other side of a relationship between one object and one.
    private func writeMate(
        of relationship: Relationship,
        _ table: String,
        _ column: String,
        _ target: MapTarget
    ) throws(StoreError) {
        guard let (inverse, owner) = migration.graph.inverse(of: relationship),
            case .foreignKey(let mate, let mateColumn, let mateEntity, _)? = migration.layout
                .storage(of: inverse.name, declaredBy: owner.name)
        else { return }
        try writeKeys(
            mate,
            mateColumn,
            mateEntity,
            nil,
            own: "destination",
            other: "source",
            otherTable: table
        )
    }

    private func writeJoin(
        _ name: String,
        _ source: String,
        _ destination: String,
        _ orderKey: String?
    ) throws(StoreError) {
        let join = migration.layout.joinTables.first { $0.name == name }
        let sides = [join?.first, join?.second].compactMap(\.self)
        let inverseKey = sides.first { $0.name == source }?.orderKey
        var cells = [(source, "source"), (destination, "destination")]
        let place = "1024 + 1024 * row_number() OVER (PARTITION BY "
        if let orderKey {
            cells.append((orderKey, "\(place)source ORDER BY position IS NULL, position, rowid)"))
        }
        if let inverseKey {
            cells.append((inverseKey, "\(place)destination ORDER BY rowid)"))
        }
        try connection.execute(
            "INSERT OR IGNORE INTO \(quotedIdentifier(name)) (\(columnList(cells.map(\.0)))) "
                + "SELECT \(cells.map(\.1).joined(separator: ", ")) FROM temp.momtool_links"
        )
    }
}
