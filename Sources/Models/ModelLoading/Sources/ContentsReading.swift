package import Diagnostics
package import ObjectModel
import XMLReading
package import struct Essentials.Data

/// Reads the XML of one model version, the `contents` of an `.xcdatamodel`, with diagnostics in file order.
///
/// The vocabulary follows SourceFormat, "Vocabulary". Unknown parts are reported as warnings and kept in the
/// `unrecognized` of their element; dangling references are reported as errors. With `takesOurs`, a conflict that
/// `momtool model merge` left in comments is read as our side, not as an error.
package func readModel(
    contents: Data,
    path: String,
    takingOurs takesOurs: Bool = false
) -> Diagnosed<ManagedObjectModel> {
    readModel(contents: [UInt8](contents), path: path, takingOurs: takesOurs)
}

func readModel(
    contents: [UInt8],
    path: String,
    takingOurs takesOurs: Bool = false
) -> Diagnosed<ManagedObjectModel> {
    let document: XMLDocument
    do throws(XMLFault) { document = try readXML(contents, path: path) } catch {
        let fault = mergeConflict(in: contents, path: path) ?? error.diagnostic
        return Diagnosed(ManagedObjectModel(), [fault])
    }
    if !takesOurs, let fault = commentedConflict(in: contents, path: path) {
        return Diagnosed(ManagedObjectModel(), [fault])
    }
    var context = ReadingContext(source: document.source)
    guard document.root.name == "model" else {
        let place = document.source.location(atOffset: document.root.range.lowerBound)
        let message = "the root element is '\(document.root.name)', not 'model'"
        return Diagnosed(ManagedObjectModel(), [Diagnostic(.notAModel, message, at: place)])
    }
    var model = context.model(document.root)
    let faults = structuralFaults(of: model)
    noteRedeclarations(faults, in: &model)
    return Diagnosed(model, (context.diagnostics + faults).sortedByPlace())
}

extension ReadingContext {
    fileprivate mutating func model(_ element: XMLElement) -> ManagedObjectModel {
        var model = ManagedObjectModel(source: mark(element))
        for xml in element.attributes {
            switch xml.name {
            case "userDefinedModelVersionIdentifier": model.versionIdentifiers = [xml.value]
            case "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
                "minimumToolsVersion", "sourceLanguage", "iOSVersion", "macOSVersion", "name",
                "usedWithCloudKit", "usedWithSwiftData":
                model.documentSettings[xml.name] = xml.value
            default: model.unrecognized.append(unknown(xml, of: element))
            }
        }
        var compositeGaps: [EntityGap] = []
        for child in element.children {
            switch child.name {
            case "entity": model.entities.append(entity(child))
            case "composite":
                model.composites.append(composite(child))
                compositeGaps += takeGaps()
            case "configuration": model.configurations.append(configuration(child))
            case "fetchRequest": model.fetchRequestTemplates.append(fetchRequest(child))
            case "elements": break  // Places in Xcode's diagram.
            default: model.unrecognized.append(unknown(child, in: element))
            }
        }
        model.unrecognized += takeStrays()
        // The entities that use a composite type are not determined.
        for index in model.entities.indices where !compositeGaps.isEmpty {
            let isConcerned = model.entities[index].attributes.contains { $0.type == .composite }
            if isConcerned { model.entities[index].gaps += compositeGaps }
        }
        return model
    }

    private mutating func composite(_ element: XMLElement) -> CompositeType {
        var type = CompositeType(name: element["name"] ?? "", source: mark(element))
        requireName(type.name, of: element)
        for xml in element.attributes where xml.name != "name" { stray(xml, of: element) }
        for child in element.children {
            if child.name == "attribute" {
                type.attributes.append(attribute(child))
            } else {
                stray(child, in: element)
            }
        }
        return type
    }

    private mutating func configuration(_ element: XMLElement) -> Configuration {
        var configuration = Configuration(name: "", source: mark(element))
        for xml in element.attributes {
            switch xml.name {
            case "name": configuration.name = xml.value
            case "usedWithCloudKit": configuration.isUsedWithCloudKit = flag(xml, of: element)
            default: stray(xml, of: element)
            }
        }
        requireName(configuration.name, of: element)
        for child in element.children {
            if child.name == "memberEntity", let name = child["name"] {
                configuration.memberEntities.append(name)
            } else {
                stray(child, in: element)
            }
        }
        return configuration
    }
}

extension [Diagnostic] {
    /// The same diagnostics in file order; those with the same location keep their order.
    fileprivate func sortedByPlace() -> [Diagnostic] {
        guard count > 1 else { return self }
        return enumerated().sorted { left, right in
            let origin = FileLocation(path: "")
            let places = (left.element.location ?? origin, right.element.location ?? origin)
            return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
        }.map(\.element)
    }
}

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
            case ("order", "ascending"): break
            case ("order", "descending"): part.isAscending = false
            case ("type", let name):
                let kinds = FetchIndex.Element.Collation.allCases
                let kind = kinds.first { $0.sourceName == name }
                part.collation = kind ?? .binary
                guard kind == nil else { continue }
                unknown(xml, of: element, what: "type of index", among: kinds.map(\.sourceName))
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
