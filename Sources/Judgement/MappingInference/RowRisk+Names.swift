package import ObjectModel

extension RowRisk {
    package enum Unit: String, Sendable, Hashable, CaseIterable {
        case rows
        case values
        case links
        /// Entries of persistent history or CloudKit mirroring about objects.
        case records
        /// Indexes and triggers that are not Core Data's.
        case schemaObjects = "schema objects"

        /// Singular, such as `row`.
        package var name: String { String(rawValue.dropLast()) }
    }

    package var unit: Unit {
        switch self {
        case .mandatoryWithoutDefault, .newUniquenessConstraint, .becomesAbstract, .removedEntity,
            .objectsLeftOut, .tooManyLinks, .rowsOfNoEntity, .derivationNotComputed,
            .nullInMandatoryAttribute, .nullInMandatoryRelationship, .mergedObjects:
            .rows
        case .recordsOfRemovedObjects: .records
        case .narrowingConversion, .removedAttribute, .missingExternalFile, .valuesOfOtherType,
            .expressionLoss:
            .values
        case .toManyBecomesToOne, .sharedDestination, .destinationsOutOfReach,
            .orderLostInManyToMany, .orderLost, .removedRelationship, .linksToRemovedObjects,
            .wrongEntityNumbers:
            .links
        case .foreignObject(_, let kind, _, _, _): kind == .column ? .values : .schemaObjects
        }
    }

    /// The entity of the old version, where there is one.
    package var sourceEntity: String {
        switch self {
        case .mandatoryWithoutDefault(let entity, _, _, _), .becomesAbstract(let entity, _),
            .derivationNotComputed(let entity, _, _, _), .removedEntity(let entity),
            .objectsLeftOut(let entity, _), .rowsOfNoEntity(let entity),
            .recordsOfRemovedObjects(let entity, _, _),
            .nullInMandatoryAttribute(let entity, _, _, _, _),
            .nullInMandatoryRelationship(let entity, _, _, _),
            .newUniquenessConstraint(let entity, _, _), .toManyBecomesToOne(let entity, _, _, _),
            .sharedDestination(let entity, _, _, _),
            .destinationsOutOfReach(let entity, _, _, _, _, _),
            .narrowingConversion(let entity, _, _, _, _, _),
            .orderLostInManyToMany(let entity, _, _, _), .orderLost(let entity, _, _, _),
            .tooManyLinks(let entity, _, _, _, _), .removedAttribute(let entity, _, _, _),
            .removedRelationship(let entity, _), .linksToRemovedObjects(let entity, _),
            .missingExternalFile(let entity, _, _), .valuesOfOtherType(let entity, _, _),
            .expressionLoss(let entity, _, _, _, _), .mergedObjects(let entity, _),
            .wrongEntityNumbers(let entity, _), .foreignObject(let entity, _, _, _, _):
            entity
        }
    }

    package var source: MappedProperty? {
        switch self {
        case .mandatoryWithoutDefault, .becomesAbstract, .derivationNotComputed, .removedEntity,
            .objectsLeftOut, .rowsOfNoEntity, .newUniquenessConstraint, .recordsOfRemovedObjects,
            .expressionLoss, .mergedObjects, .foreignObject:
            nil
        case .nullInMandatoryRelationship(_, let source, _, _): source
        case .nullInMandatoryAttribute(_, let source, _, _, _),
            .toManyBecomesToOne(_, let source, _, _), .sharedDestination(_, let source, _, _),
            .destinationsOutOfReach(_, let source, _, _, _, _),
            .narrowingConversion(_, let source, _, _, _, _),
            .orderLostInManyToMany(_, let source, _, _), .orderLost(_, let source, _, _),
            .tooManyLinks(_, let source, _, _, _), .removedAttribute(_, let source, _, _),
            .removedRelationship(_, let source), .linksToRemovedObjects(_, let source),
            .missingExternalFile(_, let source, _), .valuesOfOtherType(_, let source, _),
            .wrongEntityNumbers(_, let source):
            source
        }
    }

