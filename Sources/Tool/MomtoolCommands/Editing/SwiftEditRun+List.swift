import ArgumentParser
import Diagnostics
import ModelEditing
import Momtool

extension SwiftEditRun {
    /// Applies the edits of a list to Swift sources, all or none.
    static func apply(_ edits: [ModelEdit], to model: String, _ options: EditOptions) throws {
        try edit(model, options, count: edits.count) { editor in
            for (index, edit) in edits.enumerated() {
                do {
                    try editor.apply(edit, forced: options.force)
                } catch {
                    let label = ModelEdit.label(of: index, in: edits)
                    throw CommandFailure(error).beginning(with: label)
                }
            }
        }
    }
}

extension SwiftSourceEditor {
    /// Makes one edit of a list, where the sources can be edited so.
    fileprivate mutating func apply(_ edit: ModelEdit, forced isForced: Bool) throws {
        let name = edit.path.steps.map(\.key).joined(separator: ".")
        let isProperty = edit.path.kind == .attribute || edit.path.kind == .relationship
        switch edit {
        case .add(let path, let settings) where path.kind == .entity:
            guard settings.isEmpty else { throw edit.notForSwift }
            try addClass(name)
        case .add(let path, let settings) where path.kind == .attribute:
            let options = try SettingOptions(forSwift: settings, of: edit)
            guard let type = options.type else {
                throw CommandFailure(usage: "'\(path.text)' needs an attributeType, such as String")
            }
            try add(name, options.swiftDeclaration(type, forced: isForced))
        case .add(let path, let settings) where path.kind == .relationship:
            let options = try SettingOptions(forSwift: settings, of: edit)
            try add(name, options.swiftRelationship(forced: isForced))
        case .rename(_, let new) where isProperty: try rename(name, to: new)
        case .remove where isProperty, .removeWithReferences where isProperty: try remove(name)
        case .remove(let path) where path.kind == .entity:
            try removeClass(name, withReferences: false)
        case .removeWithReferences(let path) where path.kind == .entity:
            try removeClass(name, withReferences: true)
        case .add, .insert, .remove, .removeWithReferences, .rename, .move, .set, .setParts,
            .order:
            throw edit.notForSwift
        }
    }
}

extension ModelEdit {
    /// Says which edits Swift sources take.
    fileprivate var notForSwift: CommandFailure {
        CommandFailure(
            usage: """
                Swift sources take: add and remove of an entity, an attribute or a relationship, and rename of the last two; this \
                edit of '\(path.text)' is written by hand in the class
                """
        )
    }
}

extension SettingOptions {
    /// The settings of a source that `@Model` classes have.
    private static let settingsForSwift: Set = [
        "attributeType", "optional", "defaultValueString", "allowsExternalBinaryDataStorage",
        "allowsCloudEncryption", "spotlightIndexingEnabled", "preserveAfterDeletion",
        "destinationEntity", "inverseName", "toMany", "ordered", "deletionRule", "minCount",
        "maxCount",
    ]

    /// Takes the settings of an edit; those that say what Swift says by itself mean nothing there.
    fileprivate init(forSwift settings: [ElementSetting], of edit: ModelEdit) throws {
        let isToMany = settings.contains { $0.name == "toMany" && Truth($0.value) == .yes }
        var words: [String] = []
        for setting in settings {
            switch setting.name {
            case "usesScalarValueType", "inverseEntity", "syncable": continue
            case "minCount" where !isToMany, "maxCount" where !isToMany: continue
            default: break
            }
            guard Self.settingsForSwift.contains(setting.name),
                let name = Self.optionsByName[setting.name]
            else {
                throw CommandFailure(
                    usage:
                        "'\(setting.name)' of '\(edit.path.text)' is written by hand in Swift sources"
                )
            }
            // What is taken away is what sources do not say.
            guard let value = setting.value else {
                if name == "optional" { words.append("--optional=no") }
                continue
            }
            let word = name == "delete" ? value.lowercased().replacing(" ", with: "-") : value
            words += Self.words("--\(name)", word)
        }
        do {
            self = try Self.parse(words)
        } catch {
            throw CommandFailure(
                usage:
                    "'\(edit.path.text)' has a setting with a value that it cannot have: \(Self.message(for: error))"
            )
        }
    }
}

extension Truth {
    fileprivate init?(_ value: String?) {
        guard let value else { return nil }
        self.init(argument: value)
    }
}
