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
        switch kind {
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
        case .foreignObject(let kind, _, _, _): kind == .column ? .values : .schemaObjects
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

    /// The names of a loss, such as `Book.notes`: by the old version first, then by the entity that declares
    /// it, and by the new version.
    package var names: [String] {
        func name(_ entity: String, _ property: MappedProperty?) -> String {
            guard let property else { return entity }
            return ([entity, property.name] + elementPath).joined(separator: ".")
        }
        // By its entity, and by its table, as in SQL.
        if case .foreignObject(_, let own, let table, _) = kind {
            return ["\(sourceEntity).\(own)", "\(table).\(own)"]
        }
        // The result of an expression belongs to no one property of the old version.
        let isExpression = if case .expressionLoss = kind { true } else { false }
        var names =
            isExpression ? [] : [name(sourceEntity, source ?? (isFatal ? destination : nil))]
        if let source { names.append(name(source.declaredBy, source)) }
        if let destinationEntity { names.append(name(destinationEntity, destination)) }
        if let destination { names.append(name(destination.declaredBy, destination)) }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
