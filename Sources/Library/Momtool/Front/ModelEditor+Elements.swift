public import Diagnostics
import ModelEditing

/// Edits by the names of elements: `Book`, `Book.title`; where several things have a name, `attribute Book.title`.
///
/// Settings are XML attributes in the words of the source, such as `optional` with `NO`; `nil` takes one away.
extension ModelEditor {
    /// Adds an element with what Xcode gives new ones.
    ///
    /// ```swift
    /// try editor.add("attribute Book.isbn", ["attributeType": "String"])
    /// ```
    ///
    /// - Parameters:
    ///   - element: the kind and the name, such as `entity Book` or `relationship Book.author`.
    ///   - settings: its settings.
    ///   - advice: what was agreed to.
    /// - Throws: ``MomtoolError`` when that cannot be; nothing is changed then.
    public mutating func add(
        _ element: String,
        _ settings: [String: String?] = [:],
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try apply([.add(newPath(element), elementSettings(settings))], following: advice)
    }

    /// Changes settings of an element.
    ///
    /// - Parameters:
    ///   - element: the name of the element.
    ///   - settings: the settings that change.
    ///   - advice: what was agreed to.
    /// - Throws: ``MomtoolError`` when there is no such element, or the result would be no model.
    public mutating func set(
        _ element: String,
        _ settings: [String: String?],
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try apply([.set(path(of: element), elementSettings(settings))], following: advice)
    }

    /// Renames an element wherever it is named, and sets its renaming identifier, so that rows keep their values.
    ///
    /// - Parameters:
    ///   - element: the name of the element, such as `Book.title`.
    ///   - name: the new name, without its entity.
    ///   - advice: what was agreed to.
    /// - Throws: ``MomtoolError`` when there is no such element, or the result would be no model.
    public mutating func rename(
        _ element: String,
        to name: String,
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try apply([.rename(path(of: element), to: name)], following: advice)
    }

    /// Takes an element away.
    ///
    /// - Parameters:
    ///   - element: the name of the element.
    ///   - hasReferences: whether what refers to it goes too.
    ///   - advice: what was agreed to.
    /// - Throws: ``MomtoolError`` when there is no such element, or the result would be no model.
    public mutating func remove(
        _ element: String,
        withReferences hasReferences: Bool = false,
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        let path = try path(of: element)
        try apply(
            [hasReferences ? .removeWithReferences(path) : .remove(path)],
            following: advice
        )
    }

    /// Applies a list of edits in YAML, all or none, such as `momtool model apply` takes it.
    ///
    /// - Parameters:
    ///   - edits: the text.
    ///   - advice: what was agreed to.
    /// - Throws: ``MomtoolError`` with the line for what is no list of edits, or an edit that cannot be applied.
    public mutating func apply(
        _ edits: String,
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        let edits = try edit { () throws(EditFault) in try ModelEdit.read(edits) }
        try apply(edits, following: advice)
    }

    /// The path of an element that is not there yet, by its kind and name.
    func newPath(_ element: String) throws(MomtoolError) -> ElementPath {
        try edit { () throws(EditFault) in try ElementPath(text: element) }
    }

    private func elementSettings(_ settings: [String: String?]) -> [ElementSetting] {
        settings.sorted { $0.key < $1.key }.map { ElementSetting($0.key, $0.value) }
    }
}
