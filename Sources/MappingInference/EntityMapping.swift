public import ObjectModel

/// A property by its name and the entity that declares it, inherited from there by the mapped entity.
public struct MappedProperty: Sendable, Hashable {
    /// The name of the property.
    public var name: String
    /// The name of the entity that declares it, in the same version.
    public var declaredBy: String

    /// Creates a reference to a property.
    public init(name: String, declaredBy: String) {
        self.name = name
        self.declaredBy = declaredBy
    }
}

/// How the objects of one entity go over to the new version.
public struct EntityMapping: Sendable, Hashable {
    /// What happens to the objects.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The entity is new: there are no objects.
        case add
        /// The entity is gone, and its objects with it.
        case remove
        /// The version hashes are equal: objects stay as they are.
        case copy
        /// Objects stay, their properties change.
        case transform
    }

    /// What happens to the objects.
    public var kind: Kind
    /// The entity of the old version; `nil` for `add`.
    public var sourceEntity: String?
    /// The entity of the new version; `nil` for `remove`.
    public var destinationEntity: String?
    /// Every stored attribute of the new entity, inherited ones included, by name, then element path.
    public var attributeMappings: [AttributeMapping]
    /// Every stored relationship of the new entity, inherited ones included, by name.
    public var relationshipMappings: [RelationshipMapping]

    /// Creates a mapping.
    public init(
        kind: Kind,
        sourceEntity: String?,
        destinationEntity: String?,
        attributeMappings: [AttributeMapping] = [],
        relationshipMappings: [RelationshipMapping] = []
    ) {
        self.kind = kind
        self.sourceEntity = sourceEntity
        self.destinationEntity = destinationEntity
        self.attributeMappings = attributeMappings
        self.relationshipMappings = relationshipMappings
    }

    /// The name that Apple's inference gives, as `IEM_Add_Person` (MIGRATION_BEHAVIOUR 4.1).
    public var name: String {
        let entity = destinationEntity ?? sourceEntity ?? ""
        return switch kind {
        case .add: "IEM_Add_\(entity)"
        case .remove: "IEM_Remove_\(entity)"
        case .copy: "IEM_Copy_\(entity)"
        case .transform: "IEM_Transform_\(entity)"
        }
    }
}

/// Where the value of one stored attribute comes from, or that of one element of a composite attribute.
public struct AttributeMapping: Sendable, Hashable {
    /// The attribute of the new version.
    public var destination: MappedProperty
    /// The names from below a composite attribute to the value; empty for any other attribute.
    public var elementPath: [String]
    /// The attribute of the old version; `nil` when the value is new, so that rows get `fill`.
    public var source: MappedProperty?
    /// The names from below the composite attribute of the old version to the value.
    public var sourceElementPath: [String]
    /// What is done to a value that comes from `source`.
    public var conversion: AttributeConversion
    /// What rows get when there is no source; `nil` for NULL (MIGRATION_BEHAVIOUR 2, rule 2).
    public var fill: AttributeValue?
    /// What takes the place of NULL when an optional attribute became mandatory and has a default.
    public var nullReplacement: AttributeValue?

    /// Creates a mapping.
    public init(
        destination: MappedProperty,
        elementPath: [String] = [],
        source: MappedProperty?,
        sourceElementPath: [String] = [],
        conversion: AttributeConversion = .none,
        fill: AttributeValue? = nil,
        nullReplacement: AttributeValue? = nil
    ) {
        self.destination = destination
        self.elementPath = elementPath
        self.source = source
        self.sourceElementPath = sourceElementPath
        self.conversion = conversion
        self.fill = fill
        self.nullReplacement = nullReplacement
    }
}

/// Where the links of one stored relationship come from.
public struct RelationshipMapping: Sendable, Hashable {
    /// The relationship of the new version.
    public var destination: MappedProperty
    /// The relationship of the old version; `nil` when it is new or taken anew, so that there are no links.
    public var source: MappedProperty?
    /// The entities of the old version whose objects links may still lead to, by name; `nil` for all of them.
    ///
    /// The destination entity became another one: links to objects of other entities are dropped.
    public var reachableEntities: [String]?

    /// Creates a mapping.
    public init(
        destination: MappedProperty,
        source: MappedProperty?,
        reachableEntities: [String]? = nil
    ) {
        self.destination = destination
        self.source = source
        self.reachableEntities = reachableEntities
    }
}
