import MappingInference
import MigrationPlanning
import ModelLanguage
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

/// Turns the value expressions of maps into SQL over a row `s` of the source entity's table.
struct MapExpressions {
    let layout: StoreLayout
    let graph: ModelGraph
    /// The names of old tables that are not called as the layout says.
    var names: [String: String] = [:]

    /// Returns the value of an expression for an object of an entity, and whether it looks at other rows.
    func sql(
        _ expression: PredicateExpression,
        of entity: String
    ) throws(MapFault) -> (sql: String, readsOtherRows: Bool) {
        switch expression {
        case .variable("source"), .evaluatedObject: return ("s.Z_PK", false)
        default:
            return try translated(entity) { translation, scope throws(UntranslatablePredicate) in
                try translation.sql(expression, of: scope).sql
            }
        }
    }

    /// Returns the condition that a row is an object of a mapping.
    func condition(of target: EntityCorrespondence.Target) throws(MapFault) -> String {
        try condition(target.mapping.condition, of: target.source)
    }

    /// Returns the condition that a row is an object of an entity, and satisfies a predicate.
    func condition(
        _ predicate: Predicate?,
        of entity: NumberedEntity
    ) throws(MapFault) -> String {
        let own = "s.Z_ENT = \(entity.number)"
        guard let predicate else { return own }
        let condition = try translated(entity.name) {
            translation,
            scope throws(UntranslatablePredicate) in
            try translation.sql(predicate, of: scope)
        }
        return "\(own) AND (\(condition.sql))"
    }

    /// Returns the name of an old table as it stands in SQL.
    func table(_ name: String) -> String { quotedIdentifier(names[name] ?? name) }

    private func translated(
        _ entity: String,
        _ body: (inout PredicateTranslation, RowScope) throws(UntranslatablePredicate) -> String
    ) throws(MapFault) -> (sql: String, readsOtherRows: Bool) {
        var translation = PredicateTranslation(
            layout,
            graph,
            tableNames: names.mapValues(quotedIdentifier),
            furtherFunction: function
        )
        let own = (row: "s", entity: entity)
        let scope = RowScope(row: own.row, entity: own.entity, variables: ["source": own])
        do throws(UntranslatablePredicate) {
            let sql = try body(&translation, scope)
            return (sql, translation.readsOtherRows)
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
        "length": (PredicateTranslation.lengthFunction, .integer64),
        "length:": (PredicateTranslation.lengthFunction, .integer64),
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
        if let path = whole.sourcePath {
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
        guard let other = graph.entity(name), let table = layout.table(of: other.name)
        else { throw UntranslatablePredicate("the old version has no entity '\(name)'") }
        let equals = try translation.sql(arguments[2], of: scope).sql
        let alias = translation.makeAlias()
        let left = try translation.value(at: [key], of: alias, other.name).sql
        let path = wanted.split(separator: ".").map(String.init)
        guard !path.isEmpty else { throw UntranslatablePredicate("lookup needs a value to find") }
        var result = try translation.value(at: path, of: alias, other.name)
        let numbers = numberList(layout.numbers(ofHierarchy: name))
        result.sql =
            "(SELECT \(result.sql) FROM \(self.table(table.name)) AS \(alias) "
            + "WHERE \(alias).Z_ENT IN (\(numbers)) AND \(left) = \(equals) "
            + "ORDER BY \(alias).Z_PK LIMIT 1)"
        return result
    }
}
