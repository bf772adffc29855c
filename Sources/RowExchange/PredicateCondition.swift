import Diagnostics
import ObjectModel
import StoreFormat

/// Translates a predicate about an entity to a condition about row `t` of its table.
func sqlCondition(
    _ text: String,
    about entity: String,
    _ layout: StoreLayout,
    _ graph: ModelGraph,
    _ connection: SQLiteConnection
) throws(RowExchangeError) -> String {
    throw .rows(Diagnostic(.unusablePredicate, "predicates are not understood yet"))
}

/// Returns the value of a derived attribute for row `t` in SQL; `nil` where it has none.
func derivedValue(
    _ derivation: Attribute.Derivation,
    of entity: String,
    _ layout: StoreLayout,
    _ graph: ModelGraph
) -> String? {
    nil
}
