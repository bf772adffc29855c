package import Diagnostics
import FileSystem
package import Essentials
import ModelLanguage
package import ObjectModel
import PropertyLists

/// Reads a mapping model of either form: an `.xcmappingmodel`, its `xcmapping.xml`, or a compiled `.cdm`.
package func readMappingModel(at path: String) -> Diagnosed<MappingModelSource> {
    let file = FileIdentity(of: path)?.isFolder == true ? path + "/xcmapping.xml" : path
    let bytes: Data
    do throws(FileFault) { bytes = Data(try readFile(file, limit: 64 << 20)) } catch {
        let isTooLarge = error == .tooLarge
        let diagnostic = Diagnostic(
            isTooLarge ? .notAMappingModel : .unreadableFile,
            isTooLarge ? "the mapping model is larger than 64 MB, the limit" : error.reason,
            at: FileLocation(path: file)
        )
        return Diagnosed(MappingModelSource(), [diagnostic])
    }
    guard bytes.starts(with: Data("bplist".utf8)) else {
        return readMappingModel(bytes, path: file)
    }
    return readCompiledMappingModel(bytes, path: file)
}

/// Reads a compiled mapping model, a `.cdm` (CompiledModels, "Mapping models"); its expressions are explicit.
package func readCompiledMappingModel(
    _ bytes: Data,
    path: String
) -> Diagnosed<MappingModelSource> {
    let place = FileLocation(path: path)
    guard let archive = try? KeyedArchive(bytes), let root = archive.root,
        let model = archive.mappingInstance(root), model.className == "NSMappingModel"
    else {
        let message = "the file has no mapping model"
        let diagnostic = Diagnostic(.notAMappingModel, message, at: place)
        return Diagnosed(MappingModelSource(), [diagnostic])
    }
    var reader = CompiledMappingReader(archive: archive, place: place)
    var source = MappingModelSource()
    for (number, reference) in archive.elements(model, "NSEntityMappings").enumerated() {
        guard let instance = archive.mappingInstance(reference) else { continue }
        source.entityMappings.append(reader.entityMapping(instance, number: number + 1))
    }
    return Diagnosed(source, reader.diagnostics)
}

private struct CompiledMappingReader {
    let archive: KeyedArchive
    let place: FileLocation
    var diagnostics: [Diagnostic] = []

    mutating func entityMapping(
        _ instance: KeyedArchive.Instance,
        number: Int
    ) -> MappingModelSource.EntityMapping {
        var mapping = MappingModelSource.EntityMapping(
            name: archive.text(instance, "NSMappingName"),
            sourceName: archive.text(instance, "NSSourceEntityName"),
            destinationName: archive.text(instance, "NSDestinationEntityName"),
            policyClassName: archive.text(instance, "NSEntityMigrationPolicyClassName"),
            number: number
        )
        mapping.sourceHash = archive.hash(instance, "NSSourceEntityVersionHash")
        mapping.destinationHash = archive.hash(instance, "NSDestinationEntityVersionHash")
        if case .reference(let fetch)? = instance.values["NSSourceExpression"], fetch != .null {
            do throws(SourceFetchFault) {
                mapping.sourcePredicate = try archive.sourcePredicate(at: fetch, of: mapping)
            } catch {
                mapping.unreadSource = unread(
                    "\(error.reason) of the mapping '\(mapping.effectiveName)'"
                )
            }
        }
        if case .reference(let notes)? = instance.values["NSUserInfo"] {
            let read = archive.userInfo(at: notes, of: mapping.effectiveName, path: place.path)
            mapping.userInfo = read.value
            diagnostics += read.diagnostics
        }
        mapping.attributes = properties(instance, "NSAttributeMappings")
        mapping.relationships = properties(instance, "NSRelationshipMappings")
        return mapping
    }

    private mutating func unread(_ reason: String) -> MappingModelSource.UnreadExpression {
        diagnostics.append(
            Diagnostic(.unreadableMappingValue, reason, severity: .warning, at: place)
        )
        return MappingModelSource.UnreadExpression(reason: reason)
    }

    private mutating func properties(
        _ instance: KeyedArchive.Instance,
        _ key: String
    ) -> [MappingModelSource.PropertyMapping] {
        archive.elements(instance, key).compactMap { reference in
            guard let property = archive.mappingInstance(reference),
                let name = archive.text(property, "NSDestinationPropertyName")
            else { return nil }
            var mapping = MappingModelSource.PropertyMapping(name: name)
            if case .reference(let value)? = property.values["NSValueExpression"], value != .null {
                mapping.valueExpression = decodedExpression(archive, at: value)
                if mapping.valueExpression == nil {
                    mapping.unreadValue = unread(
                        "the value expression of '\(name)' is not understood"
                    )
                }
            }
            return mapping
        }
    }
}

/// Why the objects that an entity mapping fetches are unknown.
struct SourceFetchFault: Error { var reason: String }

extension KeyedArchive {
    /// Returns the predicate of the request by which an entity mapping fetches its objects; `nil` for all objects.
    ///
    /// The expression is `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", …), …)`
    /// (MigrationBehaviour, "Mapping models").
    func sourcePredicate(
        at reference: Reference,
        of mapping: MappingModelSource.EntityMapping
    ) throws(SourceFetchFault) -> ModelLanguage.Predicate? {
        guard let fetch = mappingInstance(reference),
            case .reference(let request)? = fetch.values["NSFRExpression"],
            case .function(_, let selector, let arguments)? = decodedExpression(self, at: request),
            selector == "fetchRequestForSourceEntityNamed:predicateString:",
            arguments.count == 2, case .constant(let text) = arguments[1],
            arguments[0] == .constant(.string(mapping.sourceName ?? ""))
        else { throw SourceFetchFault(reason: "the source expression is not understood") }
        guard case .string(let text) = text else { return nil }
        do {
            let predicate = try ModelLanguage.Predicate(parsing: text)
            return predicate == .constant(true) ? nil : predicate
        } catch {
            throw SourceFetchFault(reason: "the predicate '\(text)' is not understood: \(error)")
        }
    }

    /// Returns the notes of an entity mapping, in the order of its keys.
    func userInfo(
        at reference: Reference,
        of mapping: String,
        path: String
    ) -> Diagnosed<[UserInfoEntry]> {
        var reader = ArchiveReader(archive: self, path: path, entryLimit: 100_000)
        let entries = reader.userInfo(reference, of: mapping)
        return Diagnosed(entries, reader.diagnostics)
    }

    fileprivate func mappingInstance(_ reference: Reference) -> Instance? {
        guard objects.indices.contains(reference.index),
            case .instance(let instance) = objects[reference.index]
        else { return nil }
        return instance
    }

    fileprivate func text(_ instance: Instance, _ key: String) -> String? {
        guard case .reference(let reference)? = instance.values[key],
            objects.indices.contains(reference.index),
            case .plain(.string(let text)) = objects[reference.index], !text.isEmpty,
            text != "$null"
        else { return nil }
        return text
    }

    fileprivate func hash(_ instance: Instance, _ key: String) -> VersionHash? {
        guard case .reference(let reference)? = instance.values[key],
            objects.indices.contains(reference.index),
            case .plain(.data(let bytes)) = objects[reference.index]
        else { return nil }
        return VersionHash(bytes)
    }

    fileprivate func elements(_ instance: Instance, _ key: String) -> [Reference] {
        guard case .reference(let reference)? = instance.values[key],
            let array = mappingInstance(reference),
            case .references(let elements)? = array.values["NS.objects"]
        else { return [] }
        return elements
    }
}
