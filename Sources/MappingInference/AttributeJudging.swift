import Diagnostics
import ModelDiffing
import ObjectModel

func ruleAddition(of attribute: Attribute, to pair: EntityPair) -> Ruling {
    if attribute.isTransient {
        return Ruling(
            .noEffectOnHash,
            "attribute-added",
            "transient attributes are not stored",
            evidence: .measured
        )
    }
    if attribute.derivation != nil {
        // Computed on save; how existing rows are filled is on no record [UNV].
        return Ruling(
            .lightweightThoughUndocumented,
            "derived-attribute-added",
            "existing rows must be computed",
            evidence: .unverified
        )
    }
    if attribute.type == .composite {
        // Flattened columns; nothing public on inference [UNV].
        return Ruling(
            .lightweightThoughUndocumented,
            "composite-attribute-added",
            "each element is added like an attribute of its own",
            evidence: .unverified
        )
    }
    if attribute.isOptional || attribute.defaultValue != nil {
        // [STORE] Wire 2.91 → 2.92, 2.95 → 2.96: the default is written for optional ones too.
        return Ruling(
            .lightweight,
            "attribute-added",
            filling(of: attribute),
            evidence: .measured
        )
    }
    // [LOG] ottijp, Seam3 #77.
    return Ruling(
        pair.from.isAbstract && pair.to.isAbstract ? .lightweight : .dependsOnRows,
        "mandatory-attribute-added",
        "any existing object makes the migration fail with 134110",
        cure: "give '\(attribute.name)' a default value, or make it optional",
        evidence: .reported
    )
}

/// Says what existing rows get.
private func filling(of attribute: Attribute) -> String {
    guard attribute.defaultValue != nil else { return "existing rows get NULL" }
    guard case .moment(let text) = attribute.unstatedDefault else {
        return "existing rows get the default"
    }
    return "all existing rows get one value of \(text), the same one"
}

func ruleRemoval(of attribute: Attribute) -> Ruling {
    if attribute.isTransient {
        return Ruling(
            .noEffectOnHash,
            "attribute-removed",
            "transient attributes are not stored",
            evidence: .measured
        )
    }
    // The column is really dropped [STORE] Wire 2.99 → 2.100.
    return Ruling(
        .losesData,
        "attribute-removed",
        "the values are dropped",
        cure: "if it was renamed, set the renaming identifier of the new attribute",
        evidence: .measured
    )
}

func rule(
    _ change: AttributeChange,
    from: Attribute,
    to: Attribute,
    _ options: InferenceOptions,
    isOptionalAsWhole: Bool
) -> Ruling {
    switch change {
    case .name:
        // [DOC]; the column is renamed [STORE] Wire 2.46 → 2.49.
        Ruling(
            .lightweight,
            "attribute-renamed",
            "values are kept under the new name",
            evidence: .measured
        )
    case .declaringEntity:
        // [DOC] WWDC22 10120.
        Ruling(.lightweight, "attribute-moved", "values are kept", evidence: .documented)
    case .type(let old, let new):
        ruleType(AttributeConversion(from: old, to: new, options: options), from: from, to: to)
    case .optionality(_, let isOptional):
        ruleOptionality(isOptional || isOptionalAsWhole, of: to)
    case .transience(_, let isTransient):
        ruleTransience(isTransient, of: to)
    case .derivation:
        Ruling(
            .lightweightThoughUndocumented,
            "derivation-changed",
            "existing rows must be computed anew",
            evidence: .unverified
        )
    case .element(_, let change):
        ruleElement(change, of: to, options)
    case .flag(let flag, _, _):
        rule(flag)
    case .versionHashModifier:
        Ruling(.lightweight, "hash-modifier-changed", "values are kept", evidence: .documented)
    case .defaultValue:
        // Not in the hash (1.1), and never filled in afterwards [LOG] forum 734693.
        Ruling(
            .noEffectOnHash,
            "default-changed",
            "existing rows keep their values",
            cure: "fill existing rows in a custom stage if they need the new default",
            evidence: .reported
        )
    case .compositeName, .validation, .valueTransformerName, .customClassName,
        .renamingIdentifier, .userInfo, .setting, .unrecognized:
        ruleSetting(change)
    }
}

/// What a flag does that is in the hash is said one by one; the others do nothing.
private func rule(_ flag: PropertyFlag) -> Ruling {
    switch flag {
    case .externalStorage:
        // In the hash (VERSION_HASH); the forms are on record (STORE_LAYOUT 8), the migration is not [UNV].
        Ruling(
            .lightweightThoughUndocumented,
            "external-storage-changed",
            "values are rewritten with a mark that tells whether they are in the store or in a file",
            evidence: .unverified
        )
    case .preservationAfterDeletion:
        Ruling(
            .lightweightThoughUndocumented,
            "preservation-after-deletion-changed",
            "values are kept",
            evidence: .unverified
        )
    case .cloudEncryption, .indexed, .spotlightIndexing, .storedInTruthFile:
        Ruling(.noEffectOnHash, "setting-changed", "values are kept", evidence: .documented)
    }
}

