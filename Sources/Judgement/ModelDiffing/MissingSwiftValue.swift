package import ObjectModel

/// A value that is not optional in Swift, and that rows of the old version do not have.
///
/// Its default in Swift applies only to new objects, and no migration fails at the NULL.
package struct MissingSwiftValue: Sendable, Hashable {
    package var entity: String
    /// The attribute in the new version, with the element of its composite, such as `place.kind`.
    package var property: String
    package var source: SourceMark

    package var name: String { "\(entity).\(property)" }
}

/// Returns the values that are not optional in Swift, and that rows of the old version may lack.
///
/// Entities and attributes continue under their renaming identifiers.
package func missingSwiftValues(
    from old: ManagedObjectModel,
    to new: ManagedObjectModel
) -> [MissingSwiftValue] {
    let graph = ModelGraph(old)
    return new.entities.flatMap { entity -> [MissingSwiftValue] in
        guard let before = graph.entity(entity.matchingIdentifier) else { return [] }
        let attributes = graph.lineage(of: before).flatMap(\.attributes)
        return entity.attributes.flatMap { attribute -> [MissingSwiftValue] in
            let name = attribute.matchingIdentifier
            let origin = attributes.first { $0.name == name }
            let known = Set(origin?.enumCases.required ?? [])
            let isNew = origin == nil && attribute.enumCases.isRequiredByClass
            let missing = attribute.enumCases.required.filter { required in
                // A new case has no values yet, and the element of an enum has the attribute's name.
                let own = required == [attribute.name] ? [name] : required
                return !known.contains { !$0.isEmpty && Set($0).isSubset(of: own) }
            }
            return (missing + (isNew ? [[attribute.name]] : [])).map { required in
                MissingSwiftValue(
                    entity: entity.name,
                    property: EnumCases.name(of: required, in: attribute.name),
                    source: attribute.source
                )
            }
        }
    }
}
