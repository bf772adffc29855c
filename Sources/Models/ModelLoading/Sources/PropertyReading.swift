import Diagnostics
import ObjectModel
import XMLReading

extension ReadingContext {
    mutating func attribute(_ element: XMLElement) -> Attribute {
        var attribute = Attribute(
            name: "",
            type: .undefined,
            isOptional: false,
            source: mark(element)
        )
        var values: [XMLAttribute] = []
        var isDerived = false
        for xml in element.attributes {
            switch xml.name {
            case "name": attribute.name = xml.value
            case "attributeType":
                if let type = AttributeType(sourceName: xml.value) {
                    attribute.type = type
                } else {
                    unknownType(xml, of: element)
                    attribute.unrecognized.append(unread(xml, of: element))
                }
            case "optional": attribute.isOptional = flag(xml, of: element)
            case "transient": attribute.isTransient = flag(xml, of: element)
            case "derived": isDerived = flag(xml, of: element)
            case "derivationExpression":
                attribute.derivation = Attribute.Derivation(expression: xml.value)
            case "composite": attribute.compositeName = xml.value
            case "valueTransformerName": attribute.valueTransformerName = xml.value
            case "customClassName": attribute.customClassName = xml.value
            case "elementID": attribute.renamingIdentifier = xml.value
            case "versionHashModifier": attribute.versionHashModifier = xml.value
            // Apple's compiler ignores a literal `renamingIdentifier`, which Xcode never writes.
            case "usesScalarValueType", "syncable", "renamingIdentifier":
                attribute.sourceSettings[xml.name] = xml.value
            case "defaultValueString", "defaultDateTimeInterval", "minValueString",
                "maxValueString", "minDateTimeInterval", "maxDateTimeInterval":
                values.append(xml)
            case "regularExpressionString": attribute.validation.regularExpression = xml.value
            default:
                if let flag = PropertyFlag(sourceName: xml.name) {
                    attribute.flags[flag] = self.flag(xml, of: element)
                } else {
                    attribute.unrecognized.append(unknown(xml, of: element))
                }
            }
        }
        requireName(attribute.name, of: element)
        readValues(values, into: &attribute, of: element)
        if !isDerived { attribute.derivation = nil }
        for child in element.children {
            if child.name == "userInfo" {
                attribute.userInfo += userInfo(child)
            } else {
                attribute.unrecognized.append(unknown(child, in: element))
            }
        }
        return attribute
    }

    /// Reads defaults and limits, which depend on the type.
    private mutating func readValues(
        _ values: [XMLAttribute],
        into attribute: inout Attribute,
        of element: XMLElement
    ) {
        for xml in values {
            let isLength = attribute.type == .string
            switch xml.name {
            case "defaultValueString":
                if let value = value(xml, for: attribute.type, of: element) {
                    attribute.defaultValue = value
                } else {
                    attribute.sourceSettings[xml.name] = xml.value
                }
            case "defaultDateTimeInterval":
                if let date = date(xml, for: attribute.type, of: element) {
                    attribute.defaultValue = date
                } else {
                    attribute.sourceSettings[xml.name] = xml.value
                }
            case "minValueString":
                attribute.validation.minimum = value(
                    xml,
                    for: isLength ? .integer64 : attribute.type,
                    of: element
                )
            case "maxValueString":
                attribute.validation.maximum = value(
                    xml,
                    for: isLength ? .integer64 : attribute.type,
                    of: element
                )
            case "minDateTimeInterval":
                attribute.validation.minimum = date(xml, for: attribute.type, of: element)
            case "maxDateTimeInterval":
                attribute.validation.maximum = date(xml, for: attribute.type, of: element)
            default: break
            }
        }
    }

    private mutating func value(
        _ xml: XMLAttribute,
        for type: AttributeType,
        of element: XMLElement
    ) -> AttributeValue? {
        let text = ValueText(text: xml.value)
        if !text.isPlain(for: type) {
            let name = type.sourceName ?? "Undefined"
            invalid(xml, of: element, expected: "a value of type \(name)", severity: .warning)
        }
        return text.value(for: type)
    }

    private mutating func date(
        _ xml: XMLAttribute,
        for type: AttributeType,
        of element: XMLElement
    ) -> AttributeValue? {
        guard type == .date else { return nil }
        guard let seconds = Double(xml.value), seconds.isFinite else {
            invalid(xml, of: element, expected: "seconds since 2001-01-01", severity: .warning)
            return nil
        }
        return .date(seconds)
    }

