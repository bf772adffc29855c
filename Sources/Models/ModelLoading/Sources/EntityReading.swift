import ObjectModel
import XMLReading

extension ReadingContext {
    mutating func entity(_ element: XMLElement) -> Entity {
        var entity = Entity(name: "", source: mark(element))
        for xml in element.attributes {
            switch xml.name {
            case "name": entity.name = xml.value
            case "representedClassName": entity.className = xml.value
            case "parentEntity": entity.parentEntity = xml.value
            case "isAbstract": entity.isAbstract = flag(xml, of: element)
            case "elementID": entity.renamingIdentifier = xml.value
            case "versionHashModifier": entity.versionHashModifier = xml.value
            // Apple's compiler ignores a literal `renamingIdentifier`, which Xcode never writes.
            case "syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression",
                "renamingIdentifier":
                entity.sourceSettings[xml.name] = xml.value
            default: entity.unrecognized.append(unknown(xml, of: element))
            }
        }
        requireName(entity.name, of: element)
        for child in element.children {
            switch child.name {
            case "attribute": entity.attributes.append(attribute(child))
            case "relationship": entity.relationships.append(relationship(child))
            case "fetchedProperty": entity.fetchedProperties.append(fetchedProperty(child))
            case "fetchIndex": entity.fetchIndexes.append(fetchIndex(child))
            case "uniquenessConstraints":
                entity.uniquenessConstraints += uniquenessConstraints(child)
            case "compoundIndexes": entity.compoundIndexes += compoundIndexes(child)
            case "userInfo": entity.userInfo += userInfo(child)
            default: entity.unrecognized.append(unknown(child, in: element))
            }
        }
        entity.unrecognized += takeStrays()
        entity.gaps = takeGaps()
        return entity
    }

    private mutating func fetchIndex(_ element: XMLElement) -> FetchIndex {
        var index = FetchIndex(name: "", source: mark(element))
        for xml in element.attributes {
            switch xml.name {
            case "name": index.name = xml.value
            case "partialIndexPredicate": index.partialIndexPredicate = xml.value
            default: stray(xml, of: element)
            }
        }
        requireName(index.name, of: element)
        for child in element.children {
            if child.name == "fetchIndexElement", let part = fetchIndexElement(child) {
                index.elements.append(part)
            } else {
                stray(child, in: element)
            }
        }
        return index
    }

    private mutating func fetchIndexElement(_ element: XMLElement) -> FetchIndex.Element? {
        let subject: FetchIndex.Element.Subject
        if let property = element["property"] {
            subject = .property(property)
        } else if let expression = element["expression"] {
            subject = .expression(expression, type: element["expressionType"])
        } else {
            return nil
        }
        var part = FetchIndex.Element(subject)
        for xml in element.attributes {
            switch (xml.name, xml.value) {
            case ("property", _), ("expression", _), ("expressionType", _): break
            case ("type", "Binary"), ("order", "ascending"): break
            case ("type", "RTree"): part.collation = .rTree
            case ("order", "descending"): part.isAscending = false
            case ("type", _):
                unknown(xml, of: element, what: "type of index", among: ["Binary", "RTree"])
            case ("order", _): invalid(xml, of: element, expected: "ascending or descending")
            default: stray(xml, of: element)
            }
        }
        return part
    }

    private mutating func uniquenessConstraints(_ element: XMLElement) -> [UniquenessConstraint] {
        element.children.compactMap { child in
            guard child.name == "uniquenessConstraint" else {
                stray(child, in: element)
                return nil
            }
            return UniquenessConstraint(
                properties: values(of: child, named: "constraint"),
                source: mark(child)
            )
        }
    }

    private mutating func compoundIndexes(_ element: XMLElement) -> [[String]] {
        element.children.compactMap { child in
            guard child.name == "compoundIndex" else {
                stray(child, in: element)
                return nil
            }
            return values(of: child, named: "index")
        }
    }

    private mutating func values(of element: XMLElement, named name: String) -> [String] {
        element.children.compactMap { child in
            guard child.name == name, let value = child["value"] else {
                stray(child, in: element)
                return nil
            }
            return value
        }
    }
}
