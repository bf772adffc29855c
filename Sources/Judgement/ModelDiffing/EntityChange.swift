package import ObjectModel

package enum EntityChange: Sendable, Hashable {
    /// By a renaming identifier.
    case name(from: String, to: String)
    case abstractness(from: Bool, to: Bool)
    /// `isRename` when the new name continues the old parent.
    case parent(from: String?, to: String?, isRename: Bool)
    case uniquenessConstraintAdded(UniquenessConstraint)
    case uniquenessConstraintRemoved(UniquenessConstraint)
    case fetchIndexAdded(FetchIndex)
    case fetchIndexRemoved(FetchIndex)
    case fetchIndex(from: FetchIndex, to: FetchIndex)
    case compoundIndexes(from: [[String]], to: [[String]])
    case setting(PlainSetting, from: String?, to: String?)

    /// Whether the entity's version hash moves (VersionHashes, "Entities").
    ///
    /// A parent that was renamed moves it too: the parent's hash is part of it.
    package var movesVersionHash: Bool {
        switch self {
        case .name, .abstractness, .parent, .uniquenessConstraintAdded,
            .uniquenessConstraintRemoved:
            true
        case .setting(let setting, _, _): setting == .versionHashModifier
        case .fetchIndexAdded, .fetchIndexRemoved, .fetchIndex, .compoundIndexes: false
        }
    }
}

func entityChanges(_ pair: EntityPair, _ matching: ModelMatching) -> [EntityChange] {
    let (from, to) = (pair.from, pair.to)
    var changes: [EntityChange] = []
    if from.name != to.name { changes.append(.name(from: from.name, to: to.name)) }
    if from.isAbstract != to.isAbstract {
        changes.append(.abstractness(from: from.isAbstract, to: to.isAbstract))
    }
    // An unknown parent counts as none, as for the graph.
    let oldParent = matching.from.parent(of: from)?.name
    let newParent = matching.to.parent(of: to)?.name
    let isSameParent = matching.isSameEntity(oldParent, newParent)
    if !isSameParent || oldParent != newParent {
        changes.append(.parent(from: oldParent, to: newParent, isRename: isSameParent))
    }
    changes += uniquenessChanges(pair, matching)
    func plain(_ change: PlainChange) -> EntityChange {
        .setting(change.setting, from: change.from, to: change.to)
    }
    changes += identityChanges(from: from, to: to).map(plain)
    changes += textChange(.className, from.className, to.className).map(plain)
    changes += fetchIndexChanges(from.fetchIndexes, to.fetchIndexes)
    if from.compoundIndexes != to.compoundIndexes {
        changes.append(.compoundIndexes(from: from.compoundIndexes, to: to.compoundIndexes))
    }
    return changes + remainingChanges(from: from, to: to).map(plain)
}

private func uniquenessChanges(_ pair: EntityPair, _ matching: ModelMatching) -> [EntityChange] {
    guard pair.from.uniquenessConstraints != pair.to.uniquenessConstraints else { return [] }
    // A constraint continues if the properties that continue its own ones are constrained.
    let newNames = matching.newNames(of: pair)
    let old = pair.from.uniquenessConstraints
    let new = pair.to.uniquenessConstraints
    let continued = old.map { $0.properties.map { newNames[$0] ?? $0 } }
    let oldSet = Set(continued)
    let newSet = Set(new.map(\.properties))
    let removed = zip(old, continued).filter { !newSet.contains($1) }.map(\.0)
    let added = new.filter { !oldSet.contains($0.properties) }
    return removed.map { .uniquenessConstraintRemoved($0) }
        + added.map { .uniquenessConstraintAdded($0) }
}

private func fetchIndexChanges(_ from: [FetchIndex], _ to: [FetchIndex]) -> [EntityChange] {
    named(from, to).map { old, new in
        switch (old, new) {
        case (let old?, let new?): .fetchIndex(from: old, to: new)
        case (let old?, nil): .fetchIndexRemoved(old)
        case (nil, let new?): .fetchIndexAdded(new)
        case (nil, nil): nil
        }
    }.compactMap(\.self)
}
