/// A kind of what a model source consists of, by the word that edits use.
package enum ElementKind: String, Sendable, Hashable, CaseIterable {
    /// An entity.
    case entity
    /// An attribute of an entity.
    case attribute
    /// A relationship.
    case relationship
    /// A fetched property.
    case fetchedProperty
    /// A fetch index.
    case index
    /// A uniqueness constraint; its key is the list of its properties.
    case constraint
    /// A compound index of models older than Xcode 9; its key is the list of its properties.
    case compoundIndex
    /// A composite type.
    case composite
    /// An attribute of a composite type.
    case element
    /// A fetch request template.
    case fetchRequest
    /// The fetch request of a fetched property.
    case request
    /// A configuration.
    case configuration
    /// An entity of a configuration.
    case member
    /// An entry of the user info of anything.
    case userInfo
    /// The place of an entity in the diagram of old versions of Xcode.
    case diagram

    /// The name of its XML element.
    var xml: String {
        switch self {
        case .index: "fetchIndex"
        case .constraint: "uniquenessConstraint"
        case .element: "attribute"
        case .request: "fetchRequest"
        case .member: "memberEntity"
        case .userInfo: "entry"
        case .diagram: "element"
        default: rawValue
        }
    }

    /// The XML element that holds all of the kind, where there is one between them and what they belong to.
    var container: String? {
        switch self {
        case .constraint: "uniquenessConstraints"
        case .compoundIndex: "compoundIndexes"
        case .userInfo: "userInfo"
        case .diagram: "elements"
        default: nil
        }
    }

    /// The XML element of each of its parts, which have no names of their own.
    var part: String? {
        switch self {
        case .index: "fetchIndexElement"
        case .constraint: "constraint"
        case .compoundIndex: "index"
        default: nil
        }
    }

    /// Whether its key is the list of its parts.
    var isList: Bool { self == .constraint || self == .compoundIndex }

    /// What it belongs to; `nil` for the model.
    var parents: [ElementKind?] {
        switch self {
        case .entity, .composite, .fetchRequest, .configuration, .diagram: [nil]
        case .attribute, .relationship, .fetchedProperty, .index, .constraint, .compoundIndex:
            [.entity]
        case .element: [.composite]
        case .request: [.fetchedProperty]
        case .member: [.configuration]
        case .userInfo:
            [nil, .entity, .attribute, .relationship, .fetchedProperty, .composite, .element]
        }
    }

    /// The kinds that belong to another one, in Xcode's order; `nil` stands for the model.
    static func kinds(in parent: ElementKind?) -> [ElementKind] {
        let order: [ElementKind] = [
            .attribute, .relationship, .fetchedProperty, .compoundIndex, .index, .constraint,
            .entity, .composite, .element, .fetchRequest, .request, .configuration, .member,
            .userInfo, .diagram,
        ]
        return order.filter { $0.parents.contains(parent) }
    }

    /// Whether Xcode sorts its elements by name.
    var isSorted: Bool {
        switch self {
        case .entity, .attribute, .relationship, .fetchedProperty, .fetchRequest, .configuration,
            .userInfo, .element, .composite, .diagram:
            true
        case .index, .constraint, .compoundIndex, .member, .request: false
        }
    }

    /// How one is named.
    var example: String {
        switch self {
        case .entity, .composite, .fetchRequest, .configuration, .diagram: "\(rawValue) Name"
        case .attribute: "attribute Book.title"
        case .relationship: "relationship Book.author"
        case .fetchedProperty: "fetchedProperty Book.recent"
        case .index: "index Book.byTitle"
        case .constraint, .compoundIndex: "\(rawValue) Book.author,title"
        case .element: "element Address.street"
        case .request: "request Book.recent"
        case .member: "member Cloud.Book"
        case .userInfo: "attribute Book.title / userInfo author"
        }
    }

    /// The attribute that holds its key.
    var keyAttribute: String? {
        switch self {
        case .userInfo: "key"
        case .constraint, .compoundIndex, .request: nil
        default: "name"
        }
    }

    /// Whether it has a renaming identifier.
    var isMigrated: Bool {
        switch self {
        case .entity, .attribute, .relationship, .element: true
        default: false
        }
    }

    /// Returns the key of an element.
    func key(of node: SourceNode) -> String {
        if let keyAttribute { return node[keyAttribute] ?? "" }
        guard let part else { return "" }
        return node.children(part).map { $0["value"] ?? "" }.joined(separator: ",")
    }
}
