package import ModelLanguage
import SQLiteAccess
import StoreFormat

extension PredicateTranslation {
    struct Members {
        var tables: String
        var condition: String
        var row: String
        /// The row that the path begins at.
        var start: String
        var entity: String
        var rest: [String]
        /// The terms of their order: that of an ordered relationship, then that of their keys.
        var order: [String]

        var source: String { "\(tables) WHERE \(condition)" }
    }

    /// Translates the value of the first or the last object along a path over a to-many relationship.
    ///
    /// The order is that of an ordered relationship, or of the objects' keys.
    package mutating func value(
        along path: PredicateExpression,
        isLast: Bool,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let word = isLast ? "last" : "first"
        let members = try members(
            along: path,
            of: scope,
            orElse: "'\(word)' needs an attribute of a to-many relationship"
        )
        guard !members.rest.isEmpty else {
            throw UntranslatablePredicate("'\(word)' needs an attribute of the objects")
        }
        let order = members.order.map { isLast ? "\($0) DESC" : $0 }.joined(separator: ", ")
        let one = "FROM \(members.source) ORDER BY \(order) LIMIT 1"
        let key = "\(members.row).Z_PK"
        note(
            row: members.row,
            in: members.tables,
            where: "\(members.condition) AND \(key) = (SELECT \(key) \(one))",
            from: members.start
        )
        var value = try value(at: members.rest, of: members.row, members.entity)
        value.sql = "(SELECT \(value.sql) \(one))"
        return value
    }

    /// Translates the texts of all objects along a path, joined in their order; `nil` if the path leads to a single object.
    package mutating func joinedTexts(
        along path: PredicateExpression,
        by separator: String,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> SQLOperand? {
        guard case .keyPath = path, let members = try? members(along: path, of: scope, orElse: "")
        else { return nil }
        guard !members.rest.isEmpty else {
            throw UntranslatablePredicate("'join' needs an attribute of the objects")
        }
        let value = try value(at: members.rest, of: members.row, members.entity)
        let texts =
            "SELECT \(value.sql) AS v FROM \(members.source) "
            + "ORDER BY \(members.order.joined(separator: ", "))"
        return SQLOperand(
            sql: "(SELECT group_concat(v, \(separator)) FROM (\(texts)))",
            type: value.type,
            isStored: value.isStored
        )
    }

    /// The rows at a path up to its first to-many relationship; the error for a missing path says `need`.
    mutating func members(
        along expression: PredicateExpression,
        of scope: RowScope,
        orElse need: String
    ) throws(UntranslatablePredicate) -> Members {
        guard case .keyPath(let operand, let path) = expression else {
            throw UntranslatablePredicate(need)
        }
        let start = try start(of: operand, in: scope)
        var (entity, key) = (start.entity, "\(start.row).Z_PK")
        let keys = keys(path)
        try checkLength(keys)
        for (index, name) in keys.enumerated() {
            let (destination, table) = try destination(of: name, from: entity)
            let alias = makeAlias()
            guard let links = layout.links(name, of: entity) else {
                throw UntranslatablePredicate("'\(name)' is not stored")
            }
            guard links.form != .key else {
                key =
                    "(SELECT \(alias).\(quotedIdentifier(links.key)) FROM "
                    + "\(self.table(links.table)) AS \(alias) WHERE \(alias).Z_PK = \(key))"
                entity = destination
                continue
            }
            var (tables, link) = ("\(table) AS \(alias)", alias)
            if links.form == .join {
                link = makeAlias()
                tables =
                    "\(self.table(links.table)) AS \(link) JOIN \(tables) "
                    + "ON \(alias).Z_PK = \(link).\(quotedIdentifier(links.destination))"
            }
            let order = links.orderKey.map { ["\(link).\(quotedIdentifier($0))"] } ?? []
            let condition = "\(link).\(quotedIdentifier(links.key)) = \(key)"
            note(row: alias, in: tables, where: condition, from: start.row)
            return Members(
                tables: tables,
                condition: condition,
                row: alias,
                start: start.row,
                entity: destination,
                rest: Array(keys.dropFirst(index + 1)),
                order: order + ["\(alias).Z_PK"]
            )
        }
        throw UntranslatablePredicate(
            "'\(keys.joined(separator: "."))' contains no to-many relationship"
        )
    }
}
