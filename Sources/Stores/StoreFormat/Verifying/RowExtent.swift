/// How much of a store was looked at.
package struct RowExtent: Sendable, Hashable {
    package private(set) var rows = 0
    package private(set) var entities = 0

    package init() {}

    mutating func add(rows count: Int) {
        rows += count
        if count > 0 { entities += 1 }
    }
}
