import MappingInference
import ObjectModel
import StoreFormat

/// Which mappings keep the keys of their objects, independent of their order in the list.
///
/// An object's URI is its entity with its key: a saved URI must lead to the same object, or to none. A table of the new
/// version continues the keys of one old table, that of the entity that it continues; objects from elsewhere get keys
/// that were never used there. Core Data's migration by mapping model keeps no keys (MigrationBehaviour, "What rows
/// get"), so there is no order of Apple's to follow.
struct KeyKeeping {
    /// The old root whose keys a new root continues, by the name of the new one.
    private(set) var oldRoots: [String: String] = [:]
    /// The indexes of the mappings whose objects keep their keys: one for each entity of the old table.
    private(set) var places: Set<Int> = []
    /// The indexes of the mappings from an entity to the one that continues it.
    private(set) var continuing: Set<Int> = []

    init(
        _ targets: [MappingTarget],
        from source: StoreLayout,
        _ sourceGraph: ModelGraph,
        to destination: StoreLayout,
        _ destinationGraph: ModelGraph
    ) {
        let predecessors = Predecessors(targets, from: sourceGraph, to: destinationGraph)
        let makers = targets.filter { $0.mapping.findOrCreateKeys.isEmpty }
        continuing = Set(
            makers.filter { predecessors.name(of: $0.destination.name) == $0.source.name }
                .map(\.place)
        )
        // Mappings that continue an entity come first, each kind in the order of the list.
        let ordered =
            makers.filter { continuing.contains($0.place) }
            + makers.filter { !continuing.contains($0.place) }
        let firsts = Dictionary(
            firstOf: ordered.map { ($0.destination.rootName, $0.source.rootName) }
        )
        let roots = Dictionary(firstOf: source.entities.map { ($0.name, $0.rootName) })
        for table in destination.tables {
            let own = predecessors.name(of: table.rootEntity).flatMap { roots[$0] }
            oldRoots[table.rootEntity] = own ?? firsts[table.rootEntity]
        }
        var used: [String: Set<String>] = [:]
        for target in ordered where oldRoots[target.destination.rootName] == target.source.rootName
        {
            let isFirst = used[target.destination.rootName, default: []]
                .insert(target.source.name).inserted
            if isFirst { places.insert(target.place) }
        }
    }
}

/// Which old entity each new one continues: by inference, or by the renaming identifier, or by the name.
private struct Predecessors {
    private let graph: ModelGraph
    private var inferred: [String: String] = [:]
    private var identifiers: [String: String] = [:]
    private var names: [String: String] = [:]

    init(_ targets: [MappingTarget], from old: ModelGraph, to new: ModelGraph) {
        graph = new
        for target in targets {
            switch target.mapping.kind {
            case .copy, .transform: inferred[target.destination.name] = target.source.name
            case .add, .remove, .custom: continue
            }
        }
        for index in old.model.entities.indices {
            let (name, identifier) = (
                old.model.entities[index].name, old.model.entities[index].matchingIdentifier
            )
            identifiers[name] = identifier
            names[identifier] = name
        }
    }

    func name(of entity: String) -> String? {
        if let known = inferred[entity] { return known }
        let identifier = graph.entity(entity)?.matchingIdentifier ?? entity
        if identifiers[entity] == identifier { return entity }
        return names[identifier] ?? (identifiers[entity] == nil ? nil : entity)
    }
}
