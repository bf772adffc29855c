/// A kind of element of a model source, by the word that edits use.
package enum ElementKind: String, Sendable, Hashable, CaseIterable {
    case entity
    case attribute
    case relationship
    case fetchedProperty
    case index
    /// A uniqueness constraint; its key is the list of its properties.
    case constraint
    /// A compound index of models older than Xcode 9; its key is the list of its properties.
    case compoundIndex
    case composite
    case element
    case fetchRequest
    case request
    case configuration
    case member
    /// An entry of the user info of any element.
    case userInfo
    /// The position of an entity in the diagram of old versions of Xcode.
    case diagram

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

    /// The XML element between all of the kind and their parent, where there is one.
    var container: String? {
        switch self {
        case .constraint: "uniquenessConstraints"
        case .compoundIndex: "compoundIndexes"
        case .userInfo: "userInfo"
        case .diagram: "elements"
        default: nil
        }
    }

    /// The XML element of each of its nameless parts.
    var part: String? {
        switch self {
        case .index: "fetchIndexElement"
        case .constraint: "constraint"
        case .compoundIndex: "index"
        default: nil
        }
    }

    var isList: Bool { self == .constraint || self == .compoundIndex }

    /// Its possible parents; `nil` for the model.
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

    /// The child kinds of a kind, in Xcode's order; `nil` means the model.
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

    var keyAttribute: String? {
        switch self {
        case .userInfo: "key"
        case .constraint, .compoundIndex, .request: nil
        default: "name"
        }
    }

    var isMigrated: Bool {
        switch self {
        case .entity, .attribute, .relationship, .element: true
        default: false
        }
    }

    func key(of node: SourceNode) -> String {
        if let keyAttribute { return node[keyAttribute] ?? "" }
        guard let part else { return "" }
        return node.children(part).map { $0["value"] ?? "" }.joined(separator: ",")
    }
}
