import ObjectModel

/// Finds where the links of every stored relationship of a model are.
func storedLinks(
    of model: NumberedModel,
    in layout: StoreLayout
) -> [PropertyReference: StoredLinks] {
    var links: [PropertyReference: StoredLinks] = [:]
    for join in layout.joinTables {
        // A relationship that is its own inverse is read as its table is written: from the first column.
        for (source, destination) in [(join.first, join.second), (join.second, join.first)]
        where links[destination.leadsThrough] == nil {
            links[destination.leadsThrough] = StoredLinks(
                .join,
                in: join.name,
                from: source.name,
                to: destination.name,
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
            if let found = columnLinks(of: relationship, reference, model, layout) {
                links[reference] = found
            }
        }
    }
    return links
}

private func columnLinks(
    of relationship: Relationship,
    _ reference: PropertyReference,
    _ model: NumberedModel,
    _ layout: StoreLayout
) -> StoredLinks? {
    guard relationship.isToMany else { return keyLinks(reference, layout) }
    if let inverse = model.inverse(of: relationship) {
        guard !inverse.relationship.isToMany else { return nil }
        let inverseReference = PropertyReference(
            entity: model.entities[inverse.position].name,
            name: inverse.relationship.name
        )
        return keyLinks(inverseReference, layout).map { links in
            var links = links
            links.form = .inverseKey
            (links.source, links.destination) = (links.destination, links.source)
            return links
        }
    }
    guard let column = layout.column(as: .toManyOwner(reference)),
        let table = relationship.destinationEntity.flatMap(layout.table(of:))
    else { return nil }
    let orderKey = layout.column(as: .toManyOwnerOrderKey(reference))?.name
    return StoredLinks(.owner, in: table.name, from: column.name, to: "Z_PK", orderKey: orderKey)
}

private func keyLinks(_ reference: PropertyReference, _ layout: StoreLayout) -> StoredLinks? {
    guard let column = layout.column(as: .toOne(reference)),
        let table = layout.table(of: reference.entity)
    else { return nil }
    return StoredLinks(
        .key,
        in: table.name,
        from: "Z_PK",
        to: column.name,
        entityColumn: layout.column(as: .toOneEntity(reference))?.name,
        orderKey: layout.column(as: .orderKey(reference))?.name
    )
}
