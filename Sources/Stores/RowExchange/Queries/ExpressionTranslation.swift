import Diagnostics
package import ModelLanguage
import ObjectModel
import SQLiteAccess
import StoreFormat

extension PredicateTranslation {
    /// The maximum number of keys in a path, each of which adds a level of SQL.
    private static let pathLimit = 64

    package mutating func sql(
        _ expression: PredicateExpression,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> SQLOperand {
        switch expression {
        case .constant(let constant): return try literal(constant)
        case .keyPath(.subquery(let collection, let variable, let predicate), "@count"):
            return try subqueryCount(collection, variable, predicate, of: scope)
        case .keyPath(
            .function(nil, "objectFrom:withIndex:", let arguments),
            let path
        ) where [.symbol(.first), .symbol(.last)].contains(arguments.last):
            // The brackets of Apple's language: objects[FIRST].key.
            return try value(
                along: .keyPath(arguments[0], path).joiningKeys,
                isLast: arguments.last == .symbol(.last),
                of: scope
            )
        case .keyPath(.keyPath(let operand, let start), let path):
            return try sql(.keyPath(operand, "\(start).\(path)"), of: scope)
        case .keyPath(let operand, let path):
            let keys = keys(path)
            if keys.contains(where: { $0.hasPrefix("@") }) {
                let function = expression.withCollectionFunctions
                guard function != expression else {
                    throw UntranslatablePredicate("'\(path)' cannot be expressed in SQL")
                }
                return try sql(function, of: scope)
            }
            let start = try start(of: operand, in: scope)
            return try value(at: keys, of: start.row, start.entity)
        case .function(let operand, let selector, let arguments):
            if let further = try furtherFunction?(operand, selector, arguments, scope, &self) {
                return further
            }
            guard operand == nil else {
                throw UntranslatablePredicate("FUNCTION cannot be expressed in SQL")
            }
            return try function(selector, arguments, of: scope)
        case .ternary(let predicate, let first, let second):
            let condition = try condition(predicate, of: scope)
            let yes = try sql(first, of: scope, where: condition)
            let no = try sql(second, of: scope, where: "NOT (\(condition))")
            return SQLOperand(
                sql: "CASE WHEN \(condition) THEN \(yes.sql) ELSE \(no.sql) END",
                type: SQLOperand.commonType(of: [yes, no]),
                isStored: yes.isStored && no.isStored && yes.type == no.type
            )
        case .evaluatedObject, .variable:
            guard storeUUID != nil else {
                throw UntranslatablePredicate("objects themselves cannot be expressed in SQL")
            }
            let object = try start(of: expression, in: scope)
            return SQLOperand(sql: "\(object.row).Z_PK", type: .objectID, entity: object.entity)
        case .aggregate, .subquery, .symbol:
            throw UntranslatablePredicate("'\(expression)' cannot be expressed in SQL here")
        }
    }

    private func literal(
        _ constant: PredicateExpression.Constant
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let sql: String
        switch constant {
        case .null: sql = "NULL"
        case .boolean(let value): sql = value ? "1" : "0"
        case .integer(let value): sql = "(\(value))"
        case .double(let value), .date(let value):
            guard value.isFinite else { throw UntranslatablePredicate("a number is too large") }
            sql = "(\(value))"
        case .string(let text):
            // SQL text ends at a zero byte.
            guard !text.utf8.contains(0) else {
                throw UntranslatablePredicate("a zero character cannot be expressed in SQL")
            }
            sql = quotedText(text)
        }
        return SQLOperand(sql: sql, constant: constant)
    }

    func keys(_ path: String) -> [String] {
        path.split(separator: ".", omittingEmptySubsequences: false).map { key in
            key.hasPrefix("#") ? String(key.dropFirst()) : String(key)
        }
    }

    func start(
        of operand: PredicateExpression,
        in scope: RowScope
    ) throws(UntranslatablePredicate) -> (row: String, entity: String) {
        switch operand {
        case .evaluatedObject: return (scope.row, scope.entity)
        case .variable(let name):
            guard let row = scope.variables[name] else {
                throw UntranslatablePredicate("the variable '$\(name)' has no value")
            }
            return row
        default: throw UntranslatablePredicate("a path begins at an object, not at '\(operand)'")
        }
    }

    /// The SQL function for the length of a string as `NSString` counts it: in units of UTF-16.
    package static let lengthFunction = "momtool_text_length"

    /// Returns the value at a path over to-one relationships that ends in an attribute, the length of a string, or an
    /// object's key.
    package mutating func value(
        at keys: [String],
        of row: String,
        _ entity: String
    ) throws(UntranslatablePredicate) -> SQLOperand {
        if let column = layout.column(
            of: keys[0],
            path: Array(keys.dropFirst()),
            declaredBy: entity
        ) {
            let own = attribute(at: keys, of: entity)
            let read = AttributeRead(row: row, entity: entity, path: keys)
            reads.insert(guards.reduce(read) { $0.and($1) })
            let value = "\(row).\(quotedIdentifier(column.name))"
            if let own, own.allowsExternalBinaryDataStorage, let externalData {
                return SQLOperand(sql: externalData(value), type: own.type, isStored: true)
            }
            return SQLOperand(sql: value, type: own?.type, isStored: true)
        }
        if let value = try valueOfValue(at: keys, of: row, entity) { return value }
        guard let links = layout.links(keys[0], of: entity) else {
            let names = graph.entity(entity).map { graph.properties(of: $0).map(\.name) } ?? []
            let near = suggestion(for: keys[0], among: names)
            let quotes = near.isEmpty ? "; write a string in quotes, as \"\(keys[0])\"" : ""
            throw UntranslatablePredicate(
                "\(entity) has no stored property '\(keys[0])'\(near)\(quotes)"
            )
        }
        guard links.form == .key else {
            throw UntranslatablePredicate("use ANY, ALL or the count of the to-many '\(keys[0])'")
        }
        let key = "\(row).\(quotedIdentifier(links.key))"
        guard keys.count > 1 else {
            let destination = graph.relationship(keys[0], ofEntity: entity)?.destinationEntity
            return SQLOperand(sql: key, type: .objectID, entity: destination)
        }
        try checkLength(keys)
        let (destination, table) = try destination(of: keys[0], from: entity)
        let alias = makeAlias()
        let (rows, condition) = ("\(table) AS \(alias)", "\(alias).Z_PK = \(key)")
        note(row: alias, in: rows, where: condition, from: row)
        var inner = try value(at: Array(keys.dropFirst()), of: alias, destination)
        inner.sql = "(SELECT \(inner.sql) FROM \(rows) WHERE \(condition))"
        return inner
    }

    /// Returns the value of a key of a string or URI, which are objects in Apple's language; `nil` for other paths.
    private mutating func valueOfValue(
        at keys: [String],
        of row: String,
        _ entity: String
    ) throws(UntranslatablePredicate) -> SQLOperand? {
        let owner = Array(keys.dropLast())
        switch (keys.last, attribute(at: owner, of: entity)?.type) {
        case ("length", .string):
            let text = try value(at: owner, of: row, entity).sql
            return SQLOperand(sql: "\(Self.lengthFunction)(\(text))", type: .integer64)
        case ("absoluteString", .uri):
            let text = try value(at: owner, of: row, entity).sql
            return SQLOperand(sql: text, type: .string, isStored: true)
        default: break
        }
        guard keys.count > 1, let own = attribute(at: [keys[0]], of: entity), own.type != .composite
        else { return nil }
        throw UntranslatablePredicate(
            "'\(keys[1...].joined(separator: "."))' of the \(own.type.sourceName ?? "value") "
                + "'\(keys[0])' cannot be expressed in SQL"
        )
    }

    func checkLength(_ keys: [String]) throws(UntranslatablePredicate) {
        guard keys.count <= Self.pathLimit else {
            throw UntranslatablePredicate("a path has more than \(Self.pathLimit) keys")
        }
    }

    private func attribute(at keys: [String], of entity: String) -> Attribute? {
        guard let owner = graph.entity(entity), let first = keys.first,
            let attribute = graph.property(first, of: owner)?.0 as? Attribute
        else { return nil }
        return element(of: attribute, at: keys.dropFirst(), graph)
    }

    func destination(
        of relationship: String,
        from entity: String
    ) throws(UntranslatablePredicate) -> (entity: String, table: String) {
        guard
            let name = graph.relationship(relationship, ofEntity: entity)?.destinationEntity,
            let table = layout.table(of: name)
        else { throw UntranslatablePredicate("'\(relationship)' has no destination entity") }
        return (name, self.table(table.name))
    }

    private mutating func subqueryCount(
        _ collection: PredicateExpression,
        _ variable: String,
        _ predicate: Predicate,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let need = "SUBQUERY needs a to-many relationship"
        let members = try members(along: collection, of: scope, orElse: need)
        guard members.rest.isEmpty else { throw UntranslatablePredicate(need) }
        var inner = scope
        inner.variables[variable] = (members.row, members.entity)
        let condition = try condition(predicate, of: inner)
        return SQLOperand(
            sql: "(SELECT COUNT(*) FROM \(members.source) AND \(condition))",
            type: .integer64
        )
    }

    private mutating func function(
        _ selector: String,
        _ arguments: [PredicateExpression],
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> SQLOperand {
        if selector == "now" {
            // Seconds since 2001-01-01, which is this Julian day.
            return SQLOperand(sql: "((julianday('now') - 2451910.5) * 86400.0)", type: .date)
        }
        if let name = Self.collectionFunctions[selector], arguments.count == 1 {
            return try collectionValue(name, arguments[0], of: scope)
        }
        if let name = Self.textFunctions[selector], arguments.count == 1 {
            let operand = try sql(arguments[0], of: scope)
            let type: AttributeType? =
                switch name {
                case Self.lengthFunction: .integer64
                case "abs": operand.type
                default: .string
                }
            return SQLOperand(sql: "\(name)(\(operand.sql))", type: type)
        }
        if let sign = Self.signs[selector], arguments.count == 2 {
            return try arithmetic(sign, arguments[0], arguments[1], of: scope)
        }
        throw UntranslatablePredicate("the function '\(selector)' cannot be expressed in SQL")
    }

    private static let collectionFunctions = [
        "count:": "COUNT", "sum:": "TOTAL", "min:": "MIN", "max:": "MAX", "average:": "AVG",
    ]

    private static let textFunctions = [
        "canonical:": "momtool_canonical", "uppercase:": "momtool_uppercase",
        "lowercase:": "momtool_lowercase", "abs:": "abs", "length:": lengthFunction,
    ]

    private static let signs = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
        "modulus:by:": "%",
    ]

    private mutating func collectionValue(
        _ name: String,
        _ argument: PredicateExpression,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let need = "'\(name.lowercased()):' needs a to-many relationship"
        let members = try members(along: argument, of: scope, orElse: need)
        if members.rest.isEmpty {
            guard name == "COUNT" else {
                throw UntranslatablePredicate("'\(name.lowercased()):' needs an attribute")
            }
            return SQLOperand(sql: "(SELECT COUNT(*) FROM \(members.source))", type: .integer64)
        }
        let known = reads
        reads = []
        let value = try value(at: members.rest, of: members.row, members.entity)
        let isOne = name == "MIN" || name == "MAX"
        let result = "(SELECT \(name)(\(value.sql)) FROM \(members.source))"
        // Of the least and the greatest value the others go nowhere.
        reads = known.union(reads.map { isOne ? $0.and("\(value.sql) = \(result)") : $0 })
        let type: AttributeType? =
            switch name {
            case "COUNT": .integer64
            case "TOTAL", "AVG": value.type == .decimal ? .decimal : .double
            default: value.type
            }
        return SQLOperand(sql: result, type: type, isStored: value.isStored && isOne)
    }
}

extension PredicateExpression {
    fileprivate var joiningKeys: PredicateExpression {
        guard case .keyPath(.keyPath(let operand, let start), let path) = self else { return self }
        return PredicateExpression.keyPath(operand, "\(start).\(path)").joiningKeys
    }
}
