package import ObjectModel

package enum EntityChange: Sendable, Hashable {
    /// By a renaming identifier.
    case name(from: String, to: String)
    case abstractness(from: Bool, to: Bool)
    /// `isRename` when the new name continues the old parent.
    case parent(from: String?, to: String?, isRename: Bool)
    case uniquenessConstraintAdded(UniquenessConstraint)
    case uniquenessConstraintRemoved(UniquenessConstraint)
    case versionHashModifier(from: String?, to: String?)
    case renamingIdentifier(from: String?, to: String?)
    case className(from: String?, to: String?)
    case fetchIndexAdded(FetchIndex)
    case fetchIndexRemoved(FetchIndex)
    case fetchIndex(from: FetchIndex, to: FetchIndex)
    case compoundIndexes(from: [[String]], to: [[String]])
    case userInfo(from: [UserInfoEntry], to: [UserInfoEntry])
    /// A setting without effect on the data, by its XML attribute name.
    case setting(name: String, from: String?, to: String?)
    case unrecognized(from: [UnrecognizedItem], to: [UnrecognizedItem])
}

extension EntityChange {
    /// Whether the entity's version hash moves (VersionHashes, "Entities").
    ///
    /// A parent that was renamed moves it too: the parent's hash is part of it.
    package var movesVersionHash: Bool {
        switch self {
        case .name, .abstractness, .parent, .uniquenessConstraintAdded,
            .uniquenessConstraintRemoved, .versionHashModifier:
            true
        case .renamingIdentifier, .className, .fetchIndexAdded, .fetchIndexRemoved, .fetchIndex,
            .compoundIndexes, .userInfo, .setting, .unrecognized:
            false
        }
    }

    /// The XML attribute of the change; `nil` where it is an element.
    package var sourceAttribute: String? {
        switch self {
        case .name: "name"
        case .abstractness: "isAbstract"
        case .parent: "parentEntity"
        case .versionHashModifier: "versionHashModifier"
        case .renamingIdentifier: "elementID"
        case .className: "representedClassName"
        case .setting(let name, _, _): name
        case .uniquenessConstraintAdded, .uniquenessConstraintRemoved, .fetchIndexAdded,
            .fetchIndexRemoved, .fetchIndex, .compoundIndexes, .userInfo, .unrecognized:
            nil
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
    if from.versionHashModifier != to.versionHashModifier {
        changes.append(
            .versionHashModifier(from: from.versionHashModifier, to: to.versionHashModifier)
        )
    }
    if from.renamingIdentifier != to.renamingIdentifier {
        changes.append(
            .renamingIdentifier(from: from.renamingIdentifier, to: to.renamingIdentifier)
        )
    }
    if from.className != to.className {
        changes.append(.className(from: from.className, to: to.className))
    }
    changes += fetchIndexChanges(from.fetchIndexes, to.fetchIndexes)
    if from.compoundIndexes != to.compoundIndexes {
        changes.append(.compoundIndexes(from: from.compoundIndexes, to: to.compoundIndexes))
    }
    if from.userInfo != to.userInfo {
        changes.append(.userInfo(from: from.userInfo, to: to.userInfo))
    }
    changes += settingChanges(from.sourceSettings, to.sourceSettings)
        .map { .setting(name: $0.name, from: $0.from, to: $0.to) }
    if from.unrecognized != to.unrecognized {
        changes.append(.unrecognized(from: from.unrecognized, to: to.unrecognized))
    }
    return changes
}

private func uniquenessChanges(_ pair: EntityPair, _ matching: ModelMatching) -> [EntityChange] {
    guard pair.from.uniquenessConstraints != pair.to.uniquenessConstraints else { return [] }
    // A constraint continues if the properties that continue its own ones are constrained.
    var newNames: [String: String] = [:]
    for match in matching.attributes(of: pair).pairs {
        newNames[match.from.property.name] = match.to.property.name
    }
    for match in matching.relationships(of: pair).pairs {
        newNames[match.from.property.name] = match.to.property.name
    }
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
