package import Diagnostics
package import MappingInference
package import ObjectModel
import ModelLanguage

extension StageMap {
    /// Lowers the map to the mapping that a migration performs; what cannot be performed is an error.
    ///
    /// What the map does not mention is as inferred, and comes first. Expressions that only name a property of the
    /// source become that property, so that nothing is computed where something is merely kept.
    package func lowered(
        completing inferred: InferredMapping,
        from source: ManagedObjectModel,
        to destination: ManagedObjectModel
    ) -> Diagnosed<[EntityMapping]> {
        let lowering = MapLowering(
            source: ModelGraph(source),
            destination: ModelGraph(destination),
            inferred: inferred
        )
        var mappings: [EntityMapping] = []
        var faults: [Diagnostic] = []
        func add(
            _ name: String,
            _ entity: String?,
            _ locations: [String: FileLocation],
            _ mapping: () throws(MapFault) -> EntityMapping
        ) {
            do throws(MapFault) { mappings.append(try mapping()) } catch {
                faults.append(error.diagnostic(ofMapping: name, entity: entity, at: locations))
            }
        }
        if copiesRest {
            for mapping in lowering.rest(of: self) {
                add(mapping.name, mapping.destinationEntity, [:]) { () throws(MapFault) in
                    try lowering.checked(mapping)
                }
            }
        }
        for entity in entities {
            add(entity.name, entity.destination, entity.locations) { () throws(MapFault) in
                try lowering.mapping(of: entity)
            }
        }
        return Diagnosed(mappings, faults)
    }
}

extension RuleID { package static let unsupportedMap: RuleID = "unsupported-map" }

package struct MapFault: Error {
    /// The reason; lower case, no final period.
    package var reason: String
    /// `nil` for a whole mapping.
    fileprivate var property: String?

    package init(reason: String, property: String? = nil) {
        (self.reason, self.property) = (reason, property)
    }

    /// `locations` are those of the mapping's properties, and under an empty name its own.
    package func diagnostic(
        ofMapping name: String,
        entity: String?,
        at locations: [String: FileLocation]
    ) -> Diagnostic {
        let message = "the mapping '\(name)' cannot be carried out: \(reason)"
        let place = property.flatMap { locations[$0] } ?? locations[""]
        return Diagnostic(.unsupportedMap, message, at: place, element: entity)
    }

    fileprivate static func inProperty<Result>(
        _ name: String,
        _ body: () throws(MapFault) -> Result
    ) throws(MapFault) -> Result {
        do throws(MapFault) { return try body() } catch {
            var fault = MapFault(reason: "'\(name)': \(error.reason)")
            fault.property = name.split(separator: ".").last.map(String.init)
            throw fault
        }
    }
}

/// Turns a person's entity maps into mappings, property by property.
private struct MapLowering {
    let source: ModelGraph
    let destination: ModelGraph
    let inferred: InferredMapping

    /// The entities that a map does not mention, as inference matches them.
    func rest(of map: StageMap) -> [EntityMapping] {
        let reached = Set(map.entities.compactMap(\.destination))
        let deleted = Set(map.entities.filter { $0.destination == nil }.compactMap(\.source))
        return inferred.entityMappings.filter { mapping in
            guard let source = mapping.sourceEntity, let destination = mapping.destinationEntity
            else { return false }
            return !reached.contains(destination) && !deleted.contains(source)
        }
    }

    /// An inferred mapping may hold a change of type that Core Data refuses.
    func checked(_ mapping: EntityMapping) throws(MapFault) -> EntityMapping {
        var mapping = mapping
        mapping.attributeMappings = try mapping.attributeMappings.map(checked)
        return mapping
    }

    private func checked(_ mapping: AttributeMapping) throws(MapFault) -> AttributeMapping {
        let mapping = mapping.withNumbersConverted
        guard case .incompatible(let old, let new) = mapping.conversion else { return mapping }
        let name = mapping.destination.description
        let path = [mapping.source?.name ?? mapping.destination.name] + mapping.sourceElementPath
        let value = "$source." + path.joined(separator: ".")
        throw MapFault(
            reason: "'\(name)' changes its type from \(old.sourceName ?? "none") to "
                + "\(new.sourceName ?? "none")\(new.cure(of: value, from: old))"
        )
    }