    package var destinationEntity: String? {
        switch self {
        case .mandatoryWithoutDefault(_, let entity, _, _), .becomesAbstract(_, let entity),
            .derivationNotComputed(_, let entity, _, _),
            .nullInMandatoryAttribute(_, _, _, let entity, _),
            .nullInMandatoryRelationship(_, _, let entity, _),
            .newUniquenessConstraint(_, let entity, _), .toManyBecomesToOne(_, _, let entity, _),
            .sharedDestination(_, _, let entity, _),
            .destinationsOutOfReach(_, _, let entity, _, _, _),
            .narrowingConversion(_, _, _, let entity, _, _),
            .orderLostInManyToMany(_, _, let entity, _), .orderLost(_, _, let entity, _),
            .tooManyLinks(_, _, let entity, _, _), .expressionLoss(_, let entity, _, _, _),
            .mergedObjects(_, let entity):
            entity
        case .removedEntity, .removedAttribute, .removedRelationship, .linksToRemovedObjects,
            .objectsLeftOut, .missingExternalFile, .rowsOfNoEntity, .valuesOfOtherType,
            .recordsOfRemovedObjects, .wrongEntityNumbers, .foreignObject:
            nil
        }
    }

    package var destination: MappedProperty? {
        switch self {
        case .mandatoryWithoutDefault(_, _, let property, _),
            .derivationNotComputed(_, _, let property, _),
            .nullInMandatoryAttribute(_, _, _, _, let property),
            .nullInMandatoryRelationship(_, _, _, let property),
            .toManyBecomesToOne(_, _, _, let property), .sharedDestination(_, _, _, let property),
            .destinationsOutOfReach(_, _, _, let property, _, _),
            .narrowingConversion(_, _, _, _, let property, _),
            .orderLostInManyToMany(_, _, _, let property), .orderLost(_, _, _, let property),
            .tooManyLinks(_, _, _, let property, _), .expressionLoss(_, _, let property, _, _):
            property
        case .newUniquenessConstraint, .becomesAbstract, .removedEntity, .removedAttribute,
            .removedRelationship, .linksToRemovedObjects, .objectsLeftOut, .missingExternalFile,
            .rowsOfNoEntity, .valuesOfOtherType, .recordsOfRemovedObjects, .mergedObjects,
            .wrongEntityNumbers, .foreignObject:
            nil
        }
    }

    /// The names from below a composite attribute to the value; empty for any other.
    package var elementPath: [String] {
        switch self {
        case .mandatoryWithoutDefault(_, _, _, let path), .missingExternalFile(_, _, let path),
            .nullInMandatoryAttribute(_, _, let path, _, _), .removedAttribute(_, _, let path, _),
            .narrowingConversion(_, _, let path, _, _, _), .valuesOfOtherType(_, _, let path),
            .expressionLoss(_, _, _, let path, _):
            path
        default: []
        }
    }

    /// Whether Core Data has a value for the rows: that of a default in Swift sources whose code is not understood here.
    package func isMetByCode(in model: ManagedObjectModel) -> Bool {
        guard let property = destination, elementPath.isEmpty else { return false }
        let owner = model.entities.first { $0.name == property.declaredBy }
        return owner?.attributes.contains {
            $0.unreadDefault != nil && $0.name == property.name
        } == true
    }

    /// The names of what is at stake, such as `Book.notes`, by the old version first, then by the entity that declares
    /// it, and by the new version.
    package var names: [String] {
        func name(_ entity: String, _ property: MappedProperty?) -> String {
            guard let property else { return entity }
            return ([entity, property.name] + elementPath).joined(separator: ".")
        }
        // By its entity, and by its table, as in SQL.
        if case .foreignObject(let entity, _, let own, let table, _) = self {
            return ["\(entity).\(own)", "\(table).\(own)"]
        }
        // The result of an expression belongs to no one property of the old version.
        if case .expressionLoss(_, let entity, let property, _, _) = self {
            let own = name(entity, property)
            let declared = name(property.declaredBy, property)
            return own == declared ? [own] : [own, declared]
        }
        var names = [name(sourceEntity, source ?? (isFatal ? destination : nil))]
        if let source { names.append(name(source.declaredBy, source)) }
        if let destinationEntity { names.append(name(destinationEntity, destination)) }
        if let destination { names.append(name(destination.declaredBy, destination)) }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
