package import ObjectModel

/// A value that an enum of the old version has, and no case of the new one.
///
/// Rows may hold it, and neither a hash nor a migration tells.
package struct RemovedCase: Sendable, Hashable {
    /// The entity in the new version.
    package var entity: String
    /// The attribute in the new version, with the element of its composite, such as `place.mood`.
    package var property: String
    /// The case as it was.
    package var old: EnumCases.Case
    /// The name of the case that has another value now, where the case was kept.
    package var isKeptByName: Bool
    /// Where the attribute stands.
    package var source: SourceMark

    /// What became of the case; lower case, no final period.
    package var message: String {
        let what =
            isKeptByName
            ? "the case '\(old.name)' had the raw value '\(old.text)'"
            : "no case has the raw value '\(old.text)' of '\(old.name)' any more"
        return "\(entity).\(property): \(what): the app stops when it reads a row that holds it"
    }
}

/// Returns the values of enums that the new version has no case for.
///
/// - Parameters:
///   - old: the older version.
///   - new: the newer version; entities and attributes go on under their renaming identifiers.
/// - Returns: the values, by the entities and attributes of the newer version.
package func removedCases(
    from old: ManagedObjectModel,
    to new: ManagedObjectModel
) -> [RemovedCase] {
    let entities = Dictionary(
        old.entities.map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )
    return new.entities.flatMap { entity -> [RemovedCase] in
        guard let before = entities[entity.renamingIdentifier ?? entity.name] else { return [] }
        return entity.attributes.flatMap { attribute -> [RemovedCase] in
            let name = attribute.renamingIdentifier ?? attribute.name
            guard let origin = before.attributes.first(where: { $0.name == name }) else {
                return []
            }
            return removedCases(from: origin, to: attribute, of: entity.name)
        }
    }
}

private func removedCases(
    from old: Attribute,
    to new: Attribute,
    of entity: String
) -> [RemovedCase] {
    new.enumCases.paths.flatMap { path -> [RemovedCase] in
        // The only element of an enum is named as its attribute, which may have another name now.
        let oldPath = path == [new.name] ? [old.name] : path
        guard let now = new.enumCases[path], let before = old.enumCases[oldPath] else { return [] }
        let values = Set(now.map(\.value))
        let names = Set(now.map(\.name))
        return before.filter { !values.contains($0.value) }.map { gone in
            RemovedCase(
                entity: entity,
                property: path == [new.name] ? new.name : "\(new.name).\(path[0])",
                old: gone,
                isKeptByName: names.contains(gone.name),
                source: new.source
            )
        }
    }
}
