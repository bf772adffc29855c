/// The path of an element in a model: the elements around it and its own, each by kind and key.
package struct ElementPath: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        package var kind: ElementKind
        /// Its name, or for constraints the list of its properties.
        package var key: String

        package init(_ kind: ElementKind, _ key: String) { (self.kind, self.key) = (kind, key) }
    }

    /// The steps from the model to the element; none for the model itself.
    package var steps: [Step]

    package init(_ steps: [Step] = []) { self.steps = steps }

    package static let model = ElementPath()

    package static func entity(_ name: String) -> ElementPath { ElementPath([Step(.entity, name)]) }

    package static func attribute(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.attribute, name)
    }

    package static func relationship(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.relationship, name)
    }

    package static func index(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.index, name)
    }

    package static func constraint(_ properties: [String], of entity: String) -> ElementPath {
        .entity(entity).appending(.constraint, properties.joined(separator: ","))
    }

    package func appending(_ kind: ElementKind, _ key: String) -> ElementPath {
        ElementPath(steps + [Step(kind, key)])
    }

    /// The path of the element's parent; the model's is itself.
    package var parent: ElementPath { ElementPath(Array(steps.dropLast())) }

    /// The kind of the element; `nil` for the model.
    package var kind: ElementKind? { steps.last?.kind }

    /// The key of the element; empty for the model.
    package var key: String { steps.last?.key ?? "" }
}

/// An XML attribute of an element, in the words of the source.
package struct ElementSetting: Sendable, Hashable {
    /// The name of the XML attribute, such as `attributeType`.
    package var name: String
    /// Its value; `nil` removes the attribute.
    package var value: String?

    package init(_ name: String, _ value: String?) { (self.name, self.value) = (name, value) }
}

/// A change of a model source.
///
/// The list is closed, and edits of one source are applied in their order, all or none. The page about sources lists
/// the settings; the most common ones have names in Swift too:
///
/// ```swift
/// ModelEdit.add(.attribute("rating", of: "Book"), [.type(.double), .defaultValue("0")])
/// ```
package enum ModelEdit: Sendable, Hashable {
    /// Adds an element with the settings given and Xcode's defaults.
    case add(ElementPath, [ElementSetting])
    /// Adds an element with exactly these settings and parts, as fetch indexes have them.
    case insert(ElementPath, [ElementSetting], parts: [[ElementSetting]])
    /// Removes an element; references to it stay and must go with other edits.
    case remove(ElementPath)
    case removeWithReferences(ElementPath)
    /// Renames an element and all references to it, and sets its renaming identifier.
    case rename(ElementPath, to: String)
    case move(ElementPath, to: ElementPath)
    case set(ElementPath, [ElementSetting])
    case setParts(ElementPath, [[ElementSetting]])
    /// Orders all child elements of one.
    case order(ElementPath, [ElementPath.Step])

    package var path: ElementPath {
        switch self {
        case .add(let path, _), .insert(let path, _, _), .remove(let path),
            .removeWithReferences(let path), .rename(let path, _), .move(let path, _),
            .set(let path, _), .setParts(let path, _), .order(let path, _):
            path
        }
    }

    var settings: [ElementSetting] {
        switch self {
        case .add(_, let settings), .set(_, let settings): settings
        case .insert(_, let settings, let parts): settings + parts.flatMap(\.self)
        case .setParts(_, let parts): parts.flatMap(\.self)
        case .remove, .removeWithReferences, .rename, .move, .order: []
        }
    }
}
