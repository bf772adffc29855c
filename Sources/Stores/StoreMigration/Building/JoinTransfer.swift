import StoreFormat

enum JoinTransfer {
    /// The old table stays; its name and columns change where necessary.
    case keep(JoinTable, columns: [(from: String, to: String)])
    /// The links are captured before anything changes, and written into a new table.
    case fill

    init(_ table: JoinTable, links: LinkPlan) { self = Self.kept(table, links) ?? .fill }

    /// A table stays if it has the links of one old relationship in the same order of columns, orders the same sides,
    /// and no object at an end is removed.
    private static func kept(_ table: JoinTable, _ links: LinkPlan) -> JoinTransfer? {
        let layout = links.correspondence.source
        let origins = links.origins(of: table.namingRelationship)
        guard !links.isMapped(table.namingRelationship), origins.count == 1,
            links.takesAll(of: origins[0], for: table.namingRelationship),
            let stored = layout.links(of: origins[0].relationship, as: .join),
            let old = layout.joinTables.first(where: { $0.name == stored.table })
        else { return nil }
        let sourceIsFirst = old.first.name == stored.source
        guard sourceIsFirst != origins[0].isReversed,
            (old.first.orderKey == nil) == (table.first.orderKey == nil),
            (old.second.orderKey == nil) == (table.second.orderKey == nil)
        else { return nil }
        let columns = Array(zip(old.columnNames, table.columnNames)).filter { $0 != $1 }
        return .keep(old, columns: columns.map { (from: $0, to: $1) })
    }
}
