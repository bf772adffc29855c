extension Entity {
    /// Returns the entity as it stands in another file that holds the same text of it.
    ///
    /// - Parameters:
    ///   - map: finds locations in the other file.
    ///   - distance: by how many bytes the text lies further on in the other file.
    /// - Returns: the same entity with other locations.
    package func moved(to map: any SourceMap, by distance: Int) -> Entity {
        var entity = self
        func move(_ mark: inout SourceMark) { mark = mark.moved(to: map, by: distance) }
        move(&entity.source)
        entity.attributes = attributes.map { $0.moved(to: map, by: distance) }
        for index in relationships.indices { move(&entity.relationships[index].source) }
        for index in fetchedProperties.indices {
            move(&entity.fetchedProperties[index].source)
            guard var request = fetchedProperties[index].fetchRequest else { continue }
            move(&request.source)
            entity.fetchedProperties[index].fetchRequest = request
        }
        for index in fetchIndexes.indices { move(&entity.fetchIndexes[index].source) }
        for index in uniquenessConstraints.indices {
            move(&entity.uniquenessConstraints[index].source)
        }
        return entity
    }
}

extension Attribute {
    /// Returns the attribute as it stands in another file that holds the same text of it, as for an entity.
    package func moved(to map: any SourceMap, by distance: Int) -> Attribute {
        var attribute = self
        attribute.source = source.moved(to: map, by: distance)
        return attribute
    }
}
