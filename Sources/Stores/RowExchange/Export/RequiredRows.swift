import ObjectModel
import SQLiteAccess
import StoreFormat

/// Rows of a store with those that they require through to-one relationships, recursively.
///
/// Their keys are in a temporary table, so memory does not grow with their number. Links are followed in rounds, each
/// from the rows that the previous round added; a cycle of links ends where it adds none.
struct RequiredRows {
    private struct Link {
        /// The indexes of the source and destination tables in the layout.
        let source, target: Int
        /// Adds the rows that it leads to; its arguments are the rounds to add and to follow.
        let statement: Statement
    }

    private let connection: SQLiteConnection
    /// The index of each table in the layout, by name.
    private let places: [String: Int]
    private let links: [Link]

    init(_ store: LaidOutStore) throws(StoreError) {
        let (layout, connection) = (store.layout, store.connection)
        let places = Dictionary(firstOf: layout.tables.enumerated().map { ($1.name, $0) })
        (self.connection, self.places) = (connection, places)
        try connection.execute("DROP TABLE IF EXISTS temp.momtool_required")
        try connection.execute(
            "CREATE TEMP TABLE momtool_required (place INTEGER, key, round INTEGER, "
                + "PRIMARY KEY (place, key)) WITHOUT ROWID"
        )
        try connection.execute(
            "CREATE INDEX temp.momtool_rounds ON momtool_required (place, round)"
        )
        var links: [Link] = []
        for entity in layout.entities {
            guard let fields = RowFields(of: entity, in: store),
                let source = places[fields.table]
            else { continue }
            for case .toOne(let field) in fields.fields where !field.relationship.isOptional {
                guard let table = layout.table(of: field.destination),
                    let target = places[table.name]
                else { continue }
                let column = "t.\(quotedIdentifier(field.column))"
                let sql =
                    "INSERT OR IGNORE INTO temp.momtool_required SELECT \(target), \(column), ? "
                    + "FROM temp.momtool_required AS r CROSS JOIN \(quotedIdentifier(fields.table)) AS t "
                    + "ON t.Z_PK = r.key WHERE r.place = \(source) AND r.round = ? "
                    + "AND t.Z_ENT = \(entity.number) AND \(column) NOT NULL"
                let statement = try Statement(sql, on: connection)
                links.append(Link(source: source, target: target, statement: statement))
            }
        }
        self.links = links
    }

    func add(_ rows: EntityRows) throws(StoreError) {
        guard let place = places[rows.fields.table] else { return }
        try connection.execute(
            "INSERT OR IGNORE INTO temp.momtool_required SELECT \(place), t.Z_PK, 0 \(rows.source)"
        )
    }

    /// Adds required rows until there are no further ones.
    func follow() throws(StoreError) {
        var fresh = Set(places.values)
        var round: Int64 = 0
        while !fresh.isEmpty {
            var added: Set<Int> = []
            for link in links where fresh.contains(link.source) {
                try link.statement.run([.integer(round + 1), .integer(round)])
                if connection.changeCount > 0 { added.insert(link.target) }
            }
            (fresh, round) = (added, round + 1)
        }
    }

    func condition(for table: String) -> String {
        "t.Z_PK IN (SELECT key FROM temp.momtool_required WHERE place = \(places[table] ?? -1))"
    }
}
