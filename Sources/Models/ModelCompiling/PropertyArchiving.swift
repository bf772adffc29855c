import Diagnostics
import ObjectModel
import PropertyLists

extension ModelArchiver {
    mutating func addAttribute(
        _ attribute: Attribute,
        named name: Reference,
        to entity: Entity,
        as reference: Reference,
        openComposites: Set<String> = []
    ) {
        let names = nameValues(name, renamingIdentifier: attribute.renamingIdentifier)
        let owner = Owner(entity.name, attribute.name, source: attribute.source)
        let validation = addValidation(of: attribute, owner)
        var values = KeyedArchive.Values(keys: Self.nameKeys, names)
        addCommonValues(
            of: attribute,
            attribute.flags,
            CommonFlags(
                isReadOnly: attribute.derivation != nil,
                hasValidation: !validation.isEmpty
            ),
            to: &values
        )
        addFlagKeys(attribute.flags, of: attribute.name, to: &values)
        values.add("NSAttributeType", .integer(Int64(attribute.type.rawValue)))
        values.add("NSAttributeValueClassName", string(valueClassName(of: attribute)))
        values.add(
            "NSDefaultValue",
            .reference(
                attribute.derivation == nil && !attribute.hasUnstatedValue
                    ? defaultValue(attribute.defaultValue) : .null
            )
        )
        values.add("NSValueTransformerName", string(transformerName(of: attribute)))
        values.add("NSFlagsKey", .integer(storageFlags(of: attribute, owner)))
        if !validation.isEmpty {
            values.add(
                "NSValidationPredicates",
                .reference(collection(validation.map(\.predicate), .array))
            )
            values.add(
                "NSValidationWarnings",
                .reference(collection(validation.map { plain(.integer($0.warning)) }, .array))
            )
        }
        let classRecord = addSpecialValues(
            of: attribute,
            owner,
            in: entity,
            to: &values,
            openComposites
        )
        fill(reference, classRecord, values)
    }

    private mutating func addSpecialValues(
        of attribute: Attribute,
        _ owner: Owner,
        in entity: Entity,
        to values: inout KeyedArchive.Values,
        _ openComposites: Set<String>
    ) -> KeyedArchive.ClassRecord {
        if let derivation = attribute.derivation {
            let text = derivation.expression
            values.add(
                "NSDerivationExpression",
                .reference(expression(text, owner, "derivationExpression"))
            )
            let filter = derivation.filteringPredicate.map { predicate($0, owner) }
            values.add("NSFilteringPredicate", .reference(filter ?? .null))
            return .derivedAttribute
        }
        guard attribute.type == .composite else { return .attribute }
        let elements = addElements(of: attribute, in: entity, open: openComposites)
        values.add("NSCompositeElements", .reference(elements))
        return .compositeAttribute
    }

    private mutating func addElements(
        of attribute: Attribute,
        in entity: Entity,
        open: Set<String>
    ) -> Reference {
        let name = attribute.compositeName ?? ""
        guard let type = graph.composite(name) else {
            let message = "the composite type of '\(entity.name).\(attribute.name)' does not exist"
            report(.danglingName, message, attribute.source, attribute: "composite")
            return collection([], .mutableArray)
        }
        compositeAllowance -= type.attributes.count
        guard !open.contains(name), open.count < 64, compositeAllowance >= 0 else {
            let message = "the composite type '\(name)' contains itself, or becomes too large"
            if compositeAllowance > -1_000_000 {
                report("unbounded-composite", message, type.source)
                compositeAllowance = -2_000_000
            }
            return collection([], .mutableArray)
        }
        let elements = type.attributes.map { element in
            let reference = reserve()
            addAttribute(
                element,
                named: plain(element.name),
                to: entity,
                as: reference,
                openComposites: open.union([name])
            )
            return reference
        }
        return collection(elements, .mutableArray)
    }

