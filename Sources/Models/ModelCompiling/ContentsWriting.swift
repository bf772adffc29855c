package import Diagnostics
import Essentials
package import ObjectModel
import XMLReading

/// Writes the `contents` of an `.xcdatamodel` in Xcode's own form, with a warning for what a source cannot express.
///
/// Four blanks of indentation, XML attributes in Xcode's order, no newline at the end: a file that Xcode 14 or later
/// saved comes back byte for byte, except for the positions of its diagram. What a compiled model does not hold (scalar
/// use, code generation, the tools' versions) is left out.
package func modelContents(of model: ManagedObjectModel) -> Diagnosed<String> {
    var writer = ContentsWriter(model)
    writer.writeModel(model)
    return Diagnosed(writer.xml.text, writer.diagnostics)
}

struct ContentsWriter {
    var xml = XMLText()
    var diagnostics: [Diagnostic] = []
    /// Whether the model came from a source, whose settings and unknown parts are written again.
    let isFromSource: Bool

    init(_ model: ManagedObjectModel) { isFromSource = model.documentSettings["type"] != nil }

    mutating func writeModel(_ model: ManagedObjectModel) {
        if model.versionIdentifiers.count > 1 {
            let identifiers = model.versionIdentifiers.joined(separator: "', '")
            report(
                "a source has only one version identifier, not '\(identifiers)'",
                nil,
                model.source
            )
        }
        xml.declaration()
        let hasChildren =
            !model.entities.isEmpty || !model.fetchRequestTemplates.isEmpty
            || !model.configurations.isEmpty || !model.composites.isEmpty
        let attributes = documentAttributes(of: model) + unknownAttributes(model.unrecognized, nil)
        guard hasChildren else { return xml.element("model", attributes) }
        xml.open("model", attributes)
        for entity in sorted(model.entities, \.name) { write(entity) }
        for composite in model.composites { write(composite) }
        for request in sorted(model.fetchRequestTemplates, \.name) { write(request) }
        for configuration in sorted(model.configurations, \.name) { write(configuration) }
        writeUnknownElements(model.unrecognized)
        xml.close("model")
        noteLostCharacters(model.source)
    }

    /// Returns items in Xcode's order; items from a source keep theirs.
    private func sorted<Item>(_ items: [Item], _ name: (Item) -> String) -> [Item] {
        isFromSource ? items : SourceNameOrder.sorted(items, by: name)
    }

    private func documentAttributes(of model: ManagedObjectModel) -> [XMLText.Attribute] {
        var settings = model.documentSettings
        if !isFromSource {
            settings["type"] = "com.apple.IDECoreDataModeler.DataModel"
            settings["documentVersion"] = "1.0"
            settings["lastSavedToolsVersion"] = settings["CDMCompilerToolVersion"] ?? "1"
            settings["minimumToolsVersion"] = "Automatic"
            let isSwift = model.entities.contains { $0.className?.contains(".") == true }
            settings["sourceLanguage"] = isSwift ? "Swift" : "Objective-C"
        }
        let names = [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
            "minimumToolsVersion", "macOSVersion", "iOSVersion", "sourceLanguage",
            "usedWithCloudKit", "usedWithSwiftData",
        ]
        let ordered = names.map { ($0, settings[$0]) }
        let identifier = (
            "userDefinedModelVersionIdentifier",
            model.versionIdentifiers.first ?? (isFromSource ? nil : "")
        )
        // Xcode up to 7, which knew no languages, wrote the name and the identifier first.
        let isOldForm = settings["name"] != nil || settings["sourceLanguage"] == nil
        return isOldForm
            ? [("name", settings["name"]), identifier] + ordered : ordered + [identifier]
    }

    private mutating func write(_ entity: Entity) {
        let settings = entity.sourceSettings
        let attributes: [XMLText.Attribute] =
            [
                ("name", entity.name), ("representedClassName", entity.className),
                ("isAbstract", entity.isAbstract ? "YES" : nil),
                ("parentEntity", entity.parentEntity),
                ("versionHashModifier", entity.versionHashModifier),
                ("elementID", entity.renamingIdentifier),
                ("renamingIdentifier", settings["renamingIdentifier"]),
                ("syncable", settings["syncable"] ?? (isFromSource ? nil : "YES")),
                ("codeGenerationType", settings["codeGenerationType"]),
                (
                    "coreSpotlightDisplayNameExpression",
                    settings["coreSpotlightDisplayNameExpression"]
                ),
            ] + unknownAttributes(entity.unrecognized, entity.name)
        let unknownElements = entity.unrecognized.filter { isFromSource && $0.kind == .element }
        guard
            !entity.properties.isEmpty || !entity.fetchIndexes.isEmpty
                || !entity.compoundIndexes.isEmpty || !entity.uniquenessConstraints.isEmpty
                || !entity.userInfo.isEmpty || !unknownElements.isEmpty
        else { return xml.element("entity", attributes) }
        xml.open("entity", attributes)
        for attribute in sorted(entity.attributes, \.name) { write(attribute, of: entity.name) }
        for relationship in sorted(entity.relationships, \.name) {
            write(relationship, of: entity.name)
        }
        for property in sorted(entity.fetchedProperties, \.name) {
            write(property, of: entity.name)
        }
        for index in entity.fetchIndexes { write(index) }
        write(lists: entity.compoundIndexes, ("compoundIndexes", "compoundIndex", "index"))
        write(
            lists: entity.uniquenessConstraints.map(\.properties),
            ("uniquenessConstraints", "uniquenessConstraint", "constraint")
        )
        write(entity.userInfo)
        writeUnknownElements(entity.unrecognized)
        xml.close("entity")
    }

