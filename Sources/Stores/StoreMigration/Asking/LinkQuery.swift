import SQLiteAccess
import StoreFormat

/// Links of the old version, one per row: `source`, `destination`, and their positions in the destination's order
/// (`sourceOrder`) and in the inverse's (`destinationOrder`).
///
/// A tree that becomes SQL last, once the current names of the old tables are known.
indirect enum LinkQuery: Hashable, Sendable {
    /// Where an old relationship stores its links, seen in the direction of the new one.
    struct Columns: Hashable, Sendable {
        var table: String
        var source: String
        var destination: String
        /// The position of the destination among those of the source, if the old version keeps it.
        var sourceOrder: String?
        /// The position of the source among those of the destination, if the old version keeps it.
        var destinationOrder: String?

        var reversed: Columns {
            Columns(
                table: table,
                source: destination,
                destination: source,
                sourceOrder: destinationOrder,
                destinationOrder: sourceOrder
            )
        }
    }

    /// A condition that an object at the end of a link still exists, or has an allowed entity.
    struct Survival: Hashable, Sendable {
        var column: String
        var table: String
        /// The numbers of the removed entities; `nil` if the object only has to exist.
        var numbers: [Int]?
        /// Whether these are instead the only entities that links may lead to.
        var isLimited = false
    }

    /// The objects of one mapping: which became which.
    enum Objects: Hashable, Sendable {
        /// Objects that keep their keys; `taken` is the table of those that take part, unless all do.
        case kept(table: String, number: Int, taken: String?)
        /// Objects with new keys, listed in a temporary table.
        case made(String)
        /// Objects of the old version that meet a condition on the row `s`, by their old keys.
        case old(table: String, condition: String)
    }

    case stored(Columns, [Survival])
    /// Each object of a table, linked with itself.
    case itself(table: String)
    /// The links in both columns of a relationship that is to-one on both sides, each once.
    case united(LinkQuery, LinkQuery)
    /// Links, plus others whose sources have none among the first.
    case complemented(LinkQuery, LinkQuery)
    case joined(LinkQuery, LinkQuery)
    /// Links between the successors of both ends.
    case moved(LinkQuery, owners: Objects, destinations: [Objects])
    case reversed(LinkQuery)
    /// The last link of each source.
    case last(LinkQuery)

    /// The links of which it takes the last, or itself.
    var unlimited: LinkQuery { if case .last(let links) = self { links } else { self } }

    /// Whether no link can occur twice: each is a row, or a row's column.
    var holdsEachLinkOnce: Bool {
        switch self {
        case .stored, .itself, .united: true
        case .reversed(let links): links.holdsEachLinkOnce
        case .complemented, .joined, .moved, .last: false
        }
    }

    var tables: Set<String> {
        switch self {
        case .stored(let columns, _): [columns.table]
        case .itself: []
        case .united(let first, let second), .complemented(let first, let second),
            .joined(let first, let second):
            first.tables.union(second.tables)
        case .moved(let links, _, _), .reversed(let links), .last(let links): links.tables
        }
    }

    /// The query as SQL; `names` maps old tables to their current names.
    func sql(_ names: [String: String]) -> String {
        switch self {
        case .stored(let columns, let survivals): return Self.sql(of: columns, survivals, names)
        case .itself(let table):
            return "SELECT Z_PK AS source, Z_PK AS destination, NULL AS sourceOrder, "
                + "NULL AS destinationOrder FROM \(Self.name(table, names))"
        case .united(let first, let other): return "\(first.sql(names)) UNION \(other.sql(names))"
        case .complemented(let first, let other):
            return "\(first.sql(names)) UNION ALL SELECT * FROM (\(other.sql(names))) "
                + "WHERE source NOT IN (SELECT source FROM (\(first.sql(names))))"
        case .joined(let first, let rest):
            return "SELECT a.source AS source, b.destination AS destination, "
                + "a.sourceOrder AS sourceOrder, NULL AS destinationOrder FROM "
                + "(\(first.sql(names))) AS a JOIN (\(rest.sql(names))) AS b "
                + "ON a.destination = b.source"
        case .moved: return meantSQL(names, "") ?? ""
        case .reversed(let links):
            return "SELECT destination AS source, source AS destination, "
                + "destinationOrder AS sourceOrder, sourceOrder AS destinationOrder "
                + "FROM (\(links.sql(names)))"
        case .last(let links):
            return "SELECT source, destination, sourceOrder, destinationOrder FROM (SELECT *, "
                + "row_number() OVER (PARTITION BY source ORDER BY sourceOrder DESC, "
                + "destination DESC) AS place FROM (\(links.sql(names)))) WHERE place = 1"
        }
    }

    /// Links through mappings before any is dropped for want of room, as SQL with further columns over the old link
    /// `l`; `nil` for links that go through none.
    func meantSQL(
        _ names: [String: String],
        _ further: String = ", l.source AS formerSource, l.destination AS formerDestination"
    ) -> String? {
        switch self {
        case .moved(let links, let owners, let destinations):
            let ends = destinations.map { $0.sql(names) }.joined(separator: " UNION ALL ")
            return "SELECT o.destination AS source, d.destination AS destination, "
                + "l.sourceOrder AS sourceOrder, l.destinationOrder AS destinationOrder\(further) "
                + "FROM (\(links.sql(names))) AS l "
                + "JOIN (\(owners.sql(names))) AS o ON o.source = l.source "
                + "JOIN (\(ends)) AS d ON d.source = l.destination"
        case .last(let links): return links.meantSQL(names, further)
        case .stored, .itself, .united, .complemented, .joined, .reversed: return nil
        }
    }

    private static func sql(
        of columns: Columns,
        _ survivals: [Survival],
        _ names: [String: String]
    ) -> String {
        let (source, destination) = (
            quotedIdentifier(columns.source), quotedIdentifier(columns.destination)
        )
        let conditions =
            ["\(source) IS NOT NULL", "\(destination) IS NOT NULL"]
            + survivals.map { survival in
                let own = survival.numbers.map {
                    " WHERE Z_ENT \(survival.isLimited ? "IN" : "NOT IN") (\(numberList($0)))"
                }
                return "\(quotedIdentifier(survival.column)) IN (SELECT Z_PK FROM "
                    + "\(name(survival.table, names))\(own ?? ""))"
            }
        return """
            SELECT \(source) AS source, \(destination) AS destination, \
            \(columns.sourceOrder.map(quotedIdentifier) ?? "NULL") AS sourceOrder, \
            \(columns.destinationOrder.map(quotedIdentifier) ?? "NULL") AS destinationOrder \
            FROM \(name(columns.table, names)) WHERE \(conditions.joined(separator: " AND "))
            """
    }

    private static func name(_ table: String, _ names: [String: String]) -> String {
        quotedIdentifier(names[table] ?? table)
    }
}

extension LinkQuery.Objects {
    /// The objects as a query of `source` and `destination`.
    func sql(_ names: [String: String]) -> String {
        switch self {
        case .made(let table): return "SELECT source, destination FROM temp.\(table)"
        case .old(let table, let condition):
            return "SELECT s.Z_PK AS source, s.Z_PK AS destination "
                + "FROM \(quotedIdentifier(names[table] ?? table)) AS s WHERE \(condition)"
        case .kept(let table, let number, let taken):
            let filter = taken.map { " AND Z_PK IN (SELECT source FROM temp.\($0))" } ?? ""
            return "SELECT Z_PK AS source, Z_PK AS destination "
                + "FROM \(quotedIdentifier(names[table] ?? table)) "
                + "WHERE Z_ENT = \(number)\(filter)"
        }
    }
}

extension MappingTarget {
    func objects(in layout: StoreLayout) -> LinkQuery.Objects {
        guard keepsKeys, let table = layout.table(of: source.name) else { return .made(objects) }
        return .kept(table: table.name, number: source.number, taken: taken)
    }
}
