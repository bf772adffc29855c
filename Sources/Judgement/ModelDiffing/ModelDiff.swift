package import Diagnostics
import ModelHashing
package import ObjectModel

package struct ModelDiff: Sendable, Hashable {
    /// The differences, in an order that does not depend on that of the sources.
    ///
    /// Entities by name, in each the entity itself, then its properties; the model's own settings last.
    package var changes: [ModelChange]
    /// By the name of the new entity.
    package var entityPairs: [EntityPair]
    /// The new names of continued entities whose version hashes change.
    package var movedEntities: [String]
    /// Renaming identifiers that more than one item claims; each is an error.
    package var conflicts: [MatchConflict]
    /// Possible renames that the model does not declare; asked about, never acted on.
    package var suspicions: [RenameSuspicion]

    package var isEmpty: Bool { changes.isEmpty }

    /// Whether the set of version hashes changes, so that Core Data would migrate a store.
    package var movesVersionHashes: Bool {
        !movedEntities.isEmpty || changes.contains { $0.addsOrRemovesEntity }
    }

    package var diagnostics: [Diagnostic] {
        conflicts.map(\.diagnostic) + suspicions.map(\.diagnostic)
    }
}

/// Compares two versions of a model.
///
/// Matching is Apple's, see `ModelMatching`. Broken models are compared as far as possible: an unknown parent counts as
/// none, and of two entities with the same name the first counts.
package func diff(from: ManagedObjectModel, to: ManagedObjectModel) -> ModelDiff {
    diff(ModelMatching(from: from, to: to))
}

package func diff(_ matching: ModelMatching) -> ModelDiff {
    var entityChanges: [(name: String, changes: [ModelChange])] = []
    var suspicions = entitySuspicions(matching)
    for entity in matching.addedEntities {
        entityChanges.append((entity.name, [.entityAdded(entity)]))
    }
    for entity in matching.removedEntities {
        entityChanges.append((entity.name, [.entityRemoved(entity)]))
    }
    // Sub-entities that leave a parent for another each meet the same moved properties.
    var reported: Set<[String]> = []
    for pair in matching.entityPairs {
        let comparison = EntityComparison(pair, matching, reported: &reported)
        entityChanges.append((pair.to.name, comparison.changes))
        suspicions += comparison.suspicions
    }
    // A removed and an added entity of one name are in this order: the sort is stable.
    let sorted = entityChanges.enumerated().sorted {
        ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
    }
    let changes = sorted.flatMap(\.element.changes) + modelChanges(matching)
    return ModelDiff(
        changes: changes,
        entityPairs: matching.entityPairs,
        movedEntities: matching.movedEntities,
        conflicts: matching.conflicts,
        suspicions: suspicions
    )
}

private func modelChanges(_ matching: ModelMatching) -> [ModelChange] {
    let (from, to) = (matching.from.model, matching.to.model)
    var changes = named(from.composites, to.composites).map { partChange(.compositeType, $0, $1) }
    changes += named(from.configurations, to.configurations)
        // A configuration of all entities says no more than they do, as in SwiftData.
        .filter { $0?.holdsAll(of: from) != true || $1?.holdsAll(of: to) != true }
        .map { partChange(.configuration, $0, $1) }
    changes += named(from.fetchRequestTemplates, to.fetchRequestTemplates)
        .map { partChange(.fetchRequest, $0, $1) }
    func text(_ identifiers: [String]) -> String? {
        identifiers.allSatisfy(\.isEmpty) ? nil : identifiers.joined(separator: ", ")
    }
    var settings = sourceChanges(from.documentSettings, to.documentSettings)
    if from.versionIdentifiers != to.versionIdentifiers {
        let (old, new) = (text(from.versionIdentifiers), text(to.versionIdentifiers))
        settings.insert((.versionIdentifiers, old, new), at: 0)
    }
    if from.unrecognized != to.unrecognized { settings.append((.unrecognized, nil, nil)) }
    return changes + settings.map { .setting($0.setting, from: $0.from, to: $0.to) }
}

extension ModelMatching {
    /// The new names of continued entities whose hashes differ, by the hashes themselves: these show what no single change
    /// tells, such as a derived attribute with another place among the properties.
    package var movedEntities: [String] {
        let (old, new) = (versions.from.hashes.entities, versions.to.hashes.entities)
        return entityPairs.filter { old[$0.from.name] != new[$0.to.name] }.map(\.to.name)
    }

    /// Renaming identifiers that more than one item claims.
    package var conflicts: [MatchConflict] {
        entityConflicts + entityPairs.flatMap { isUntouched($0) ? [] : conflicts(of: $0) }
    }
}

extension Configuration {
    fileprivate func holdsAll(of model: ManagedObjectModel) -> Bool {
        Set(memberEntities) == Set(model.entities.map(\.name))
    }
}

extension ModelChange {
    /// The marks of the change in both versions; `nil` on the side that lacks it.
    ///
    /// For what was added to or removed from an entity, the other side is the entity itself, for reports.
    package var sources: (from: SourceMark?, to: SourceMark?) {
        switch self {
        case .entityAdded(let entity): (nil, entity.source)
        case .entityRemoved(let entity): (entity.source, nil)
        case .entityChanged(let pair, let change): change.sources(in: pair)
        case .attributeAdded(let attribute, let pair): (pair.from.source, attribute.source)
        case .attributeRemoved(let attribute, let pair): (attribute.source, pair.to.source)
        case .attributeChanged(let pair, let change): change.sources(in: pair)
        case .relationshipAdded(let property, let pair): (pair.from.source, property.source)
        case .relationshipRemoved(let property, let pair): (property.source, pair.to.source)
        case .relationshipChanged(let pair, _): (pair.from.property.source, pair.to.property.source)
        case .part(let part): (part.from, part.to)
        case .setting: (nil, nil)
        }
    }

    /// The location in the old version: the changed XML attribute, or the element.
    package var fromLocation: FileLocation? { Self.location(sources.from, words.attribute) }

    /// The location in the new version: the changed XML attribute, or the element.
    package var toLocation: FileLocation? { Self.location(sources.to, words.attribute) }

    private static func location(_ mark: SourceMark?, _ attribute: String?) -> FileLocation? {
        guard let attribute else { return mark?.element }
        return mark?.location(of: attribute)
    }
}

extension EntityChange {
    fileprivate func sources(in pair: EntityPair) -> (from: SourceMark?, to: SourceMark?) {
        switch self {
        case .uniquenessConstraintAdded(let constraint): (pair.from.source, constraint.source)
        case .uniquenessConstraintRemoved(let constraint): (constraint.source, pair.to.source)
        case .fetchIndexAdded(let index): (pair.from.source, index.source)
        case .fetchIndexRemoved(let index): (index.source, pair.to.source)
        case .fetchIndex(let from, let to): (from.source, to.source)
        case .name, .abstractness, .parent, .compoundIndexes, .setting:
            (pair.from.source, pair.to.source)
        }
    }
}

extension AttributeChange {
    fileprivate func sources(
        in pair: PropertyPair<Attribute>
    ) -> (from: SourceMark?, to: SourceMark?) {
        let marks = (pair.from.property.source, pair.to.property.source)
        guard case .element(_, let change) = self else { return marks }
        return switch change {
        case .added(let element): (marks.0, element.source)
        case .removed(let element): (element.source, marks.1)
        case .changed(let from, let to, _): (from.source, to.source)
        }
    }
}
