/// An entity of a model with its own properties; inherited ones belong to its parents.
public struct Entity: Sendable, Hashable {
    /// The name, unique in the model.
    public var name: String
    /// The class name as written (`representedClassName`); a leading dot means the current module.
    public var className: String?
    /// The name of the parent entity.
    public var parentEntity: String?
    /// Whether objects of exactly this entity are forbidden.
    public var isAbstract: Bool
    /// The entity's own attributes, in source order.
    public var attributes: [Attribute]
    /// The entity's own relationships, in source order.
    public var relationships: [Relationship]
    /// The entity's own fetched properties, in source order.
    package var fetchedProperties: [FetchedProperty] = []
    package var fetchIndexes: [FetchIndex]
    /// The compound indexes of models older than Xcode 9, each its property names.
    package var compoundIndexes: [[String]] = []
    package var uniquenessConstraints: [UniquenessConstraint]
    package var userInfo: [UserInfoEntry] = []
    /// The renaming identifier (`elementID`) where one is written.
    public var renamingIdentifier: String?
    package var versionHashModifier: String?
    /// Further settings that do not affect the data, such as `codeGenerationType`, by XML attribute name.
    package var sourceSettings: [String: String] = [:]
    /// Unknown parts of the source, kept.
    package var unrecognized: [UnrecognizedItem] = []
    /// The parts that could not be read; an entity with any has no hash.
    package var gaps: [EntityGap] = []
    /// What was read in the natural way that no store has confirmed; the hash is then not proven.
    package var doubts: [String] = []
    /// Its position in a file.
    package var source: SourceMark

    package init(
        name: String,
        className: String? = nil,
        parentEntity: String? = nil,
        isAbstract: Bool = false,
        attributes: [Attribute] = [],
        relationships: [Relationship] = [],
        fetchIndexes: [FetchIndex] = [],
        uniquenessConstraints: [UniquenessConstraint] = [],
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.className, self.parentEntity) = (name, className, parentEntity)
        (self.isAbstract, self.attributes) = (isAbstract, attributes)
        (self.relationships, self.fetchIndexes) = (relationships, fetchIndexes)
        self.uniquenessConstraints = uniquenessConstraints
        self.renamingIdentifier = renamingIdentifier
        (self.versionHashModifier, self.source) = (versionHashModifier, source)
    }

    /// The key that matches versions: the renaming identifier, or the name.
    package var matchingIdentifier: String { renamingIdentifier ?? name }

    package func property(_ name: String) -> (any Property)? {
        if let index = attributes.indices.first(where: { attributes[$0].name == name }) {
            return attributes[index]
        }
        if let index = relationships.indices.first(where: { relationships[$0].name == name }) {
            return relationships[index]
        }
        return fetchedProperties.first { $0.name == name }
    }

    /// The names of the entity's own properties, in the order of `properties`.
    package var propertyNames: [String] {
        attributes.indices.map { attributes[$0].name }
            + relationships.indices.map { relationships[$0].name } + fetchedProperties.map(\.name)
    }

    package var propertyCount: Int {
        attributes.count + relationships.count + fetchedProperties.count
    }

    package var properties: [any Property] {
        attributes as [any Property] + relationships + fetchedProperties
    }
}

/// A set of properties whose values no two objects of an entity may share.
package struct UniquenessConstraint: Sendable, Hashable {
    /// The property names, in source order; attributes or to-one relationships.
    package var properties: [String]
    /// Its position in a file.
    package var source: SourceMark

    package init(properties: [String], source: SourceMark = SourceMark()) {
        (self.properties, self.source) = (properties, source)
    }
}

/// A fetch index of an entity.
package struct FetchIndex: Sendable, Hashable {
    /// One element of a fetch index.
    package struct Element: Sendable, Hashable {
        /// What is indexed.
        package enum Subject: Sendable, Hashable {
            case property(String)
            /// An expression in Apple's format language, with the type of its value as written.
            case expression(String, type: String?)
        }

        /// How the element is indexed; raw values are Apple's `NSFetchIndexElementType`.
        package enum Collation: Int, Sendable, Hashable, CaseIterable {
            /// An ordinary index.
            case binary = 0
            /// A spatial index.
            case rTree = 1

            package var sourceName: String {
                switch self {
                case .binary: "Binary"
                case .rTree: "RTree"
                }
            }
        }

        /// What is indexed.
        package var subject: Subject
        /// How it is indexed.
        package var collation: Collation
        package var isAscending: Bool

        package init(_ subject: Subject, collation: Collation = .binary, isAscending: Bool = true) {
            (self.subject, self.collation, self.isAscending) = (subject, collation, isAscending)
        }
    }

    /// The expressions of elements in real indexes: the object itself, and its entity.
    package static let knownExpressions = ["SELF", "entity"]

    /// The name, unique in the entity.
    package var name: String
    package var elements: [Element]
    /// The predicate of a partial index, in Apple's format language.
    package var partialIndexPredicate: String?
    /// Its position in a file.
    package var source: SourceMark

    package init(
        name: String,
        elements: [Element] = [],
        partialIndexPredicate: String? = nil,
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.elements) = (name, elements)
        (self.partialIndexPredicate, self.source) = (partialIndexPredicate, source)
    }

    /// The property of an ascending index of only one property.
    package var onlyAscendingProperty: String? {
        guard elements.count == 1, elements[0].isAscending,
            case .property(let name) = elements[0].subject
        else { return nil }
        return name
    }
}
