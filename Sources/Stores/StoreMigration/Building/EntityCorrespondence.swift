import MappingInference
import ObjectModel
import StoreFormat

/// Which entity of the new version continues which old one, with their numbers and properties.
///
/// Objects of a pair keep their keys, and their rows if possible. Every other mapping creates objects with new keys:
/// found or created ones, a second one from the same entity, those of a policy.
struct EntityCorrespondence {
    let source: StoreLayout
    let destination: StoreLayout
    /// The mappings whose objects keep their keys, ordered by their new numbers.
    let pairs: [MappingTarget]
    /// The mappings whose objects get new keys: those with found or created objects come last.
    let insertions: [MappingTarget]
    /// The mappings that a policy performs, some of which lack a source or destination entity.
    let policyMappings: [(place: Int, mapping: EntityMapping)]
    /// Those of them that have both entities.
    let policies: [MappingTarget]
    /// The side that names the table of a self-referential relationship, as somebody stated, such as `Person.friends`.
    let naming: Set<String>
    /// The old root whose keys a new root continues, by the name of the new one.
    let oldRoots: [String: String]
    private let newNumbers: [Int: Int]
    private let pairsByRoot: [String: [MappingTarget]]

    init(
        _ mappings: [EntityMapping],
        from source: StoreLayout,
        to destinationModel: ManagedObjectModel,
        frameworkVersion: Int? = nil,
        naming: Set<String> = []
    ) {
        (self.source, self.naming) = (source, naming)
        var options = LayoutOptions()
        if let frameworkVersion { options.frameworkVersion = frameworkVersion }
        options.synthesizesIndexes = source.synthesizesIndexes
        options.overrides = Self.namingRelationships(mappings, in: source)
        options.choose(naming, in: destinationModel)
        destination = StoreLayout(model: destinationModel, options: options)
        policyMappings = mappings.enumerated().filter { $1.policyName != nil }
            .map { (place: $0, mapping: $1) }
        let targets = Self.targets(mappings, source, destination)
        policies = targets.filter { $0.mapping.policyName != nil }
        var others = targets.filter { $0.mapping.policyName == nil }
        let kept = KeyKeeping(others, from: source, to: destination)
        for index in others.indices {
            others[index].keepsKeys = kept.places.contains(others[index].place)
            others[index].isContinuing = kept.continuing.contains(others[index].place)
        }
        oldRoots = kept.oldRoots
        pairs = others.filter(\.keepsKeys).sorted { $0.destination.number < $1.destination.number }
        let made = others.filter { !$0.keepsKeys }
        insertions =
            made.filter { $0.mapping.findOrCreateKeys.isEmpty }
            + made.filter { !$0.mapping.findOrCreateKeys.isEmpty }
        // Objects may continue as several, at most one of which has the continuing entity.
        newNumbers = Dictionary(
            firstOf: (pairs.filter(\.isContinuing) + pairs).map {
                ($0.source.number, $0.destination.number)
            }
        )
        pairsByRoot = Dictionary(grouping: pairs, by: \.destination.rootName)
    }

    var sourceGraph: ModelGraph { source.graph }
    var destinationGraph: ModelGraph { destination.graph }

    private static func targets(
        _ mappings: [EntityMapping],
        _ source: StoreLayout,
        _ destination: StoreLayout
    ) -> [MappingTarget] {
        let (old, new) = (numberedEntities(of: source), numberedEntities(of: destination))
        return mappings.enumerated().compactMap { place, mapping in
            guard let source = mapping.sourceEntity.flatMap({ old[$0] }),
                let destination = mapping.destinationEntity.flatMap({ new[$0] })
            else { return nil }
            return MappingTarget(place, source, destination, mapping)
        }
    }

    private static func numberedEntities(of layout: StoreLayout) -> [String: NumberedEntity] {
        Dictionary(firstOf: layout.entities.map { ($0.name, $0) })
    }

    /// The relationships that keep naming their join tables: which of two sides does is not known, so a table keeps the
    /// side that it has (SQLiteStores, "Self-referential many-to-many relationships").
    private static func namingRelationships(
        _ mappings: [EntityMapping],
        in source: StoreLayout
    ) -> Set<PropertyReference> {
        let naming = Set(
            source.joinTables.filter { $0.first.entity == $0.second.entity }
                .map(\.namingRelationship)
        )
        guard !naming.isEmpty else { return [] }
        return Set(
            mappings.flatMap(\.relationshipMappings)
                .filter { $0.source.map(naming.contains) ?? false }
                .map(\.destination)
        )
    }

    /// The old entities whose objects code takes; `nil` where some code may take any.
    var codedEntities: Set<String>? {
        let entities = policyMappings.map(\.mapping.sourceEntity)
        return entities.contains(nil) ? nil : Set(entities.compactMap(\.self))
    }

