package import Diagnostics
package import struct Essentials.Data
import ModelLanguage
package import ObjectModel
import PropertyLists
import XMLReading

extension RuleID { package static let notAMappingModel: RuleID = "not-a-mapping-model" }

/// Reads the `xcmapping.xml` of an `.xcmappingmodel`, a Core Data XML store of the editor.
package func readMappingModel(_ bytes: Data, path: String) -> Diagnosed<MappingModelSource> {
    do throws(XMLFault) {
        let document = try readXML(bytes, path: path)
        var reader = MappingReader(document: document)
        let model = reader.model()
        return Diagnosed(model, reader.diagnostics)
    } catch { return Diagnosed(MappingModelSource(), [error.diagnostic]) }
}

private struct MappingReader {
    /// An object of the store with its attributes as text and its relationships as identifiers.
    struct StoredObject {
        var type: String
        var element: XMLElement
        var values: [String: String] = [:]
        var related: [String: [String]] = [:]
    }

    let source: XMLSource
    let rootName: String
    var objects: [String: StoredObject] = [:]
    var order: [String] = []
    var diagnostics: [Diagnostic] = []
    private var names: Set<String> = []

    init(document: XMLDocument) {
        source = document.source
        rootName = document.root.name
        for element in document.root.children where element.name == "object" {
            guard let type = element["type"], let id = element["id"],
                objects[id] == nil
            else { continue }
            var object = StoredObject(type: type, element: element)
            for child in element.children {
                guard let name = child["name"] else { continue }
                if child.name == "attribute" {
                    object.values[name] = child.text
                } else if child.name == "relationship" {
                    let references = (child["idrefs"] ?? "").split(separator: " ")
                    object.related[name] = references.map(String.init)
                }
            }
            objects[id] = object
            order.append(id)
        }
    }

    mutating func model() -> MappingModelSource {
        var model = MappingModelSource()
        let all = order.compactMap { objects[$0] }
        guard rootName == "database",
            let root = all.first(where: { $0.type == "XDDEVMAPPINGMODEL" })
        else {
            let place = FileLocation(path: source.path)
            diagnostics.append(
                Diagnostic(.notAMappingModel, "the file has no mapping model", at: place)
            )
            return model
        }
        model.sourceModelPath = root.values["sourcemodelpath"]
        model.destinationModelPath = root.values["destinationmodelpath"]
        // The editor leaves ownerless mappings, which Apple's compiler ignores.
        let owned = (root.related["entitymappings"] ?? []).compactMap { objects[$0] }
        for object in owned where object.type == "XDDEVENTITYMAPPING" {
            let mapping = entityMapping(object)
            reportIfTaken(mapping.effectiveName, object)
            model.entityMappings.append(mapping)
        }
        model.entityMappings.sort { $0.number < $1.number }
        return model
    }

    /// Relationships name the mapping of their objects.
    private mutating func reportIfTaken(_ name: String, _ object: StoredObject) {
        guard !names.insert(name).inserted else { return }
        diagnostics.report(
            "duplicate-mapping",
            "there are two entity mappings '\(name)'",
            at: source.location(atOffset: object.element.range.lowerBound)
        )
    }

