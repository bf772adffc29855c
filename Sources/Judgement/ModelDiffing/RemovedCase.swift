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
    enums(of: old, and: new).flatMap(\.removedCases)
}

/// Returns the values that the enums of two versions both have: what a row can hold before and after a step.
///
/// - Parameters:
///   - old: the older version.
///   - new: the newer version; entities and attributes go on under their renaming identifiers.
/// - Returns: the values by the entities, attributes and elements of the older version, such as `Place.mood.mood`, where
///   the cases of the newer one are known; those of one version where the other's are not known, and the older one's where
///   none was kept.
package func sharedCases(
    of old: ManagedObjectModel,
    and new: ManagedObjectModel
) -> [String: [AttributeValue]] {
    let all = enums(of: old, and: new).map { item in
        let now = item.now.map(\.value)
        let before = item.before?.map(\.value) ?? now
        let kept = before.filter(now.contains)
        let name = ([item.oldEntity, item.oldAttribute] + item.oldPath).joined(separator: ".")
        return (name, kept.isEmpty ? before : kept)
    }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
}

/// An enum whose cases the newer version knows, with those of the older one.
private struct EnumPair {
    var oldEntity: String
    var oldAttribute: String
    var oldPath: [String]
    var entity: String
    var attribute: Attribute
    var path: [String]
    /// The cases of the older version; `nil` where they are not known.
    var before: [EnumCases.Case]?
    var now: [EnumCases.Case]

    var removedCases: [RemovedCase] {
        let values = Set(now.map(\.value))
        let names = Set(now.map(\.name))
        return (before ?? []).filter { !values.contains($0.value) }.map { gone in
            RemovedCase(
                entity: entity,
                property: path == [attribute.name]
                    ? attribute.name : attribute.name.followed(by: path[0]),
                old: gone,
                isKeptByName: names.contains(gone.name),
                source: attribute.source
            )
        }
    }
}

private func enums(of old: ManagedObjectModel, and new: ManagedObjectModel) -> [EnumPair] {
    let entities = Dictionary(
        old.entities.map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )
    return new.entities.flatMap { entity -> [EnumPair] in
        guard let before = entities[entity.renamingIdentifier ?? entity.name] else { return [] }
        return entity.attributes.flatMap { attribute -> [EnumPair] in
            let name = attribute.renamingIdentifier ?? attribute.name
            guard let origin = before.attributes.first(where: { $0.name == name }) else {
                return []
            }
            return attribute.enumCases.paths.compactMap { path in
                // The only element of an enum is named as its attribute, which may have another name now.
                let oldPath = path == [attribute.name] ? [origin.name] : path
                guard let now = attribute.enumCases[path] else { return nil }
                return EnumPair(
                    oldEntity: before.name,
                    oldAttribute: origin.name,
                    oldPath: oldPath,
                    entity: entity.name,
                    attribute: attribute,
                    path: path,
                    before: origin.enumCases[oldPath],
                    now: now
                )
            }
        }
    }
}
