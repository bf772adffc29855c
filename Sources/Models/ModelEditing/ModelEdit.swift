/// Where an element stands in a model: the elements around it and its own, each by kind and key.
package struct ElementPath: Sendable, Hashable {
    /// An element among those around it.
    package struct Step: Sendable, Hashable {
        /// What it is.
        package var kind: ElementKind
        /// Its name, for constraints the list of its properties.
        package var key: String

        package init(_ kind: ElementKind, _ key: String) {
            (self.kind, self.key) = (kind, key)
        }
    }

    /// The steps from the model to the element; none for the model itself.
    package var steps: [Step]

    package init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The model itself.
    package static let model = ElementPath()

    /// The path of an entity.
    package static func entity(_ name: String) -> ElementPath { ElementPath([Step(.entity, name)]) }

    /// The path of an attribute of an entity.
    package static func attribute(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.attribute, name)
    }

    /// The path of a relationship of an entity.
    package static func relationship(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.relationship, name)
    }

    /// The path of a fetch index of an entity.
    package static func index(_ name: String, of entity: String) -> ElementPath {
        .entity(entity).appending(.index, name)
    }

    /// The path of a uniqueness constraint of an entity, by its properties.
    package static func constraint(_ properties: [String], of entity: String) -> ElementPath {
        .entity(entity).appending(.constraint, properties.joined(separator: ","))
    }

    /// Returns the path of an element that belongs to this one.
    package func appending(_ kind: ElementKind, _ key: String) -> ElementPath {
        ElementPath(steps + [Step(kind, key)])
    }

    /// The path of what the element belongs to; the model belongs to itself.
    package var parent: ElementPath { ElementPath(Array(steps.dropLast())) }

    /// What the element is; `nil` for the model.
    package var kind: ElementKind? { steps.last?.kind }

    /// The key of the element; empty for the model.
    package var key: String { steps.last?.key ?? "" }
}

/// The XML attributes of an element, in the words of the source.
package struct ElementSetting: Sendable, Hashable {
    /// The name of the XML attribute, such as `attributeType`.
    package var name: String
    /// Its value; `nil` takes the attribute away.
    package var value: String?

    package init(_ name: String, _ value: String?) {
        (self.name, self.value) = (name, value)
    }
}

/// A change of a model source.
///
/// The list is closed, and edits of one source are applied in their order, all or none. What the settings are called is
/// on the page about sources; those that are used most have names in Swift too:
///
/// ```swift
/// ModelEdit.add(.attribute("rating", of: "Book"), [.type(.double), .defaultValue("0")])
/// ```
package enum ModelEdit: Sendable, Hashable {
    /// Adds an element with the settings given and what Xcode gives new ones.
    case add(ElementPath, [ElementSetting])
    /// Adds an element with exactly these settings and parts, as fetch indexes have them.
    case insert(ElementPath, [ElementSetting], parts: [[ElementSetting]])
    /// Takes an element away; what refers to it stays and must go with other edits.
    case remove(ElementPath)
    /// Takes an element away and what refers to it.
    case removeWithReferences(ElementPath)
    /// Renames an element, sets its renaming identifier, and renames it wherever it is named.
    case rename(ElementPath, to: String)
    /// Moves a property to another entity.
    case move(ElementPath, to: ElementPath)
    /// Changes settings of an element.
    case set(ElementPath, [ElementSetting])
    /// Gives a fetch index other elements.
    case setParts(ElementPath, [[ElementSetting]])
    /// Puts the elements that belong to one into an order, all of them.
    case order(ElementPath, [ElementPath.Step])

    /// What the edit is about.
    package var path: ElementPath {
        switch self {
        case .add(let path, _), .insert(let path, _, _), .remove(let path),
            .removeWithReferences(let path), .rename(let path, _), .move(let path, _),
            .set(let path, _), .setParts(let path, _), .order(let path, _):
            path
        }
    }

    /// All settings that it writes.
    var settings: [ElementSetting] {
        switch self {
        case .add(_, let settings), .set(_, let settings): settings
        case .insert(_, let settings, let parts): settings + parts.flatMap(\.self)
        case .setParts(_, let parts): parts.flatMap(\.self)
        case .remove, .removeWithReferences, .rename, .move, .order: []
        }
    }
}
