/// How much of a store was looked at.
package struct RowExtent: Sendable, Hashable {
    /// The rows of entities.
    package private(set) var rows = 0
    /// The entities that have any.
    package private(set) var entities = 0

    /// Creates the extent of nothing.
    package init() {}

    /// Adds the rows of an entity.
    mutating func add(rows count: Int) {
        rows += count
        if count > 0 { entities += 1 }
    }
}
