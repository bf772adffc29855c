import Diagnostics
import ModelDiffing
import ObjectModel

func ruleAddition(of relationship: Relationship) -> Ruling {
    if relationship.isTransient {
        return Ruling(
            .noEffectOnHash,
            "relationship-added",
            "transient properties are not stored",
            evidence: .measured
        )
    }
    if relationship.isToMany || relationship.isOptional {
        // [STORE] Wire 2.54 → 2.57; to-many ones need not be optional [APP] Wire, six times.
        return Ruling(
            .lightweight,
            "relationship-added",
            "existing objects have no links",
            evidence: .measured
        )
    }
    // openradar 12153321; the three cases of the corpus ship a mapping model.
    return Ruling(
        .needsCustomStage,
        "mandatory-relationship-added",
        "Core Data refuses: existing objects have no destination",
        cure: "make '\(relationship.name)' optional, or fill it in a custom stage",
        evidence: .reported
    )
}

func ruleRemoval(of relationship: Relationship) -> Ruling {
    if relationship.isTransient {
        return Ruling(
            .noEffectOnHash,
            "relationship-removed",
            "transient properties are not stored",
            evidence: .measured
        )
    }
    // The column or join table goes with its rows [STORE] Wire 2.92 → 2.93, 2.8 → 2.21.
    return Ruling(
        .losesData,
        "relationship-removed",
        "the links are dropped",
        cure: "if it was renamed, set the renaming identifier of the new relationship",
        evidence: .measured
    )
}

func rule(
    _ change: RelationshipChange,
    _ pair: PropertyPair<Relationship>,
    _ matching: ModelMatching
) -> Ruling {
    let (from, to) = (pair.from.property, pair.to.property)
    switch change {
    case .name:
        return Ruling(
            .lightweight,
            "relationship-renamed",
            "links are kept under the new name",
            evidence: .documented
        )
    case .declaringEntity:
        return Ruling(.lightweight, "relationship-moved", "links are kept", evidence: .documented)
    case .destination(_, _, let isRename):
        return ruleDestination(isRename: isRename, from, to, matching)
    case .inverse(_, _, let isRename):
        if losesOrderInManyToMany(from, to, matching) { return orderLost }
        // [APP] Wire 2.10 → 2.11, 2.30 → 2.31.
        return Ruling(
            .lightweight,
            isRename ? "inverse-renamed" : "inverse-changed",
            "links are kept",
            evidence: .shipped
        )
    case .cardinality(_, let isToMany):
        return isToMany ? ruleToMany(from, to, matching) : toOne
    case .order(_, let isOrdered):
        // [TEST] Woo 25 → 26, 30 → 31, 65 → 66; [STORE] Wire 2.59 → 2.60.
        return isOrdered
            ? Ruling(
                .lightweight,
                "relationship-becomes-ordered",
                "links are kept and numbered",
                evidence: .tested
            )
            : Ruling(
                to.isToMany ? .losesData : .lightweight,
                "relationship-becomes-unordered",
                "links are kept, not their order",
                evidence: .measured
            )
    case .maximumCount where hasLowerLimit(from, to):
        return Ruling(
            .dependsOnRows,
            "relationship-maximum-lowered",
            "links are kept, but objects with more of them cannot be saved",
            evidence: .inferred
        )
    case .minimumCount, .maximumCount:
        // In the hash; the data is not checked [INF].
        return Ruling(
            .lightweight,
            "relationship-count-changed",
            "links are kept, not checked",
            evidence: .inferred
        )
    case .optionality(_, let isOptional):
        return ruleOptionality(isOptional, to)
    case .transience(_, let isTransient):
        return ruleTransience(isTransient, to)
    case .deleteRule:
        // Not in the hash [STORE] Wire 2.46 → 2.49, though Apple's page says it is.
        return Ruling(.noEffectOnHash, "delete-rule-changed", "links are kept", evidence: .measured)
    case .versionHashModifier:
        return Ruling(
            .lightweight,
            "hash-modifier-changed",
            "links are kept",
            evidence: .documented
        )
    case .inverseEntity, .flag, .renamingIdentifier, .userInfo, .setting, .unrecognized:
        return Ruling(.noEffectOnHash, "setting-changed", "links are kept", evidence: .documented)
    }
}

/// Legal: artsy's tests open four old stores, Nova ships it (MIGRATION_BEHAVIOUR 1.3).
private func ruleDestination(
    isRename: Bool,
    _ from: Relationship,
    _ to: Relationship,
    _ matching: ModelMatching
) -> Ruling {
    if isRename {
        return Ruling(
            .lightweight,
            "destination-renamed",
            "links are kept",
            evidence: .documented
        )
    }
    switch DestinationReach(from: from, to: to, matching) {
    case .all:
        return Ruling(
            .lightweightThoughUndocumented,
            "relationship-destination-changed",
            "links are kept: all lead to objects of the new destination",
            evidence: .tested
        )
    case .some:
        return Ruling(
            .losesData,
            "relationship-destination-changed",
            "links to objects of other entities than the new destination are dropped",
            cure:
                "keep what they lead to by a relationship of another name, filled in a custom stage",
            evidence: .tested
        )
    case .none where !to.isOptional && !to.isToMany:
        return ruleAddition(of: to)
    case .none:
        return Ruling(
            .losesData,
            "relationship-destination-changed",
            "the relationship counts as new, and its old links are dropped",
            cure:
                "keep what they lead to by a relationship of another name, filled in a custom stage",
            evidence: .tested
        )
    }
}

/// Links are kept [DOC]; an ordered inverse loses its order when both sides become many [TEST] DuckDuckGo.
private func ruleToMany(
    _ from: Relationship,
    _ to: Relationship,
    _ matching: ModelMatching
) -> Ruling {
    if let old = matching.from.inverse(of: from)?.0, let new = matching.to.inverse(of: to)?.0,
        old.isToMany, old.isOrdered, new.isToMany, new.isOrdered
    {
        return orderLost
    }
    return Ruling(
        .lightweight,
        "relationship-becomes-to-many",
        "links are kept",
        evidence: .documented
    )
}

private var orderLost: Ruling {
    Ruling(
        .losesData,
        "order-lost-in-many-to-many",
        "links are kept, their order is lost",
        cure: "read the order in a custom stage beforehand and write it back afterwards",
        evidence: .tested
    )
}

/// Which link survives is on no record [UNV]: lossy until someone says which.
private var toOne: Ruling {
    Ruling(
        .losesData,
        "relationship-becomes-to-one",
        "of several links one is kept",
        cure: "leave one link to each object in a custom stage beforehand",
        evidence: .unverified
    )
}

private func ruleOptionality(_ isOptional: Bool, _ relationship: Relationship) -> Ruling {
    isOptional || relationship.isToMany
        ? Ruling(
            .lightweight,
            "relationship-optionality-changed",
            "links are kept",
            evidence: .measured
        )
        : Ruling(
            .dependsOnRows,
            "relationship-becomes-mandatory",
            "any object without a destination makes the migration fail",
            cure: "link every object in a custom stage beforehand",
            evidence: .inferred
        )
}

private func ruleTransience(_ isTransient: Bool, _ relationship: Relationship) -> Ruling {
    if isTransient {
        return Ruling(
            .losesData,
            "relationship-becomes-transient",
            "the stored links are dropped",
            evidence: .unverified
        )
    }
    return relationship.isOptional || relationship.isToMany
        ? Ruling(
            .lightweightThoughUndocumented,
            "relationship-becomes-stored",
            "existing objects have no links",
            evidence: .inferred
        )
        : ruleAddition(of: relationship)
}
