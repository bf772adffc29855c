import ModelDiffing
import ObjectModel

func ruling(
    onAdding attribute: Attribute,
    to pair: EntityPair,
    _ matching: ModelMatching
) -> Ruling {
    // Objects of concrete entities below have the attribute, too.
    let hasNoRows = matching.entityPairs.allSatisfy {
        $0.from.isAbstract || !matching.from.isEntity($0.from, kindOf: pair.from)
    }
    if attribute.isTransient { return .transientAttributeAdded }
    if attribute.derivation != nil { return .derivedAttributeAdded }
    if attribute.type == .composite {
        let missing = missingElements(of: attribute, matching).first
        guard let missing, !hasNoRows else { return .compositeAttributeAdded }
        return .mandatoryElementAdded.with("name", missing.joined(separator: "."))
    }
    if case .moment(let text) = attribute.unstatedDefault, attribute.defaultValue != nil {
        return .momentAttributeAdded.with("value", text)
    }
    if attribute.defaultValue != nil { return .defaultedAttributeAdded }
    if let text = attribute.unreadDefault { return .unreadDefaultAdded.with("value", text) }
    if attribute.isOptional { return .optionalAttributeAdded }
    let ruling: Ruling = hasNoRows ? .mandatoryAttributeOfAbstractAdded : .mandatoryAttributeAdded
    return ruling.with("name", attribute.name)
}

func ruling(onRemoving attribute: Attribute) -> Ruling {
    if attribute.isTransient { return .transientAttributeRemoved }
    return attribute.derivation == nil ? .attributeRemoved : .derivedAttributeRemoved
}

func ruling(
    on change: AttributeChange,
    from: Attribute,
    to: Attribute,
    isOptionalAsWhole: Bool
) -> Ruling {
    switch change {
    case .name: .attributeRenamed
    case .declaringEntity: .attributeMoved
    // Nothing is stored on one side, so that nothing is converted.
    case .type where from.isTransient || to.isTransient: .typeChanged
    case .type(let old, let new): ruling(on: AttributeConversion(from: old, to: new))
    case .optionality(_, let isOptional):
        isOptional
            ? .attributeBecomesOptional
            : isOptionalAsWhole ? .elementBecomesMandatory : rulingOnDuty(of: to)
    case .transience(_, let isTransient):
        isTransient ? .attributeBecomesTransient : rulingOnStoring(to)
    case .derivation: .derivationChanged
    case .element(_, let change): ruling(on: change, of: to)
    case .flag(let flag, _, _): ruling(on: flag)
    case .setting(.versionHashModifier, _, _): .attributeHashModifierChanged
    case .defaultValue: .defaultChanged
    case .setting(.valueTransformerName, _, _): .valueTransformerChanged
    case .setting: .attributeSettingChanged
    }
}

/// Flags in the hash have rulings of their own; the others do nothing.
private func ruling(on flag: PropertyFlag) -> Ruling {
    switch flag {
    case .externalStorage: .externalStorageChanged
    case .preservationAfterDeletion: .preservationChanged
    case .cloudEncryption, .indexed, .spotlightIndexing, .storedInTruthFile:
        .attributeSettingChanged
    }
}

private func ruling(on conversion: AttributeConversion) -> Ruling {
    switch conversion {
    case .none: .typeChanged
    case .numeric(.integer64, .double): .numericTypeChanged
    case .numeric, .unverified: conversion.isNarrowing ? .numericTypeNarrowed : .numericTypeChanged
    case .externalStorage: .externalStorageChanged
    case .uriToString: .uriBecomesString
    case .incompatible(let from, let to):
        (AttributeConversion.refusalEvidence(from, to).isGuess
            ? Ruling.typesUnknown : Ruling.typesRefused)
            .with("from", from.displayName).with("to", to.displayName)
    }
}

private func rulingOnDuty(of attribute: Attribute) -> Ruling {
    if attribute.defaultValue != nil { return .attributeBecomesMandatory }
    if attribute.derivation != nil { return .derivedAttributeBecomesMandatory }
    if let text = attribute.unreadDefault {
        return .unreadDefaultBecomesMandatory.with("value", text)
    }
    return .mandatoryWithoutDefault.with("name", attribute.name)
}

private func rulingOnStoring(_ attribute: Attribute) -> Ruling {
    attribute.isOptional || attribute.defaultValue != nil || attribute.derivation != nil
        || attribute.unreadDefault != nil
        ? .attributeBecomesStored : .mandatoryAttributeAdded.with("name", attribute.name)
}

/// Judges elements of a composite, which are stored as attributes are; nothing public confirms that this is all.
private func ruling(on change: AttributeChange.ElementChange, of composite: Attribute) -> Ruling {
    switch change {
    case .added(let element):
        return element.isOptional || element.defaultValue != nil || composite.isOptional
            ? .elementAdded : .mandatoryElementAdded.with("name", element.name)
    case .removed: return .elementRemoved
    case .changed(let from, let to, let change):
        var row = ruling(on: change, from: from, to: to, isOptionalAsWhole: composite.isOptional)
        if row.verdict == .lightweight { row.verdict = .lightweightThoughUndocumented }
        return row
    }
}
