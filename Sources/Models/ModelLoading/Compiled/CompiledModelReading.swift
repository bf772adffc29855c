package import Diagnostics
package import Essentials
import FileSystem
package import ObjectModel
package import PropertyLists

/// Reads the bytes of a compiled model, an archived `NSManagedObjectModel`: a `.mom` file, or the inflated content of a
/// store's `Z_MODELCACHE`.
///
/// Entities and properties come sorted by name, because archives hold them in an order without meaning. What is not
/// understood is reported as a warning and kept in the `unrecognized` of its element.
package func readCompiledModel(_ bytes: Data, path: String) -> Diagnosed<ManagedObjectModel> {
    do throws(PropertyListError) {
        return readCompiledModel(try KeyedArchive(bytes), path: path)
    } catch {
        let fault = Diagnostic(.notAModel, "\(error)", at: FileLocation(path: path))
        return Diagnosed(ManagedObjectModel(), [fault])
    }
}

/// Reads a compiled model from its archive, whose root is an `NSManagedObjectModel`.
///
/// `entryLimit` bounds the entries of all collections; objects can share one that is large.
package func readCompiledModel(
    _ archive: KeyedArchive,
    path: String,
    entryLimit: Int = 1_000_000
) -> Diagnosed<ManagedObjectModel> {
    var reader = ArchiveReader(archive: archive, path: path, entryLimit: entryLimit)
    guard let root = archive.root, let object = reader.object(root, of: ["NSManagedObjectModel"])
    else {
        let message = "the archive has no NSManagedObjectModel"
        let fault = Diagnostic(.notAModel, message, at: FileLocation(path: path))
        return Diagnosed(ManagedObjectModel(), [fault])
    }
    var model = reader.model(object)
    let faults = structuralFaults(of: model, isCompiled: true)
    noteRedeclarations(faults, in: &model)
    return Diagnosed(model, reader.diagnostics + faults)
}

extension ArchiveReader {
    fileprivate mutating func model(_ object: ArchivedObject) -> ManagedObjectModel {
        var object = object
        var model = ManagedObjectModel(versionIdentifiers: [], source: source)
        let entities = entries(object.reference("NSEntities")).map { (name: $0.key, $0.value) }
        listsInheritedProperties = hasInheritedProperties(entities.map(\.1))
        for (name, reference) in entities { model.entities.append(entity(named: name, reference)) }
        for (name, reference) in entries(object.reference("NSFetchRequestTemplates")) {
            var request = fetchRequest(reference, of: name)
            request.name = name
            model.fetchRequestTemplates.append(request)
        }
        for (name, reference) in entries(object.reference("NSConfigurations"))
        where name != "PF_DEFAULT_CONFIGURATION_NAME" {
            let members = elements(reference).compactMap { entityName($0) }
            model.configurations.append(
                Configuration(name: name, memberEntities: members.sorted(), source: source)
            )
        }
        model.versionIdentifiers = elements(object.reference("NSVersionIdentifiers"))
            .compactMap { text(of: $0) }.sorted()
        model.composites = composites
        for key in ["CDMCompilerToolVersion", "CDMCompilerXcodeVersion"] {
            if let number = object.number(key) { model.documentSettings[key] = number }
        }
        model.unrecognized = unread(&object, of: "model")
        return model
    }

    private mutating func entity(named name: String, _ reference: Reference) -> Entity {
        var entity = Entity(name: name, source: source)
        guard var object = object(reference, of: ["NSEntityDescription"]) else {
            let message = "the entity '\(name)' is not an NSEntityDescription"
            invalid(message, element: name, severity: .error)
            return entity
        }
        object.skip(["NSEntityName", "NSManagedObjectModel", "NSSubentities"])
        entity.className = text(of: object.reference("NSClassNameForEntity"))
        let parent = object.reference("NSSuperentity")
        entity.parentEntity = entityName(parent)
        entity.isAbstract = flag(&object, "NSIsAbstract")
        entity.userInfo = userInfo(object.reference("NSUserInfo"), of: name)
        entity.versionHashModifier = text(of: object.reference("NSVersionHashModifier"))
        entity.renamingIdentifier = identifier(&object, name: name)
        let inherited = listsInheritedProperties ? propertyNames(of: parent) : []
        addProperties(
            entries(object.reference("NSProperties")).filter { !inherited.contains($0.key) },
            to: &entity
        )
        entity.uniquenessConstraints = elements(object.reference("NSUniqueTuples")).map { tuple in
            let names = elements(tuple).compactMap { text(of: $0) ?? propertyName($0) }
            return UniquenessConstraint(properties: names, source: source)
        }
        addIndexes(of: &object, to: &entity)
        entity.unrecognized += unread(&object, of: name)
        return entity
    }