    mutating func relationship(_ element: XMLElement) -> Relationship {
        var relationship = Relationship(
            name: "",
            isOptional: false,
            destinationEntity: nil,
            source: mark(element)
        )
        for xml in element.attributes {
            switch xml.name {
            case "name": relationship.name = xml.value
            case "optional": relationship.isOptional = flag(xml, of: element)
            case "transient": relationship.isTransient = flag(xml, of: element)
            case "toMany": relationship.isToMany = flag(xml, of: element)
            case "ordered": relationship.isOrdered = flag(xml, of: element)
            case "minCount": relationship.minCount = bound(xml, of: element)
            case "maxCount": relationship.maxCount = bound(xml, of: element)
            case "deletionRule": relationship.deleteRule = deleteRule(xml, of: element)
            case "destinationEntity": relationship.destinationEntity = xml.value
            case "inverseName": relationship.inverseName = xml.value
            case "inverseEntity": relationship.inverseEntity = xml.value
            case "elementID": relationship.renamingIdentifier = xml.value
            case "versionHashModifier": relationship.versionHashModifier = xml.value
            case "syncable", "renamingIdentifier": relationship.sourceSettings[xml.name] = xml.value
            default:
                if let flag = PropertyFlag(sourceName: xml.name), flag.row.isOfRelationships {
                    relationship.flags[flag] = self.flag(xml, of: element)
                } else {
                    relationship.unrecognized.append(unknown(xml, of: element))
                }
            }
        }
        requireName(relationship.name, of: element)
        for child in element.children {
            if child.name == "userInfo" {
                relationship.userInfo += userInfo(child)
            } else {
                relationship.unrecognized.append(unknown(child, in: element))
            }
        }
        return relationship
    }

    private mutating func deleteRule(
        _ xml: XMLAttribute,
        of element: XMLElement
    ) -> Relationship.DeleteRule {
        if let rule = Relationship.DeleteRule(sourceName: xml.value) { return rule }
        let known = Relationship.DeleteRule.allCases.map(\.sourceName)
        unknown(xml, of: element, what: "delete rule", among: known)
        return .nullify
    }

    mutating func fetchedProperty(_ element: XMLElement) -> FetchedProperty {
        var property = FetchedProperty(name: "", isOptional: false, source: mark(element))
        for xml in element.attributes {
            switch xml.name {
            case "name": property.name = xml.value
            case "optional": property.isOptional = flag(xml, of: element)
            case "elementID": property.renamingIdentifier = xml.value
            case "versionHashModifier": property.versionHashModifier = xml.value
            case "syncable", "transient": property.sourceSettings[xml.name] = xml.value
            default: property.unrecognized.append(unknown(xml, of: element))
            }
        }
        requireName(property.name, of: element)
        for child in element.children {
            switch child.name {
            case "fetchRequest": property.fetchRequest = fetchRequest(child)
            case "userInfo": property.userInfo += userInfo(child)
            default: property.unrecognized.append(unknown(child, in: element))
            }
        }
        return property
    }

    mutating func fetchRequest(_ element: XMLElement) -> FetchRequest {
        var request = FetchRequest(name: "", entity: nil, source: mark(element))
        for xml in element.attributes {
            switch xml.name {
            case "name": request.name = xml.value
            case "entity": request.entity = xml.value
            case "predicateString": request.predicate = xml.value
            case "resultType": request.resultType = count(xml, of: element)
            case "fetchLimit": request.fetchLimit = count(xml, of: element)
            case "fetchBatchSize": request.fetchBatchSize = count(xml, of: element)
            case "includeSubentities": request.includesSubentities = flag(xml, of: element)
            case "includePropertyValues": request.includesPropertyValues = flag(xml, of: element)
            case "returnObjectsAsFaults": request.returnsObjectsAsFaults = flag(xml, of: element)
            case "returnDistinctResults": request.returnsDistinctResults = flag(xml, of: element)
            case "includesPendingChanges": request.includesPendingChanges = flag(xml, of: element)
            default: request.unrecognized.append(unknown(xml, of: element))
            }
        }
        requireName(request.name, of: element)
        for child in element.children { request.unrecognized.append(unknown(child, in: element)) }
        return request
    }
}
