import Diagnostics
package import ModelEditing

extension SwiftSourceEditor {
    /// Makes one edit, where sources can be edited so.
    ///
    /// - Parameters:
    ///   - edit: the edit, in the words of sources of Core Data.
    ///   - isForced: whether a value may be missing in existing rows, and a relationship have no inverse.
    /// - Throws: ``MomtoolError`` for edits that are written by hand, and for what cannot be.
    package mutating func apply(
        _ edit: ModelEdit,
        forced isForced: Bool
    ) throws(MomtoolError) {
        let name = edit.path.steps.map(\.key).joined(separator: ".")
        let isProperty = edit.path.kind == .attribute || edit.path.kind == .relationship
        switch edit {
        case .add(let path, let settings) where path.kind == .entity:
            guard settings.isEmpty else {
                throw MomtoolError(
                    usage:
                        "a class that inherits, or has settings, is written by hand in Swift sources"
                )
            }
            try addClass(name)
        case .add(let path, let settings) where path.kind == .attribute:
            let options = try SwiftPropertySettings(settings, of: path)
            try add(name, options.declaration(in: self, forced: isForced))
        case .add(let path, let settings) where path.kind == .relationship:
            let options = try SwiftPropertySettings(settings, of: path)
            try add(name, options.relationship(in: self, forced: isForced))
        case .rename(let path, let new) where isProperty || path.kind == .entity:
            try rename(name, to: new)
        case .remove where isProperty, .removeWithReferences where isProperty: try remove(name)
        case .remove(let path) where path.kind == .entity:
            try removeClass(name, withReferences: false)
        case .removeWithReferences(let path) where path.kind == .entity:
            try removeClass(name, withReferences: true)
        case .add, .insert, .remove, .removeWithReferences, .rename, .move, .set, .setParts,
            .order:
            throw MomtoolError(
                usage: """
                    Swift sources take: add and remove of an entity, an attribute or a relationship, and rename of the last \
                    two; this edit of '\(edit.path.text)' is written by hand in the class
                    """
            )
        }
    }

    /// The path of the element that a name stands for: a class, or a property of one.
    func path(of element: String) throws(EditFault) -> ElementPath {
        guard !element.contains(" ") else { return try ElementPath(text: element) }
        let parts = element.split(separator: ".").map(String.init)
        guard parts.count == 2 else { return .entity(element) }
        let owner = try? entity(parts[0])
        let isRelationship = owner?.relationships.contains { $0.name == parts[1] } == true
        return isRelationship
            ? .relationship(parts[1], of: parts[0]) : .attribute(parts[1], of: parts[0])
    }
}
