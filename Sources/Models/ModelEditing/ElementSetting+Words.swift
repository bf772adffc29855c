import Diagnostics
import ModelCompiling
import ObjectModel

extension ElementSetting {
    /// The truth values that Xcode omits where they are false.
    private static let flags: Set = [
        "optional", "transient", "toMany", "ordered", "indexed", "isAbstract", "derived",
        "spotlightIndexingEnabled", "storedInTruthFile", "allowsExternalBinaryDataStorage",
        "allowsCloudEncryption", "preserveAfterDeletion", "syncable", "usedWithCloudKit",
    ]

    /// The truth values that Xcode writes even where they are false.
    private static let truths: Set = [
        "usesScalarValueType", "includeSubentities", "includePropertyValues",
        "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
    ]

    var isFlag: Bool { Self.flags.contains(name) }

    /// The setting in the words of Xcode: `YES` for `true`, and nothing for a flag that is off.
    ///
    /// Other words stay, so that the reader of the result can report them.
    var written: ElementSetting {
        guard isFlag || Self.truths.contains(name), let value else { return self }
        switch value.lowercased() {
        case "yes", "true", "1": return ElementSetting(name, "YES")
        case "no", "false", "0", "": return ElementSetting(name, isFlag ? nil : "NO")
        default: return self
        }
    }
}

extension ElementKind {
    /// The settings that sources give elements of a kind; `nil` means the model.
    static func settings(of kind: ElementKind?) -> [String] {
        guard let kind else { return SourceTree.modelSettings }
        let own = SourceOrder.attributes[kind.xml] ?? ["name"]
        return switch kind {
        // The settings of a fetched property's request are given as if they were its own.
        case .fetchedProperty: own + settings(of: .fetchRequest).filter { $0 != "name" }
        case .index: own + ["properties"]
        case .compoundIndex, .constraint: []
        case .entity, .attribute, .relationship, .composite, .element, .fetchRequest, .request,
            .configuration, .member, .userInfo, .diagram:
            own
        }
    }

    static func settings(ofPartsOf kind: ElementKind?) -> [String] {
        kind?.part.flatMap { SourceOrder.attributes[$0] } ?? []
    }

    /// Whether sources give elements of the kind a setting; `nil` means the model.
    package static func hasSetting(_ name: String, _ kind: ElementKind?) -> Bool {
        settings(of: kind).contains(name)
    }
}

extension SourceEditor {
    /// Refuses a setting that neither Xcode's sources nor the element has: usually it is misspelt.
    func requireKnown(_ edit: ModelEdit) throws(EditFault) {
        let path = edit.path
        let (own, parts) = edit.settings
        try requireKnown(own, among: ElementKind.settings(of: path.kind), of: path)
        try requireDeleteRule(in: own, of: path)
        let ofParts = ElementKind.settings(ofPartsOf: path.kind)
        for part in parts { try requireKnown(part, among: ofParts, of: path) }
    }

    private func requireKnown(
        _ settings: [ElementSetting],
        among known: [String],
        of path: ElementPath
    ) throws(EditFault) {
        let node = find(path)?.node
        for setting in settings where !known.contains(setting.name) {
            guard node?[setting.name] == nil, setting.value != nil else { continue }
            let near = Self.nearSetting(setting.name, among: known)
            let advice = near.isEmpty ? "; there are \(known.joined(separator: ", "))" : near
            throw EditFault(
                saying:
                    "'\(setting.name)' is not a setting of kind \(path.kind?.rawValue ?? "model")\(advice); if a newer Xcode has it, \(.advice(.force))"
            )
        }
    }

    /// Refuses an unknown delete rule: the reader would take it for one of a newer Xcode.
    private func requireDeleteRule(
        in settings: [ElementSetting],
        of path: ElementPath
    ) throws(EditFault) {
        guard path.kind == .relationship,
            let word = settings.last(where: { $0.name == "deletionRule" })?.value,
            Relationship.DeleteRule(sourceName: word) == nil
        else { return }
        let names = Relationship.DeleteRule.allCases.map(\.sourceName)
        let near = suggestion(for: word, among: names)
        throw EditFault(
            "'\(word)' is not a delete rule\(near); use one of \(names.joined(separator: ", "))"
        )
    }

    /// The sources' names of settings that Xcode's inspector, classes of models and commands call otherwise.
    private static let sourceNames = [
        "abstract": ["isAbstract"], "class": ["representedClassName", "customClassName"],
        "className": ["representedClassName", "customClassName"],
        "codegen": ["codeGenerationType"], "default": ["defaultValueString"],
        "defaultValue": ["defaultValueString"], "deleteRule": ["deletionRule"],
        "derivation": ["derivationExpression"], "destination": ["destinationEntity"],
        "hashModifier": ["versionHashModifier"], "inverse": ["inverseName"],
        "max": ["maxValueString", "maxCount"], "maximum": ["maxValueString", "maxCount"],
        "min": ["minValueString", "minCount"], "minimum": ["minValueString", "minCount"],
        "parent": ["parentEntity"], "regex": ["regularExpressionString"],
        "renamingID": ["elementID"], "renamingIdentifier": ["elementID"],
        "transformer": ["valueTransformerName"], "type": ["attributeType"],
    ]

    private static func nearSetting(_ name: String, among known: [String]) -> String {
        let meant = sourceNames[name]?.first(where: known.contains)
        return meant.map { "; did you mean '\($0)'" } ?? suggestion(for: name, among: known)
    }
}
