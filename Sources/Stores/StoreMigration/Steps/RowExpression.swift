package import MappingInference
package import ObjectModel
package import ModelLanguage
import MigrationPlanning
import SQLiteAccess

/// The value of a cell of the new version, as a function of one row of the old one.
///
/// A tree that is compared and decomposed; it becomes SQL last, in ``sql``.
package indirect enum RowExpression: Sendable, Hashable {
    package struct Case: Sendable, Hashable {
        package var number: Int
        package var value: RowExpression
    }

    case null
    case column(String)
    case constant(AttributeValue)
    case number(Int)
    case converted(RowExpression, AttributeConversion)
    /// A value, or another one instead of NULL.
    case coalesced(RowExpression, AttributeValue)
    /// What the entity of the row decides; other entities get `otherwise`, or NULL.
    case byEntity([Case], otherwise: RowExpression?)
    /// The new number for the old entity number in a column; NULL for removed entities.
    case renumbered(String, [Case])
    /// A value, but NULL where a column holds one of some entity numbers.
    case unless(column: String, isOneOf: [Int], RowExpression)
    /// An entity number where a column has a value.
    case numberIfPresent(column: String, Int)
    /// A map's value expression over the row as an object of an entity, in the form of a cell if there is one.
    case model(PredicateExpression, entity: String, as: CellForm?)
    /// A translated value expression of a map; the row is called `s`.
    case computed(String)
    /// What was computed for the row before anything changed, and kept in a temporary table.
    case captured(table: String, column: String)

    package var sql: String {
        switch self {
        case .null: "NULL"
        case .column(let name): quotedIdentifier(name)
        case .constant(let value): value.sqlLiteral
        case .number(let number): String(number)
        case .converted(let value, let conversion): conversion.sql(of: value.sql)
        case .coalesced(let value, let other): "COALESCE(\(value.sql), \(other.sqlLiteral))"
        case .byEntity(let cases, let otherwise): Self.choice("Z_ENT", cases, otherwise: otherwise)
        case .renumbered(let column, let cases):
            Self.choice(column, cases, otherwise: .column(column))
        case .unless(let column, let numbers, let value):
            "CASE WHEN \(quotedIdentifier(column)) IN (\(numberList(numbers))) THEN NULL "
                + "ELSE \(value.sql) END"
        case .numberIfPresent(let column, let number):
            "CASE WHEN \(quotedIdentifier(column)) IS NULL THEN NULL ELSE \(number) END"
        // Only translated expressions become SQL.
        case .model: "NULL"
        case .computed(let sql): sql
        case .captured(let table, let column):
            "(SELECT v.\(quotedIdentifier(column)) FROM temp.\(table) AS v WHERE v.source = Z_PK)"
        }
    }

    /// What the number in a column decides, as SQL.
    ///
    /// A row is compared with one number after the other until one matches. Many numbers with the same value, or the
    /// same distance to it, are compared at once.
    private static func choice(
        _ column: String,
        _ cases: [Case],
        otherwise: RowExpression?
    ) -> String {
        let name = quotedIdentifier(column)
        let others = (otherwise.map { " ELSE \($0.sql)" } ?? "") + " END"
        guard cases.count > comparedCases else {
            let list = cases.map { "WHEN \($0.number) THEN \($0.value.sql)" }
            return "CASE \(name) \(list.joined(separator: " "))\(others)"
        }
        var results: [(sql: String, numbers: [Int])] = []
        var places: [String: Int] = [:]
        for item in cases {
            let sql = item.result(of: name)
            let place = places[sql, default: results.count]
            if place == results.count { results.append((sql, [])) }
            places[sql] = place
            results[place].numbers.append(item.number)
        }
        let list = results.map { "WHEN \(name) IN (\(numberList($0.numbers))) THEN \($0.sql)" }
        return "CASE \(list.joined(separator: " "))\(others)"
    }

    /// With more cases, looking a number up in a list costs less than comparing it with each.
    private static let comparedCases = 8

    func replacingModelExpressions(
        _ replace: (PredicateExpression, String, CellForm?) throws(MapFault) -> RowExpression
    ) throws(MapFault) -> RowExpression {
        switch self {
        case .model(let expression, let entity, let form):
            return try replace(expression, entity, form)
        case .converted(let value, let conversion):
            return .converted(try value.replacingModelExpressions(replace), conversion)
        case .coalesced(let value, let other):
            return .coalesced(try value.replacingModelExpressions(replace), other)
        case .byEntity(let cases, let otherwise):
            var replaced: [Case] = []
            for item in cases {
                let value = try item.value.replacingModelExpressions(replace)
                replaced.append(Case(number: item.number, value: value))
            }
            return .byEntity(replaced, otherwise: otherwise)
        case .null, .column, .constant, .number, .renumbered, .unless, .numberIfPresent,
            .computed, .captured:
            return self
        }
    }
}

extension RowExpression.Case {
    /// The value by the number in a column; a new number by its difference from the old one.
    fileprivate func result(of column: String) -> String {
        guard case .number(let new) = value, new != number else { return value.sql }
        return "\(column) \(new > number ? "+" : "-") \(abs(new - number))"
    }
}
