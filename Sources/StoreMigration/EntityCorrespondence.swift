import MappingInference
import ObjectModel
import StoreFormat

/// Which entity of the new version continues which of the old one, with their numbers and properties.
struct EntityCorrespondence {
    /// An entity that goes on.
    struct Pair {
        var source: NumberedEntity
        var destination: NumberedEntity
        var attributes: [AttributeKey: AttributeMapping]
        var relationships: [MappedProperty: RelationshipMapping]
    }

    struct AttributeKey: Hashable {
        var property: MappedProperty
        var path: [String]
    }

    let source: StoreLayout
    let destination: StoreLayout
    let sourceGraph: ModelGraph
    let destinationGraph: ModelGraph
    /// The entities that go on, in the order of their new numbers.
    let pairs: [Pair]
    private let newNumbers: [Int: Int]

    init(
        mapping: InferredMapping,
        sourceModel: ManagedObjectModel,
        destinationModel: ManagedObjectModel,
        source: StoreLayout,
        frameworkVersion: Int?
    ) {
        self.source = source
        var options = LayoutOptions()
        if let frameworkVersion { options.frameworkVersion = frameworkVersion }
        options.overrides = Self.namingRelationships(mapping, in: source)
        destination = StoreLayout(model: destinationModel, options: options)
        sourceGraph = ModelGraph(sourceModel)
        destinationGraph = ModelGraph(destinationModel)
        let sources = Dictionary(
            source.entities.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let mappings = Dictionary(
            mapping.entityMappings.compactMap { mapping in
                mapping.destinationEntity.map { ($0, mapping) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        pairs = destination.entities.compactMap { entity in
            guard let mapping = mappings[entity.name],
                let source = mapping.sourceEntity.flatMap({ sources[$0] })
            else { return nil }
            return Pair(source: source, destination: entity, mapping: mapping)
        }
        newNumbers = Dictionary(
            pairs.map { ($0.source.number, $0.destination.number) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The relationships that go on naming their join tables: which of two sides does is not known, so that a
    /// table keeps the side that it has (STORE_LAYOUT 9.5).
    private static func namingRelationships(
        _ mapping: InferredMapping,
        in source: StoreLayout
    ) -> Set<PropertyReference> {
        let naming = Set(
            source.joinTables.filter { $0.first.entity == $0.second.entity }
                .map(\.namingRelationship)
        )
        let mappings = mapping.entityMappings.flatMap(\.relationshipMappings)
        return Set(
            mappings.filter { $0.source.map { naming.contains($0.reference) } ?? false }
                .map(\.destination.reference)
        )
    }

    /// The number that an entity of the old version has in the new one; `nil` when it is gone.
    func newNumber(for oldNumber: Int) -> Int? {
        newNumbers[oldNumber]
    }

    /// The numbers in a hierarchy of the old version whose entities are gone.
    func removedNumbers(inHierarchyOf entity: String) -> [Int] {
        source.numbers(ofHierarchy: entity).filter { newNumbers[$0] == nil }
    }

    /// The entities that go on and live in a table of the new version.
    func pairs(in table: EntityTable) -> [Pair] {
        pairs.filter { $0.destination.rootName == table.rootEntity }
    }

    /// Whether an entity of the new version is another one or stands below it.
    func isDestination(_ entity: String, kindOf other: String) -> Bool {
        destination.isEntity(entity, kindOf: other)
    }

    /// Returns an expression that turns an old entity number into the new one.
    ///
    /// - Returns: `nil` when none of the numbers changes.
    func renumbering(_ column: String, of numbers: [Int]) -> String? {
        let changes = numbers.filter { newNumbers[$0] != $0 }
        guard !changes.isEmpty else { return nil }
        let cases = changes.map { old in
            "WHEN \(old) THEN \(newNumbers[old].map(String.init) ?? "NULL")"
        }
        return "CASE \(column) \(cases.joined(separator: " ")) ELSE \(column) END"
    }
}

extension EntityCorrespondence.Pair {
    fileprivate init(source: NumberedEntity, destination: NumberedEntity, mapping: EntityMapping) {
        self.source = source
        self.destination = destination
        attributes = Dictionary(
            mapping.attributeMappings.map { mapping in
                let key = EntityCorrespondence.AttributeKey(
                    property: mapping.destination,
                    path: mapping.elementPath
                )
                return (key, mapping)
            },
            uniquingKeysWith: { first, _ in first }
        )
        relationships = Dictionary(
            mapping.relationshipMappings.map { ($0.destination, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension MappedProperty {
    var reference: PropertyReference { PropertyReference(entity: declaredBy, name: name) }
}

extension PropertyReference {
    var mapped: MappedProperty { MappedProperty(name: name, declaredBy: entity) }
}
