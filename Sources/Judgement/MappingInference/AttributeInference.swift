import ModelDiffing
import ObjectModel

/// Returns the values of rows for a new attribute: its default, or that of each of its elements.
func additions(
    _ attribute: DeclaredProperty<Attribute>,
    _ matching: ModelMatching
) -> [AttributeMapping] {
    guard attribute.property.type == .composite else {
        return [
            AttributeMapping(
                destination: attribute.reference,
                source: nil,
                fill: attribute.property.defaultValue
            )
        ]
    }
    return CompositeMatching.leaves(of: attribute.property, in: matching.to).map { leaf in
        AttributeMapping(
            destination: attribute.reference,
            elementPath: leaf.path,
            source: nil,
            fill: leaf.attribute.defaultValue
        )
    }
}

/// Maps every stored attribute of a continued entity, and notes faults, risks and losses.
func attributeMappings(
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ findings: inout Findings
) -> [AttributeMapping] {
    guard !matching.isUntouched(pair) else { return copies(pair.to) }
    let attributes = matching.attributes(of: pair)
    var mappings: [AttributeMapping] = []
    // A transient attribute has no value to keep: one that becomes stored is like a new one.
    let unsourced = attributes.added + attributes.pairs.filter { !$0.from.isStored }.map(\.to)
    for attribute in unsourced where attribute.isStored {
        mappings += additions(attribute, matching)
        findings.risks += missingValueRisks(attribute, pair, matching)
    }
    for properties in attributes.pairs where properties.from.isStored && properties.to.isStored {
        let values = valuePairs(properties, matching)
        for value in values { mappings.append(map(value, pair, &findings)) }
        mappings += elementAdditions(properties, pair, matching, &findings)
    }
    let transient = attributes.pairs.filter { $0.from.isStored && !$0.to.isStored }.map(\.from)
    for attribute in attributes.removed where attribute.isStored {
        findings.risks += removalRisks(attribute, .removed, pair, matching)
    }
    for attribute in transient {
        findings.risks += removalRisks(attribute, .transient, pair, matching)
    }
    return mappings
}

private func copies(_ entity: Entity) -> [AttributeMapping] {
    entity.attributes.indices.compactMap { index in
        guard !entity.attributes[index].isTransient else { return nil }
        let place = MappedProperty(name: entity.attributes[index].name, declaredBy: entity.name)
        return AttributeMapping(destination: place, source: place)
    }
}

/// The losses with an attribute: its values, or those of its elements; derived ones are computed from kept values.
private func removalRisks(
    _ attribute: DeclaredProperty<Attribute>,
    _ reason: RowRisk.AttributeLoss,
    _ pair: EntityPair,
    _ matching: ModelMatching
) -> [RowRisk] {
    guard !pair.from.isAbstract, attribute.property.derivation == nil else { return [] }
    let paths =
        attribute.property.type == .composite
        ? CompositeMatching.leaves(of: attribute.property, in: matching.from).map(\.path) : [[]]
    let hasFiles = reason == .removed && attribute.property.allowsExternalBinaryDataStorage
    return paths.map {
        RowRisk(
            .removedAttribute(hasFiles ? .removedWithFiles : reason),
            of: pair.from.name,
            attribute.reference,
            at: $0
        )
    }
}

private struct ValuePair {
    var properties: PropertyPair<Attribute>
    var from: Attribute
    var fromPath: [String]
    var to: Attribute
    var toPath: [String]
    /// Whether NULL is allowed although the element is mandatory: its whole composite may be nil.
    var isOptionalBefore: Bool
    var isOptionalAfter: Bool
}

private func valuePairs(
    _ properties: PropertyPair<Attribute>,
    _ matching: ModelMatching
) -> [ValuePair] {
    let (from, to) = (properties.from.property, properties.to.property)
    guard from.type == .composite, to.type == .composite else {
        return [
            ValuePair(
                properties: properties,
                from: from,
                fromPath: [],
                to: to,
                toPath: [],
                isOptionalBefore: from.isOptional,
                isOptionalAfter: to.isOptional
            )
        ]
    }
    return CompositeMatching(from: from, to: to, in: matching).pairs.map { leaves in
        ValuePair(
            properties: properties,
            from: leaves.from.attribute,
            fromPath: leaves.from.path,
            to: leaves.to.attribute,
            toPath: leaves.to.path,
            isOptionalBefore: from.isOptional || leaves.from.attribute.isOptional,
            isOptionalAfter: to.isOptional || leaves.to.attribute.isOptional
        )
    }
}