    private mutating func write(_ index: FetchIndex) {
        xml.open(
            "fetchIndex",
            [("name", index.name), ("partialIndexPredicate", index.partialIndexPredicate)]
        )
        for element in index.elements {
            let subject: [XMLText.Attribute] =
                switch element.subject {
                case .property(let name): [("property", name)]
                case .expression(let text, let type):
                    [("expression", text), ("expressionType", type)]
                }
            xml.element(
                "fetchIndexElement",
                subject + [
                    ("type", element.collation.sourceName),
                    ("order", element.isAscending ? "ascending" : "descending"),
                ]
            )
        }
        xml.close("fetchIndex")
    }

    private mutating func write(
        lists: [[String]],
        _ names: (all: String, one: String, entry: String)
    ) {
        guard !lists.isEmpty else { return }
        xml.open(names.all, [])
        for list in lists {
            xml.open(names.one, [])
            for value in list { xml.element(names.entry, [("value", value)]) }
            xml.close(names.one)
        }
        xml.close(names.all)
    }

    mutating func write(_ userInfo: [UserInfoEntry]) {
        guard !userInfo.isEmpty else { return }
        xml.open("userInfo", [])
        for entry in sorted(userInfo, \.key) {
            xml.element("entry", [("key", entry.key), ("value", entry.value)])
        }
        xml.close("userInfo")
    }

    private mutating func write(_ configuration: Configuration) {
        let attributes: [XMLText.Attribute] = [
            ("name", configuration.name),
            ("usedWithCloudKit", configuration.isUsedWithCloudKit ? "YES" : nil),
        ]
        guard !configuration.memberEntities.isEmpty else {
            return xml.element("configuration", attributes)
        }
        xml.open("configuration", attributes)
        for name in configuration.memberEntities { xml.element("memberEntity", [("name", name)]) }
        xml.close("configuration")
    }

    private mutating func write(_ composite: CompositeType) {
        guard !composite.attributes.isEmpty else {
            return xml.element("composite", [("name", composite.name)])
        }
        xml.open("composite", [("name", composite.name)])
        for attribute in composite.attributes { write(attribute, of: composite.name) }
        xml.close("composite")
    }

    private mutating func noteLostCharacters(_ source: SourceMark) {
        guard xml.hasLostCharacters else { return }
        report("XML cannot contain the control characters of this model", nil, source)
    }

    mutating func report(_ message: String, _ element: String?, _ source: SourceMark) {
        diagnostics.report(
            "inexpressible-in-source",
            message,
            severity: .warning,
            at: source.element,
            element: element
        )
    }
}

/// Returns the `.xccurrentversion` that names a version, as Xcode writes it.
package func currentVersionFile(naming name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(markup(name, in: .element))</string>
    </dict>
    </plist>

    """
}

/// XML in the form that Xcode gives model sources, the attributes of each element in Xcode's order.
struct XMLText {
    /// A name and a value; an attribute without a value is not written.
    typealias Attribute = (name: String, value: String?)

    private(set) var text = ""
    /// Whether a character was replaced because XML 1.0 cannot contain it.
    private(set) var hasLostCharacters = false
    /// Whether `>` is written as a reference, as Xcode does since version 6.
    var isEscapingGreater = true
    private var depth = 0

    mutating func declaration() {
        text += #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
    }

    mutating func open(_ name: String, _ attributes: [Attribute]) {
        start(name, attributes)
        text += ">"
        depth += 1
    }

    mutating func close(_ name: String) {
        depth -= 1
        indent()
        text += "</\(name)>"
    }

    mutating func element(_ name: String, _ attributes: [Attribute]) {
        start(name, attributes)
        text += "/>"
    }

    mutating func verbatim(_ element: String) {
        indent()
        text += element
    }

    private mutating func start(_ name: String, _ attributes: [Attribute]) {
        indent()
        text += "<\(name)"
        let present = attributes.filter { $0.value != nil }
        for case (let name, let value?) in SourceOrder.sorted(present, of: name, name: \.name) {
            let plain = markup(value, in: .attribute)
            let written = isEscapingGreater ? plain : plain.replacingBytes(of: "&gt;", with: ">")
            text += " \(name)=\"\(written)\""
            if !value.unicodeScalars.allSatisfy(hasMarkup) { hasLostCharacters = true }
        }
    }

    private mutating func indent() { text += "\n" + String(repeating: "    ", count: depth) }
}
