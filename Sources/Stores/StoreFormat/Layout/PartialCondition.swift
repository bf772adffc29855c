import ModelLanguage
import ObjectModel
import SQLiteAccess

/// Returns the condition of a partial index as Core Data writes it; `nil` for a predicate of a form that no real index
/// shows (SQLiteStores, "Partial, spatial and expression indexes").
func partialCondition(_ text: String, of entity: Entity, in layout: StoreLayout) -> String? {
    guard let predicate = try? Predicate(parsing: text) else { return nil }
    return condition(predicate, of: entity, in: layout)
}

private func condition(
    _ predicate: Predicate,
    of entity: Entity,
    in layout: StoreLayout
) -> String? {
    switch predicate {
    case .and(let parts): return joined(parts, " AND ", of: entity, in: layout)
    case .or(let parts): return joined(parts, " OR ", of: entity, in: layout)
    case .comparison(let comparison): return condition(comparison, of: entity, in: layout)
    case .constant, .not: return nil
    }
}

private func joined(
    _ parts: [Predicate],
    _ word: String,
    of entity: Entity,
    in layout: StoreLayout
) -> String? {
    let conditions = parts.compactMap { condition($0, of: entity, in: layout) }
    guard conditions.count == parts.count else { return nil }
    return "(\(conditions.joined(separator: word)))"
}

private func condition(
    _ comparison: PredicateComparison,
    of entity: Entity,
    in layout: StoreLayout
) -> String? {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
        case .keyPath(.evaluatedObject, let key) = comparison.left,
        case .constant(let constant) = comparison.right,
        let column = layout.columnName(of: key, in: entity.name).map(quotedIdentifier)
    else { return nil }
    let value: String
    switch (constant, comparison.operator) {
    case (.null, .equal): return "\(column) IS NULL"
    case (.null, .notEqual): return "\(column) IS NOT NULL"
    case (.integer(let number), _): value = String(number)
    case (.boolean(let isTrue), _): value = isTrue ? "1" : "0"
    default: return nil
    }
    let sign: String
    switch comparison.operator {
    case .equal: sign = "="
    case .notEqual: sign = "<>"
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
        sign = comparison.operator.text
    default: return nil
    }
    return "\(column) \(sign) \(value)"
}
