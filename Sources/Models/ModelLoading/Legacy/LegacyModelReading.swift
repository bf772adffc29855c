package import Diagnostics
package import struct Essentials.Data
package import ObjectModel
import PropertyLists

extension RuleID { package static let unknownLegacyPart: RuleID = "unknown-legacy-part" }

/// Reads the `elements` that Xcode 3 wrote in place of `contents`; entities and properties come sorted by name.
///
/// The file is a keyed archive of the objects of a diagram in UML: entities are classes, and all that Core Data knows
/// about them is in stereotypes, which are lists of keys and values. Parts whose form no file has shown are reported by
/// name and left out; an entity whose hash depends on such a part has a gap.
package func readModel(elements: Data, path: String) -> Diagnosed<ManagedObjectModel> {
    func refused(_ message: String) -> Diagnosed<ManagedObjectModel> {
        let fault = Diagnostic(.notAModel, message, at: FileLocation(path: path))
        return Diagnosed(ManagedObjectModel(), [fault])
    }
    guard !isDamagedByNewlines(elements) else {
        return refused("the file was damaged by a conversion of line endings; get an intact copy")
    }
    let archive: KeyedArchive
    do throws(PropertyListError) { archive = try KeyedArchive(elements) } catch {
        return refused("\(error)")
    }
    let reader = ArchiveReader(archive: archive, path: path, entryLimit: 1_000_000)
    guard let root = archive.root, let object = reader.object(root, of: ["XDPMModel"]) else {
        return refused("the archive has no Xcode 3 model (XDPMModel)")
    }
    var legacy = LegacyReader(archive: reader)
    var model = legacy.model(object)
    let faults = structuralFaults(of: model)
    noteRedeclarations(faults, in: &model)
    return Diagnosed(model, legacy.archive.diagnostics + faults)
}