private func map(
    _ value: ValuePair,
    _ pair: EntityPair,
    _ findings: inout Findings
) -> AttributeMapping {
    let conversion = AttributeConversion(from: value.from, to: value.to)
    if case .incompatible = conversion {
        findings.refusals.append(.incompatibleTypes(value.properties, value.from, value.to))
    }
    let becomesMandatory =
        value.isOptionalBefore && !value.isOptionalAfter && value.to.derivation == nil
    // An abstract entity has no rows.
    if !pair.from.isAbstract {
        findings.risks += risks(of: value, conversion, pair, becomesMandatory: becomesMandatory)
    }
    return AttributeMapping(
        destination: value.properties.to.reference,
        elementPath: value.toPath,
        source: value.properties.from.reference,
        sourceElementPath: value.fromPath,
        conversion: conversion,
        nullReplacement: becomesMandatory ? value.to.defaultValue : nil
    )
}

/// Returns the conditions that rows may violate when a value moves into the new version.
private func risks(
    of value: ValuePair,
    _ conversion: AttributeConversion,
    _ pair: EntityPair,
    becomesMandatory: Bool
) -> [RowRisk] {
    let (entity, path) = (pair.from.name, value.fromPath)
    let source = value.properties.from.reference
    let destination = value.properties.to.reference
    func moved(_ kind: RowRisk.Kind) -> RowRisk {
        RowRisk(kind, of: entity, source, to: pair.to.name, destination, at: path)
    }
    var risks: [RowRisk] = []
    if conversion.isNarrowing { risks.append(moved(.narrowingConversion)) }
    if value.from.derivation == nil, value.to.derivation != nil {
        risks.append(RowRisk(.removedAttribute(.derived), of: entity, source, at: path))
    }
    if conversion == .externalStorage(isAllowed: false) {
        risks.append(RowRisk(.missingExternalFile, of: entity, source, at: path))
    }
    if becomesMandatory, value.to.defaultValue == nil {
        risks.append(moved(.nullInMandatoryAttribute))
    }
    return risks
}

private func elementAdditions(
    _ properties: PropertyPair<Attribute>,
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ findings: inout Findings
) -> [AttributeMapping] {
    let (from, to) = (properties.from.property, properties.to.property)
    guard from.type == .composite, to.type == .composite else { return [] }
    let leaves = CompositeMatching(from: from, to: to, in: matching)
    if leaves.isTruncated { findings.refusals.append(.tooManyElements(properties)) }
    if !pair.from.isAbstract {
        findings.risks += leaves.removed.map {
            RowRisk(
                .removedAttribute(.removed),
                of: pair.from.name,
                properties.from.reference,
                at: $0.path
            )
        }
    }
    return leaves.added.map { leaf in
        if isMissing(leaf.attribute), !to.isOptional, !pair.from.isAbstract {
            findings.risks.append(
                RowRisk(
                    .mandatoryWithoutDefault,
                    of: pair.from.name,
                    to: pair.to.name,
                    properties.to.reference,
                    at: leaf.path
                )
            )
        }
        return AttributeMapping(
            destination: properties.to.reference,
            elementPath: leaf.path,
            source: nil,
            fill: leaf.attribute.defaultValue
        )
    }
}

private func missingValueRisks(
    _ attribute: DeclaredProperty<Attribute>,
    _ pair: EntityPair,
    _ matching: ModelMatching
) -> [RowRisk] {
    // An abstract entity has no rows; its sub-entities have their own mappings.
    guard !pair.from.isAbstract, !attribute.property.isOptional else { return [] }
    let paths =
        attribute.property.type == .composite
        ? missingElements(of: attribute.property, matching)
        : isMissing(attribute.property) ? [[]] : []
    return paths.map {
        RowRisk(
            .mandatoryWithoutDefault,
            of: pair.from.name,
            to: pair.to.name,
            attribute.reference,
            at: $0
        )
    }
}

/// The elements of a new composite that leave rows without a mandatory value; none where it may be nil as a whole.
func missingElements(of composite: Attribute, _ matching: ModelMatching) -> [[String]] {
    guard !composite.isOptional else { return [] }
    return CompositeMatching.leaves(of: composite, in: matching.to)
        .filter { isMissing($0.attribute) }.map(\.path)
}

/// Whether a new attribute leaves rows without a mandatory value; derived ones are computed.
private func isMissing(_ attribute: Attribute) -> Bool {
    !attribute.isOptional && attribute.defaultValue == nil && attribute.derivation == nil
}
