import ObjectModel
import PropertyLists

extension ModelArchiver {
    mutating func addEntity(_ entity: Entity) {
        var parent: Reference?
        if let name = entity.parentEntity {
            parent = requiredEntity(name, "entity '\(entity.name)'", entity.source)
        }
        mirroredIndexes = Set(entity.fetchIndexes.compactMap(\.onlyAscendingProperty))
        entityAtHand = entityReference(entity.name)
        let properties = addProperties(of: entity)
        let children = graph.subentityNames(of: entity.name)
        var values = KeyedArchive.Values(
            keys: Self.entityKeys,
            [
                string(entity.name), string(className(of: entity)), .reference(root),
                .reference(parent ?? .null),
                .reference(
                    dictionary(children.map { ($0, entityReference($0)) }, .mutableDictionary)
                ),
                .reference(
                    dictionary(keys: properties.names, properties.objects, .mutableDictionary)
                ), .reference(userInfo(entity.userInfo)), string(entity.versionHashModifier),
                string(entity.matchingIdentifier),
            ]
        )
        if entity.isAbstract { values["NSIsAbstract"] = .boolean(true) }
        if !entity.uniquenessConstraints.isEmpty {
            let tuples = entity.uniquenessConstraints.map { names($0.properties) }
            values["NSUniqueTuples"] = .reference(collection(tuples, .mutableArray))
        }
        addIndexes(of: entity, to: &values)
        fill(entityAtHand, .entity, values)
    }

    private static let entityKeys = [
        "NSEntityName", "NSClassNameForEntity", "NSManagedObjectModel", "NSSuperentity",
        "NSSubentities", "NSProperties", "NSUserInfo", "NSVersionHashModifier",
        "NSRenamingIdentifier",
    ]

    private func className(of entity: Entity) -> String? {
        guard let name = entity.className, name.hasPrefix("."), let module = options.moduleName
        else { return entity.className }
        return module + name
    }

    /// Adds the properties, and returns them with their names as archived.
    private mutating func addProperties(
        of entity: Entity
    ) -> (names: [Reference], objects: [Reference]) {
        var names: [Reference] = []
        var objects: [Reference] = []
        names.reserveCapacity(entity.propertyCount)
        objects.reserveCapacity(entity.propertyCount)
        var next = entityAtHand.index
        // The slots of properties that a broken model names twice stay empty.
        func nextPlace(
            _ archiver: inout Self,
            for text: String
        ) -> (name: Reference, object: Reference)? {
            next += 1
            let name = archiver.plain(text)
            guard archiver.takes(name, for: archiver.entityAtHand) else { return nil }
            names.append(name)
            objects.append(Reference(next))
            return (name, Reference(next))
        }
        for attribute in entity.attributes {
            guard let place = nextPlace(&self, for: attribute.name) else { continue }
            addAttribute(attribute, named: place.name, to: entity, as: place.object)
        }
        for relationship in entity.relationships {
            guard let place = nextPlace(&self, for: relationship.name) else { continue }
            addRelationship(relationship, named: place.name, to: entity, as: place.object)
        }
        for property in entity.fetchedProperties {
            guard let place = nextPlace(&self, for: property.name) else { continue }
            addFetchedProperty(property, named: place.name, to: entity, as: place.object)
        }
        return (names, objects)
    }

    private mutating func addIndexes(of entity: Entity, to values: inout KeyedArchive.Values) {
        if options.era == .xcode8 {
            let tuples = entity.compoundIndexes + entity.fetchIndexes.compactMap(compoundNames)
            guard !tuples.isEmpty else { return }
            let arrays = tuples.map { names($0) }
            values["NSCompoundIndexes"] = .reference(collection(arrays, .array))
            return
        }
        let legacy = indexedPropertyNames(of: entity)
        let compounds = entity.compoundIndexes
        guard !entity.fetchIndexes.isEmpty || !legacy.isEmpty || !compounds.isEmpty else { return }
        let owner = KeyedArchive.Value.reference(entityReference(entity.name))
        var indexes = entity.fetchIndexes.map { addFetchIndex($0, owner: owner) }
        for tuple in compounds { indexes.append(addDemotedIndex(tuple, owner: owner)) }
        for name in legacy {
            let index = FetchIndex(name: name, elements: [.init(.property(name))])
            indexes.append(addFetchIndex(index, owner: .null))
        }
        values["NSFetchIndexDescriptions"] = .reference(collection(indexes, .mutableArray))
        let tuples = (entity.fetchIndexes.compactMap(compoundNames) + compounds).map { names($0) }
        values["NSCompoundIndexes"] = .reference(collection(tuples, .mutableArray))
    }

