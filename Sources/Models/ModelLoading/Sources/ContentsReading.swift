package import Diagnostics
package import ObjectModel
package import struct Essentials.Data
import XMLReading

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