/// Whether a line-end conversion damaged carriage returns in a binary list: the byte occurs in every intact file, and the
/// offset table is where the trailer says.
private func isDamagedByNewlines(_ elements: Data) -> Bool {
    let bytes = Array(elements)
    guard bytes.starts(with: Array("bplist".utf8)) else { return false }
    guard bytes.contains(0x0D) else { return true }
    guard bytes.count >= 40 else { return false }
    func number(_ start: Int) -> UInt64 {
        bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let trailer = bytes.count - 32
    let size = number(trailer + 8).multipliedReportingOverflow(by: UInt64(bytes[trailer + 6]))
    let end = number(trailer + 24).addingReportingOverflow(size.partialValue)
    return size.overflow || end.overflow || end.partialValue != UInt64(trailer)
}

struct LegacyReader {
    typealias Reference = KeyedArchive.Reference

    var archive: ArchiveReader
    /// The gaps of the current entity, and the reasons why its hash is unproven.
    var gaps: [EntityGap] = []
    var doubts: [String] = []

    mutating func model(_ object: ArchivedObject) -> ManagedObjectModel {
        var object = object
        var model = ManagedObjectModel(source: archive.source)
        let identifier = archive.text(of: object.reference("_modelVersionIdentifier"))
        model.versionIdentifiers = [identifier ?? ""]
        let configurations = archive.entries(object.reference("_configurationsByName"))
        if !configurations.isEmpty {
            let names = configurations.prefix(5).map { "'\($0.key)'" }.joined(separator: ", ")
            refuse("configurations (\(names))", of: nil)
        }
        guard var package = archive.object(object.reference("_xd_rootPackage"), of: packages) else {
            archive.invalid("the model has no package of entities", severity: .error)
            return model
        }
        for kind in ["Packages", "Interfaces", "DataTypes"]
        where !bucket(kind, of: &package).isEmpty {
            refuse("'\(kind)' of the model's package", of: nil)
        }
        for reference in bucket("Classes", of: &package) {
            guard var object = archive.object(reference, of: ["XDPMEntity"]) else {
                refuse("an object that is not an entity among the entities", of: nil)
                continue
            }
            let (entity, requests) = entity(&object)
            model.entities.append(entity)
            model.fetchRequestTemplates += requests
        }
        model.entities.sort { $0.name.precedesByCodeUnits($1.name) }
        model.fetchRequestTemplates.sort { $0.name.precedesByCodeUnits($1.name) }
        return model
    }

    private var packages: Set<String> { ["XDModelPackage"] }

    private mutating func entity(_ object: inout ArchivedObject) -> (Entity, [FetchRequest]) {
        let name = archive.text(of: object.reference("_name")) ?? ""
        var entity = Entity(name: name, source: archive.source)
        if name.isEmpty { archive.invalid("an entity has no name", severity: .error) }
        entity.isAbstract = archive.flag(&object, "_isAbstract")
        entity.parentEntity = parent(of: &object, name)
        for reference in bucket("OwnedAttributes", of: &object) {
            addProperty(reference, to: &entity)
        }
        entity.attributes.sort { $0.name.precedesByCodeUnits($1.name) }
        entity.relationships.sort { $0.name.precedesByCodeUnits($1.name) }
        entity.fetchedProperties.sort { $0.name.precedesByCodeUnits($1.name) }
        var values = stereotypes(of: &object, named: ["XD_PStereotype"], name)
        entity.className = values.text("XD_PSK_entityClassName", archive)
        entity.versionHashModifier = hashModifier(values.take("XD_PSK_versionHashModifier"), name)
        entity.renamingIdentifier = values.text("XD_PSK_elementID", archive)
        entity.userInfo = userInfo(values.take("XD_PSK_userInfo"), name)
        let requests = archive.elements(values.take("XD_PSK_fetchRequestsArray")).map {
            fetchRequest($0, name)
        }
        for (key, words) in [
            ("XDPMCompoundIndexes", "compound indexes"),
            ("XDPMUniquenessConstraints", "uniqueness constraints"),
        ] where !isEmpty(values.take(key)) {
            refuse(words, of: name)
            if key == "XDPMUniquenessConstraints" { gaps.append("\(words) are not understood") }
        }
        values.skip(["XD_PSK_isAbstract", "XD_PSK_classMapping"])
        refuseRest(of: values, name)
        (entity.gaps, entity.doubts, gaps, doubts) = (gaps, doubts, [], [])
        return (entity, requests)
    }

    private mutating func parent(of object: inout ArchivedObject, _ name: String) -> String? {
        let parents = bucket("Generalizations", of: &object).compactMap { reference -> String? in
            guard let link = archive.archive.instance(reference),
                case .reference(let general) = link.values["_general"]
            else { return nil }
            return entityName(general)
        }
        if parents.count > 1 {
            refuse("more than one parent entity", of: name)
            gaps.append("it has more than one parent entity")
        }
        return parents.first
    }

    private mutating func addProperty(_ reference: Reference, to entity: inout Entity) {
        guard let instance = archive.archive.instance(reference) else {
            gaps.append("a property is missing")
            return refuse("a property that is not an object", of: entity.name)
        }
        var object = ArchivedObject(instance)
        switch instance.className {
        case "XDPMAttribute": entity.attributes.append(attribute(&object, of: entity.name))
        case "XDPMRelationship": entity.relationships.append(relationship(&object, of: entity.name))
        case "XDPMFetchedProperty":
            entity.fetchedProperties.append(fetchedProperty(&object, of: entity.name))
        default:
            refuse("a property of class \(instance.className)", of: entity.name)
            gaps.append("a property of class \(instance.className) is not understood")
        }
    }

    func entityName(_ reference: Reference) -> String? { name(of: reference, "XDPMEntity") }

    func name(of reference: Reference, _ className: String) -> String? {
        guard var object = archive.object(reference, of: [className]) else { return nil }
        return archive.text(of: object.reference("_name"))
    }

    /// Returns the objects that a UML object holds under a name, whether as a dictionary or as a list.
    mutating func bucket(_ name: String, of object: inout ArchivedObject) -> [Reference] {
        let storage = object.reference("XDBucketFor\(name)storage")
        let entries = archive.entries(storage)
        return entries.isEmpty ? archive.elements(storage) : entries.map(\.value)
    }

    mutating func refuse(_ part: String, of element: String?) {
        archive.diagnostics.report(
            .unknownLegacyPart,
            "\(part): this part of the Xcode 3 format is unknown and not read",
            at: FileLocation(path: archive.path),
            element: element
        )
    }
}
