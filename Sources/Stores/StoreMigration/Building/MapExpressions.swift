import Diagnostics
import MappingInference
import MigrationPlanning
import ModelLanguage
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

/// Translates the value expressions of maps into SQL over a row `s` of the source entity's table.
struct MapExpressions {
    let layout: StoreLayout
    /// The current names of old tables that the layout calls otherwise.
    var names: [String: String] = [:]

    struct Value {
        var sql: String
        var readsOtherRows = false
        /// What it loses of the values that it works with.
        var losses: [ValueLoss] = []
        var reads: Set<AttributeRead> = []
    }

    /// The SQL name of the row of the source entity's table.
    static let ownRow = "s"

    /// Translates an expression for an object of an entity; throws if SQL cannot compute the value in that form.
    ///
    /// `entity` is that of the row `s`; a `form` of `nil` leaves the value as it is.
    func value(
        _ expression: PredicateExpression,
        of entity: String,
        as form: CellForm? = nil
    ) throws(MapFault) -> Value {
        if form == nil, [.variable("source"), .evaluatedObject].contains(expression) {
            return Value(sql: "s.Z_PK")
        }
        return try translated(entity) { translation, scope throws(UntranslatablePredicate) in
            var operand: SQLOperand
            switch expression {
            case .variable("source"), .evaluatedObject:
                operand = SQLOperand(sql: "s.Z_PK", type: .objectID, isStored: true)
            default: operand = try translation.sql(expression, of: scope)
            }
            if let form { operand = try operand.fitted(to: form, of: expression, &translation) }
            return operand.sql
        }
    }

    /// Returns a value with SQL in place of expressions that have been translated.
    func translated(_ value: RowExpression) -> RowExpression {
        let translated = try? value.replacingModelExpressions {
            expression,
            entity,
            form throws(MapFault) in .computed(try self.value(expression, of: entity, as: form).sql)
        }
        return translated ?? .null
    }

    func condition(of target: MappingTarget) throws(MapFault) -> String {
        try condition(target.mapping.condition, of: target.source)
    }

    func condition(_ predicate: Predicate?, of entity: NumberedEntity) throws(MapFault) -> String {
        let own = "s.Z_ENT = \(entity.number)"
        guard let predicate else { return own }
        let condition = try translated(entity.name) {
            translation,
            scope throws(UntranslatablePredicate) in try translation.sql(predicate, of: scope)
        }
        return "\(own) AND (\(condition.sql))"
    }

    /// Returns the current name of an old table for SQL.
    func table(_ name: String) -> String { quotedIdentifier(names[name] ?? name) }

    private func translated(
        _ entity: String,
        _ body: (inout PredicateTranslation, RowScope) throws(UntranslatablePredicate) -> String
    ) throws(MapFault) -> Value {
        let files = Locked<[String]>([])
        var translation = PredicateTranslation(
            layout,
            tableNames: names.mapValues(quotedIdentifier),
            externalData: { value in
                files.withLock { if !$0.contains(value) { $0.append(value) } }
                return "\(ExternalForm.removing)(\(value))"
            },
            furtherFunction: function
        )
        let own = (row: Self.ownRow, entity: entity)
        let scope = RowScope(row: own.row, entity: own.entity, variables: ["source": own])
        do throws(UntranslatablePredicate) {
            let sql = try body(&translation, scope)
            // Only the expression itself knows which other objects it reads.
            for value in files.withLock(\.self) where value.hasPrefix("s.") {
                let data = "\(ExternalForm.removing)(\(value))"
                translation.note(
                    .missingFile,
                    where: "\(value) NOT NULL AND (\(data) IS NULL OR \(isUnclearExternal(value)))"
                )
            }
            return Value(
                sql: sql,
                readsOtherRows: translation.readsOtherRows,
                losses: translation.losses,
                reads: translation.locatedReads
            )
        } catch { throw MapFault(reason: error.reason) }
    }