    private mutating func addProperties(
        _ properties: [(key: String, value: Reference)],
        to entity: inout Entity
    ) {
        for (name, reference) in properties {
            let element = "\(entity.name).\(name)"
            switch archive.instance(reference)?.className {
            case "NSAttributeDescription", "NSDerivedAttributeDescription",
                "NSCompositeAttributeDescription":
                entity.attributes.append(attribute(reference, element: element, depth: 0))
            case "NSRelationshipDescription":
                entity.relationships.append(relationship(reference, element: element))
            case "NSFetchedPropertyDescription":
                entity.fetchedProperties.append(fetchedProperty(reference, element: element))
            case "_NSPropertyDescriptionProxy":
                // Represents a property of a parent, which is listed there.
                continue
            default:
                entity.unrecognized.append(
                    unknownObject(reference, key: name, of: element, severity: .error)
                )
            }
        }
    }

    private mutating func addIndexes(of object: inout ArchivedObject, to entity: inout Entity) {
        let indexes = elements(object.reference("NSFetchIndexDescriptions"))
        let tuples = elements(object.reference("NSCompoundIndexes"))
        var legacy: Set<String> = []
        for reference in indexes {
            guard let (index, hasOwner) = fetchIndex(reference, of: entity.name) else {
                entity.unrecognized.append(
                    unknownObject(reference, key: "NSFetchIndexDescriptions", of: entity.name)
                )
                continue
            }
            // An index without an owner is the compiler's form of the old flag.
            if !hasOwner, index.mirroringProperty == index.name {
                legacy.insert(index.name)
            } else if let properties = index.compoundProperties, isDemoted(reference) {
                entity.compoundIndexes.append(properties)
            } else {
                entity.fetchIndexes.append(index)
            }
        }
        if indexes.isEmpty {
            entity.compoundIndexes = tuples.map { tuple in
                elements(tuple).compactMap { text(of: $0) ?? propertyName($0) }
            }
        }
        let mirrored = Set(entity.fetchIndexes.compactMap(\.mirroringProperty))
        func isFlagOnly(_ name: String, _ flag: Bool) -> Bool {
            legacy.contains(name) || (flag && !mirrored.contains(name))
        }
        for position in entity.attributes.indices {
            let attribute = entity.attributes[position]
            let isIndexed = isFlagOnly(attribute.name, attribute.isIndexed)
            entity.attributes[position].isIndexed = isIndexed
        }
        for position in entity.relationships.indices {
            let relationship = entity.relationships[position]
            let isIndexed = isFlagOnly(relationship.name, relationship.isIndexed)
            entity.relationships[position].isIndexed = isIndexed
        }
    }

    /// Whether the compiler made a fetch index of a compound index: the string of its name has a class of its own.
    private func isDemoted(_ index: Reference) -> Bool {
        guard case .reference(let name) = archive.instance(index)?.values["NSIndexName"] else {
            return false
        }
        return archive.instance(name)?.className == "NSMutableString"
    }

    /// Whether every entity lists the properties of its parents again, as run-time archives do.
    private mutating func hasInheritedProperties(_ entities: [Reference]) -> Bool {
        var isSeen = false
        for entity in entities {
            guard case .reference(let parent) = archive.instance(entity)?.values["NSSuperentity"]
            else { continue }
            let inherited = propertyNames(of: parent)
            guard !inherited.isEmpty else { continue }
            guard inherited.isSubset(of: propertyNames(of: entity)) else { return false }
            isSeen = true
        }
        return isSeen
    }

    private mutating func propertyNames(of entity: Reference) -> Set<String> {
        guard case .reference(let properties) = archive.instance(entity)?.values["NSProperties"]
        else { return [] }
        return Set(entries(properties).map(\.key))
    }
}

extension FetchIndex {
    /// The properties of an index that has the form and the generated name of a compound index.
    fileprivate var compoundProperties: [String]? {
        let names = elements.compactMap { element -> String? in
            guard element.isAscending, element.collation == .binary,
                case .property(let name) = element.subject
            else { return nil }
            return name
        }
        let isCompound = names.count == elements.count && partialIndexPredicate == nil
        return isCompound && names.joined(separator: "_") == name ? names : nil
    }

    /// The property whose flag mirrors this index: the only one, ascending.
    fileprivate var mirroringProperty: String? {
        elements.first?.collation == .binary ? onlyAscendingProperty : nil
    }
}

/// Reads a `.momd` with all its versions, or a lone `.mom` file; returns readable versions, and all diagnostics.
func readCompiledBundle(at path: String) -> Diagnosed<ModelBundle> {
    let url = fileURL(path)
    guard FileIdentity(of: url.path)?.isFolder == true else {
        let name = url.deletingPathExtension().lastPathComponent
        return readVersion(url, path: path).map { model in
            let version = ModelVersion(name: name, path: path, isCurrent: true, model: model)
            return ModelBundle(path: path, versions: [version])
        }
    }
    return readVersions(in: url, path: path)
}

