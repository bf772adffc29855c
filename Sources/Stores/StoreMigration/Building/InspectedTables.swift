import MappingInference
import ObjectModel
import StoreFormat

/// The tables whose rows a map may make worse, before and after its step.
///
/// What the map does not name is inferred as in every other migration, and neither read nor checked.
struct InspectedTables: Sendable {
    /// The tables of a version.
    struct Side: Sendable {
        /// Those whose rows are looked at.
        var tables: Set<String> = []
        /// Those that lose rows, or whose rows get other keys: links into them are looked at too.
        var emptied: Set<String> = []
    }

    private(set) var before = Side()
    private(set) var after = Side()
    /// The old tables whose rows come of value expressions, conditions or code.
    let mapped: Set<String>

    /// Finds the tables of a step; where nothing is mapped, none is looked at.
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
            // Code makes what it likes.
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
        after.tables.formUnion(written.compactMap(new.tableOfLinks))
        for target in targets {
            guard let table = new.table(of: target.destination.name)?.name,
                let origin = old.table(of: target.source.name)?.name
            else { continue }
            if target.isMoving || shrinking.contains(target.source.rootName) {
                after.emptied.insert(table)
                before.emptied.insert(origin)
            }
            // The other rows of a table are looked at with those of the map, and so is all that they come from.
            if after.tables.contains(table) { before.tables.insert(origin) }
            for mapping in target.mapping.relationshipMappings {
                guard let table = new.tableOfLinks(mapping.destination.reference),
                    after.tables.contains(table)
                else { continue }
                let origins = correspondence.relationships(along: mapping, of: target)
                before.tables.formUnion(origins.compactMap(old.tableOfLinks))
            }
        }
    }
}

extension EntityCorrespondence {
    /// The roots of the old version some of whose entities are gone.
    fileprivate var shrinkingRoots: Set<String> {
        let gone = source.entities.filter { !$0.isAbstract && newNumber(for: $0.number) == nil }
        return Set(gone.map(\.rootName))
    }

    /// The root of the entity that a relationship of the old version leads to.
    fileprivate func destinationRoot(of property: MappedProperty) -> String? {
        sourceGraph.relationship(property.name, ofEntity: property.declaredBy)?.destinationEntity
            .flatMap { source.table(of: $0)?.rootEntity }
    }
}

extension EntityCorrespondence.Target {
    /// Whether not all of its objects go on in their rows.
    fileprivate var isMoving: Bool { !keepsKeys || taken != nil }
}

extension StoreLayout {
    /// The table that keeps the links of a relationship.
    fileprivate func tableOfLinks(_ reference: PropertyReference) -> String? {
        switch storage(of: reference.name, declaredBy: reference.entity) {
        case .foreignKey(let table, _, _, _)?, .inverseForeignKey(let table, _, _, _)?,
            .ownerColumn(let table, _, _)?, .joinTable(let table, _, _, _)?:
            table
        case RelationshipStorage.none?, nil: nil
        }
    }
}
