import MappingInference
import ObjectModel
import StoreFormat

/// The tables whose rows a map may make worse, before and after its step.
///
/// What the map does not name is inferred as in any other migration, and not checked.
struct InspectedTables: Sendable {
    struct Side: Sendable {
        var tables: Set<String> = []
        /// Those that lose rows, or whose rows get other keys: links into them are checked too.
        var emptied: Set<String> = []
    }

    private(set) var before = Side()
    private(set) var after = Side()
    /// The old tables read by value expressions, conditions or code.
    let mapped: Set<String>

    init(_ correspondence: EntityCorrespondence, _ links: LinkPlan, isMapped: Bool) {
        let (old, new) = (correspondence.source, correspondence.destination)
        let targets = correspondence.targets
        let stated = targets.filter { target in
            target.isMoving || target.mapping.attributeMappings.contains { $0.expression != nil }
                || target.mapping.relationshipMappings.contains(where: \.isStated)
        }
        mapped = Set(stated.compactMap { old.table(of: $0.source.name)?.name })
        guard isMapped else { return }
        guard correspondence.policyMappings.isEmpty else {
            // Code may make anything.
            (before.tables, after.tables) = (old.tableNames, new.tableNames)
            return
        }
        after.tables = Set(stated.compactMap { new.table(of: $0.destination.name)?.name })
        let shrinking = correspondence.shrinkingRoots
        let written =
            links.storingRelationships.filter(links.isMapped)
            + targets.flatMap { target in
                target.mapping.relationshipMappings.filter { mapping in
                    mapping.source.flatMap(correspondence.destinationRoot).map(shrinking.contains)
                        ?? false
                }.map(\.destination.reference)
            }
        after.tables.formUnion(written.compactMap { new.links(of: $0)?.table })
        for target in targets {
            guard let table = new.table(of: target.destination.name)?.name,
                let origin = old.table(of: target.source.name)?.name
            else { continue }
            if target.isMoving || shrinking.contains(target.source.rootName) {
                after.emptied.insert(table)
                before.emptied.insert(origin)
            }
            // The other rows of the table are checked with those of the map, and so are their sources.
            if after.tables.contains(table) { before.tables.insert(origin) }
            for mapping in target.mapping.relationshipMappings {
                guard let table = new.links(of: mapping.destination.reference)?.table,
                    after.tables.contains(table)
                else { continue }
                let origins = correspondence.relationships(along: mapping, of: target)
                before.tables.formUnion(origins.compactMap { old.links(of: $0)?.table })
            }
        }
    }
}

extension EntityCorrespondence {
    fileprivate var shrinkingRoots: Set<String> {
        let gone = source.entities.filter { !$0.isAbstract && newNumber(for: $0.number) == nil }
        return Set(gone.map(\.rootName))
    }

    fileprivate func destinationRoot(of property: MappedProperty) -> String? {
        sourceGraph.relationship(property.reference)?.destinationEntity
            .flatMap { source.table(of: $0)?.rootEntity }
    }
}

extension MappingTarget {
    fileprivate var isMoving: Bool { !keepsKeys || taken != nil }
}
