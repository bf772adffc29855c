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

extension PairInference {
    /// Maps every stored attribute of a continued entity, and notes faults, risks and losses.
    mutating func attributeMappings() -> [AttributeMapping] {
        guard !matching.isUntouched(pair) else { return copies(pair.to) }
        let attributes = matching.attributes(of: pair)
        var mappings: [AttributeMapping] = []
        // A transient attribute has no value to keep: one that becomes stored is like a new one.
        let unsourced = attributes.added + attributes.pairs.filter { !$0.from.isStored }.map(\.to)
        for attribute in unsourced where attribute.isStored {
            mappings += additions(attribute, matching)
            noteMissing(attribute)
        }
        for properties in attributes.pairs where properties.from.isStored && properties.to.isStored
        {
            for value in valuePairs(properties, matching) { mappings.append(map(value)) }
            mappings += elementAdditions(properties)
        }
        let transient = attributes.pairs.filter { $0.from.isStored && !$0.to.isStored }.map(\.from)
        for attribute in attributes.removed where attribute.isStored {
            noteRemoval(attribute, .removed)
        }
        for attribute in transient { noteRemoval(attribute, .transient) }
        return mappings
    }

    /// Notes the losses with an attribute: its values or its elements'; derived ones are computed from kept values.
    private mutating func noteRemoval(
        _ attribute: DeclaredProperty<Attribute>,
        _ reason: RowRisk.AttributeLoss
    ) {
        guard attribute.property.derivation == nil else { return }
        let paths =
            attribute.property.type == .composite
            ? CompositeMatching.leaves(of: attribute.property, in: matching.from).map(\.path) : [[]]
        let hasFiles = reason == .removed && attribute.property.allowsExternalBinaryDataStorage
        for path in paths {
            let reason = hasFiles ? .removedWithFiles : reason
            note(.removedAttribute(reason), attribute.reference, at: path)
        }
    }

    private mutating func map(_ value: ValuePair) -> AttributeMapping {
        let conversion = AttributeConversion(from: value.from, to: value.to)
        if case .incompatible = conversion {
            findings.refusals.append(.incompatibleTypes(value.properties, value.from, value.to))
        }
        let becomesMandatory =
            value.isOptionalBefore && !value.isOptionalAfter && value.to.derivation == nil
        noteRisks(of: value, conversion, becomesMandatory: becomesMandatory)
        return AttributeMapping(
            destination: value.properties.to.reference,
            elementPath: value.toPath,
            source: value.properties.from.reference,
            sourceElementPath: value.fromPath,
            conversion: conversion,
            nullReplacement: becomesMandatory ? value.to.defaultValue : nil
        )
    }

    /// Notes the conditions that rows may violate when a value moves into the new version.
    private mutating func noteRisks(
        of value: ValuePair,
        _ conversion: AttributeConversion,
        becomesMandatory: Bool
    ) {
        let (source, path) = (value.properties.from.reference, value.fromPath)
        let destination = value.properties.to.reference
        if conversion.isNarrowing { note(.narrowingConversion, source, to: destination, at: path) }
        if value.from.derivation == nil, value.to.derivation != nil {
            note(.removedAttribute(.derived), source, at: path)
        }
        if conversion == .externalStorage(isAllowed: false) {
            note(.missingExternalFile, source, at: path)
        }
        if becomesMandatory, value.to.defaultValue == nil {
            note(.nullInMandatoryAttribute, source, to: destination, at: path)
        }
    }

    private mutating func elementAdditions(
        _ properties: PropertyPair<Attribute>
    ) -> [AttributeMapping] {
        let (from, to) = (properties.from.property, properties.to.property)
        guard from.type == .composite, to.type == .composite else { return [] }
        let leaves = CompositeMatching(from: from, to: to, in: matching)
        if leaves.isTruncated { findings.refusals.append(.tooManyElements(properties)) }
        for leaf in leaves.removed {
            note(.removedAttribute(.removed), properties.from.reference, at: leaf.path)
        }
        for leaf in leaves.added where isMissing(leaf.attribute) && !to.isOptional {
            note(.mandatoryWithoutDefault, to: properties.to.reference, at: leaf.path)
        }
        return leaves.added.map { leaf in
            AttributeMapping(
                destination: properties.to.reference,
                elementPath: leaf.path,
                source: nil,
                fill: leaf.attribute.defaultValue
            )
        }
    }

    private mutating func noteMissing(_ attribute: DeclaredProperty<Attribute>) {
        guard !attribute.property.isOptional else { return }
        let paths =
            attribute.property.type == .composite
            ? missingElements(of: attribute.property, matching)
            : isMissing(attribute.property) ? [[]] : []
        for path in paths { note(.mandatoryWithoutDefault, to: attribute.reference, at: path) }
    }
}

private func copies(_ entity: Entity) -> [AttributeMapping] {
    entity.attributes.indices.compactMap { index in
        guard !entity.attributes[index].isTransient else { return nil }
        let place = PropertyReference(entity: entity.name, name: entity.attributes[index].name)
        return AttributeMapping(destination: place, source: place)
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