    private func indexedPropertyNames(of entity: Entity) -> [String] {
        let (attributes, relationships) = (entity.attributes, entity.relationships)
        // By index: copying all properties costs more than reading a flag of each.
        return attributes.indices.filter { attributes[$0].isIndexed }.map { attributes[$0].name }
            + relationships.indices.filter { relationships[$0].isIndexed }
            .map { relationships[$0].name }
    }

    /// Returns the names of an index of more than one element, as older systems know it.
    private func compoundNames(_ index: FetchIndex) -> [String]? {
        let names = index.elements.compactMap { element -> String? in
            if case .property(let name) = element.subject { name } else { nil }
        }
        return index.elements.count > 1 && names.count == index.elements.count ? names : nil
    }

    private mutating func names(_ names: [String]) -> Reference {
        collection(names.map { plain(.string($0)) }, .mutableArray)
    }

    private mutating func addFetchIndex(
        _ index: FetchIndex,
        owner: KeyedArchive.Value
    ) -> Reference {
        if options.targetsSystemsWithoutFetchIndexes, let tuple = compoundNames(index) {
            return addDemotedIndex(tuple, owner: owner)
        }
        let reference = reserve()
        let elements = index.elements.map { addElement($0, of: index, at: reference) }
        let predicate = index.partialIndexPredicate.map { text in
            self.predicate(text, Owner("fetch index '\(index.name)'", source: index.source))
        }
        fill(
            reference,
            .fetchIndex,
            [
                "NSIndexName": string(index.name),
                "NSPartialIndexPredicate": .reference(predicate ?? .null), "NSEntity": owner,
                "NSIndexElements": .reference(collection(elements, .array)),
            ]
        )
        return reference
    }

    private mutating func addElement(
        _ element: FetchIndex.Element,
        of index: FetchIndex,
        at reference: Reference
    ) -> Reference {
        var values: KeyedArchive.Values = [
            "NSFetchIndexElementType": .integer(Int64(element.collation.rawValue)),
            "NSAscending": .boolean(element.isAscending),
            "NSFetchIndexDescription": .reference(reference),
        ]
        switch element.subject {
        case .property(let name): values["NSPropertyName"] = string(name)
        case .expression(let text, let type):
            expressionNumber += 1
            let name = string("expression\(expressionNumber)")
            values["NSPropertyName"] = name
            values["NSIndexedProperty"] = .reference(
                addExpressionDescription(text, named: name, type: type, of: index)
            )
        }
        return add(.fetchIndexElement, values)
    }

    /// Adds the property that an expression element indexes: `SELF` and `entity` are known.
    private mutating func addExpressionDescription(
        _ text: String,
        named name: KeyedArchive.Value,
        type: String?,
        of index: FetchIndex
    ) -> Reference {
        let owner = Owner("fetch index '\(index.name)'", source: index.source)
        if !FetchIndex.knownExpressions.contains(text) {
            reportUnproven("an index on the expression '\(text)'", owner)
        }
        let resultType = type.flatMap(AttributeType.init(sourceName:)) ?? .undefined
        return add(
            .init("NSExpressionDescription", "NSPropertyDescription"),
            [
                "NSExpression": .reference(expression(text, owner)),
                "NSExpressionType": .integer(Int64(resultType.rawValue)),
                "NSPropertyName": name,
                "NSRenamingIdentifier": name,
                "NSEntity": .null,
                "NSIsOptional": .boolean(true),
                "NSIsReadOnly": .boolean(true),
                "_P": .integer(247),
            ]
        )
    }

    /// Adds the index that older systems make of a compound index, with a name made from its properties'.
    private mutating func addDemotedIndex(
        _ tuple: [String],
        owner: KeyedArchive.Value
    ) -> Reference {
        let reference = reserve()
        let elements = tuple.map { name in
            add(
                .fetchIndexElement,
                [
                    "NSPropertyName": string(name), "NSFetchIndexElementType": .integer(0),
                    "NSAscending": .boolean(true),
                    "NSFetchIndexDescription": .reference(reference),
                ]
            )
        }
        let name = add(.mutableString, ["NS.string": .plain(.string(tuple.joined(separator: "_")))])
        fill(
            reference,
            .fetchIndex,
            [
                "NSIndexName": .reference(name),
                "NSPartialIndexPredicate": .null,
                "NSEntity": owner,
                "NSIndexElements": .reference(collection(elements, .array)),
            ]
        )
        return reference
    }
}
