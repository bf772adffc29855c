import Diagnostics
import Essentials
import ModelEditing

/// The settings of a property in the words of sources of Core Data, and what a `@Model` class says of them.
struct SwiftPropertySettings {
    private let path: ElementPath
    private var values: [String: String] = [:]
    /// Whether there may be no value; `nil` where that is not said.
    private var isOptional: Bool?
    private var isToMany = false

    /// The settings that `@Model` classes have.
    private static let known: Set = [
        "attributeType", "optional", "defaultValueString", "defaultDateTimeInterval",
        "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "spotlightIndexingEnabled",
        "preserveAfterDeletion", "destinationEntity", "inverseName", "toMany", "ordered",
        "deletionRule", "minCount", "maxCount",
    ]

    /// What Swift says by itself.
    private static let needless: Set = ["usesScalarValueType", "inverseEntity", "syncable"]

    /// Takes the settings of an edit.
    ///
    /// - Throws: ``MomtoolError`` for a setting that classes do not have.
    init(_ settings: [ElementSetting], of path: ElementPath) throws(MomtoolError) {
        self.path = path
        for setting in settings where !Self.needless.contains(setting.name) {
            guard Self.known.contains(setting.name) else {
                throw MomtoolError(
                    usage: "'\(setting.name)' of '\(path.text)' is written by hand in Swift sources"
                )
            }
            // What is taken away is what sources do not say.
            if let value = setting.value {
                values[setting.name] = value
            } else if setting.name == "optional" {
                isOptional = false
            }
        }
        isOptional = try truth("optional") ?? isOptional
        isToMany = try truth("toMany") ?? false
    }

    private func truth(_ name: String) throws(MomtoolError) -> Bool? {
        guard let value = values[name] else { return nil }
        switch value.lowercased() {
        case "yes", "true", "1": return true
        case "no", "false", "0": return false
        default:
            throw MomtoolError(usage: "'\(name)' of '\(path.text)' is YES or NO, not '\(value)'")
        }
    }

    /// Returns what writes the declaration of an attribute from its name, as Swift takes it.
    ///
    /// - Parameters:
    ///   - editor: what says where it goes.
    ///   - isForced: whether a value may be missing in existing rows.
    /// - Returns: the writer.
    /// - Throws: ``MomtoolError`` for what means nothing there.
    func declaration(
        in editor: SwiftSourceEditor,
        forced isForced: Bool
    ) throws(MomtoolError) -> (String) -> String {
        let type = try type()
        let text = values["defaultValueString"] ?? values["defaultDateTimeInterval"]
        let isOptional = isOptional ?? (text == nil)
        guard isOptional || text != nil || isForced else {
            throw editor.refusal(
                """
                existing rows have no value: give a default value (defaultValueString), or make it optional; \
                \(.advice(.force))
                """
            )
        }
        let value = try text.map { text throws(MomtoolError) in try Self.literal(text, of: type) }
        var options: [String] = []
        for (setting, option) in Self.options where try truth(setting) == true {
            options.append(option)
        }
        let attribute = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
        return { name in
            let mark = isOptional && !type.hasSuffix("?") ? "?" : ""
            return "\(attribute)var \(name): \(type)\(mark)" + (value.map { " = \($0)" } ?? "")
        }
    }

    /// The type as Swift writes it.
    private func type() throws(MomtoolError) -> String {
        guard let word = values["attributeType"] else {
            throw MomtoolError(usage: "'\(path.text)' needs an attributeType, such as String")
        }
        let isType = { (sign: Character) in
            sign.isLetter || sign.isNumber || "_.[]?: <>,".contains(sign)
        }
        guard !word.isEmpty, word.allSatisfy(isType) else {
            throw MomtoolError(usage: "'\(word)' is no type of Swift")
        }
        return Self.types[word] ?? word
    }

    private static let options = [
        (setting: "allowsExternalBinaryDataStorage", swift: ".externalStorage"),
        (setting: "allowsCloudEncryption", swift: ".allowsCloudEncryption"),
        (setting: "preserveAfterDeletion", swift: ".preserveValueOnDeletion"),
        (setting: "spotlightIndexingEnabled", swift: ".spotlight"),
    ]

