import struct Essentials.Data
import struct Essentials.UUID
import ModelLanguage
package import ObjectModel
import PropertyLists
import XMLReading

/// Writes the `xcmapping.xml` of an `.xcmappingmodel`, as Xcode's mapping editor stores it.
///
/// The file is a Core Data XML store of the editor's own model: one object for the mapping model, one for each entity
/// mapping, and one for each property mapping (CompiledModels, "Mapping models"). It embeds both versions in the form
/// that the editor keeps (`sourcemodeldata`, `destinationmodeldata`). Object identifiers and the store's UUID follow
/// from the content, so that the same mapping gives the same bytes.
///
/// ```swift
/// let text = mappingModelText(of: mapping, from: old, to: new)
/// ```
///
/// - Parameters:
///   - source: the mapping, with the paths of both versions relative to the project's folder.
///   - old: the version that is migrated from.
///   - new: the version that is migrated to.
/// - Returns: the text of the file.
package func mappingModelText(
    of source: MappingModelSource,
    from old: ManagedObjectModel,
    to new: ManagedObjectModel
) -> String {
    var writer = MappingWriter()
    return writer.text(of: source, from: old, to: new)
}

/// Writes the objects of one mapping model.
private struct MappingWriter {
    typealias Property = MappingModelSource.PropertyMapping

    /// The first number that Xcode gives to an object.
    private static let firstNumber = 102

    private var objects = ""
    private var number = Self.firstNumber

    mutating func text(
        of source: MappingModelSource,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel
    ) -> String {
        let root = takeNumber()
        let entities = source.entityMappings.map { ($0, takeNumber()) }
        object("XDDEVMAPPINGMODEL", root) { writer in
            writer.attribute("sourcemodelpath", "string", source.sourceModelPath)
            writer.attribute("sourcemodeldata", "binary", Self.digits(editorArchive(of: old)))
            writer.attribute("destinationmodelpath", "string", source.destinationModelPath)
            writer.attribute("destinationmodeldata", "binary", Self.digits(editorArchive(of: new)))
            writer.relationship("entitymappings", "0/0", "ENTITYMAPPING", entities.map(\.1))
        }
        for (mapping, number) in entities { add(mapping, number, model: root) }
        return mappingStoreHeader(lastNumber: number - 1, content: objects)
            + objects + "</database>\n"
    }

    private mutating func add(
        _ mapping: MappingModelSource.EntityMapping,
        _ number: Int,
        model: Int
    ) {
        let attributes = mapping.attributes.map { ($0, takeNumber()) }
        let relationships = mapping.relationships.map { ($0, takeNumber()) }
        object("XDDEVENTITYMAPPING", number) { writer in
            let predicate = mapping.sourcePredicate?.description
            writer.attribute("sourcefilterpredicatestring", "string", predicate)
            writer.attribute("userinfodata", "binary", Self.digits(mapping.userInfo))
            writer.attribute("sourcename", "string", mapping.sourceName)
            writer.attribute("name", "string", mapping.name)
            writer.attribute("migrationpolicyclassname", "string", mapping.policyClassName)
            writer.attribute("mappingtypename", "string", "Undefined")
            writer.attribute("mappingnumber", "int16", String(mapping.number))
            writer.attribute("destinationname", "string", mapping.destinationName)
            writer.attribute("autogenerateexpression", "bool", "1")
            writer.relationship("mappingmodel", "1/1", "MAPPINGMODEL", [model])
            writer.relationship(
                "attributemappings",
                "0/0",
                "ATTRIBUTEMAPPING",
                attributes.map(\.1)
            )
            writer.relationship(
                "relationshipmappings",
                "0/0",
                "RELATIONSHIPMAPPING",
                relationships.map(\.1)
            )
        }
        for (property, own) in attributes {
            add(property, "XDDEVATTRIBUTEMAPPING", own, entity: number)
        }
        for (property, own) in relationships {
            add(property, "XDDEVRELATIONSHIPMAPPING", own, entity: number)
        }
    }

    private mutating func add(_ property: Property, _ type: String, _ own: Int, entity: Int) {
        object(type, own) { writer in
            writer.attribute("sourcemappingname", "string", property.sourceMappingName)
            writer.attribute("sourcekeypath", "string", property.sourceKeyPath)
            let expression = property.valueExpression.map(Self.digits(of:))
            writer.attribute("valueexpressiondata", "binary", expression)
            if type == "XDDEVRELATIONSHIPMAPPING" {
                writer.attribute("autogenerateexpression", "bool", "1")
            }
            writer.attribute("name", "string", property.name)
            writer.relationship("entitymapping", "1/1", "ENTITYMAPPING", [entity])
        }
    }

