import ModelEditing

/// Settings with a short name: `--abstract` means `--set isAbstract=YES`.
extension SettingOptions {
    private static let valueNames = [
        "class": "customClassName", "codegen": "codeGenerationType", "composite": "composite",
        "derivation": "derivationExpression", "entity": "entity", "parent": "parentEntity",
        "predicate": "predicateString", "properties": "properties",
        "regex": "regularExpressionString", "transformer": "valueTransformerName", "value": "value",
    ]

    /// The short names of yes-or-no settings, with their names in sources.
    private static let truthNames = [
        "abstract": "isAbstract", "encrypted": "allowsCloudEncryption",
        "external": "allowsExternalBinaryDataStorage", "ordered": "ordered",
        "preserved": "preserveAfterDeletion", "scalar": "usesScalarValueType",
        "spotlight": "spotlightIndexingEnabled", "transient": "transient",
    ]

    static let shortNames = (Array(valueNames.keys) + truthNames.keys).sorted()

    private static let emptyTexts: Set = ["derivation", "predicate", "regex", "value"]

    /// The options that are flags and also take yes or no.
    static let truths = Set(truthNames.keys).union(["many", "optional"])

    static let longNames = Set(valueNames.values).union(truthNames.values)
        .union(["partialIndexPredicate", "representedClassName"])

    /// Writes short names of settings as `--set` takes them; their dashes tell them from names of sources.
    static func spellingOut(_ words: [String]) -> [String] {
        guard words.first == "model", ["add", "set"].contains(words.dropFirst().first) else {
            return words
        }
        var result: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                rest.insert(word, at: rest.startIndex)
                break
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = word.hasPrefix("--") ? String(parts[0].dropFirst(2)) : ""
            var value = parts.count > 1 ? String(parts[1]) : nil
            // Another value is refused by its option.
            if truthNames[name] != nil, value.map({ Truth(argument: $0) != nil }) ?? true {
                if value == nil, let next = rest.first, Truth(argument: next) != nil {
                    value = rest.popFirst()
                }
                result.append("--set=--\(name)=\(value ?? "yes")")
            } else if valueNames[name] != nil, value != "" || emptyTexts.contains(name),
                let given = value ?? rest.popFirst()
            {
                result.append("--set=--\(name)=\(given)")
            } else {
                result.append(word)
            }
        }
        return result + rest
    }

    /// The fault of a short name and its value, in the form of ``spellingOut(_:)``; `nil` for none.
    static func fault(in setting: String) -> String? {
        let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].hasPrefix("--"), parts[0].dropFirst(2) == "codegen",
            !["class", "category", "manual"].contains(parts[1])
        else { return nil }
        return "the value '\(parts[1])' is invalid for '\(parts[0])'; "
            + "give one of 'class', 'category' or 'manual'"
    }

    /// A setting by its short name, with the dashes; `nil` for a name of a source.
    static func setting(
        _ option: String,
        _ value: String,
        of kind: ElementKind?
    ) -> ElementSetting? {
        guard option.hasPrefix("--") else { return nil }
        let name = String(option.dropFirst(2))
        if let setting = truthNames[name] {
            // Xcode writes `NO` for a scalar type, and otherwise leaves out what is off.
            let no = name == "scalar" ? "NO" : nil
            return ElementSetting(setting, Truth(argument: value) == .yes ? "YES" : no)
        }
        switch (name, kind) {
        case ("class", .entity): return ElementSetting("representedClassName", value)
        case ("predicate", .index): return ElementSetting("partialIndexPredicate", value)
        case ("codegen", _):
            return ElementSetting("codeGenerationType", value == "manual" ? nil : value)
        default: return valueNames[name].map { ElementSetting($0, value) }
        }
    }
}