    func mapping(of map: StageMap.EntityMap) throws(MapFault) -> EntityMapping {
        var mapping = EntityMapping(
            kind: .custom,
            sourceEntity: map.source,
            destinationEntity: map.destination,
            condition: map.condition,
            findOrCreateKeys: map.findOrCreateKeys,
            policyName: map.policyName,
            name: map.name
        )
        guard let name = map.destination else { return mapping }
        guard let entity = destination.entity(name) else {
            throw MapFault(reason: "the new version has no entity '\(name)'")
        }
        // An entity without a source gets no objects.
        guard let sourceName = map.source else { return mapping }
        guard let origin = source.entity(sourceName) else {
            throw MapFault(reason: "the old version has no entity '\(sourceName)'")
        }
        if entity.isAbstract, !origin.isAbstract {
            throw MapFault(reason: "'\(name)' is abstract and can have no objects")
        }
        let properties = EntityLowering(
            map: map,
            source: origin,
            destination: entity,
            graph: source,
            newGraph: destination,
            inferred: inferred.entityMappings.first {
                $0.sourceEntity == sourceName && $0.destinationEntity == name
            }
        )
        try properties.checkNames()
        let attributes = try properties.attributes()
        // The code of a policy provides values that have no conversion.
        mapping.attributeMappings =
            map.policyName == nil
            ? try attributes.map(checked) : attributes.map(\.withoutIncompatibleSource)
        mapping.relationshipMappings = try properties.relationships()
        for key in map.findOrCreateKeys
        where !mapping.attributeMappings.contains(where: { $0.destination.name == key }) {
            throw MapFault(
                reason: "'find' needs an attribute, and '\(name)' has none named '\(key)'"
            )
        }
        return mapping
    }
}

private struct EntityLowering {
    let map: StageMap.EntityMap
    let source: Entity
    let destination: Entity
    let graph: ModelGraph
    let newGraph: ModelGraph
    let inferred: EntityMapping?

    func checkNames() throws(MapFault) {
        let known = Set(newGraph.properties(of: destination).map(\.name))
        for name in map.values.keys.sorted() where !known.contains(name) {
            let near = suggestion(for: name, among: known.sorted())
            let reason = "'\(destination.name)' has no property '\(name)'\(near)"
            throw MapFault(reason: reason, property: name)
        }
    }

    func attributes() throws(MapFault) -> [AttributeMapping] {
        var mappings: [AttributeMapping] = []
        for attribute in newGraph.attributes(of: destination) where !attribute.isTransient {
            for leaf in newGraph.values(of: attribute) {
                mappings.append(
                    try MapFault.inProperty("\(destination.name).\(attribute.name)") {
                        () throws(MapFault) -> AttributeMapping in try value(of: attribute, leaf)
                    }
                )
            }
        }
        return mappings
    }

    private func value(
        of attribute: Attribute,
        _ leaf: (path: [String], attribute: Attribute)
    ) throws(MapFault) -> AttributeMapping {
        var mapping = AttributeMapping(
            destination: declared(attribute.name, of: destination, in: newGraph),
            elementPath: leaf.path,
            source: nil,
            fill: leaf.attribute.defaultValue
        )
        guard let expression = map.values[attribute.name] else {
            guard map.copiesRest else { return mapping }
            return copied(attribute, leaf, else: mapping)
        }
        let path = expression.sourcePath
        // In a mapping model the path of a new property to itself has no meaning.
        if path == [attribute.name], graph.property(attribute.name, of: source) == nil {
            return mapping
        }
        guard leaf.path.isEmpty || path != nil else {
            throw MapFault(reason: "the attribute has elements; give it a path")
        }
        mapping.fill = nil
        if let path, let origin = storedAttribute(at: path + leaf.path) {
            mapping.take(origin, for: leaf.attribute, isOptional: isOptional(attribute, leaf))
        } else {
            let elements = leaf.path.joined(separator: ".")
            mapping.expression = elements.isEmpty ? expression : .keyPath(expression, elements)
        }
        return mapping
    }

    /// Whether NULL is legal for an attribute, or for one of its elements, which may be absent with it.
    private func isOptional(
        _ attribute: Attribute,
        _ leaf: (path: [String], attribute: Attribute)
    ) -> Bool { attribute.isOptional || (!leaf.path.isEmpty && leaf.attribute.isOptional) }

    private func storedAttribute(at path: [String]) -> StoredOrigin? {
        guard let name = path.first,
            let attribute = graph.property(name, of: source)?.0 as? Attribute,
            !attribute.isTransient
        else { return nil }
        let rest = Array(path.dropFirst())
        guard let leaf = graph.values(of: attribute).first(where: { $0.path == rest }) else {
            return nil
        }
        return StoredOrigin(
            property: declared(name, of: source, in: graph),
            path: rest,
            attribute: leaf.attribute,
            isOptional: isOptional(attribute, leaf)
        )
    }

