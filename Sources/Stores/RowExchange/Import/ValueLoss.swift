package import ModelLanguage
package import ObjectModel

/// What an expression loses of a value that it works with.
package struct ValueLoss: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case cast(AttributeType)
        case divisionByZero
        case severalFound(entity: String)
        case missingFile
        case misfit(AttributeType)
    }

    package var reason: Reason
    /// The SQL condition on the row under which it is lost.
    package var condition: String
}

extension SQLOperand {
    /// The common type of some values; `nil` where only rows can tell.
    package static func commonType(of operands: [SQLOperand]) -> AttributeType? {
        var types: Set<AttributeType?> = []
        for operand in operands {
            switch operand.constant {
            case .null: continue
            case nil: types.insert(operand.type)
            case .boolean: types.insert(.boolean)
            case .integer: types.insert(.integer64)
            case .double: types.insert(.double)
            case .string: types.insert(.string)
            case .date: types.insert(.date)
            }
        }
        guard types.count > 1 else { return types.first ?? nil }
        let known = types.compactMap(\.self)
        guard known.count == types.count else { return nil }
        if known.allSatisfy({ [.string, .uri].contains($0) }) { return .string }
        guard known.allSatisfy(\.isNumber) else { return nil }
        return known.allSatisfy { $0.isInteger || $0 == .boolean } ? .integer64 : .double
    }
}

extension AttributeType {
    /// Whether values are numbers that SQLite calculates with as they are; Decimal is not among them.
    fileprivate var isNumber: Bool { isInteger || [.double, .float, .boolean].contains(self) }
}

extension PredicateTranslation {
    /// Notes a loss, under the conditions of the surrounding part.
    package mutating func note(_ reason: ValueLoss.Reason, where condition: String) {
        let all = guards + [condition]
        let joined = all.count == 1 ? condition : all.map { "(\($0))" }.joined(separator: " AND ")
        losses.append(ValueLoss(reason: reason, condition: joined))
    }

    /// Translates a part of an expression, and changes what is noted about the values that it reads.
    package mutating func sql(
        _ expression: PredicateExpression,
        of scope: RowScope,
        noting change: (SQLOperand, AttributeRead) -> AttributeRead
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let known = reads
        reads = []
        let value = try sql(expression, of: scope)
        reads = known.union(reads.map { change(value, $0) })
        return value
    }

    package mutating func sql(
        _ expression: PredicateExpression,
        of scope: RowScope,
        where condition: String?
    ) throws(UntranslatablePredicate) -> SQLOperand {
        guard let condition else { return try sql(expression, of: scope) }
        guards.append(condition)
        defer { guards.removeLast() }
        return try sql(expression, of: scope)
    }

    /// Translates a condition: compared values are not stored, so nothing of them is lost.
    mutating func condition(
        _ predicate: Predicate,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> String {
        let known = losses
        defer { losses = known }
        return try sql(predicate, of: scope)
    }

    mutating func arithmetic(
        _ sign: String,
        _ first: PredicateExpression,
        _ second: PredicateExpression,
        of scope: RowScope
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let (left, right) = (try sql(first, of: scope), try sql(second, of: scope))
        // Only maps keep the result.
        if furtherFunction != nil {
            try requireNumbers([left, right])
            if sign == "/" || sign == "%" { try noteDivision(left, right, sign) }
        }
        return SQLOperand(
            sql: "(\(left.sql) \(sign) \(right.sql))",
            type: Self.type(of: sign, left, right)
        )
    }

    private mutating func requireNumbers(_ operands: [SQLOperand]) throws(UntranslatablePredicate) {
        for operand in operands {
            let type = SQLOperand.commonType(of: [operand])
            switch type {
            case .string, .uri, .binary, .uuid, .transformable, .objectID, .composite:
                throw UntranslatablePredicate(
                    "arithmetic needs numbers; cast the \(type?.sourceName ?? "value") first, such as "
                        + "{cast: [value, double]}"
                )
            case nil, .undefined:
                guard operand.constant == nil else { continue }
                note(.cast(.double), where: "typeof(\(operand.sql)) IN ('text', 'blob')")
            default: break
            }
        }
    }

    private mutating func noteDivision(
        _ left: SQLOperand,
        _ right: SQLOperand,
        _ sign: String
    ) throws(UntranslatablePredicate) {
        switch right.constant {
        case .integer(0)?, .double(0)?:
            throw UntranslatablePredicate("a division by zero has no result")
        case .integer?: return
        case .double(let value)? where sign == "/" || abs(value) >= 1: return
        default:
            // SQLite takes remainders only of integers.
            let divisor = sign == "%" ? "CAST(\(right.sql) AS INTEGER)" : right.sql
            note(.divisionByZero, where: "\(left.sql) NOT NULL AND \(divisor) = 0")
        }
    }

    private static func type(
        of sign: String,
        _ left: SQLOperand,
        _ right: SQLOperand
    ) -> AttributeType? {
        let types = [left, right].map { SQLOperand.commonType(of: [$0]) }
        if types.contains(.date) {
            let isShift = sign == "+" || sign == "-"
            guard isShift else { return .double }
            return types[1] == .date ? (types[0] == .date ? .double : .date) : .date
        }
        if types.contains(.decimal) { return .decimal }
        return types.contains(nil) ? nil : SQLOperand.commonType(of: [left, right])
    }
}
