import MappingInference
import ObjectModel
import StoreFormat

/// Which mappings keep the keys of their objects, whatever order they are written in.
///
/// The URI of an object is its entity with its key: who saved one must find the same object under it, or none. A table
/// of the new version goes on with the keys of one table of the old version, that of the entity that it continues;
/// objects that come from elsewhere get keys that were never handed out there. A migration of Core Data by a mapping
/// model keeps no keys at all (MigrationBehaviour, "What rows get"), so that there is no order of its own to follow.
struct KeyKeeping {
    /// The root of the old version with whose keys a root of the new version goes on, by the name of the latter.
    private(set) var oldRoots: [String: String] = [:]
    /// The places of the mappings whose objects keep their keys: one for each entity of the old table.
    private(set) var places: Set<Int> = []
    /// The places of the mappings that lead from an entity to the one that continues it.
    private(set) var continuing: Set<Int> = []

    /// Decides for the mappings that no policy carries out.
    init(
        _ targets: [EntityCorrespondence.Target],
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
        // What continues an entity comes first, each kind in the order of the list.
        let ordered =
            makers.filter { continuing.contains($0.place) }
            + makers.filter { !continuing.contains($0.place) }
        let firsts = Dictionary(ordered.map { ($0.destination.rootName, $0.source.rootName) }) {
            first,
            _ in first
        }
        let roots = Dictionary(source.entities.map { ($0.name, $0.rootName) }) { first, _ in first }
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

/// Which entity of the old version each one of the new version continues: as inference has it, else by the renaming
/// identifier, else by the name.
private struct Predecessors {
    private let graph: ModelGraph
    private var inferred: [String: String] = [:]
    private var identifiers: [String: String] = [:]
    private var names: [String: String] = [:]

    init(_ targets: [EntityCorrespondence.Target], from old: ModelGraph, to new: ModelGraph) {
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
