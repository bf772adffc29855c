import ObjectModel

/// The limit of removed and added items of one kind to compare with each other.
private let candidateLimit = 100

private struct Candidate {
    var name: String
    var identifier: String
    var writtenIdentifier: String?
    var type: String
    var isMandatory = false
    var source: SourceMark
}

func propertySuspicions(
    _ pair: EntityPair,
    _ attributes: PropertyMatching<Attribute>,
    _ relationships: PropertyMatching<Relationship>,
    _ matching: ModelMatching
) -> [RenameSuspicion] {
    func attribute(_ attribute: Attribute) -> Candidate {
        candidate(attribute, type: "\(attribute.type.rawValue) \(attribute.compositeName ?? "")")
    }
    func link(_ relationship: Relationship, _ destination: String?) -> Candidate {
        candidate(relationship, type: "\(relationship.isToMany) \(destination ?? "")")
    }
    let values = unmoved(pair, attributes, matching) { matching.attributes(of: $0) }
    let found = search(values.removed.map(attribute), values.added.map(attribute))
    let ends = unmoved(pair, relationships, matching) { matching.relationships(of: $0) }
    let links = search(
        ends.removed.map { relationship in
            let old = relationship.destinationEntity ?? ""
            return link(relationship, matching.destinationName(ofSource: old))
        },
        ends.added.map { link($0, $0.destinationEntity) }
    )
    return found.map { suspicion(.attribute, pair.to.name, $0) }
        + links.map { suspicion(.relationship, pair.to.name, $0) }
}

/// The stored properties that an entity lost and got, without those that moved from or to entities below it.
private func unmoved<Value: Property>(
    _ pair: EntityPair,
    _ own: PropertyMatching<Value>,
    _ matching: ModelMatching,
    _ properties: (EntityPair) -> PropertyMatching<Value>
) -> (removed: [Value], added: [Value]) {
    let removed = own.removed(from: pair).filter { !$0.isTransient }
    let added = own.added(to: pair).filter { !$0.isTransient }
    guard !removed.isEmpty, !added.isEmpty else { return ([], []) }
    let below = matching.entityPairs.filter { other in
        other.from.name != pair.from.name
            && (matching.from.isEntity(other.from, kindOf: pair.from)
                || matching.to.isEntity(other.to, kindOf: pair.to))
    }.flatMap { properties($0).pairs }
    let old = Set(below.filter { $0.from.declaredBy == pair.from.name }.map(\.from.property.name))
    let new = Set(below.filter { $0.to.declaredBy == pair.to.name }.map(\.to.property.name))
    return (removed.filter { !old.contains($0.name) }, added.filter { !new.contains($0.name) })
}

func entitySuspicions(_ matching: ModelMatching) -> [RenameSuspicion] {
    func signature(_ entity: Entity) -> Set<String> {
        Set(
            entity.attributes.map { "\($0.name) \($0.type.rawValue)" }
                + entity.relationships.map { "\($0.name) \($0.isToMany)" }
        )
    }
    let old = matching.removedEntities.prefix(candidateLimit).map { ($0, signature($0)) }
    let new = matching.addedEntities.prefix(candidateLimit).map { ($0, signature($0)) }
    var taken: Set<String> = []
    return new.compactMap { entity, properties in
        let ranked = old.filter { !taken.contains($0.0.name) }
            .compactMap { candidate, others -> (Entity, RenameSuspicion.Ground, Int)? in
                let common = properties.intersection(others).count
                let from = entityCandidate(candidate)
                if let ground = identifierGround(from: from, to: entityCandidate(entity)) {
                    return (candidate, ground, Int.max)
                }
                guard common > 0, common * 2 > max(properties.count, others.count) else {
                    return nil
                }
                return (candidate, .sharedProperties, common)
            }
        // `max` takes the last of equals; the first by name is wanted.
        guard let best = ranked.reversed().max(by: { $0.2 < $1.2 }) else { return nil }
        taken.insert(best.0.name)
        return suspicion(.entity, nil, (entityCandidate(best.0), entityCandidate(entity), best.1))
    }
}

private func entityCandidate(_ entity: Entity) -> Candidate {
    Candidate(
        name: entity.name,
        identifier: entity.matchingIdentifier,
        writtenIdentifier: entity.renamingIdentifier,
        type: "",
        source: entity.source
    )
}

private func candidate(_ property: some Property, type: String) -> Candidate {
    Candidate(
        name: property.name,
        identifier: property.matchingIdentifier,
        writtenIdentifier: property.renamingIdentifier,
        type: type,
        isMandatory: !property.isOptional,
        source: property.source
    )
}

private func suspicion(
    _ kind: RenameSuspicion.Kind,
    _ entity: String?,
    _ found: (from: Candidate, to: Candidate, ground: RenameSuspicion.Ground)
) -> RenameSuspicion {
    RenameSuspicion(
        kind: kind,
        entity: entity,
        from: found.from.name,
        to: found.to.name,
        elementID: found.from.identifier,
        writtenID: found.to.writtenIdentifier,
        isFromMandatory: found.from.isMandatory,
        ground: found.ground,
        fromSource: found.from.source,
        toSource: found.to.source
    )
}

/// Pairs removed and added items, the surest grounds first; each item is in one pair at most.
private func search(
    _ removed: [Candidate],
    _ added: [Candidate]
) -> [(from: Candidate, to: Candidate, ground: RenameSuspicion.Ground)] {
    let removed = removed.prefix(candidateLimit)
    let added = added.prefix(candidateLimit)
    var pairs: [(from: Candidate, to: Candidate, ground: RenameSuspicion.Ground)] = []
    var takenOld: Set<String> = []
    var takenNew: Set<String> = []
    func take(_ ground: (Candidate, Candidate) -> RenameSuspicion.Ground?) {
        for new in added {
            for old in removed where !takenOld.contains(old.name) && !takenNew.contains(new.name) {
                guard let ground = ground(old, new) else { continue }
                takenOld.insert(old.name)
                takenNew.insert(new.name)
                pairs.append((old, new, ground))
            }
        }
    }
    take { identifierGround(from: $0, to: $1) }
    take { $0.type == $1.type && isSimilar($0.name, $1.name) ? .similarName : nil }
    let oldCounts = Dictionary(grouping: removed, by: \.type).mapValues(\.count)
    let newCounts = Dictionary(grouping: added, by: \.type).mapValues(\.count)
    take { old, new in
        old.type == new.type && oldCounts[old.type] == 1 && newCounts[new.type] == 1
            ? .onlyCandidates : nil
    }
    return pairs
}

private func identifierGround(from: Candidate, to: Candidate) -> RenameSuspicion.Ground? {
    if from.name == to.name { return .staleIdentifier }
    return to.writtenIdentifier == from.name ? .nameInsteadOfIdentifier : nil
}

/// Whether one name contains the other, or at most a third of the letters differ.
package func isSimilar(_ left: String, _ right: String) -> Bool {
    let left = Array(left.lowercased().utf8.prefix(64))
    let right = Array(right.lowercased().utf8.prefix(64))
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    guard short.count >= 3 else { return false }
    if long.starts(with: short) || long.reversed().starts(with: short.reversed()) { return true }
    return distance(left, right) * 3 <= long.count
}

private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for (column, other) in right.enumerated() {
            let cost = min(row[column], row[column + 1]) + 1
            let replaced = diagonal + (byte == other ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(cost, replaced)
        }
    }
    return row[right.count]
}
