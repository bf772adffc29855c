import ObjectModel
import SQLiteAccess

/// Which objects own which: an owner's deletion deletes what it owns.
///
/// An object that was replaced by another, or whose owner was deleted without its rules, stays in the store and is shown
/// nowhere. Only the app knows whether it should exist without an owner.
package struct Ownership: LaidOut {
    /// A relationship of an entity's objects, or a relationship to them that has no inverse.
    private struct Link {
        var name: String
        /// The condition that row `t` has a link to an existing object.
        var isAlive: String
        var isOwned: Bool
        /// Whether it leads within the entity's own hierarchy, as in trees: a root has none.
        var isWithinHierarchy: Bool
    }

    package let layout: StoreLayout
    package let columns: [String: Set<String>]
    /// The relationships without an inverse.
    private let directed: [ModelGraph.StoredRelationship]

    package init(of store: some LaidOut) { self.init(store.layout, store.columns) }

    init(_ layout: StoreLayout, _ columns: [String: Set<String>]) {
        (self.layout, self.columns) = (layout, columns)
        let graph = layout.graph
        directed = graph.storedRelationships.filter { graph.inverse(of: $0.relationship) == nil }
    }

    /// The relationships by which owners have objects of an entity, except those only within its own hierarchy.
    package func owners(of entity: String) -> [String] {
        let links = links(of: entity).filter(\.isOwned)
        return links.contains { !$0.isWithinHierarchy } ? links.map(\.name) : []
    }

    /// The condition that row `t` has exactly an entity and no owner, and that nothing else refers to it.
    ///
    /// With `isLeftBehind` only rows count that still name a deleted owner. `nil` for an entity without owners.
    package func isOwnerless(_ entity: String, leftBehind isLeftBehind: Bool = false) -> String? {
        guard let number = layout.number(of: entity) else { return nil }
        let links = links(of: entity)
        let owners = links.filter(\.isOwned)
        guard owners.contains(where: { !$0.isWithinHierarchy }) || isLeftBehind && !owners.isEmpty
        else { return nil }
        // Objects that should have been deleted with their owner are removed even if something else refers to them.
        let needed = isLeftBehind ? owners : links
        var conditions = ["t.Z_ENT = \(number)"]
        conditions += needed.map { "NOT (\($0.isAlive))" }
        if isLeftBehind {
            let gone = goneOwners(of: entity)
            guard !gone.isEmpty else { return nil }
            conditions.append("(\(gone.joined(separator: " OR ")))")
        }
        return conditions.joined(separator: " AND ")
    }

    private func goneOwners(of entity: String) -> [String] {
        stored(of: entity).compactMap { reference, relationship in
            guard isOwner(relationship), let destination = relationship.destinationEntity,
                let target = layout.table(of: destination), has(target.name, ["Z_PK"])
            else { return nil }
            let present = "SELECT Z_PK FROM \(quotedIdentifier(target.name))"
            guard let links = layout.links(of: reference),
                has(links.table, [links.key, links.destination])
            else { return nil }
            let end = quotedIdentifier(links.destination)
            switch links.form {
            case .key: return "(t.\(end) NOT NULL AND t.\(end) NOT IN (\(present)))"
            case .join:
                return "t.Z_PK IN (SELECT \(quotedIdentifier(links.source)) FROM "
                    + "\(quotedIdentifier(links.table)) WHERE \(end) NOT IN (\(present)))"
            case .inverseKey, .owner: return nil
            }
        }
    }

    private func isOwner(_ relationship: Relationship) -> Bool {
        graph.inverse(of: relationship)?.0.deleteRule == .cascade
    }

    private func stored(of entity: String) -> [ModelGraph.StoredRelationship] {
        graph.storedRelationships(of: graph.entity(entity).map(graph.lineage) ?? [])
    }

    private func links(of entity: String) -> [Link] {
        stored(of: entity).compactMap { link($0, $1, of: entity) }
            + directed.compactMap { link(from: $0, $1, to: entity) }
    }

    /// A relationship of the entity that shows whether an object is owned or used.
    private func link(
        _ reference: PropertyReference,
        _ relationship: Relationship,
        of entity: String
    ) -> Link? {
        guard let (inverse, _) = graph.inverse(of: relationship),
            let destination = relationship.destinationEntity,
            let target = layout.table(of: destination), has(target.name, ["Z_PK"])
        else { return nil }
        let isOwned = inverse.deleteRule == .cascade
        // What an object owns does not keep it, nor does a link of its own that another side only mirrors.
        guard isOwned || relationship.deleteRule != .cascade else { return nil }
        let isAlive: String
        guard let links = layout.links(of: reference) else { return nil }
        if links.form == .key {
            guard has(links.table, [links.destination]), isOwned || !inverse.isToMany else {
                return nil
            }
            isAlive = exists(links.destination, in: target.name)
        } else {
            guard has(links.table, [links.source]) else { return nil }
            isAlive = isNamed(links.source, in: links.table)
        }
        return Link(
            name: relationship.name,
            isAlive: isAlive,
            isOwned: isOwned,
            isWithinHierarchy: target.name == layout.table(of: entity)?.name
        )
    }

    /// A relationship of other objects without an inverse.
    private func link(
        from reference: PropertyReference,
        _ relationship: Relationship,
        to entity: String
    ) -> Link? {
        guard let destination = relationship.destinationEntity,
            layout.isEntity(entity, kindOf: destination)
                || layout.isEntity(destination, kindOf: entity),
            let table = layout.table(of: reference.entity), has(table.name, ["Z_PK"])
        else { return nil }
        guard let links = layout.links(of: reference),
            has(links.table, [links.key]), [.key, .owner].contains(links.form)
        else { return nil }
        let isAlive =
            links.form == .key
            ? isNamed(links.key, in: links.table) : exists(links.key, in: table.name)
        return Link(
            name: reference.description,
            isAlive: isAlive,
            isOwned: relationship.deleteRule == .cascade,
            isWithinHierarchy: table.name == layout.table(of: entity)?.name
        )
    }

    /// The condition that a column of row `t` points at an existing object.
    private func exists(_ column: String, in target: String) -> String {
        "EXISTS (SELECT 1 FROM \(quotedIdentifier(target)) AS d WHERE d.Z_PK = t.\(quotedIdentifier(column)))"
    }

    private func isNamed(_ column: String, in table: String) -> String {
        let key = quotedIdentifier(column)
        return "t.Z_PK IN (SELECT \(key) FROM \(quotedIdentifier(table)) WHERE \(key) NOT NULL)"
    }
}
