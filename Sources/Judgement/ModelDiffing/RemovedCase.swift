package import ObjectModel

/// A raw value of an enum of the old version for which the new one has no case, or another one.
///
/// Rows may hold it, and neither a hash nor a migration shows it.
package struct RemovedCase: Sendable, Hashable {
    package var entity: String
    /// The attribute in the new version, with the element of its composite, such as `place.mood`.
    package var property: String
    package var old: EnumCases.Case
    /// Whether a case of that name remains, with another value.
    package var isKeptByName: Bool
    /// The case that has the raw value now; `nil` for none.
    package var successor: String?
    package var source: SourceMark

    /// Lower case, no final period.
    package var message: String {
        if let successor {
            return
                "\(entity).\(property): the raw value '\(old.text)' was the case '\(old.name)' and is '\(successor)' now: "
                + "existing rows change their meaning; give each case its old raw value"
        }
        let what =
            isKeptByName
            ? "the raw value of the case '\(old.name)' was '\(old.text)'"
            : "the case '\(old.name)' with the raw value '\(old.text)' was removed"
        return "\(entity).\(property): \(what): the app crashes when it reads a row that holds it"
    }
}

/// Returns the enum values without their case in the new version, by entities and attributes of the newer one.
///
/// Entities and attributes continue under their renaming identifiers.
package func removedCases(
    from old: ManagedObjectModel,
    to new: ManagedObjectModel
) -> [RemovedCase] { enums(of: old, and: new).flatMap(\.removedCases) }

/// Returns the enum values that a row can have before and after a step: those of both versions.
///
/// They are by entities, attributes and elements of the older version, such as `Place.mood.mood`, if the newer one's cases
/// are known; those of one version if the other's are unknown, and the older one's if none was kept. Entities and
/// attributes continue under their renaming identifiers.
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
    return Dictionary(firstOf: all)
}

private struct EnumPair {
    var oldEntity: String
    var oldAttribute: String
    var oldPath: [String]
    var entity: String
    var attribute: Attribute
    var path: [String]
    /// `nil` where they are not known.
    var before: [EnumCases.Case]?
    var now: [EnumCases.Case]

    var removedCases: [RemovedCase] {
        let names = Set(now.map(\.name))
        let oldNames = Set((before ?? []).map(\.name))
        return (before ?? []).compactMap { gone in
            let successor = now.first { $0.value == gone.value }?.name
            // A case with a new name is renamed, and means the same.
            let isRenamed = successor.map { !names.contains(gone.name) && !oldNames.contains($0) }
            guard successor != gone.name, isRenamed != true else { return nil }
            return RemovedCase(
                entity: entity,
                property: path == [attribute.name]
                    ? attribute.name : attribute.name.followed(by: path[0]),
                old: gone,
                isKeptByName: names.contains(gone.name),
                successor: successor,
                source: attribute.source
            )
        }
    }
}

private func enums(of old: ManagedObjectModel, and new: ManagedObjectModel) -> [EnumPair] {
    let entities = Dictionary(firstOf: old.entities.map { ($0.name, $0) })
    return new.entities.flatMap { entity -> [EnumPair] in
        guard let before = entities[entity.matchingIdentifier] else { return [] }
        return entity.attributes.flatMap { attribute -> [EnumPair] in
            let name = attribute.matchingIdentifier
            guard !attribute.enumCases.paths.isEmpty,
                let origin = before.attributes.first(where: { $0.name == name })
            else {
                return []
            }
            return attribute.enumCases.paths.compactMap { path in
                // The only element of an enum has the name of its attribute, which may be renamed.
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