    /// The types of Swift by those of Xcode's inspector.
    private static let types = [
        "Integer 16": "Int16", "Integer 32": "Int32", "Integer 64": "Int", "Double": "Double",
        "Float": "Float", "Decimal": "Decimal", "String": "String", "Boolean": "Bool",
        "Date": "Date", "Binary": "Data", "UUID": "UUID", "URI": "URL",
    ]

    private static let literalTypes = [
        "String", "Bool", "Int16", "Int32", "Int", "Double", "Float", "Decimal",
    ]

    /// A value as Swift writes it.
    private static func literal(_ text: String, of type: String) throws(MomtoolError) -> String {
        switch type {
        case "String":
            guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { break }
            return "\"\(text.backslashed)\""
        case "Bool":
            switch text.lowercased() {
            case "yes", "true", "1": return "true"
            case "no", "false", "0": return "false"
            default: break
            }
        case "Int16", "Int32", "Int":
            guard let number = Int(text) else { break }
            return String(number)
        case "Double", "Float", "Decimal":
            guard let number = Double(text), number.isFinite, !text.hasPrefix("+") else { break }
            return text
        default:
            guard text.hasPrefix("."), text.dropFirst().allSatisfy({ $0.isLetter || $0.isNumber })
            else {
                let known = ["Date", "Data", "UUID", "URL"]
                guard !known.contains(type) else { break }
                let near = suggestion(for: type, among: literalTypes + known)
                throw MomtoolError(
                    usage: "there is no type '\(type)' that '\(text)' could be a value of\(near)"
                )
            }
            return text
        }
        throw MomtoolError(usage: "'\(text)' is no default value of a property of type \(type)")
    }

    /// Returns the relationship that the settings describe.
    ///
    /// - Parameters:
    ///   - editor: what says where it goes.
    ///   - isForced: whether it may have no inverse, and lead to an object that must be there.
    /// - Returns: the relationship.
    /// - Throws: ``MomtoolError`` for what means nothing there.
    func relationship(
        in editor: SwiftSourceEditor,
        forced isForced: Bool
    ) throws(MomtoolError) -> SwiftRelationship {
        guard let end = values["destinationEntity"] else {
            throw MomtoolError(
                usage: "name the class that '\(path.text)' leads to (destinationEntity)"
            )
        }
        let inverse = values["inverseName"]
        guard inverse != nil || isForced else {
            throw editor.refusal(
                """
                a relationship without an inverse is only good in rare cases; name it (inverseName), or \(.advice(.force))
                """
            )
        }
        guard try truth("ordered") != true else {
            throw MomtoolError(usage: "SwiftData has no ordered relationships")
        }
        // A list is empty by itself; one object may be missing in rows that there are.
        let isOptional = isOptional ?? !isToMany
        guard isOptional || isToMany || isForced else {
            throw editor.refusal(
                "rows that there are lead to no object: make it optional; \(.advice(.force))"
            )
        }
        var relationship = SwiftRelationship(to: end, isToMany: isToMany, isOptional: isOptional)
        relationship.inverse = inverse
        relationship.deleteRule = try deleteRule()
        relationship.least = try count("minCount")
        relationship.greatest = try count("maxCount")
        return relationship
    }

    /// The delete rule as Swift writes it; `nil` for the usual one.
    private func deleteRule() throws(MomtoolError) -> String? {
        switch values["deletionRule"]?.lowercased() {
        case nil, "nullify"?: return nil
        case "cascade"?: return "cascade"
        case "deny"?: return "deny"
        case "no action"?, "no-action"?: return "noAction"
        case let other?:
            throw MomtoolError(
                usage: "deletionRule is Nullify, Cascade, Deny or No Action, not '\(other)'"
            )
        }
    }

    private func count(_ name: String) throws(MomtoolError) -> Int? {
        guard let text = values[name] else { return nil }
        // Sources say so of every relationship that leads to one object.
        guard isToMany || !["0", "1"].contains(text) else { return nil }
        guard isToMany, let number = Int(text), number >= 0 else {
            throw MomtoolError(
                usage: "\(name) is a number of objects, of a relationship to several"
            )
        }
        return number
    }
}