    mutating func addRelationship(
        _ relationship: Relationship,
        named name: Reference,
        to entity: Entity,
        as reference: Reference
    ) {
        let owner = Owner(entity.name, relationship.name, source: relationship.source)
        var destination: Reference?
        if let name = relationship.destinationEntity {
            destination = requiredEntity(name, "relationship '\(owner)'", relationship.source)
        } else {
            let message = "relationship '\(owner)' has no destination entity"
            report(.danglingName, message, relationship.source)
        }
        let own: [KeyedArchive.Value] = [
            .reference(entityAtHand), .reference(name),
            identifier(relationship.renamingIdentifier, orElse: name),
            .reference(destination ?? .null), string(relationship.destinationEntity),
            .reference(inverse(of: relationship, owner)), string(relationship.inverseName),
        ]
        var values = KeyedArchive.Values(keys: Self.nameKeys + Self.endKeys, own)
        let further = CommonFlags(isOrdered: relationship.isOrdered)
        var flags = relationship.flags
        // For relationships the compilers write only the index; none of 24 files has the flag.
        flags[.indexed] = false
        addCommonValues(of: relationship, flags, further, to: &values)
        addFlagKeys(flags, of: relationship.name, to: &values)
        values.add("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue)))
        values.add("NSMinCount", .integer(Int64(relationship.compiledMinCount)))
        values.add("NSMaxCount", .integer(Int64(relationship.compiledMaxCount)))
        if relationship.isOrdered { values.add("NSIsOrdered", .boolean(true)) }
        fill(reference, .relationship, values)
    }

    private static let endKeys = [
        "NSDestinationEntity", "_NSDestinationEntityName", "NSInverseRelationship",
        "_NSInverseRelationshipName",
    ]

    private mutating func inverse(of relationship: Relationship, _ owner: Owner) -> Reference {
        guard let name = relationship.inverseName else { return .null }
        if let place = graph.inversePlace(of: relationship) {
            let attributes = model.entities[place.entity].attributes.count
            let entity = model.entities[place.entity].name
            return propertyReference(at: attributes + place.relationship, of: entity)
        }
        let message = "relationship '\(owner)' names the inverse '\(name)', which is missing"
        // Core Data looks inverses up by the name, which is written.
        report(
            .danglingName,
            message,
            relationship.source,
            severity: .warning,
            attribute: "inverseName"
        )
        return .null
    }

    mutating func addFetchedProperty(
        _ property: FetchedProperty,
        named name: Reference,
        to entity: Entity,
        as reference: Reference
    ) {
        let owner = "\(entity.name).\(property.name)"
        let names = nameValues(name, renamingIdentifier: property.renamingIdentifier)
        var values = KeyedArchive.Values(keys: Self.nameKeys, names)
        let further = CommonFlags(isReadOnly: true)
        addCommonValues(of: property, PropertyFlags(), further, to: &values)
        let request = property.fetchRequest.map { fetchRequest($0, of: owner) }
        values.add("NSFetchRequest", .reference(request ?? .null))
        values.add("_NSFetchRequestEntityName", string(property.fetchRequest?.entity))
        fill(reference, .fetchedProperty, values)
    }

    private static let nameKeys = ["NSEntity", "NSPropertyName", "NSRenamingIdentifier"]

    /// Returns what distinguishes a property from others of its kind, by `nameKeys`.
    private mutating func nameValues(
        _ name: Reference,
        renamingIdentifier: String?
    ) -> [KeyedArchive.Value] {
        [
            .reference(entityAtHand), .reference(name),
            identifier(renamingIdentifier, orElse: name),
        ]
    }

    private mutating func identifier(
        _ renamingIdentifier: String?,
        orElse name: Reference
    ) -> KeyedArchive.Value { .reference(renamingIdentifier.map { plain($0) } ?? name) }

    private mutating func addCommonValues(
        of property: some Property,
        _ flags: PropertyFlags,
        _ further: CommonFlags,
        to values: inout KeyedArchive.Values
    ) {
        let modifier = property.versionHashModifier.flatMap { $0.isEmpty ? nil : $0 }
        var bits: Int64 = 0x001
        func add(_ bit: Int64, _ isSet: Bool, _ key: String? = nil) {
            guard isSet else { return }
            bits |= bit
            if let key { values.add(key, .boolean(true)) }
        }
        add(0x002, property.isOptional, "NSIsOptional")
        add(0x004, further.isReadOnly, "NSIsReadOnly")
        add(0x008, property.isTransient, "NSIsTransient")
        add(0x030, !further.hasValidation)
        add(0x040, property.userInfo.isEmpty)
        add(0x080, modifier == nil)
        for flag in PropertyFlag.allCases {
            if case .common(let key, let bit) = flag.row.archivePlace { add(bit, flags[flag], key) }
        }
        add(0x400, further.isOrdered)
        values.add("_P", .integer(bits))
        if !property.userInfo.isEmpty {
            values.add("NSUserInfo", .reference(userInfo(property.userInfo)))
        }
        if let modifier { values.add("NSVersionHashModifier", string(modifier)) }
    }

    private func addFlagKeys(
        _ flags: PropertyFlags,
        of name: String,
        to values: inout KeyedArchive.Values
    ) {
        for flag in PropertyFlag.allCases {
            guard case .key(let key) = flag.row.archivePlace else { continue }
            let isMirrored = flag == .indexed && mirroredIndexes.contains(name)
            if flags[flag] || isMirrored { values.add(key, .boolean(true)) }
        }
    }

    private func valueClassName(of attribute: Attribute) -> String? {
        attribute.type.row.valueClass
            ?? (attribute.type == .transformable ? attribute.customClassName : nil)
    }

    /// When a source names the constant, the compiler writes its value, not its name.
    private func transformerName(of attribute: Attribute) -> String? {
        attribute.valueTransformerName == "NSSecureUnarchiveFromDataTransformerName"
            ? "NSSecureUnarchiveFromData" : attribute.valueTransformerName
    }

    private mutating func storageFlags(of attribute: Attribute, _ owner: Owner) -> Int64 {
        var bits: Int64 = 0
        for flag in PropertyFlag.allCases where attribute.flags[flag] {
            switch flag.row.archivePlace {
            case .storage(let bit): bits |= bit
            case .unknown:
                let what = "\(flag.row.words) is not written: its flag"
                reportUnproven(what, owner)
            case .common, .key: break
            }
        }
        return bits
    }
}

/// The differences between kinds of properties in their common values.
private struct CommonFlags {
    var isReadOnly = false
    var hasValidation = false
    var isOrdered = false
}
