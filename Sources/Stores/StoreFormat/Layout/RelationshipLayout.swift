import ObjectModel

/// Finds the storage of every relationship of a model, transient and broken ones included.
func storageLayout(
    of model: NumberedModel,
    in layout: StoreLayout
) -> [PropertyReference: RelationshipStorage] {
    var storages: [PropertyReference: RelationshipStorage] = [:]
    for definition in model.definitions {
        for relationship in definition.entity.relationships {
            let name = relationship.name
            storages[PropertyReference(entity: definition.entity.name, name: name)] = .some(.none)
        }
    }
    for join in layout.joinTables {
        for (source, destination) in [(join.first, join.second), (join.second, join.first)] {
            // A relationship that is its own inverse is read as its table is written: from the first column.
            if case .joinTable? = storages[destination.leadsThrough] { continue }
            storages[destination.leadsThrough] = .joinTable(
                name: join.name,
                sourceColumn: source.name,
                destinationColumn: destination.name,
                orderKey: destination.orderKey
            )
        }
    }
    for definition in model.definitions {
        for relationship in definition.relationships {
            let reference = PropertyReference(
                entity: definition.entity.name,
                name: relationship.name
            )
            if let storage = columnStorage(of: relationship, reference, model, layout) {
                storages[reference] = storage
            }
        }
    }
    return storages
}

private func columnStorage(
    of relationship: Relationship,
    _ reference: PropertyReference,
    _ model: NumberedModel,
    _ layout: StoreLayout
) -> RelationshipStorage? {
    guard relationship.isToMany else {
        return keyColumns(reference, layout).map { table, column, entityColumn, orderKey in
            .foreignKey(
                table: table,
                column: column,
                entityColumn: entityColumn,
                orderKey: orderKey
            )
        }
    }
    if let inverse = model.inverse(of: relationship) {
        guard !inverse.relationship.isToMany else { return nil }
        let inverseReference = PropertyReference(
            entity: model.entities[inverse.position].name,
            name: inverse.relationship.name
        )
        return keyColumns(inverseReference, layout).map { table, column, entityColumn, orderKey in
            .inverseForeignKey(
                table: table,
                column: column,
                entityColumn: entityColumn,
                orderKey: orderKey
            )
        }
    }
    guard let column = layout.column(.toManyOwner, reference),
        let table = relationship.destinationEntity.flatMap(layout.table(of:))
    else { return nil }
    let orderKey = layout.column(.toManyOwnerOrderKey, reference)
    return .ownerColumn(table: table.name, column: column.name, orderKey: orderKey?.name)
}

private func keyColumns(
    _ reference: PropertyReference,
    _ layout: StoreLayout
) -> (table: String, column: String, entityColumn: String?, orderKey: String?)? {
    guard let column = layout.column(.toOne, reference),
        let table = layout.table(of: reference.entity)
    else { return nil }
    return (
        table.name, column.name, layout.column(.toOneEntity, reference)?.name,
        layout.column(.orderKey, reference)?.name
    )
}