    /// Functions with a name of their own in SQL, and the types of their values.
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
    private static let conversions: [String: AttributeType] = [
        "stringValue": .string, "description": .string, "integerValue": .integer64,
        "intValue": .integer32, "longLongValue": .integer64, "doubleValue": .double,
        "floatValue": .float, "boolValue": .boolean,
    ]
    /// The types of casts, by their names in lower case.
    private static let castTypes: [String: AttributeType] = Dictionary(
        firstOf: [("integer", .integer64), ("nsnumber", .double)]
            + AttributeType.allCases.filter { $0.row.swiftData != nil }.flatMap { type in
                [type.sourceName, type.row.valueClass].compactMap { name in
                    name.map { ($0.lowercased(), type) }
                }
            }
    )

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
        switch selector {
        case StageMap.Function.lookup: return try lookup(arguments, scope, &translation)
        case StageMap.Function.split where arguments.count == 3,
            StageMap.Function.rest where arguments.count == 3:
            return try part(selector, arguments, scope, &translation)
        default: break
        }
        if let special = try special(selector, arguments, scope, &translation) { return special }
        guard
            Self.names[selector] != nil || Self.conversions[selector] != nil
                || [StageMap.Function.cast, "matches::"].contains(selector)
        else { return nil }
        let all = [operand].compactMap(\.self) + arguments
        let isChoice = selector == StageMap.Function.coalesce
        var values: [SQLOperand] = []
        for argument in all {
            let missing = isChoice ? values.last.map { "\($0.sql) IS NULL" } : nil
            if let missing { translation.guards.append(missing) }
            // Later values go nowhere, unless they are the same.
            let taken = "coalesce(\((values.map(\.sql) + ["NULL"]).joined(separator: ", ")))"
            values.append(
                try translation.sql(argument, of: scope) { value, read in
                    isChoice ? read.or("\(taken) = \(value.sql)") : read
                }
            )
        }
        if isChoice { translation.guards.removeLast(max(0, values.count - 1)) }
        return try call(selector, values, &translation)
    }

    private func special(
        _ selector: String,
        _ arguments: [PredicateExpression],
        _ scope: RowScope,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand? {
        switch selector {
        case StageMap.Function.constant:
            guard arguments.count == 2, case .constant(.string(let marker)) = arguments[0],
                case .constant(.string(let text)) = arguments[1]
            else { throw UntranslatablePredicate("a constant needs a type and a text") }
            return try SQLOperand(constant: marker, text)
        case StageMap.Function.first, StageMap.Function.last:
            guard arguments.count == 1 else { return nil }
            let isLast = selector == StageMap.Function.last
            return try translation.value(along: arguments[0], isLast: isLast, of: scope)
        case StageMap.Function.join:
            guard arguments.count > 1 else {
                throw UntranslatablePredicate("join needs a separator and texts")
            }
            return try join(arguments, scope, &translation)
        default: return nil
        }
    }

    /// A part of a text: the others are lost, unless they are used too.
    private func part(
        _ selector: String,
        _ arguments: [PredicateExpression],
        _ scope: RowScope,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand? {
        let separator = try translation.sql(arguments[1], of: scope)
        let index = try translation.sql(arguments[2], of: scope)
        let place = selector == StageMap.Function.rest ? "-1 - \(index.sql)" : index.sql
        let text = try translation.sql(arguments[0], of: scope) { text, read in
            var read = read
            read.part = read.part ?? .init(text: text.sql, separator: separator.sql, place: place)
            return read
        }
        return try call(selector, [text, separator, index], &translation)
    }

    private func join(
        _ arguments: [PredicateExpression],
        _ scope: RowScope,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let separator = try translation.sql(arguments[0], of: scope)
        var texts: [SQLOperand] = [separator]
        for argument in arguments.dropFirst() {
            let several = try translation.joinedTexts(along: argument, by: separator.sql, of: scope)
            if let several {
                texts.append(several)
            } else {
                texts.append(try translation.sql(argument, of: scope))
            }
        }
        for text in texts { try text.requireText(for: "join", &translation) }
        let list = texts.map(\.sql).joined(separator: ", ")
        return SQLOperand(sql: "momtool_join(\(list))", type: .string, isStored: true)
    }

    private func call(
        _ selector: String,
        _ values: [SQLOperand],
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand? {
        let list = values.map(\.sql)
        if let type = Self.conversions[selector], values.count == 1 {
            return try values[0].cast(to: type, &translation)
        }
        if selector == StageMap.Function.cast, values.count == 2,
            case .string(let name)? = values[1].constant
        {
            guard let type = Self.castTypes[name.lowercased()] else {
                let known = Self.castTypes.keys.filter { !$0.hasPrefix("ns") }.sorted()
                throw UntranslatablePredicate(
                    "there is no type '\(name)' to cast to; there are \(known.joined(separator: ", "))"
                )
            }
            return try values[0].cast(to: type, &translation)
        }
        if selector == "matches::", values.count == 3, case .integer(let bits)? = values[2].constant
        {
            let options = PredicateComparison.Options(rawValue: Int(bits))
            let (text, pattern) = (folded(list[0], options), folded(list[1], options))
            return SQLOperand(sql: "regexp('^(?:' || \(pattern) || ')$', \(text))")
        }
        guard let (name, type) = Self.names[selector] else { return nil }
        if name == "coalesce", values.count == 1 { return values[0] }
        if type == .string, let text = values.first {
            try text.requireText(for: name, &translation)
        }
        let common = SQLOperand.commonType(
            of: name == "coalesce" ? values : Array(values.prefix(1))
        )
        return SQLOperand(
            sql: "\(name)(\(list.joined(separator: ", ")))",
            type: type ?? common,
            isStored: type != nil
                || (name == "coalesce" && values.allSatisfy { $0.isStored && $0.type == common })
        )
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
        guard let other = layout.graph.entity(name), let table = layout.table(of: other.name)
        else { throw UntranslatablePredicate("the old version has no entity '\(name)'") }
        let known = translation.reads
        translation.reads = []
        let equals = try translation.sql(arguments[2], of: scope).sql
        let sought = translation.reads
        translation.reads = known
        let alias = translation.makeAlias()
        let left = try translation.value(at: [key], of: alias, other.name).sql
        let path = wanted.split(separator: ".").map(String.init)
        guard !path.isEmpty else { throw UntranslatablePredicate("lookup needs a value to find") }
        let numbers = numberList(layout.numbers(ofHierarchy: name))
        let own = "\(self.table(table.name)) AS \(alias)"
        let condition = "\(alias).Z_ENT IN (\(numbers)) AND \(left) = \(equals)"
        let rows = "FROM \(own) WHERE \(condition)"
        let one = "\(rows) ORDER BY \(alias).Z_PK LIMIT 1"
        translation.note(
            row: alias,
            in: own,
            where: "\(condition) AND \(alias).Z_PK = (SELECT \(alias).Z_PK \(one))",
            from: scope.row
        )
        var result = try translation.value(at: path, of: alias, other.name)
        translation.reads.formUnion(sought.map { $0.and("EXISTS (SELECT 1 \(rows))") })
        result.sql = "(SELECT \(result.sql) \(one))"
        translation.note(
            .severalFound(entity: name),
            where: "(SELECT count(*) FROM (SELECT 1 \(rows) LIMIT 2)) > 1"
        )
        return result
    }
}