    private mutating func takeNumber() -> Int {
        defer { number += 1 }
        return number
    }

    private mutating func object(_ type: String, _ number: Int, _ body: (inout Self) -> Void) {
        objects += "    <object type=\"\(type)\" id=\"z\(number)\">\n"
        body(&self)
        objects += "    </object>\n"
    }

    private mutating func attribute(_ name: String, _ type: String, _ value: String?) {
        guard let value else { return }
        objects += "        <attribute name=\"\(name)\" type=\"\(type)\">"
        objects += "\(markup(value, in: .element))</attribute>\n"
    }

    private mutating func relationship(
        _ name: String,
        _ counts: String,
        _ destination: String,
        _ numbers: [Int]
    ) {
        let references = numbers.map { "z\($0)" }.joined(separator: " ")
        objects += "        <relationship name=\"\(name)\" type=\"\(counts)\""
        objects += " destination=\"XDDEV\(destination)\""
        if !numbers.isEmpty { objects += " idrefs=\"\(references)\"" }
        objects += "></relationship>\n"
    }

    private static func digits(of expression: PredicateExpression) -> String {
        var archiver = ModelArchiver(ManagedObjectModel(), options: CompilerOptions())
        let root = archiver.expression(expression, "", SourceMark())
        archiver.archive.top = ["root": .reference(root)]
        return digits(archiver.archive)
    }

    private static func digits(_ entries: [UserInfoEntry]) -> String? {
        guard !entries.isEmpty else { return nil }
        var archiver = ModelArchiver(ManagedObjectModel(), options: CompilerOptions())
        let values = entries.map { ($0.key, archiver.plain(.string($0.value))) }
        let root = archiver.dictionary(values, .mutableDictionary)
        archiver.archive.top = ["root": .reference(root)]
        return digits(archiver.archive)
    }

    /// The bytes in base64, in lines of 76 characters.
    private static func digits(_ archive: KeyedArchive) -> String {
        var rest = Substring(archive.binaryData.base64EncodedString())
        var lines = ""
        while !rest.isEmpty {
            lines += rest.prefix(76) + "\n"
            rest = rest.dropFirst(76)
        }
        return lines
    }
}

/// The beginning of the store: its number, its UUID, and the hashes of the editor's own model.
///
/// All files of one version of Xcode have the same but for the UUID and the last number. The UUID is of version 8,
/// which leaves its bits to the writer; here they follow from the content.
private func mappingStoreHeader(lastNumber: Int, content: String) -> String {
    let hashes: KeyValuePairs = [
        "XDDevAttributeMapping": "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc=",
        "XDDevEntityMapping": "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI=",
        "XDDevMappingModel": "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ=",
        "XDDevPropertyMapping": "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA=",
        "XDDevRelationshipMapping": "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs=",
    ]
    let entries = hashes.map { name, hash in
        """
                                <key>\(name)</key>
                                <data>
        \t\t\(hash)
        \t\t</data>

        """
    }
    return """
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>\(contentUUID(content))</UUID>
                <nextObjectID>\(lastNumber)</nextObjectID>
                <metadata>
                    <plist version="1.0">
                        <dict>
                            <key>NSPersistenceFrameworkVersion</key>
                            <integer>1516</integer>
                            <key>NSPersistenceMaximumFrameworkVersion</key>
                            <integer>1516</integer>
                            <key>NSStoreModelVersionChecksumKey</key>
                            <string>bMpud663vz0bXQE24C6Rh4MvJ5jVnzsD2sI3njZkKbc=</string>
                            <key>NSStoreModelVersionHashes</key>
                            <dict>
        \(entries.joined())                    </dict>
                            <key>NSStoreModelVersionHashesDigest</key>
                            <string>\(hashesDigest)</string>
                            <key>NSStoreModelVersionHashesVersion</key>
                            <integer>3</integer>
                            <key>NSStoreModelVersionIdentifiers</key>
                            <array>
                                <string></string>
                            </array>
                        </dict>
                    </plist>
                </metadata>
            </databaseInfo>

        """
}

private let hashesDigest =
    "+Hmc2uYZK6og+Pvx5GUJ7oW75UG4V/ksQanTjfTKUnxyGWJRMtB5tIRgVwGsrd7lz/QR57++wbvWsr6nxwyS0A=="

private func contentUUID(_ content: String) -> UUID {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { bytes in
        for index in bytes.indices {
            bytes[index] = UInt8(truncatingIfNeeded: fnv1a(content, salt: UInt8(index)) >> 24)
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
    }
    return UUID(uuid: uuid)
}
