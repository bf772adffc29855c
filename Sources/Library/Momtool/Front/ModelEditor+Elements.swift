public import Diagnostics
import ModelEditing

/// Edits by the names of elements: `Book`, `Book.title`; where kinds share a name, `attribute Book.title`.
///
/// Settings are XML attributes in the words of the source, such as `optional` with `NO`; `nil` removes one.
extension ModelEditor {
    /// Adds an element with what Xcode gives new ones.
    ///
    /// ```swift
    /// try editor.add("attribute Book.isbn", ["attributeType": "String"])
    /// ```
    ///
    /// The element is named by its kind, as `entity Book` or `relationship Book.author`. Throws, and changes nothing,
    /// when that fails.
    public mutating func add(
        _ element: String,
        _ settings: [String: String?] = [:],
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try apply([.add(newPath(element), elementSettings(settings))], following: advice)
    }

    /// Changes settings of an element.
    public mutating func set(
        _ element: String,
        _ settings: [String: String?],
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try apply([.set(path(of: element), elementSettings(settings))], following: advice)
    }

    /// Applies a list of edits in YAML as `momtool model apply` takes it, all or none; errors name the line.
    public mutating func apply(
        _ edits: String,
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        let edits = try edit { () throws(EditFault) in try ModelEdit.read(edits) }
        try apply(edits, following: advice)
    }

    func newPath(_ element: String) throws(MomtoolError) -> ElementPath {
        try edit { () throws(EditFault) in try ElementPath(text: element) }
    }

    private func elementSettings(_ settings: [String: String?]) -> [ElementSetting] {
        settings.sorted { $0.key < $1.key }.map { ElementSetting($0.key, $0.value) }
    }
}
