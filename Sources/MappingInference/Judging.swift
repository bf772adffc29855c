import Diagnostics
import ModelDiffing
import ObjectModel

/// What a rule of the table says about a change.
struct Ruling {
    var verdict: Verdict
    var rule: RuleID
    var effect: String
    var cure: String?
    var evidence: Evidence

    init(
        _ verdict: Verdict,
        _ rule: RuleID,
        _ effect: String,
        cure: String? = nil,
        evidence: Evidence
    ) {
        self.verdict = verdict
        self.rule = rule
        self.effect = effect
        self.cure = cure
        self.evidence = evidence
    }
}

/// Judges every difference by the rule table (MIGRATION_BEHAVIOUR 1.3).
///
/// What does not move a version hash triggers nothing (1.1), whatever it is.
func judge(
    _ diff: ModelDiff,
    _ matching: ModelMatching,
    _ options: InferenceOptions
) -> [Judgement] {
    let merged = Set(mergedHierarchies(matching).map(\.root.name))
    return diff.changes.map { change in
        let ruling = rule(change, matching, options, merged: merged)
        let isSilent = !change.movesVersionHash && ruling.verdict.isInferable
        return Judgement(
            change: change,
            verdict: isSilent ? .noEffectOnHash : ruling.verdict,
            rule: ruling.rule,
            effect: ruling.effect,
            cure: ruling.cure,
            evidence: ruling.evidence
        )
    }
}

private func rule(
    _ change: ModelChange,
    _ matching: ModelMatching,
    _ options: InferenceOptions,
    merged: Set<String>
) -> Ruling {
    switch change {
    case .entityAdded:
        // [DOC] [STORE] Wire 2.74 → 2.75.
        Ruling(.lightweight, "entity-added", "a new entity without objects", evidence: .measured)
    case .entityRemoved:
        // [DOC] [STORE] Wire 2.100 → 2.101.
        Ruling(
            .losesData,
            "entity-removed",
            "the entity and its objects are dropped",
            cure: "if it was renamed, set the renaming identifier of the new entity",
            evidence: .measured
        )
    case .entityChanged(let pair, let change):
        rule(change, pair, matching, merged: merged)
    case .attributeAdded(let attribute, let pair):
        ruleAddition(of: attribute, to: pair)
    case .attributeRemoved(let attribute, _):
        ruleRemoval(of: attribute)
    case .attributeChanged(let pair, let change):
        rule(
            change,
            from: pair.from.property,
            to: pair.to.property,
            options,
            isOptionalAsWhole: false
        )
    case .relationshipAdded(let relationship, _):
        ruleAddition(of: relationship)
    case .relationshipRemoved(let relationship, _):
        ruleRemoval(of: relationship)
    case .relationshipChanged(let pair, let change):
        rule(change, pair, matching)
    case .fetchedPropertyAdded, .fetchedPropertyRemoved, .fetchedPropertyChanged:
        Ruling(
            .noEffectOnHash,
            "fetched-property-changed",
            "fetched properties are not stored",
            evidence: .documented
        )
    case .compositeTypeAdded, .compositeTypeRemoved, .compositeTypeChanged:
        Ruling(
            .noEffectOnHash,
            "composite-type-changed",
            "only the attributes of the type matter; each is listed separately",
            evidence: .inferred
        )
    case .configurationAdded, .configurationRemoved, .configurationChanged:
        Ruling(
            .noEffectOnHash,
            "configuration-changed",
            "stores of a configuration hold other entities from now on",
            evidence: .inferred
        )
    case .fetchRequestTemplateAdded, .fetchRequestTemplateRemoved, .fetchRequestTemplateChanged:
        Ruling(
            .noEffectOnHash,
            "fetch-request-changed",
            "fetch requests are not stored",
            evidence: .documented
        )
    case .versionIdentifiers:
        Ruling(
            .noEffectOnHash,
            "version-identifiers-changed",
            "version identifiers are hints only",
            evidence: .documented
        )
    case .documentSetting, .unrecognized:
        Ruling(
            .noEffectOnHash,
            "setting-changed",
            "says nothing about the data",
            evidence: .documented
        )
    }
}