/// The numeric family is observed, URI to String in one app; String to Binary is refused.
private func ruleType(
    _ conversion: AttributeConversion,
    from: Attribute,
    to: Attribute
) -> Ruling {
    switch conversion {
    case .none:
        return Ruling(
            .lightweight,
            "attribute-type-changed",
            "values are kept",
            evidence: .inferred
        )
    case .numeric(.integer64, .double):
        // Narrowing above 2⁵³, and the best observed of all: [TEST] Woo 87 → 88.
        return Ruling(
            .lightweightThoughUndocumented,
            "numeric-type-changed",
            "values are converted",
            evidence: .shipped
        )
    case .numeric, .unverified:
        return conversion.isNarrowing
            ? Ruling(
                .dependsOnRows,
                "numeric-type-narrowed",
                "values that do not fit are changed",
                evidence: .unverified
            )
            : Ruling(
                .lightweightThoughUndocumented,
                "numeric-type-changed",
                "values are converted",
                evidence: .shipped
            )
    case .externalStorage:
        return Ruling(
            .lightweightThoughUndocumented,
            "external-storage-changed",
            "values are rewritten with a mark that tells whether they are in the store or in a file",
            evidence: .unverified
        )
    case .uriToString:
        return Ruling(
            .lightweightThoughUndocumented,
            "uri-becomes-string",
            "the text is used as it is",
            evidence: .shipped
        )
    case .incompatible(let from, let to):
        return Ruling(
            .needsCustomStage,
            "incompatible-attribute-types",
            AttributeConversion.refusalEvidence(from, to).isGuess
                ? "momtool cannot tell whether Core Data converts the values"
                : "Core Data refuses with 134190",
            cure: "add a new attribute and convert \(from.displayName) to \(to.displayName) in a"
                + " custom stage or a mapping model",
            evidence: AttributeConversion.refusalEvidence(from, to)
        )
    }
}

private func ruleOptionality(_ isOptional: Bool, of attribute: Attribute) -> Ruling {
    if isOptional {
        return Ruling(
            .lightweight,
            "attribute-becomes-optional",
            "values are kept",
            evidence: .documented
        )
    }
    if attribute.defaultValue != nil {
        // [DOC] "and defining a default"; [APP] brave Model19 → 20.
        return Ruling(
            .lightweight,
            "attribute-becomes-mandatory",
            "NULL becomes the default, other values are kept",
            evidence: .documented
        )
    }
    if attribute.derivation != nil {
        return Ruling(
            .lightweight,
            "attribute-becomes-mandatory",
            "values are computed",
            evidence: .documented
        )
    }
    return Ruling(
        .dependsOnRows,
        "mandatory-without-default",
        "any NULL makes the migration fail with 134110",
        cure:
            "give '\(attribute.name)' a default value, or fill NULLs in a custom stage beforehand",
        evidence: .reported
    )
}

private func ruleTransience(_ isTransient: Bool, of attribute: Attribute) -> Ruling {
    if isTransient {
        return Ruling(
            .losesData,
            "attribute-becomes-transient",
            "the stored values are dropped",
            evidence: .inferred
        )
    }
    // [APP] Wire 2.66 → 2.67.
    let isFilled = attribute.isOptional || attribute.defaultValue != nil
    return isFilled || attribute.derivation != nil
        ? Ruling(
            .lightweightThoughUndocumented,
            "attribute-becomes-stored",
            "existing rows get the default or NULL",
            evidence: .shipped
        )
        : Ruling(
            .dependsOnRows,
            "mandatory-attribute-added",
            "any existing object makes the migration fail with 134110",
            cure: "give '\(attribute.name)' a default value, or make it optional",
            evidence: .reported
        )
}

/// Elements are flattened columns: as attributes are, but nothing public says so [UNV].
private func ruleElement(
    _ change: AttributeChange.ElementChange,
    of composite: Attribute,
    _ options: InferenceOptions
) -> Ruling {
    switch change {
    case .added(let element):
        return element.isOptional || element.defaultValue != nil || composite.isOptional
            ? Ruling(
                .lightweightThoughUndocumented,
                "composite-element-added",
                "existing rows get the default or NULL",
                evidence: .unverified
            )
            : Ruling(
                .dependsOnRows,
                "mandatory-composite-element-added",
                "any existing object may make the migration fail; momtool cannot tell",
                cure: "give '\(element.name)' a default value, or make it optional",
                evidence: .unverified
            )
    case .removed:
        return Ruling(
            .losesData,
            "composite-element-removed",
            "the values are dropped",
            evidence: .unverified
        )
    case .changed(let from, let to, let change):
        var ruling = rule(
            change,
            from: from,
            to: to,
            options,
            isOptionalAsWhole: composite.isOptional
        )
        if ruling.verdict == .lightweight { ruling.verdict = .lightweightThoughUndocumented }
        return ruling
    }
}

/// What is in no hash, and so triggers nothing (1.1; VERSION_HASH, Attribute).
private func ruleSetting(_ change: AttributeChange) -> Ruling {
    if case .valueTransformerName = change {
        // [STORE] Wire 2.83 → 2.84, Woo: bytes stay as they were written.
        return Ruling(
            .noEffectOnHash,
            "value-transformer-changed",
            "stored bytes stay as the old transformer wrote them",
            evidence: .measured
        )
    }
    return Ruling(.noEffectOnHash, "setting-changed", "values are kept", evidence: .documented)
}
