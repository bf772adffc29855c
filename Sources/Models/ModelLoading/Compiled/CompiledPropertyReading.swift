import Diagnostics
import ObjectModel
import PropertyLists

extension ArchiveReader {
    mutating func attribute(_ reference: Reference, element: String, depth: Int) -> Attribute {
        var attribute = Attribute(name: "", type: .undefined, isOptional: false, source: source)
        guard let instance = archive.instance(reference) else { return attribute }
        var object = ArchivedObject(instance)
        let common = readCommon(of: &object, into: &attribute, element)
        (attribute.isTransient, attribute.flags) = common
        let code = integer(&object, "NSAttributeType") ?? 0
        attribute.type = AttributeType(rawValue: code) ?? .undefined
        if AttributeType(rawValue: code) == nil {
            invalid("the attribute type \(code) is unknown", element: element)
        }
        attribute.valueTransformerName = text(of: object.reference("NSValueTransformerName"))
        let className = text(of: object.reference("NSAttributeValueClassName"))
        if attribute.type == .transformable { attribute.customClassName = className }
        readStorageFlags(of: &object, into: &attribute, element)
        readDefaultValue(of: &object, into: &attribute, element)
        readValidation(of: &object, into: &attribute, element)
        if instance.className == "NSDerivedAttributeDescription" {
            readDerivation(of: &object, into: &attribute, element)
        }
        if instance.className == "NSCompositeAttributeDescription" {
            let elements = elements(object.reference("NSCompositeElements"))
            attribute.compositeName = compositeType(elements, element, depth: depth)
        }
        attribute.unrecognized += unread(&object, of: element)
        return attribute
    }

    private mutating func readStorageFlags(
        of object: inout ArchivedObject,
        into attribute: inout Attribute,
        _ element: String
    ) {
        let flags = integer(&object, "NSFlagsKey") ?? 0
        var unknown = Int64(flags)
        for flag in PropertyFlag.allCases {
            guard case .storage(let bit) = flag.row.archivePlace else { continue }
            attribute.flags[flag] = unknown & bit != 0
            unknown &= ~bit
        }
        guard unknown != 0 else { return }
        invalid("the storage flags \(flags) have an unknown bit", element: element)
        attribute.unrecognized.append(
            UnrecognizedItem(
                kind: .attribute,
                name: "NSFlagsKey",
                text: String(flags),
                source: source
            )
        )
    }

    private mutating func readDefaultValue(
        of object: inout ArchivedObject,
        into attribute: inout Attribute,
        _ element: String
    ) {
        let reference = object.reference("NSDefaultValue")
        guard reference != .null, archive[reference] != .null else { return }
        if let value = attributeValue(reference, of: attribute.type) {
            attribute.defaultValue = value
        } else if attribute.type != .composite || !entries(reference).isEmpty {
            attribute.unrecognized.append(
                unknownObject(reference, key: "NSDefaultValue", of: element)
            )
        }
    }

    private mutating func readDerivation(
        of object: inout ArchivedObject,
        into attribute: inout Attribute,
        _ element: String
    ) {
        let reference = object.reference("NSDerivationExpression")
        let filter = object.reference("NSFilteringPredicate")
        if let text = expressionText(reference) {
            attribute.derivation = Attribute.Derivation(expression: text)
        } else if reference != .null {
            attribute.unrecognized.append(
                unknownObject(
                    reference,
                    key: "NSDerivationExpression",
                    of: element,
                    severity: .error
                )
            )
        }
        guard filter != .null else { return }
        if let text = predicateText(filter), attribute.derivation != nil {
            attribute.derivation?.filteringPredicate = text
        } else {
            attribute.unrecognized.append(
                unknownObject(filter, key: "NSFilteringPredicate", of: element)
            )
        }
    }

    /// Returns the name of a type with these elements; archives do not contain the name from the source.
    private mutating func compositeType(
        _ elements: [Reference],
        _ element: String,
        depth: Int
    ) -> String? {
        compositeAllowance -= elements.count
        guard depth < 64, compositeAllowance >= 0 else {
            invalid("a composite attribute contains itself, or becomes too large")
            return nil
        }
        let attributes = elements.map { reference in
            let name = propertyName(reference) ?? ""
            return attribute(reference, element: "\(element).\(name)", depth: depth + 1)
        }
        if let known = composites.first(where: { $0.attributes == attributes }) {
            return known.name
        }
        let base = element.split(separator: ".").joined(separator: "_")
        var name = base
        var number = 2
        while !takenCompositeNames.insert(name).inserted {
            name = "\(base)_\(number)"
            number += 1
        }
        compositeNames[attributes] = name
        composites.append(CompositeType(name: name, attributes: attributes, source: source))
        return name
    }

