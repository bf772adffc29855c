public import MappingInference
public import ObjectModel
public import ModelLanguage
import MigrationPlanning
import SQLiteAccess
import StoreFormat

/// The value of a cell of the new version, as a function of one row of the old one.
///
/// A tree that is compared and taken apart as such; SQL is made of it last, by ``sql``.
public indirect enum RowExpression: Sendable, Hashable {
    /// What rows of one entity get.
    public struct Case: Sendable, Hashable {
        /// The number of the entity.
        public var number: Int
        /// What its rows get.
        public var value: RowExpression
    }

    /// No value.
    case null
    /// The column of the row.
    case column(String)
    /// The same value for all rows.
    case constant(AttributeValue)
    /// An entity number.
    case number(Int)
    /// A value in the form of another type.
    case converted(RowExpression, AttributeConversion)
    /// A value, or another one in the place of NULL.
    case coalesced(RowExpression, AttributeValue)
    /// What the entity of the row decides; other entities get `otherwise`, or NULL.
    case byEntity([Case], otherwise: RowExpression?)
    /// The new number for the old entity number in a column; NULL for entities that are gone.
    case renumbered(String, [Case])
    /// A value, but NULL where a column holds one of some entity numbers.
    case unless(column: String, isOneOf: [Int], RowExpression)
    /// An entity number where a column has a value.
    case numberIfPresent(column: String, Int)
    /// A value expression of a map over the row as an object of an entity.
    case model(PredicateExpression, entity: String)
    /// A value expression of a map, translated; the row is called `s`.
    case computed(String)
    /// What was computed for the row before anything changed, and kept in a temporary table.
    case captured(table: String, column: String)

    /// The value in another type's form; the value itself where both forms are one.
    static func converting(
        _ value: RowExpression,
        _ conversion: AttributeConversion
    ) -> RowExpression {
        conversion.changesForm ? .converted(value, conversion) : value
    }

    /// The expression as SQL over a row.
    public var sql: String {
        switch self {
        case .null: "NULL"
        case .column(let name): quotedIdentifier(name)
        case .constant(let value): value.sqlLiteral
        case .number(let number): String(number)
        case .converted(let value, let conversion): conversion.sql(of: value.sql)
        case .coalesced(let value, let other): "COALESCE(\(value.sql), \(other.sqlLiteral))"
        case .byEntity(let cases, let otherwise):
            "CASE Z_ENT \(Self.sql(of: cases))"
                + (otherwise.map { " ELSE \($0.sql)" } ?? "") + " END"
        case .renumbered(let column, let cases):
            "CASE \(quotedIdentifier(column)) \(Self.sql(of: cases)) "
                + "ELSE \(quotedIdentifier(column)) END"
        case .unless(let column, let numbers, let value):
            "CASE WHEN \(quotedIdentifier(column)) IN (\(numberList(numbers))) THEN NULL "
                + "ELSE \(value.sql) END"
        case .numberIfPresent(let column, let number):
            "CASE WHEN \(quotedIdentifier(column)) IS NULL THEN NULL ELSE \(number) END"
        // Only translated expressions come as far as SQL.
        case .model: "NULL"
        case .computed(let sql): sql
        case .captured(let table, let column):
            "(SELECT v.\(quotedIdentifier(column)) FROM temp.\(table) AS v WHERE v.source = Z_PK)"
        }
    }

    private static func sql(of cases: [Case]) -> String {
        cases.map { "WHEN \($0.number) THEN \($0.value.sql)" }.joined(separator: " ")
    }

    /// The expression with each value expression of a map replaced by something else.
    func replacingModelExpressions(
        _ replace: (PredicateExpression, String) throws(MapFault) -> RowExpression
    ) throws(MapFault) -> RowExpression {
        switch self {
        case .model(let expression, let entity): return try replace(expression, entity)
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