private func rule(
    _ change: EntityChange,
    _ pair: EntityPair,
    _ matching: ModelMatching,
    merged: Set<String>
) -> Ruling {
    switch change {
    case .name:
        // [DOC]; [TEST] Woo 114 → 115.
        Ruling(
            .lightweight,
            "entity-renamed",
            "objects are kept under the new name",
            evidence: .tested
        )
    case .abstractness(_, let isAbstract):
        // In the hash [DOC]; rows of an abstract entity have no legal entity [INF].
        isAbstract
            ? Ruling(
                .dependsOnRows,
                "entity-becomes-abstract",
                "objects of exactly this entity would have no legal entity",
                cure: "move or delete them in a custom stage beforehand",
                evidence: .inferred
            )
            : Ruling(
                .lightweight,
                "entity-becomes-concrete",
                "no object is touched",
                evidence: .inferred
            )
    case .parent(_, _, let isRename):
        ruleParent(pair, matching, merged: merged, isRename: isRename)
    case .uniquenessConstraintAdded(let constraint):
        ruleUniqueness(constraint, pair, matching)
    case .uniquenessConstraintRemoved:
        // [APP] LoopKit.
        Ruling(
            .lightweight,
            "uniqueness-constraint-removed",
            "the unique index is dropped",
            evidence: .shipped
        )
    case .versionHashModifier:
        // The way to force a migration [DOC]; Wire "add index", Woo TaxRate "2" [APP].
        Ruling(
            .lightweight,
            "hash-modifier-changed",
            "objects are kept; indexes are rebuilt",
            evidence: .documented
        )
    case .fetchIndexAdded, .fetchIndexRemoved, .fetchIndex, .compoundIndexes:
        // Not in the hash; rebuilt when a migration happens anyway [STORE] Wire 2.26 → 2.27.
        Ruling(
            .noEffectOnHash,
            "fetch-index-changed",
            "existing stores keep their indexes until they are migrated",
            cure: "set a version hash modifier to have indexes rebuilt",
            evidence: .measured
        )
    case .renamingIdentifier:
        Ruling(
            .noEffectOnHash,
            "renaming-identifier-changed",
            "only affects how versions are matched",
            evidence: .documented
        )
    case .className:
        Ruling(.noEffectOnHash, "class-changed", "classes are not stored", evidence: .measured)
    case .userInfo:
        Ruling(
            .noEffectOnHash,
            "user-info-changed",
            "user info is not stored",
            evidence: .documented
        )
    case .setting, .unrecognized:
        Ruling(
            .noEffectOnHash,
            "setting-changed",
            "says nothing about the data",
            evidence: .documented
        )
    }
}

/// Duplicates make the whole migration fail [LOG]; what a parent's constraint held already has none.
private func ruleUniqueness(
    _ constraint: UniquenessConstraint,
    _ pair: EntityPair,
    _ matching: ModelMatching
) -> Ruling {
    heldConstraints(pair, matching).contains(Set(constraint.properties))
        ? Ruling(
            .lightweight,
            "uniqueness-constraint-moved",
            "the rows already met it",
            evidence: .inferred
        )
        : Ruling(
            .dependsOnRows,
            "uniqueness-constraint-added",
            "duplicates make the whole migration fail with 134110",
            cure: "remove duplicates in a custom stage beforehand",
            evidence: .reported
        )
}

/// New parents, and moves into and out of a hierarchy, are documented (WWDC22 10120); merging is not.
private func ruleParent(
    _ pair: EntityPair,
    _ matching: ModelMatching,
    merged: Set<String>,
    isRename: Bool
) -> Ruling {
    if isRename {
        return Ruling(.lightweight, "parent-renamed", "objects are kept", evidence: .documented)
    }
    guard !merged.contains(matching.newProperties.lists(of: pair.to).root) else {
        return Ruling(
            .impossible,
            "merged-hierarchies",
            "Core Data does not merge the tables of several root entities",
            cure: "keep the hierarchies apart, or add a new entity and move the objects in a custom"
                + " stage",
            evidence: .documented
        )
    }
    // What comes and goes with the parent is no change of the entity's own, so it is judged here.
    let attributes = matching.attributes(of: pair)
    let relationships = matching.relationships(of: pair)
    let inherited =
        attributes.added.filter { $0.declaredBy != pair.to.name }
        .map { ruleAddition(of: $0.property, to: pair) }
        + attributes.removed.filter { $0.declaredBy != pair.from.name }
        .map { ruleRemoval(of: $0.property) }
        + relationships.added.filter { $0.declaredBy != pair.to.name }
        .map { ruleAddition(of: $0.property) }
        + relationships.removed.filter { $0.declaredBy != pair.from.name }
        .map { ruleRemoval(of: $0.property) }
    let worst = inherited.max { $0.verdict < $1.verdict }
    guard let worst, worst.verdict > .lightweight else {
        return Ruling(.lightweight, "parent-changed", "objects are kept", evidence: .documented)
    }
    return Ruling(
        worst.verdict,
        "parent-changed",
        "objects are kept; inherited properties: \(worst.effect)",
        cure: worst.cure,
        evidence: .documented
    )
}
