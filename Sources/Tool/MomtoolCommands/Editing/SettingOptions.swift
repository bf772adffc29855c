import ArgumentParser
import Diagnostics
import ModelEditing

/// The settings of new or changed elements, in the words of Xcode's inspector.
struct SettingOptions: ParsableArguments {
    @Option(help: "The type of an attribute, such as String or 'Integer 64'.") var type: String?

    @Option(
        parsing: .unconditional,
        help: "The default value; of a date, the seconds since 2001-01-01 in UTC."
    )
    var `default`: String?

    @Option(defaultAsFlag: Truth.yes, help: "Whether the value may be missing.")
    var optional: Truth?

    @Option(parsing: .unconditional, help: "The least value, length or number of objects.")
    var min: String?

    @Option(parsing: .unconditional, help: "The greatest value, length or number of objects.")
    var max: String?

    @Option(help: "The destination entity of a relationship.") var to: String?

    @Option(defaultAsFlag: Truth.yes, help: "Whether a relationship is to-many.") var many: Truth?

    @Option(help: "The relationship that leads back, made where it is missing; none removes it.")
    var inverse: String?

    @Option(help: "What deleting does to the other side: nullify, cascade, deny or no-action.")
    var delete: DeleteRule?

    @Option(help: "The renaming identifier: the name in older versions.") var renamingID: String?

    @Option(help: "The version hash modifier, which changes the hash.") var hashModifier: String?

    @Option(
        help: ArgumentHelp(
            "Any other setting by its name in the source, such as isAbstract=YES; may be repeated.",
            discussion: "Short names are separate options: "
                + SettingOptions.shortNames.joined(separator: ", ") + "."
        )
    )
    var set: [String] = []

    @Option(help: "A setting to remove, by its name in the source; may be repeated.")
    var unset: [String] = []

    func validate() throws {
        for setting in set where !setting.contains("=") || setting.hasPrefix("=") {
            throw ValidationError("write --set NAME=VALUE")
        }
        if let fault = set.lazy.compactMap(Self.fault).first { throw ValidationError(fault) }
    }

    /// The options that take any text, also one that begins with a dash.
    static let texts: Set = ["--default", "--max", "--min"]

    /// An option with its value; the parser takes an empty one only as a word of its own.
    static func words(_ option: String, _ value: String) -> [String] {
        value.isEmpty ? [option, ""] : ["\(option)=\(value)"]
    }

    /// Gives options that accept any text an empty one if nothing follows their `=`.
    static func separatingEmptyTexts(in words: [String]) -> [String] {
        guard words.first == "model" else { return words }
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let own = words[..<end].flatMap { word in
            let option = String(word.dropLast())
            return word.hasSuffix("=") && texts.contains(option) ? Self.words(option, "") : [word]
        }
        return own + words[end...]
    }

    /// Joins `Integer 64`, typed without quotes as Xcode shows it, into the one word of the type.
    static func joiningTypes(in words: [String]) -> [String] {
        guard words.first == "model" else { return words }
        var result: [String] = []
        for word in words {
            if ["16", "32", "64"].contains(word), let last = result.last,
                ["Integer", "integer"].contains(last)
            {
                result[result.count - 1] = "Integer \(word)"
            } else {
                result.append(word)
            }
        }
        return result
    }

    /// Refuses another value for such an option, as in `--optional=maybe`, which the parser reads as the flag.
    static func requireTruths(_ words: [String]) throws {
        guard words.first == "model" else { return }
        for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
            let parts = word.dropFirst(2).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.count == 2, truths.contains(String(parts[0])),
                Truth(argument: String(parts[1])) == nil
            else { continue }
            let near = suggestion(for: String(parts[1]), among: ["yes", "no"])
            throw ValidationError(
                "the value '\(parts[1])' is invalid for '--\(parts[0])'; give one of 'yes' or 'no'\(near)"
            )
        }
    }
}

enum DeleteRule: String, ExpressibleByArgument, CaseIterable {
    case nullify, cascade, deny, noAction = "no-action"

    var source: String {
        switch self {
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        case .noAction: "No Action"
        }
    }
}

extension SettingOptions {
    /// The settings in the form of sources, where `nil` removes one; the kind is `nil` for the model.
    func settings(
        of kind: ElementKind?,
        _ old: [String: String] = [:]
    ) throws(EditFault) -> [ElementSetting] {
        let others = others(of: kind)
        let named = named(for: kind, old) + others.short
        for setting in named where !ElementKind.hasSetting(setting.name, kind) {
            let owner = kind?.rawValue ?? "model"
            throw EditFault("'\(setting.name)' is not a setting of kind \(owner)")
        }
        return named + others.named
    }

    /// The settings of `--set` and `--unset`: by short names, and by names in the source.
    private func others(
        of kind: ElementKind?
    ) -> (short: [ElementSetting], named: [ElementSetting]) {
        var (short, named): ([ElementSetting], [ElementSetting]) = ([], [])
        for setting in self.set {
            let parts = setting.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let (name, value) = (String(parts[0]), String(parts[1]))
            if let known = Self.setting(name, value, of: kind) {
                short.append(known)
            } else {
                named.append(ElementSetting(name, value))
            }
        }
        return (short, named + unset.map { ElementSetting($0, nil) })
    }

    private func named(for kind: ElementKind?, _ old: [String: String]) -> [ElementSetting] {
        var result: [ElementSetting] = []
        func add(_ name: String, _ value: String?) {
            if let value { result.append(ElementSetting(name, value)) }
        }
        func add(_ name: String, _ truth: Truth?) {
            if let truth { result.append(ElementSetting(name, truth == .yes ? "YES" : nil)) }
        }
        let type = type ?? old["attributeType"]
        add("attributeType", self.type)
        add("optional", optional)
        add("toMany", many)
        add("destinationEntity", to)
        result += inverse.map { [ElementSetting("inverseName", $0 == "none" ? nil : $0)] } ?? []
        add("deletionRule", delete?.source)
        addLimits(to: &result, kind, type)
        add(type == "Date" ? "defaultDateTimeInterval" : "defaultValueString", `default`)
        add("elementID", renamingID)
        add("versionHashModifier", hashModifier)
        return result
    }

    private func addLimits(
        to result: inout [ElementSetting],
        _ kind: ElementKind?,
        _ type: String?
    ) {
        let names =
            switch (kind, type) {
            case (.relationship, _): ("minCount", "maxCount")
            case (_, "Date"): ("minDateTimeInterval", "maxDateTimeInterval")
            default: ("minValueString", "maxValueString")
            }
        if let min { result.append(ElementSetting(names.0, min)) }
        if let max { result.append(ElementSetting(names.1, max)) }
    }
}

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
