package import ModelLanguage
package import ObjectModel
import SQLiteAccess
package import StoreFormat

/// A row that a predicate is about, with the variables that denote other rows.
package struct RowScope {
    package var row: String
    package var entity: String
    package var variables: [String: (row: String, entity: String)] = [:]

    package init(
        row: String,
        entity: String,
        variables: [String: (row: String, entity: String)] = [:]
    ) {
        (self.row, self.entity, self.variables) = (row, entity, variables)
    }
}

package struct SQLOperand {
    package var sql: String
    package var type: AttributeType?
    package var constant: PredicateExpression.Constant?
    /// Whether the value is as an attribute of its type is stored, so that it is in the type's range.
    package var isStored: Bool
    /// For the key of an object, the object's entity, or one above it.
    package var entity: String?

    package init(
        sql: String,
        type: AttributeType? = nil,
        constant: PredicateExpression.Constant? = nil,
        isStored: Bool = false,
        entity: String? = nil
    ) {
        (self.entity, self.sql, self.type, self.constant) = (entity, sql, type, constant)
        self.isStored = isStored
    }

    fileprivate func adapted(to type: AttributeType?) throws(UntranslatablePredicate) -> SQLOperand
    {
        guard case .string(let text)? = constant, let type else { return self }
        switch type {
        case .date:
            guard let seconds = StoredDate.seconds(typed: text) else {
                throw UntranslatablePredicate(
                    "'\(text)' is not a date; write 2001-01-31 or 2001-01-31T12:30:00Z"
                )
            }
            return SQLOperand(sql: seconds.description)
        case .uuid:
            let digits = text.filter { $0 != "-" }
            guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else {
                throw UntranslatablePredicate("'\(text)' is not a UUID")
            }
            return SQLOperand(sql: "x'\(digits)'")
        case .string, .uri: return self
        default:
            throw UntranslatablePredicate(
                "a string cannot be compared with \(type.sourceName ?? "this")"
            )
        }
    }
}