private func readVersions(in url: URL, path: String) -> Diagnosed<ModelBundle> {
    let names: [String]
    let optimized: [String]
    do {
        let all = try Files.names(in: url.path)
        func versions(_ suffix: String) -> [String] {
            all.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        }
        let order = VersionOrder(bundleName: url.deletingPathExtension().lastPathComponent)
        names = order.sorted(versions(".mom"))
        // Xcode writes one beside the .mom of the current version.
        optimized = order.sorted(versions(".omo")).filter { !names.contains($0) }
    } catch { return unreadableBundle("the model cannot be read: \(reason(error))", path: path) }
    guard !names.isEmpty else {
        return optimized.isEmpty
            ? unreadableBundle("the bundle has no .mom", .notAModel, path: path)
            : unreadableBundle(
                "the bundle has only optimized models (.omo), which only Core Data can read",
                .optimizedModel,
                path: path
            )
    }
    let current = currentVersionName(in: url, path: path, names: names, optimized)
    let versions = names.map { name in
        let file = "\(path)/\(name).mom"
        return (name, file, readVersion(url.appending(path: name + ".mom"), path: file))
    }
    return bundle(of: versions, current, optimizedVersions(optimized, path), path: path)
}

private func readVersion(_ file: URL, path: String) -> Diagnosed<ManagedObjectModel> {
    readModel(in: file.path, megabytes: 64, path: path) { readCompiledModel(Data($0), path: path) }
}

/// Lists the versions that exist only in a form that only Core Data reads.
private func optimizedVersions(_ names: [String], _ path: String) -> [Diagnostic] {
    names.map { name in
        Diagnostic(
            .optimizedModel,
            "the version '\(name)' exists only as an optimized model (.omo), which only Core Data can read",
            severity: .warning,
            at: FileLocation(path: "\(path)/\(name).omo")
        )
    }
}

/// Returns the version named in `VersionInfo.plist`, or the only one; the file has no other use.
private func currentVersionName(
    in url: URL,
    path: String,
    names: [String],
    _ optimized: [String]
) -> Diagnosed<CurrentVersion> {
    let onlyName = CurrentVersion(name: names.count == 1 ? names[0] : nil)
    let file = url.appending(path: "VersionInfo.plist")
    guard let bytes = try? Data(readFile(file.path, limit: 16 << 20)) else {
        return Diagnosed(onlyName)
    }
    let place = FileLocation(path: path + "/VersionInfo.plist")
    do throws(PropertyListError) {
        let list = try readPropertyList(bytes)
        guard let name = list["NSManagedObjectModel_CurrentVersionName"]?.string else {
            return Diagnosed(onlyName)
        }
        guard names.contains(name) else {
            let isOptimized = optimized.contains(name)
            let words =
                isOptimized
                ? "exists only as an optimized model (.omo), which only Core Data can read"
                : "is not in the bundle"
            let message = "the current version '\(name)' \(words)"
            let rule: RuleID = isOptimized ? .optimizedModel : .missingCurrentVersion
            let severity: Severity = isOptimized ? .error : .warning
            let fault = Diagnostic(rule, message, severity: severity, at: place)
            return Diagnosed(CurrentVersion(), [fault])
        }
        return Diagnosed(CurrentVersion(name: name, isNamed: true))
    } catch { return Diagnosed(onlyName, [Diagnostic(.unreadableFile, "\(error)", at: place)]) }
}

extension ArchiveReader {
    /// Returns an archived object as text: the class with its keys, entities and properties by name.
    func dump(_ reference: Reference) -> String { dump(.reference(reference)) }

    func dump(_ value: KeyedArchive.Value) -> String {
        var allowance = 1000
        return dump(value, depth: 0, allowance: &allowance)
    }

    private func dump(_ value: KeyedArchive.Value, depth: Int, allowance: inout Int) -> String {
        allowance -= 1
        guard allowance >= 0, depth <= 16 else { return "…" }
        switch value {
        case .plain(let value): return dump(value)
        case .references(let references):
            var parts: [String] = []
            for reference in references where allowance > 0 {
                parts.append(dump(.reference(reference), depth: depth + 1, allowance: &allowance))
            }
            return "[\(parts.joined(separator: ", "))]"
        case .reference(let reference):
            switch archive[reference] {
            case .null: return "nil"
            case .classRecord(let record): return record.name
            case .plain(let value): return dump(value)
            case .instance(let instance):
                if depth > 0, let name = entityName(reference) ?? propertyName(reference) {
                    return "\(instance.className) \(name)"
                }
                var parts: [String] = []
                for key in instance.keys where allowance > 0 {
                    guard let value = instance.values[key] else { continue }
                    let text = dump(value, depth: depth + 1, allowance: &allowance)
                    parts.append("\(key): \(text)")
                }
                return "\(instance.className) {\(parts.joined(separator: ", "))}"
            }
        }
    }

    private func dump(_ value: PropertyList) -> String {
        switch value {
        case .string(let text): "\"\(text)\""
        case .integer(let number): String(number)
        case .largeInteger(let number): String(number)
        case .real32(let number): String(number)
        case .real64(let number): String(number)
        case .boolean(let flag): String(flag)
        case .date(let seconds): "date \(seconds)"
        case .data(let bytes): "data \(bytes.base64EncodedString())"
        case .uid(let number): "object \(number)"
        case .null: "null"
        case .array(let values): "array of \(values.count)"
        case .set(let values): "set of \(values.count)"
        case .dictionary(let values): "dictionary of \(values.count)"
        }
    }
}