    var targets: [MappingTarget] { pairs + insertions + policies }

    /// The number in the new version of an old entity; `nil` if it was removed.
    func newNumber(for oldNumber: Int) -> Int? { newNumbers[oldNumber] }

    func removedNumbers(inHierarchyOf entity: String) -> [Int] {
        // The entity with number n is at n - 1; an abstract one has no objects that could be lost.
        source.numbers(ofHierarchy: entity).filter {
            newNumbers[$0] == nil && !source.entities[$0 - 1].isAbstract
        }
    }

    /// The entities that keep their rows and live in a table of the new version.
    func pairs(in table: EntityTable) -> [MappingTarget] { pairsByRoot[table.rootEntity] ?? [] }

    /// The pairs that a column of their table may mean something to, by index in the table's list; `numbers` are their
    /// new entity numbers, in order.
    func pairs(concernedBy column: StoreColumn, among numbers: [Int]) -> Range<Int> {
        guard !column.role.isOfArrivals, let entity = column.role.declarer else {
            return numbers.indices
        }
        let hierarchy = destination.numbers(ofHierarchy: entity)
        guard let least = hierarchy.first, let most = hierarchy.last else { return 0..<0 }
        let start = numbers.firstIndex { $0 >= least } ?? numbers.count
        let end = numbers[start...].firstIndex { $0 > most } ?? numbers.count
        return start..<end
    }

    /// The pairs whose new entity is a given one or below it.
    func pairs(ofKind entity: String) -> [MappingTarget] {
        guard let table = destination.table(of: entity) else { return [] }
        return pairs(in: table).filter { isDestination($0.destination.name, kindOf: entity) }
    }

    func isDestination(_ entity: String, kindOf other: String) -> Bool {
        destination.isEntity(entity, kindOf: other)
    }

    /// Returns an expression that turns the old entity number in a column into the new one; `nil` when none changes.
    func renumbering(_ column: String, of numbers: [Int]) -> RowExpression? {
        let changes = numbers.filter { newNumbers[$0] != $0 }
        guard !changes.isEmpty else { return nil }
        return .renumbered(
            column,
            changes.map { old in
                RowExpression.Case(number: old, value: newNumbers[old].map { .number($0) } ?? .null)
            }
        )
    }
}

/// An entity of the new version with the old one that a mapping makes its objects from.
struct MappingTarget {
    /// Its index in the list of mappings.
    var place: Int
    var source: NumberedEntity
    var destination: NumberedEntity
    var mapping: EntityMapping
    /// By the role of the column that gets the values.
    var attributes: [ColumnRole: AttributeMapping]
    var relationships: [PropertyReference: RelationshipMapping]
    var keepsKeys = false
    /// Whether it leads from an entity to the one that continues it.
    var isContinuing = false

    /// The temporary table of which object became which, if keys are not kept.
    var objects: String { "momtool_objects_\(place)" }
    var rows: String { "momtool_rows_\(place)" }
    /// The temporary table of values that are computed before anything changes.
    var values: String { "momtool_values_\(place)" }
    /// The temporary table of the objects whose links a policy leaves to the mapping.
    var related: String { "momtool_related_\(place)" }
    /// Whether all objects of its source take part and become separate objects.
    var takesAll: Bool { mapping.condition == nil && mapping.findOrCreateKeys.isEmpty }
    /// The temporary table of the source objects that take part; `nil` when all do.
    var taken: String? { mapping.condition == nil ? nil : "momtool_taken_\(place)" }
}

extension MappingTarget {
    fileprivate init(
        _ place: Int,
        _ source: NumberedEntity,
        _ destination: NumberedEntity,
        _ mapping: EntityMapping
    ) {
        (self.place, self.mapping) = (place, mapping)
        (self.source, self.destination) = (source, destination)
        attributes = Dictionary(
            firstOf: mapping.attributeMappings.map {
                (.attribute($0.destination, $0.elementPath), $0)
            }
        )
        relationships = Dictionary(
            firstOf: mapping.relationshipMappings.map { ($0.destination, $0) }
        )
    }
}

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

    init(_ targets: [MappingTarget], from source: StoreLayout, to destination: StoreLayout) {
        let predecessors = Predecessors(targets, from: source.graph, to: destination.graph)
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
    /// The old entities whose objects come to a new one, or below a new root.
    private var origins: [String: Set<String>] = [:]

    init(_ targets: [MappingTarget], from old: ModelGraph, to new: ModelGraph) {
        graph = new
        for target in targets {
            for name in [target.destination.name, target.destination.rootName] {
                origins[name, default: []].insert(target.source.name)
            }
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
        // A new entity may have the former name of a renamed or dropped one.
        return names[identifier] ?? (origins[entity]?.contains(entity) == true ? entity : nil)
    }
}