    private mutating func entityMapping(
        _ object: StoredObject
    ) -> MappingModelSource.EntityMapping {
        var mapping = MappingModelSource.EntityMapping(
            name: text(object, "name"),
            sourceName: text(object, "sourcename"),
            destinationName: text(object, "destinationname"),
            policyClassName: text(object, "migrationpolicyclassname"),
            number: Int(object.values["mappingnumber"] ?? "") ?? 0
        )
        readSourceExpression(object, into: &mapping)
        readUserInfo(object, into: &mapping)
        for id in object.related["attributemappings"] ?? [] {
            if let object = objects[id] { mapping.attributes.append(propertyMapping(object)) }
        }
        for id in object.related["relationshipmappings"] ?? [] {
            if let object = objects[id] { mapping.relationships.append(propertyMapping(object)) }
        }
        mapping.attributes.sort { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
        mapping.relationships.sort { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
        return mapping
    }

    /// Reads which objects take part: the editor's filter, or a custom expression.
    ///
    /// No real file shows such an expression; its name follows that of `valueexpressiondata`.
    private mutating func readSourceExpression(
        _ object: StoredObject,
        into mapping: inout MappingModelSource.EntityMapping
    ) {
        let place = source.location(atOffset: object.element.range.lowerBound)
        if let filter = text(object, "sourcefilterpredicatestring") {
            readFilter(editorText(filter), at: place, into: &mapping)
        }
        guard let encoded = text(object, "sourceexpressiondata") else {
            guard object.values["autogenerateexpression"] == "0", mapping.sourceName != nil else {
                return
            }
            let reason = "the source expression of '\(mapping.effectiveName)' is not understood"
            mapping.unreadSource = unread(reason, nil, at: place)
            return
        }
        let bytes = Data(base64Encoded: encoded.filter { !$0.isWhitespace })
        let archive = bytes.flatMap { try? KeyedArchive($0) }
        do throws(SourceFetchFault) {
            guard let archive, let root = archive.root
            else { throw SourceFetchFault(reason: "the source expression is not understood") }
            mapping.sourcePredicate = try archive.sourcePredicate(at: root, of: mapping)
        } catch {
            let reason = "\(error.reason) of the mapping '\(mapping.effectiveName)'"
            mapping.unreadSource = unread(reason, archive == nil ? nil : bytes, at: place)
        }
    }

    /// Reports an expression that is not understood, which is an error where it cannot be copied.
    private mutating func unread(
        _ reason: String,
        _ archive: Data?,
        _ condition: String? = nil,
        at place: FileLocation
    ) -> MappingModelSource.UnreadExpression {
        let isCopied = archive != nil || condition != nil
        diagnostics.report(
            .unreadableMappingValue,
            reason,
            severity: isCopied ? .warning : .error,
            at: place
        )
        return MappingModelSource.UnreadExpression(
            reason: reason,
            archive: archive,
            condition: condition
        )
    }

    private mutating func readUserInfo(
        _ object: StoredObject,
        into mapping: inout MappingModelSource.EntityMapping
    ) {
        guard let encoded = text(object, "userinfodata") else { return }
        let digits = encoded.filter { !$0.isWhitespace }
        guard let archive = Data(base64Encoded: digits).flatMap({ try? KeyedArchive($0) }),
            let root = archive.root
        else {
            diagnostics.report(
                .unreadableMappingValue,
                "the user info of the mapping '\(mapping.effectiveName)' is not understood",
                severity: .warning,
                at: source.location(atOffset: object.element.range.lowerBound)
            )
            return
        }
        let read = archive.userInfo(at: root, of: mapping.effectiveName, path: source.path)
        mapping.userInfo = read.value
        diagnostics += read.diagnostics
    }

    private mutating func readFilter(
        _ filter: String,
        at place: FileLocation,
        into mapping: inout MappingModelSource.EntityMapping
    ) {
        do {
            let predicate = try Predicate(parsing: filter)
            mapping.sourcePredicate = predicate == .constant(true) ? nil : predicate
        } catch {
            let reason =
                "the filter '\(filter)' of the mapping '\(mapping.effectiveName)' is not understood:"
                + " \(error)"
            mapping.unreadSource = unread(reason, nil, filter, at: place)
        }
    }

    private mutating func propertyMapping(
        _ object: StoredObject
    ) -> MappingModelSource.PropertyMapping {
        var mapping = MappingModelSource.PropertyMapping(
            name: object.values["name"] ?? "",
            sourceMappingName: text(object, "sourcemappingname"),
            sourceKeyPath: text(object, "sourcekeypath")
        )
        guard let encoded = text(object, "valueexpressiondata") else { return mapping }
        let bytes = Data(base64Encoded: encoded.filter { !$0.isWhitespace })
        let archive = bytes.flatMap { try? KeyedArchive($0) }
        mapping.valueExpression = archive.flatMap { decodedExpression($0) }
        if mapping.valueExpression == nil {
            mapping.unreadValue = unread(
                "the value expression of '\(mapping.name)' is not understood",
                archive == nil ? nil : bytes,
                at: source.location(atOffset: object.element.range.lowerBound)
            )
        }
        return mapping
    }

    /// Returns a value; `nil` when it is absent or empty, which the editor does not distinguish.
    private func text(_ object: StoredObject, _ name: String) -> String? {
        object.values[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Returns the text in an XML store of Core Data.
///
/// Such stores write XML's special characters as `\u` and the bytes of the UTF-16 unit, lower first: `<` is `\u3c00`.
private func editorText(_ text: String) -> String {
    guard text.contains("\\u") else { return text }
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "\\") {
        result += rest[..<start]
        rest = rest[start...]
        let digits = rest.dropFirst(2).prefix(4)
        guard rest.hasPrefix("\\u"), digits.count == 4, let unit = UInt16(digits, radix: 16),
            let scalar = Unicode.Scalar(unit.byteSwapped)
        else {
            result.append(rest.removeFirst())
            continue
        }
        result.unicodeScalars.append(scalar)
        rest = rest.dropFirst(6)
    }
    return result + rest
}