/// Translates predicates to SQL; each comparison is true or false, as in Apple's language, never unknown.
package struct PredicateTranslation {
    /// Functions beyond those of the language; `nil` for others.
    package typealias FurtherFunction = (
        _ operand: PredicateExpression?, _ selector: String, _ arguments: [PredicateExpression],
        _ scope: RowScope, _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand?

    let layout: StoreLayout
    var graph: ModelGraph { layout.graph }
    private let tableNames: [String: String]
    /// Gives the bytes of an externally storable value; without it they are as they are stored.
    let externalData: ((String) -> String)?
    let furtherFunction: FurtherFunction?
    /// What the translated expressions lose of the values that they work with.
    package var losses: [ValueLoss] = []
    package var reads: Set<AttributeRead> = []
    /// How other rows are found, by their names in SQL.
    private var origins: [String: AttributeRead.Origin] = [:]
    /// The conditions under which the current part counts.
    package var guards: [String] = []
    /// The UUID of the store, where objects may be compared with each other, or with texts that name them; else `nil`.
    package var storeUUID: String?
    private var aliases = 0

    /// Creates a translation; `tableNames` gives current table names, and `externalData` the bytes of an externally
    /// storable value, in SQL.
    package init(
        _ layout: StoreLayout,
        tableNames: [String: String] = [:],
        externalData: ((String) -> String)? = nil,
        furtherFunction: FurtherFunction? = nil
    ) {
        (self.layout, self.tableNames, self.externalData) = (layout, tableNames, externalData)
        self.furtherFunction = furtherFunction
    }

    /// Whether the translation reads rows other than its own.
    package var readsOtherRows: Bool { aliases > 0 }

    func table(_ name: String) -> String { tableNames[name] ?? quotedIdentifier(name) }

    package mutating func sql(
        _ predicate: Predicate,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> String {
        switch predicate {
        case .constant(let value): return value ? "1" : "0"
        case .and(let parts): return try joined(parts, " AND ", of: scope)
        case .or(let parts): return try joined(parts, " OR ", of: scope)
        case .not(let part): return "NOT \(try sql(part, of: scope))"
        case .comparison(let comparison):
            guard comparison.modifier != .direct else {
                return "IFNULL(\(try condition(comparison, of: scope)), 0)"
            }
            return try quantified(comparison, of: scope)
        }
    }

    private mutating func joined(
        _ parts: [Predicate],
        _ word: String,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> String {
        var conditions: [String] = []
        for part in parts { conditions.append(try sql(part, of: scope)) }
        return "(\(conditions.joined(separator: word)))"
    }

    package mutating func makeAlias() -> String {
        aliases += 1
        return "r\(aliases)"
    }

    /// Notes how a row is found, starting from another one.
    package mutating func note(
        row: String,
        in table: String,
        where condition: String,
        from outer: String
    ) {
        var origin = origins[outer] ?? AttributeRead.Origin()
        origin.tables.append(table)
        origin.conditions.append(condition)
        origins[row] = origin
    }

    /// What was read, with how each row is found.
    package var locatedReads: Set<AttributeRead> {
        Set(
            reads.map { read in
                var read = read
                read.origin = origins[read.row]
                return read
            }
        )
    }

    /// `ANY` and `ALL` of a path over a to-many relationship.
    private mutating func quantified(
        _ comparison: PredicateComparison,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> String {
        let need = "ANY and ALL need a path over a to-many relationship"
        let members = try members(along: comparison.left, of: scope, orElse: need)
        guard !members.rest.isEmpty || storeUUID != nil else {
            throw UntranslatablePredicate(
                "'\(comparison.left)' leads to objects, which cannot be expressed in SQL"
            )
        }
        var inner = scope
        (inner.row, inner.entity) = (members.row, members.entity)
        var direct = comparison
        // Over several to-many relationships the quantifier holds at each of them.
        if !crossesToMany(members.rest, from: members.entity) { direct.modifier = .direct }
        direct.left =
            members.rest.isEmpty ? .evaluatedObject : .keyPath(members.rest.joined(separator: "."))
        if case .keyPath(.evaluatedObject, let path) = comparison.right {
            inner.variables[Self.outerRow] = (scope.row, scope.entity)
            direct.right = .keyPath(.variable(Self.outerRow), path)
        } else {
            direct.right = try outside(comparison.right)
        }
        let condition = try sql(.comparison(direct), of: inner)
        let isAny = comparison.modifier == .any
        return "\(isAny ? "" : "NOT ")EXISTS (SELECT 1 FROM \(members.source) "
            + "AND \(isAny ? "" : "NOT ")\(condition))"
    }

    private func crossesToMany(_ keys: [String], from entity: String) -> Bool {
        guard let owner = graph.entity(entity), let key = keys.first,
            let (relationship, _) = graph.relationship(key, of: owner)
        else { return false }
        return relationship.isToMany
            || relationship.destinationEntity.map {
                crossesToMany(Array(keys.dropFirst()), from: $0)
            } ?? false
    }

    /// The variable of the row outside a quantified path; no name in a predicate can equal it.
    private static let outerRow = "SELF outside"

    /// The other operand of a quantified path must mean the same inside, where the row is a different one.
    private func outside(
        _ expression: PredicateExpression
    ) throws(UntranslatablePredicate) -> PredicateExpression {
        switch expression {
        case .constant, .aggregate, .keyPath(.variable, _): return expression
        default:
            let message = "ANY and ALL can only be compared with constants and paths"
            throw UntranslatablePredicate(message)
        }
    }

    private mutating func condition(
        _ comparison: PredicateComparison,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> String {
        guard !comparison.options.contains(.localeSensitive) else {
            throw UntranslatablePredicate("the option [l] cannot be expressed in SQL")
        }
        switch comparison.operator {
        case .in, .between: return try membership(comparison, of: scope)
        // Regular expressions are a further function of two texts.
        case .matches:
            let options = Int64(comparison.options.rawValue & 3)
            let operands = [comparison.left, comparison.right, .constant(.integer(options))]
            guard let result = try furtherFunction?(nil, "matches::", operands, scope, &self)
            else { throw UntranslatablePredicate("MATCHES cannot be expressed in SQL") }
            return result.sql
        case .like, .beginsWith, .endsWith, .contains:
            return try textCondition(comparison, of: scope)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual:
            let (left, right) = try operands(comparison.left, comparison.right, of: scope)
            let sign =
                switch comparison.operator {
                case .equal: "IS"
                case .notEqual: "IS NOT"
                default: comparison.operator.text
                }
            let fold = folding(comparison.options)
            return "\(fold(left)) \(sign) \(fold(right))"
        }
    }

    private mutating func membership(
        _ comparison: PredicateComparison,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> String {
        guard case .aggregate(let elements) = comparison.right else {
            guard comparison.operator == .in else {
                throw UntranslatablePredicate("BETWEEN needs two values in braces")
            }
            let reversed = PredicateComparison(
                comparison.right,
                .contains,
                comparison.left,
                options: comparison.options
            )
            return try textCondition(reversed, of: scope)
        }
        let fold = folding(comparison.options)
        var values: [String] = []
        var left = ""
        for element in elements {
            let pair = try operands(comparison.left, element, of: scope)
            left = fold(pair.0)
            values.append(fold(pair.1))
        }
        if comparison.operator == .in {
            return values.isEmpty ? "0" : "\(left) IN (\(values.joined(separator: ", ")))"
        }
        guard values.count == 2 else {
            throw UntranslatablePredicate("BETWEEN needs two values in braces")
        }
        return "\(left) BETWEEN \(values[0]) AND \(values[1])"
    }

    private mutating func textCondition(
        _ comparison: PredicateComparison,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> String {
        let (leftSide, rightSide) = try operands(comparison.left, comparison.right, of: scope)
        for side in [leftSide, rightSide] {
            guard side.type == nil || side.type == .string || side.type == .uri else {
                let name = comparison.operator.text
                throw UntranslatablePredicate("\(name) needs text on both sides")
            }
        }
        let fold = folding(comparison.options)
        let (left, right) = (fold(leftSide), fold(rightSide))
        switch comparison.operator {
        case .contains: return "instr(\(left), \(right)) > 0"
        case .beginsWith: return "substr(\(left), 1, length(\(right))) = \(right)"
        case .endsWith: return "(\(right) = '' OR substr(\(left), -length(\(right))) = \(right))"
        default:
            guard case .string(let pattern)? = rightSide.constant else {
                throw UntranslatablePredicate("LIKE needs a constant pattern")
            }
            let glob = SQLOperand(sql: quotedText(globPattern(pattern)), type: .string)
            return "\(left) GLOB \(fold(glob))"
        }
    }

    /// `?` and `*` mean the same in both languages; a backslash escapes them.
    private func globPattern(_ pattern: String) -> String {
        var glob = ""
        var isEscaped = false
        for character in pattern {
            if isEscaped || character == "[" {
                glob += "?*[".contains(character) ? "[\(character)]" : String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                glob.append(character)
            }
        }
        return glob
    }

    private func folding(_ options: PredicateComparison.Options) -> (SQLOperand) -> String {
        { operand in
            let isText = operand.type == nil || operand.type == .string || operand.type == .uri
            return isText ? folded(operand.sql, options) : operand.sql
        }
    }

    /// Translates both sides; a constant takes the form of the attribute that it is compared with.
    private mutating func operands(
        _ left: PredicateExpression,
        _ right: PredicateExpression,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> (SQLOperand, SQLOperand) {
        let (first, second) = try objects(sql(left, of: scope), sql(right, of: scope))
        return (try first.adapted(to: second.type), try second.adapted(to: first.type))
    }
}

/// Returns a text without what options of a comparison ignore, in SQL.
package func folded(_ sql: String, _ options: PredicateComparison.Options) -> String {
    let bits = options.rawValue & 3
    return bits == 0 ? sql : "momtool_fold_\(bits)(\(sql))"
}
