import MigrationPlanning
import ModelLanguage
import ObjectModel
import RowExchange
import StoreFormat

/// Turns expressions over `$source` into SQL over the row `s` of the source entity's table.
struct MapExpressions {
    let source: MapSource
    let entity: Entity

    /// Returns the value of an expression.
    func sql(_ expression: PredicateExpression) throws(MapFault) -> String {
        switch expression {
        case .variable("source"), .evaluatedObject: return "s.Z_PK"
        default:
            return try translated { translation, scope throws(UntranslatablePredicate) in
                try translation.sql(expression, of: scope).sql
            }
        }
    }

    /// Returns a condition on the source object.
    func condition(_ predicate: Predicate) throws(MapFault) -> String {
        try translated { translation, scope throws(UntranslatablePredicate) in
            try translation.sql(predicate, of: scope)
        }
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

    private func translated(
        _ body: (inout PredicateTranslation, RowScope) throws(UntranslatablePredicate) -> String
    ) throws(MapFault) -> String {
        var translation = PredicateTranslation(
            source.layout,
            source.graph,
            tableNames: source.names,
            furtherFunction: function
        )
        let own = (row: "s", entity: entity.name)
        let scope = RowScope(row: own.row, entity: own.entity, variables: ["source": own])
        do throws(UntranslatablePredicate) {
            return try body(&translation, scope)
        } catch {
            throw MapFault(reason: error.reason)
        }
    }

    /// Functions that are called in SQL under a name of their own, with the types of their values.
    private static let names: [String: (name: String, type: AttributeType?)] = [
        StageMap.Function.coalesce: ("coalesce", nil),
        StageMap.Function.split: ("split", .string),
        StageMap.Function.rest: ("split_rest", .string),
        StageMap.Function.uuid: ("uuid", .uuid), "now": ("now", .date),
        "uppercase:": ("unicode_upper", .string), "lowercase:": ("unicode_lower", .string),
        "canonical:": ("canonical", .string), "uppercaseString": ("unicode_upper", .string),
        "lowercaseString": ("unicode_lower", .string),
        "capitalizedString": ("capitalized", .string), "abs:": ("abs", nil),
        "length": ("length", .integer64), "length:": ("length", .integer64),
        "trunc:": ("trunc", nil), "ceiling:": ("ceil", nil), "floor:": ("floor", nil),
    ]
    private static let conversions = [
        "stringValue": "TEXT", "description": "TEXT", "integerValue": "INTEGER",
        "intValue": "INTEGER", "longLongValue": "INTEGER", "doubleValue": "REAL",
        "floatValue": "REAL", "boolValue": "INTEGER",
    ]

    /// Translates what mapping models and maps can call beyond the functions of predicates.
    private func function(
        _ operand: PredicateExpression?,
        _ selector: String,
        _ arguments: [PredicateExpression],
        _ scope: RowScope,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand? {
        let whole = PredicateExpression.function(
            operand: operand,
            selector: selector,
            arguments: arguments
        )
        if let path = sourcePath(whole) {
            return try translation.value(at: path, of: scope.row, scope.entity)
        }
        if selector == StageMap.Function.lookup {
            return try lookup(arguments, scope, &translation)
        }
        guard
            Self.names[selector] != nil || Self.conversions[selector] != nil
                || [StageMap.Function.cast, "matches::"].contains(selector)
        else { return nil }
        var values: [SQLOperand] = []
        for argument in [operand].compactMap(\.self) + arguments {
            values.append(try translation.sql(argument, of: scope))
        }
        let list = values.map(\.sql)
        if let type = Self.conversions[selector], values.count == 1 {
            return SQLOperand(sql: "CAST(\(list[0]) AS \(type))")
        }
        if selector == StageMap.Function.cast, values.count == 2,
            case .string(let type)? = values[1].constant
        {
            return try cast(list[0], to: type)
        }
        if selector == "matches::", values.count == 3, case .integer(let bits)? = values[2].constant
        {
            let options = PredicateComparison.Options(rawValue: Int(bits))
            let (text, pattern) = (folded(list[0], options), folded(list[1], options))
            return SQLOperand(sql: "regexp('^(?:' || \(pattern) || ')$', \(text))")
        }
        guard let (name, type) = Self.names[selector] else { return nil }
        // SQLite's own function wants two arguments.
        if name == "coalesce", values.count == 1 { return values[0] }
        let call = "\(name)(\(list.joined(separator: ", ")))"
        return SQLOperand(sql: call, type: type ?? values.first?.type)
    }

    private func cast(
        _ value: String,
        to type: String
    ) throws(UntranslatablePredicate) -> SQLOperand {
        func isText(_ function: String) -> String {
            "CASE typeof(\(value)) WHEN 'text' THEN \(function)(\(value)) ELSE \(value) END"
        }
        switch type.lowercased() {
        case "integer 16", "integer 32", "integer 64", "integer":
            return SQLOperand(sql: "CAST(\(value) AS INTEGER)", type: .integer64)
        case "double", "float", "decimal":
            return SQLOperand(sql: "CAST(\(value) AS REAL)", type: .double)
        case "boolean":
            return SQLOperand(sql: "(CAST(\(value) AS NUMERIC) <> 0)", type: .boolean)
        case "string", "uri", "nsstring":
            return SQLOperand(sql: "CAST(\(value) AS TEXT)", type: .string)
        case "date", "nsdate": return SQLOperand(sql: isText("date"), type: .date)
        case "nsnumber", "nsdecimalnumber":
            return SQLOperand(sql: "CAST(\(value) AS NUMERIC)", type: .double)
        case "uuid", "nsuuid": return SQLOperand(sql: isText("uuid"), type: .uuid)
        case "binary", "nsdata": return SQLOperand(sql: "CAST(\(value) AS BLOB)", type: .binary)
        default: throw UntranslatablePredicate("there is no type '\(type)' to cast to")
        }
    }

    private func lookup(
        _ arguments: [PredicateExpression],
        _ scope: RowScope,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        guard arguments.count == 4, case .constant(.string(let name)) = arguments[0],
            case .constant(.string(let key)) = arguments[1],
            case .constant(.string(let wanted)) = arguments[3]
        else { throw UntranslatablePredicate("lookup needs entity, key, equals and value") }
        guard let other = source.graph.entity(name),
            let table = source.layout.table(of: other.name)
        else { throw UntranslatablePredicate("the old version has no entity '\(name)'") }
        let equals = try translation.sql(arguments[2], of: scope).sql
        let alias = translation.makeAlias()
        let left = try translation.value(at: [key], of: alias, other.name).sql
        let path = wanted.split(separator: ".").map(String.init)
        guard !path.isEmpty else { throw UntranslatablePredicate("lookup needs a value to find") }
        var result = try translation.value(at: path, of: alias, other.name)
        let numbers = numberList(source.layout.numbers(ofHierarchy: name))
        result.sql =
            "(SELECT \(result.sql) FROM \(source.table(table.name)) AS \(alias) "
            + "WHERE \(alias).Z_ENT IN (\(numbers)) AND \(left) = \(equals) "
            + "ORDER BY \(alias).Z_PK LIMIT 1)"
        return result
    }
}
