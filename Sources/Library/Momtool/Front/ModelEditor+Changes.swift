public import Diagnostics
import ModelEditing
public import ObjectModel

/// Changes in Swift types, which the compiler checks.
extension ModelEditor {
    /// One change of a version.
    ///
    /// Elements are named as everywhere in the editor: `Book`, `Book.title`; where kinds share a name, `attribute
    /// Book.title`.
    public enum Change: Sendable, Hashable {
        case addEntity(String, parent: String? = nil)
        /// Adds an attribute, such as `Book.rating`; the default as sources write it, for a date in seconds since 2001.
        ///
        /// Binary, transformable and composite attributes have no default in a source.
        case addAttribute(
            String,
            AttributeType,
            isOptional: Bool = true,
            defaultValue: String? = nil
        )
        /// Adds a relationship with its inverse, which is made where missing; one without is written only with
        /// `.force`.
        case addRelationship(
            String,
            to: String,
            inverse: String?,
            isToMany: Bool = false,
            deleteRule: Relationship.DeleteRule = .nullify
        )
        /// Adds a fetch index, such as `Book.byTitle`, of properties of the entity.
        case addIndex(String, of: [String])
        /// Adds a uniqueness constraint of properties to an entity.
        case addConstraint(to: String, of: [String])
        /// Renames an element everywhere, and sets its renaming identifier, so that rows keep their values.
        case rename(String, to: String)
        case move(String, toEntity: String)
        /// Removes an element, with its references, or only if it has none.
        case remove(String, withReferences: Bool = false)
        case setOptional(String, Bool)
        case setType(String, AttributeType)
        /// Sets the default as sources write it, for a date in seconds since 2001; `nil` for none.
        case setDefault(String, String?)
        case setDeleteRule(String, Relationship.DeleteRule)
    }

    /// Makes changes, one after another, all or none; each must leave a model.
    ///
    /// ```swift
    /// try editor.apply([
    ///     .rename("Stop.label", to: "caption"),
    ///     .addAttribute("Stop.rating", .double, isOptional: false, defaultValue: "0"),
    /// ])
    /// ```
    ///
    /// Advice, such as `.force`, is what was agreed to. Throws for the first change that fails; nothing is changed
    /// then.
    public mutating func apply(
        _ changes: [Change],
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try following(advice) { editor throws(MomtoolError) in
            for change in changes {
                try editor.make([editor.edit(for: change)], forced: advice.contains(.force))
            }
        }
    }

    /// Applies a list of edits in YAML as `momtool model apply` takes it, all or none; errors name the line.
    ///
    /// ```swift
    /// try editor.apply("- {add: attribute Book.isbn, with: {attributeType: String}}")
    /// ```
    public mutating func apply(
        _ edits: String,
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        let edits = try edit { () throws(EditFault) in try ModelEdit.read(edits) }
        try apply(edits, following: advice)
    }

    private func newPath(_ element: String) throws(MomtoolError) -> ElementPath {
        try edit { () throws(EditFault) in try ElementPath(text: element) }
    }

    private func edit(for change: Change) throws(MomtoolError) -> ModelEdit {
        switch change {
        case .addEntity(let name, let parent):
            let settings = parent.map { [ElementSetting("parentEntity", $0)] } ?? []
            return .add(.entity(name), settings)
        case .addAttribute(let name, let type, let isOptional, let value):
            var settings: [ElementSetting] = [.type(type), .optional(isOptional)]
            if let value { try settings.append(setting(name, type, default: value)) }
            return try .add(newPath("attribute \(name)"), settings)
        case .addRelationship(let name, let end, let inverse, let isToMany, let rule):
            var settings: [ElementSetting] = [
                .destination(end), .toMany(isToMany), .deletionRule(rule),
            ]
            if let inverse { settings.append(.inverse(inverse)) }
            return try .add(newPath("relationship \(name)"), settings)
        case .addIndex(let name, let properties):
            return try .add(newPath("index \(name)"), [.indexed(properties)])
        case .addConstraint(let entity, let properties):
            return .add(.constraint(properties, of: entity), [])
        case .rename(let element, let name): return try .rename(path(of: element), to: name)
        case .move(let element, let entity):
            return try .move(path(of: element), to: .entity(entity))
        case .remove(let element, let hasReferences):
            let path = try path(of: element)
            return hasReferences ? .removeWithReferences(path) : .remove(path)
        case .setOptional(let element, let isOptional):
            return try .set(path(of: element), [.optional(isOptional)])
        case .setType(let element, let type):
            return try .set(path(of: "attribute", element), [.type(type)])
        case .setDefault(let element, let value):
            let path = try path(of: "attribute", element)
            let entity = version.model.entities.first { $0.name == path.parent.key }
            let attribute = entity?.attributes.first { $0.name == path.key }
            return try .set(path, [setting(element, attribute?.type ?? .string, default: value)])
        case .setDeleteRule(let element, let rule):
            return try .set(path(of: "relationship", element), [.deletionRule(rule)])
        }
    }

    /// The default of an attribute as Xcode writes it; `nil` removes it.
    private func setting(
        _ element: String,
        _ type: AttributeType,
        default value: String?
    ) throws(MomtoolError) -> ElementSetting {
        guard value == nil || type.hasDefaults else {
            throw refusal("'\(element)' cannot have a default: its type has none")
        }
        let name = type == .date ? "defaultDateTimeInterval" : "defaultValueString"
        return ElementSetting(name, value)
    }

    private func path(of kind: String, _ element: String) throws(MomtoolError) -> ElementPath {
        try path(of: element.contains(" ") ? element : "\(kind) \(element)")
    }
}

extension AttributeType {
    fileprivate var hasDefaults: Bool {
        switch self {
        case .binary, .transformable, .composite, .objectID, .undefined: false
        default: true
        }
    }
}