    mutating func relationship(_ reference: Reference, element: String) -> Relationship {
        var relationship = Relationship(
            name: "",
            isOptional: false,
            destinationEntity: nil,
            source: source
        )
        guard let instance = archive.instance(reference) else { return relationship }
        var object = ArchivedObject(instance)
        let common = readCommon(of: &object, into: &relationship, element)
        (relationship.isTransient, relationship.flags) = common
        relationship.isOrdered = flag(&object, "NSIsOrdered")
        readRules(of: &object, into: &relationship, element)
        let destination = object.reference("NSDestinationEntity")
        let destinationName = text(of: object.reference("_NSDestinationEntityName"))
        relationship.destinationEntity = entityName(destination) ?? destinationName
        let inverse = object.reference("NSInverseRelationship")
        let inverseName = text(of: object.reference("_NSInverseRelationshipName"))
        relationship.inverseName = propertyName(inverse) ?? inverseName
        if relationship.inverseName != nil {
            relationship.inverseEntity = owner(of: inverse) ?? relationship.destinationEntity
        }
        skipEmptyValidation(of: &object)
        relationship.unrecognized += unread(&object, of: element)
        return relationship
    }

    /// Skips the empty lists of rules that compilers before Xcode 4 gave to relationships too.
    private mutating func skipEmptyValidation(of object: inout ArchivedObject) {
        let keys = ["NSValidationPredicates", "NSValidationWarnings"]
        for key in keys {
            if case .reference(let list)? = object.instance.values[key], !elements(list).isEmpty {
                return
            }
        }
        object.skip(keys)
    }

    /// Reads the counts, 0 being none, and the delete rule.
    private mutating func readRules(
        of object: inout ArchivedObject,
        into relationship: inout Relationship,
        _ element: String
    ) {
        let minCount = integer(&object, "NSMinCount") ?? 0
        let maxCount = integer(&object, "NSMaxCount") ?? 0
        relationship.minCount = minCount == 0 ? nil : minCount
        relationship.maxCount = maxCount == 0 ? nil : maxCount
        relationship.isToMany = maxCount != 1
        let code = integer(&object, "NSDeleteRule") ?? 0
        if let rule = Relationship.DeleteRule(rawValue: code) {
            relationship.deleteRule = rule
        } else {
            invalid("the delete rule \(code) is unknown", element: element)
        }
    }

    private func owner(of property: Reference) -> String? {
        guard case .reference(let entity) = archive.instance(property)?.values["NSEntity"] else {
            return nil
        }
        return entityName(entity)
    }

    mutating func fetchedProperty(_ reference: Reference, element: String) -> FetchedProperty {
        var property = FetchedProperty(name: "", isOptional: false, source: source)
        guard let instance = archive.instance(reference) else { return property }
        var object = ArchivedObject(instance)
        _ = readCommon(of: &object, into: &property, element)
        let request = object.reference("NSFetchRequest")
        let entity = text(of: object.reference("_NSFetchRequestEntityName"))
        if request != .null {
            var value = fetchRequest(request, of: element)
            value.name = "fetchedPropertyFetchRequest"
            value.entity = value.entity ?? entity
            property.fetchRequest = value
        }
        property.unrecognized += unread(&object, of: element)
        return property
    }

    /// Reads what properties of all kinds have; gives what fetched properties have without a meaning.
    private mutating func readCommon(
        of object: inout ArchivedObject,
        into property: inout some Property,
        _ element: String
    ) -> (isTransient: Bool, flags: PropertyFlags) {
        property.name = text(of: object.reference("NSPropertyName")) ?? ""
        // The bits of `_P` repeat these, and read-only follows from the kind.
        object.skip(["NSEntity", "_P", "NSIsReadOnly"])
        property.isOptional = flag(&object, "NSIsOptional")
        let isTransient = flag(&object, "NSIsTransient")
        var flags = PropertyFlags()
        for flag in PropertyFlag.allCases {
            switch flag.row.archivePlace {
            case .key(let key), .common(let key, _): flags[flag] = self.flag(&object, key)
            case .storage, .unknown: break
            }
        }
        property.renamingIdentifier = identifier(&object, name: property.name)
        property.versionHashModifier = text(of: object.reference("NSVersionHashModifier"))
        property.userInfo = userInfo(object.reference("NSUserInfo"), of: element)
        return (isTransient, flags)
    }
}
