import MigrationPlanning
import ObjectModel
import PredicateFormat
import StoreFormat

/// Turns expressions over `$source` into SQL over the row `s` of the source entity's table.
struct MapExpressions {
    let source: MapSource
    let entity: Entity

    /// Expressions from files may nest as deep as their parsers allow; SQLite allows a thousand levels.
    private static let depthLimit = 100

    /// Returns the value of an expression.
    func sql(_ expression: PredicateExpression, depth: Int = 0) throws(MapFault) -> String {
        guard depth < Self.depthLimit else { throw MapFault(reason: "it nests too deep") }
        switch expression {
        case .constant(let constant): return literal(constant)
        case .variable("source"), .evaluatedObject: return "s.Z_PK"
        case .keyPath:
            guard let path = sourcePath(expression) else { break }
            return try value(at: path, of: entity, alias: "s", depth: depth)
        case .function(let operand, let selector, let arguments):
            return try function(operand, selector, arguments, depth)
        case .ternary(let predicate, let first, let second):
            let condition = try condition(predicate, depth: depth + 1)
            let (first, second) = (
                try sql(first, depth: depth + 1), try sql(second, depth: depth + 1)
            )
            return "CASE WHEN \(condition) THEN \(first) ELSE \(second) END"
        case .variable, .aggregate, .subquery, .symbol: break
        }
        throw MapFault(reason: "'\(expression)' cannot be carried out")
    }

    /// Returns the keys of an expression that is a path from the source object; `nil` when it is none.
    func sourcePath(_ expression: PredicateExpression) -> [String]? {
        switch expression {
        case .keyPath(let operand, let path):
            let keys = path.split(separator: ".").map(String.init)
            switch operand {
            case .variable("source"), .evaluatedObject: return keys
            default: return sourcePath(operand).map { $0 + keys }
            }
        case .function(let operand?, let selector, let arguments)
        where ["valueForKeyPath:", "valueForKey:"].contains(selector):
            guard case .constant(.string(let path))? = arguments.first else { return nil }
            return sourcePath(.keyPath(operand, path))
        default: return nil
        }
    }

    private func value(
        at path: [String],
        of entity: Entity,
        alias: String,
        depth: Int
    ) throws(MapFault) -> String {
        guard let first = path.first else { return "\(alias).Z_PK" }
        let rest = Array(path.dropFirst())
        if let column = source.layout.column(of: first, path: rest, declaredBy: entity.name) {
            return "\(alias).\(quotedIdentifier(column.name))"
        }
        let relationship = try source.relationship(first, of: entity)
        if relationship.isToMany, rest == ["@count"] {
            let links = try source.links(along: [first], from: entity)
            return "(SELECT count(*) FROM (\(links)) AS l WHERE l.source = \(alias).Z_PK)"
        }
        guard
            case .foreignKey(_, let column, _, _)? = source.layout.storage(
                of: first,
                declaredBy: entity.name
            )
        else { throw MapFault(reason: "'\(entity.name).\(first)' has more than one value") }
        let key = "\(alias).\(quotedIdentifier(column))"
        guard !rest.isEmpty else { return key }
        guard depth < Self.depthLimit else { throw MapFault(reason: "the path is too long") }
        let next = try source.destination(of: [first], from: entity)
        let alias = "t\(depth)"
        let inner = try value(at: rest, of: next, alias: alias, depth: depth + 1)
        return "(SELECT \(inner) FROM \(try source.table(of: next)) AS \(alias) "
            + "WHERE \(alias).Z_PK = \(key))"
    }

    private func literal(_ constant: PredicateExpression.Constant) -> String {
        switch constant {
        case .null: "NULL"
        case .boolean(let value): value ? "1" : "0"
        case .integer(let value): String(value)
        case .double(let value), .date(let value): value.isFinite ? String(value) : "NULL"
        case .string(let text): quotedText(text)
        }
    }