    /// The value of an attribute that the map does not mention, as inferred.
    private func copied(
        _ attribute: Attribute,
        _ leaf: (path: [String], attribute: Attribute),
        else fallback: AttributeMapping
    ) -> AttributeMapping {
        if let inferred {
            return inferred.attributeMappings.first {
                $0.destination.name == attribute.name && $0.elementPath == leaf.path
            } ?? fallback
        }
        // Without an inferred mapping of this pair of entities, properties of one name belong together.
        guard let origin = storedAttribute(at: [attribute.name] + leaf.path) else {
            return fallback
        }
        var mapping = fallback
        mapping.take(origin, for: leaf.attribute, isOptional: isOptional(attribute, leaf))
        return mapping
    }

    func relationships() throws(MapFault) -> [RelationshipMapping] {
        var mappings: [RelationshipMapping] = []
        for relationship in newGraph.relationships(of: destination) where !relationship.isTransient
        {
            let links = try MapFault.inProperty("\(destination.name).\(relationship.name)") {
                () throws(MapFault) -> RelationshipMapping.Origin in try origin(of: relationship)
            }
            mappings.append(
                RelationshipMapping(
                    destination: declared(relationship.name, of: destination, in: newGraph),
                    origin: links,
                    isStated: map.values[relationship.name] != nil
                )
            )
        }
        return mappings
    }

    private func origin(
        of relationship: Relationship
    ) throws(MapFault) -> RelationshipMapping.Origin {
        let name = relationship.name
        guard let expression = map.values[name] else {
            guard map.copiesRest else { return .none }
            if let inferred {
                return inferred.relationshipMappings.first { $0.destination.name == name }?.origin
                    ?? .none
            }
            guard graph.relationship(name, of: source) != nil else { return .none }
            return .relationship(declared(name, of: source, in: graph))
        }
        if case .constant(.null) = expression { return .none }
        guard case .function(_, let selector, let arguments) = expression else {
            return try path(expression, name, through: nil)
        }
        switch selector {
        case "destinationInstancesForEntityMappingNamed:sourceInstances:":
            guard arguments.count == 2, case .constant(.string(let mapping)) = arguments[0] else {
                throw MapFault(reason: "'\(expression)' cannot be carried out")
            }
            return try path(arguments[1], name, through: mapping)
        case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
            guard arguments.count == 2 else {
                throw MapFault(reason: "'\(expression)' cannot be carried out")
            }
            return try path(arguments[1], name, through: nil)
        case StageMap.Function.first where arguments.count == 1:
            // A to-one relationship keeps only the first object.
            return try path(arguments[0], name, through: nil)
        case StageMap.Function.last where arguments.count == 1:
            guard !relationship.isToMany else {
                throw MapFault(reason: "'last' gives one object, but '\(name)' is to-many")
            }
            return try path(arguments[0], name, through: nil, isLast: true)
        case StageMap.Function.find:
            guard arguments.count == 3, case .constant(.string(let entity)) = arguments[0],
                case .constant(.string(let key)) = arguments[1], !relationship.isToMany
            else {
                throw MapFault(
                    reason: relationship.isToMany
                        ? "find gives one object, but '\(name)' is to-many; write a path of relationships, such as "
                            + "$source.\(name), or map the inverse relationship"
                        : "find needs entity, key and equals"
                )
            }
            return .found(entity: entity, key: key, equals: arguments[2])
        default: return try path(expression, name, through: nil)
        }
    }

    private func path(
        _ expression: PredicateExpression,
        _ name: String,
        through mapping: String?,
        isLast: Bool = false
    ) throws(MapFault) -> RelationshipMapping.Origin {
        // The source itself means what became of it by another mapping.
        guard let path = expression == .variable("source") ? [] : expression.sourcePath else {
            throw MapFault(reason: "'\(expression)' is not a path of relationships")
        }
        // Operators on collections, such as @distinctUnionOfSets, do what sets of links do anyway.
        let names = path.filter { !$0.hasPrefix("@") }
        if names == [name], graph.relationship(name, of: source) == nil { return .none }
        var entity = source
        for name in names {
            guard let (relationship, _) = graph.relationship(name, of: entity) else {
                throw MapFault(reason: "'\(entity.name)' has no relationship '\(name)'")
            }
            guard let next = graph.destination(of: relationship) else {
                throw MapFault(reason: "'\(entity.name).\(name)' has no destination entity")
            }
            entity = next
        }
        guard names.count <= 8 else {
            throw MapFault(reason: "the path has more than eight relationships")
        }
        if names.count == 1, mapping == nil, !isLast {
            return .relationship(declared(names[0], of: source, in: graph))
        }
        return .path(names, mapping: mapping, isLast: isLast)
    }

    private func declared(
        _ name: String,
        of entity: Entity,
        in graph: ModelGraph
    ) -> PropertyReference {
        let owner = graph.property(name, of: entity)?.declaredBy
        return PropertyReference(entity: owner?.name ?? entity.name, name: name)
    }
}
