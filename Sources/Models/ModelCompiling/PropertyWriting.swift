import ObjectModel

extension ContentsWriter {
    mutating func write(_ attribute: Attribute, of owner: String) {
        let settings = attribute.sourceSettings
        let element = "\(owner).\(attribute.name)"
        if attribute.type == .objectID {
            report("a source has no attributes of type ObjectID", element, attribute.source)
        }
        if attribute.derivation?.filteringPredicate != nil {
            report("a source has no filtering predicates", element, attribute.source)
        }
        let attributes: [XMLText.Attribute] =
            [
                ("name", attribute.name), ("optional", flag(attribute.isOptional)),
                ("transient", flag(attribute.isTransient)),
                ("attributeType", attribute.type.sourceName),
            ] + valueTexts(of: attribute) + [
                ("derived", flag(attribute.derivation != nil)),
                ("derivationExpression", attribute.derivation?.expression),
                ("composite", attribute.compositeName),
                ("valueTransformerName", attribute.valueTransformerName),
                ("customClassName", attribute.customClassName),
                ("renamingIdentifier", settings["renamingIdentifier"]),
                ("regularExpressionString", attribute.validation.regularExpression),
            ] + texts(of: attribute.flags) + [
                ("usesScalarValueType", settings["usesScalarValueType"]),
                ("versionHashModifier", attribute.versionHashModifier),
                ("elementID", attribute.renamingIdentifier), ("syncable", settings["syncable"]),
            ]
        if case .binary = attribute.defaultValue, !attribute.hasUnstatedValue {
            report("a source has no default values of type Binary", element, attribute.source)
        }
        write("attribute", attributes, attribute.userInfo, attribute.unrecognized, element)
    }

    private func valueTexts(of attribute: Attribute) -> [XMLText.Attribute] {
        let settings = attribute.sourceSettings
        let minimum = texts(of: attribute.validation.minimum)
        let maximum = texts(of: attribute.validation.maximum)
        let value = texts(of: attribute.hasUnstatedValue ? nil : attribute.defaultValue)
        let hasText = value.plain != nil
        return [
            ("minValueString", minimum.plain),
            ("maxValueString", maximum.plain),
            ("minDateTimeInterval", minimum.date),
            ("maxDateTimeInterval", maximum.date),
            ("defaultDateTimeInterval", value.date ?? settings["defaultDateTimeInterval"]),
            // A value typed in another form than its type's, such as `0` for a Double, is kept.
            ("defaultValueString", settings["defaultValueString"] ?? (hasText ? value.plain : nil)),
        ]
    }

    /// Returns the text of a value as an attribute for dates, or for all others.
    private func texts(of value: AttributeValue?) -> (plain: String?, date: String?) {
        value?.isDate == true ? (nil, value?.sourceText) : (value?.sourceText, nil)
    }

    mutating func write(_ relationship: Relationship, of owner: String) {
        let settings = relationship.sourceSettings
        let attributes: [XMLText.Attribute] =
            [
                ("name", relationship.name), ("optional", flag(relationship.isOptional)),
                ("transient", flag(relationship.isTransient)),
                ("toMany", flag(relationship.isToMany)),
                ("minCount", relationship.minCount.map { String($0) }),
                ("maxCount", relationship.maxCount.map { String($0) }),
                ("deletionRule", relationship.deleteRule.sourceName),
                ("ordered", flag(relationship.isOrdered)),
                ("destinationEntity", relationship.destinationEntity),
                ("inverseName", relationship.inverseName),
                ("inverseEntity", relationship.inverseEntity),
                ("renamingIdentifier", settings["renamingIdentifier"]),
            ] + texts(of: relationship.flags) + [
                ("versionHashModifier", relationship.versionHashModifier),
                ("elementID", relationship.renamingIdentifier), ("syncable", settings["syncable"]),
            ]
        write(
            "relationship",
            attributes,
            relationship.userInfo,
            relationship.unrecognized,
            "\(owner).\(relationship.name)"
        )
    }

    mutating func write(_ property: FetchedProperty, of owner: String) {
        let settings = property.sourceSettings
        let element = "\(owner).\(property.name)"
        let attributes: [XMLText.Attribute] =
            [
                ("name", property.name), ("optional", flag(property.isOptional)),
                ("transient", settings["transient"]),
                ("versionHashModifier", property.versionHashModifier),
                ("elementID", property.renamingIdentifier), ("syncable", settings["syncable"]),
            ] + unknownAttributes(property.unrecognized, element)
        guard property.fetchRequest != nil || !property.userInfo.isEmpty else {
            return xml.element("fetchedProperty", attributes)
        }
        xml.open("fetchedProperty", attributes)
        if let request = property.fetchRequest { write(request) }
        write(property.userInfo)
        writeUnknownElements(property.unrecognized)
        xml.close("fetchedProperty")
    }

    mutating func write(_ request: FetchRequest) {
        func text(_ setting: Bool?) -> String? { setting.map { $0 ? "YES" : "NO" } }
        xml.element(
            "fetchRequest",
            [
                ("name", request.name), ("entity", request.entity),
                ("predicateString", request.predicate),
                ("resultType", request.resultType.map { String($0) }),
                ("fetchLimit", request.fetchLimit.map { String($0) }),
                ("fetchBatchSize", request.fetchBatchSize.map { String($0) }),
                ("includeSubentities", text(request.includesSubentities)),
                ("includePropertyValues", text(request.includesPropertyValues)),
                ("includesPendingChanges", text(request.includesPendingChanges)),
                ("returnObjectsAsFaults", text(request.returnsObjectsAsFaults)),
                ("returnDistinctResults", text(request.returnsDistinctResults)),
            ] + unknownAttributes(request.unrecognized, request.name)
        )
    }

    private mutating func write(
        _ name: String,
        _ attributes: [XMLText.Attribute],
        _ userInfo: [UserInfoEntry],
        _ unrecognized: [UnrecognizedItem],
        _ element: String
    ) {
        let all = attributes + unknownAttributes(unrecognized, element)
        let hasElements = isFromSource && unrecognized.contains { $0.kind == .element }
        guard !userInfo.isEmpty || hasElements else { return xml.element(name, all) }
        xml.open(name, all)
        write(userInfo)
        writeUnknownElements(unrecognized)
        xml.close(name)
    }

    private func texts(of flags: PropertyFlags) -> [XMLText.Attribute] {
        PropertyFlag.allCases.map { ($0.row.sourceName, flag(flags[$0])) }
    }

    private func flag(_ value: Bool) -> String? { value ? "YES" : nil }

    /// Returns the unknown XML attributes of a source; reports the unknown parts of a compiled model.
    mutating func unknownAttributes(
        _ items: [UnrecognizedItem],
        _ element: String?
    ) -> [XMLText.Attribute] {
        if isFromSource { return items.filter { $0.kind == .attribute }.map { ($0.name, $0.text) } }
        for item in items { report("a source cannot contain '\(item.name)'", element, item.source) }
        return []
    }

    mutating func writeUnknownElements(_ items: [UnrecognizedItem]) {
        guard isFromSource else { return }
        for item in items where item.kind == .element { xml.verbatim(item.text) }
    }
}

extension AttributeValue {
    fileprivate var isDate: Bool { if case .date = self { true } else { false } }
}