    /// Functions of one form: the name in SQL before the arguments.
    private static let names = [
        StageMap.Function.coalesce: "coalesce", StageMap.Function.split: "split",
        StageMap.Function.rest: "split_rest", StageMap.Function.uuid: "uuid", "now": "now",
        "uppercase:": "unicode_upper", "lowercase:": "unicode_lower", "canonical:": "canonical",
        "uppercaseString": "unicode_upper", "lowercaseString": "unicode_lower",
        "capitalizedString": "capitalized", "abs:": "abs", "length": "length",
        "length:": "length", "trunc:": "trunc", "ceiling:": "ceil", "floor:": "floor",
    ]
    private static let operators = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
        "modulus:by:": "%",
    ]
    private static let conversions = [
        "stringValue": "TEXT", "description": "TEXT", "integerValue": "INTEGER",
        "intValue": "INTEGER", "longLongValue": "INTEGER", "doubleValue": "REAL",
        "floatValue": "REAL", "boolValue": "INTEGER",
    ]

    private func function(
        _ operand: PredicateExpression?,
        _ selector: String,
        _ arguments: [PredicateExpression],
        _ depth: Int
    ) throws(MapFault) -> String {
        if let path = sourcePath(
            .function(operand: operand, selector: selector, arguments: arguments)
        ) {
            return try value(at: path, of: entity, alias: "s", depth: depth)
        }
        if selector == StageMap.Function.lookup { return try lookup(arguments, depth) }
        var values: [String] = []
        if let operand { values.append(try sql(operand, depth: depth + 1)) }
        for argument in arguments { values.append(try sql(argument, depth: depth + 1)) }
        if let sign = Self.operators[selector], values.count == 2 {
            return "(\(values[0]) \(sign) \(values[1]))"
        }
        if let type = Self.conversions[selector], values.count == 1 {
            return "CAST(\(values[0]) AS \(type))"
        }
        if selector == StageMap.Function.cast, values.count == 2,
            case .constant(.string(let type))? = arguments.last
        {
            return try cast(values[0], to: type)
        }
        if let name = Self.names[selector] {
            // SQLite's own function wants two arguments.
            if name == "coalesce", values.count == 1 { return values[0] }
            return "\(name)(\(values.joined(separator: ", ")))"
        }
        throw MapFault(reason: "the function '\(selector)' is not known")
    }

    private func cast(_ value: String, to type: String) throws(MapFault) -> String {
        switch type.lowercased() {
        case "integer 16", "integer 32", "integer 64", "integer": return "CAST(\(value) AS INTEGER)"
        case "double", "float", "decimal": return "CAST(\(value) AS REAL)"
        case "boolean": return "(CAST(\(value) AS NUMERIC) <> 0)"
        case "string", "uri", "nsstring": return "CAST(\(value) AS TEXT)"
        case "date", "nsdate":
            return "CASE typeof(\(value)) WHEN 'text' THEN date(\(value)) ELSE \(value) END"
        case "nsnumber", "nsdecimalnumber": return "CAST(\(value) AS NUMERIC)"
        case "uuid", "nsuuid":
            return "CASE typeof(\(value)) WHEN 'text' THEN uuid(\(value)) ELSE \(value) END"
        case "binary", "nsdata": return "CAST(\(value) AS BLOB)"
        default: throw MapFault(reason: "there is no type '\(type)' to cast to")
        }
    }

    private func lookup(_ arguments: [PredicateExpression], _ depth: Int) throws(MapFault) -> String
    {
        guard arguments.count == 4, case .constant(.string(let name)) = arguments[0],
            case .constant(.string(let key)) = arguments[1],
            case .constant(.string(let wanted)) = arguments[3]
        else { throw MapFault(reason: "lookup needs entity, key, equals and value") }
        guard let other = source.graph.entity(name) else {
            throw MapFault(reason: "the old version has no entity '\(name)'")
        }
        let equals = try sql(arguments[2], depth: depth + 1)
        let alias = "k\(depth)"
        let left = try value(at: [key], of: other, alias: alias, depth: depth + 1)
        let path = wanted.split(separator: ".").map(String.init)
        let result = try value(at: path, of: other, alias: alias, depth: depth + 1)
        let numbers = numberList(source.layout.numbers(ofHierarchy: name))
        return "(SELECT \(result) FROM \(try source.table(of: other)) AS \(alias) "
            + "WHERE \(alias).Z_ENT IN (\(numbers)) AND \(left) = \(equals) "
            + "ORDER BY \(alias).Z_PK LIMIT 1)"
    }

    /// Returns a condition on the source object.
    func condition(_ predicate: Predicate, depth: Int = 0) throws(MapFault) -> String {
        guard depth < Self.depthLimit else { throw MapFault(reason: "it nests too deep") }
        switch predicate {
        case .constant(let value): return value ? "1" : "0"
        case .not(let inner): return "NOT (\(try condition(inner, depth: depth + 1)))"
        case .and(let parts): return try joined(parts, "AND", depth)
        case .or(let parts): return try joined(parts, "OR", depth)
        case .comparison(let comparison): return try compare(comparison, depth)
        }
    }

    private func joined(
        _ parts: [Predicate],
        _ word: String,
        _ depth: Int
    ) throws(MapFault) -> String {
        var texts: [String] = []
        for part in parts { texts.append("(\(try condition(part, depth: depth + 1)))") }
        return texts.isEmpty ? (word == "AND" ? "1" : "0") : texts.joined(separator: " \(word) ")
    }

    private func compare(
        _ comparison: PredicateComparison,
        _ depth: Int
    ) throws(MapFault) -> String {
        guard comparison.modifier == .direct else {
            throw MapFault(reason: "ANY and ALL cannot be carried out")
        }
        var left = try sql(comparison.left, depth: depth + 1)
        if comparison.operator == .in, case .aggregate(let items) = comparison.right {
            var values: [String] = []
            for item in items { values.append(try sql(item, depth: depth + 1)) }
            return "\(left) IN (\(values.joined(separator: ", ")))"
        }
        if comparison.operator == .between, case .aggregate(let items) = comparison.right,
            items.count == 2
        {
            let (low, high) = (
                try sql(items[0], depth: depth + 1), try sql(items[1], depth: depth + 1)
            )
            return "\(left) BETWEEN \(low) AND \(high)"
        }
        var right = try sql(comparison.right, depth: depth + 1)
        if comparison.options.contains(.diacriticInsensitive) {
            (left, right) = ("canonical(\(left))", "canonical(\(right))")
        } else if comparison.options.contains(.caseInsensitive) {
            (left, right) = ("unicode_lower(\(left))", "unicode_lower(\(right))")
        }
        switch comparison.operator {
        case .lessThan: return "\(left) < \(right)"
        case .lessThanOrEqual: return "\(left) <= \(right)"
        case .greaterThan: return "\(left) > \(right)"
        case .greaterThanOrEqual: return "\(left) >= \(right)"
        case .equal: return "\(left) IS \(right)"
        case .notEqual: return "\(left) IS NOT \(right)"
        case .beginsWith: return "substr(\(left), 1, length(\(right))) = \(right)"
        case .endsWith: return "substr(\(left), -length(\(right))) = \(right)"
        case .contains: return "instr(\(left), \(right)) > 0"
        case .matches: return "regexp('^(?:' || \(right) || ')$', \(left))"
        case .like: return "\(left) GLOB \(right)"
        case .in, .between: throw MapFault(reason: "a list is needed behind IN and BETWEEN")
        }
    }
}
