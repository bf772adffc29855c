public import Diagnostics
package import ModelEditing
public import ObjectModel

/// Changes one version of a model, and writes nothing before ``write()``.
///
/// ```swift
/// var editor = try ModelEditor("Shop.xcdatamodeld")
/// try editor.apply([.rename("Stop.label", to: "caption"), .addAttribute("Stop.rating", .double)])
/// try editor.write()
/// ```
///
/// Bytes that no edit concerns stay as they are, and new ones are as Xcode writes them. Swift sources get new versions;
/// their `@Model` classes are changed by hand.
///
/// ## Topics
///
/// ### Reading
/// - ``init(_:version:)``
/// - ``version``
/// - ``text``
///
/// ### Editing
/// - ``startVersion(named:makesCurrent:)``
/// - ``Change``
/// - ``apply(_:following:)-([ModelEditor.Change],_)``
/// - ``apply(_:following:)-(String,_)``
///
/// ### Writing
/// - ``remarks``
/// - ``write()``
public struct ModelEditor: Sendable {
    enum Source: Sendable {
        case bundle(BundleEditor)
        case swift(SwiftSourceEditor)
    }

    private(set) var source: Source
    /// The version as it will be.
    public private(set) var version: ModelVersion
    private var isFresh = false

    /// Reads the version that a text names, such as `Shop.xcdatamodeld` or `Shop.xcdatamodeld#Shop 2`.
    ///
    /// `name` is the version's, where it is not in the path. Throws if it is not the source of a model, or not safe to
    /// write.
    public init(_ text: String, version name: String? = nil) throws(MomtoolError) {
        // An editor that is kept must not make others wait.
        if ModelPlace(text).holdsSwift {
            let editor = try SwiftSourceEditor(text, version: name, isDry: false, keepsTurn: false)
            (source, version) = (.swift(editor), try editor.version)
        } else {
            let editor = try BundleEditor(text, version: name, isDry: false, keepsTurn: false)
            (source, version) = (.bundle(editor), editor.version)
        }
    }

    package var path: String {
        switch source {
        case .bundle(let editor): editor.path
        case .swift(let editor): editor.path
        }
    }

    /// The text of the version to be written; for Swift sources, that of the files with its classes.
    public var text: String {
        switch source {
        case .bundle(let editor): String(decoding: editor.contents, as: UTF8.self)
        case .swift(let editor): editor.versionText
        }
    }

    /// What is left to do by hand, and other remarks on the edits since the last ``write()``, a line each.
    public var remarks: [String] {
        switch source {
        case .bundle(let editor): editor.remarks
        case .swift(let editor): editor.remarks
        }
    }

    /// Adds a version, copied from the one that was read, for the following edits.
    ///
    /// It is named as the next one when `name` is left out; one of Swift sources always becomes the current version.
    /// Throws for a model without versions, and for an invalid name.
    public mutating func startVersion(
        named name: String? = nil,
        makesCurrent: Bool = true
    ) throws(MomtoolError) {
        switch source {
        case .bundle(var editor):
            try editor.startVersion(named: name, makesCurrent: makesCurrent)
            (source, version) = (.bundle(editor), editor.version)
        case .swift(var editor):
            guard makesCurrent else {
                throw MomtoolError(
                    usage: "new stores always have the newest version of Swift sources"
                )
            }
            try editor.startVersion(named: name)
            (source, version) = (.swift(editor), try editor.version)
        }
        isFresh = true
    }

    package mutating func apply(
        _ edits: [ModelEdit],
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try following(advice) { editor throws(MomtoolError) in
            try editor.make(edits, forced: advice.contains(.force))
        }
    }

    mutating func following(
        _ advice: [Advice],
        _ change: (inout ModelEditor) throws(MomtoolError) -> Void
    ) throws(MomtoolError) {
        var copy = self
        do throws(MomtoolError) {
            if advice.contains(.startVersion), !isFresh { try copy.startVersion() }
            try change(&copy)
        } catch { throw error.following(advice) }
        self = copy
    }

    /// Makes edits; if it fails, some may have been made.
    mutating func make(_ edits: [ModelEdit], forced isForced: Bool) throws(MomtoolError) {
        switch source {
        case .bundle(var editor):
            try editor.apply(edits, forced: isForced)
            (source, version) = (.bundle(editor), editor.version)
        case .swift(let editor): throw byHand(editor.path)
        }
    }

    /// Writes all changes, or nothing; later edits continue from there.
    ///
    /// - Throws: ``MomtoolError`` if another process changed a file since it was read, and if the system refuses one of
    ///   the files.
    public mutating func write() throws(MomtoolError) {
        switch source {
        case .bundle(var editor):
            try editor.write()
            (source, version) = (.bundle(editor), editor.version)
        case .swift(var editor):
            try editor.write()
            editor.forgetRemarks()
            source = .swift(editor)
        }
        isFresh = false
    }

    func path(of element: String) throws(MomtoolError) -> ElementPath {
        switch source {
        case .bundle(let editor):
            try edit { () throws(EditFault) in
                try ModelOutline(editor.contents, path: editor.file).path(of: element)
            }
        case .swift(let editor): throw byHand(editor.path)
        }
    }

    func edit<Result>(_ body: () throws(EditFault) -> Result) throws(MomtoolError) -> Result {
        do throws(EditFault) {
            return try body()
        } catch {
            throw refusal(error.wording)
        }
    }

    func refusal(_ wording: Wording) -> MomtoolError {
        switch source {
        case .bundle(let editor):
            MomtoolError(.refused, editor.file, saying: wording, .impossibleEdit)
        case .swift(let editor): editor.refusal(wording)
        }
    }
}

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
        /// Adds a relationship and a missing inverse; one without an inverse is written only with `.force`.
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
    /// Advice, such as `.force`, is what was agreed to. Throws for the first change that fails, and changes nothing.
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
