package import ObjectModel
package import ModelLanguage

/// The migration of one entity's objects, whether inferred or stated by a map or a mapping model.
///
/// A migration is a list of these. Inferred ones have neither conditions nor expressions; what a person wrote is
/// lowered to the same values, so that one builder and one executor serve all.
package struct EntityMapping: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case add, remove
        /// The version hashes are equal: objects stay as they are.
        case copy
        case transform
        /// A person described what happens to the objects.
        case custom
    }

    package var kind: Kind
    /// `nil` for `add`.
    package var sourceEntity: String?
    /// `nil` for `remove`.
    package var destinationEntity: String?
    /// Every stored attribute of the new entity, including inherited ones, by name, then element path.
    package var attributeMappings: [AttributeMapping]
    /// Every stored relationship of the new entity, including inherited ones, by name.
    package var relationshipMappings: [RelationshipMapping]
    /// `nil` for all objects.
    package var condition: Predicate?
    /// Attributes of the new entity: objects with the same values there become one.
    package var findOrCreateKeys: [String]
    /// The name of the migration policy that makes the objects; `nil` when the mappings suffice.
    package var policyName: String?
    private var givenName: String?

    /// Creates a mapping, by default with the name of Apple's inference.
    package init(
        kind: Kind,
        sourceEntity: String?,
        destinationEntity: String?,
        attributeMappings: [AttributeMapping] = [],
        relationshipMappings: [RelationshipMapping] = [],
        condition: Predicate? = nil,
        findOrCreateKeys: [String] = [],
        policyName: String? = nil,
        name: String? = nil
    ) {
        (self.kind, self.sourceEntity) = (kind, sourceEntity)
        (self.destinationEntity, self.attributeMappings) = (destinationEntity, attributeMappings)
        (self.relationshipMappings, self.condition) = (relationshipMappings, condition)
        (self.findOrCreateKeys, self.policyName) = (findOrCreateKeys, policyName)
        givenName = name
    }

    /// The name by which relationship functions find the resulting objects.
    ///
    /// Apple's inference gives names such as `IEM_Add_Person` (MigrationBehaviour, "Mapping models").
    package var name: String {
        if let givenName { return givenName }
        let entity = destinationEntity ?? sourceEntity ?? ""
        return switch kind {
        case .add: "IEM_Add_\(entity)"
        case .remove: "IEM_Remove_\(entity)"
        case .copy: "IEM_Copy_\(entity)"
        case .transform: "IEM_Transform_\(entity)"
        case .custom: [sourceEntity, destinationEntity].compactMap(\.self).joined(separator: "To")
        }
    }
}

/// The origin of the value of one stored attribute, or of one element of a composite attribute.
package struct AttributeMapping: Sendable, Hashable {
    package var destination: PropertyReference
    /// The names from below a composite attribute to the value; empty for any other attribute.
    package var elementPath: [String]
    /// `nil` when the value is new, so that rows get `fill`.
    package var source: PropertyReference?
    /// The names from below the composite attribute of the old version to the value.
    package var sourceElementPath: [String]
    package var conversion: AttributeConversion
    /// The value of rows without a source; `nil` for NULL (MigrationBehaviour, "What rows get").
    package var fill: AttributeValue?
    /// What replaces NULL when an optional attribute became mandatory and has a default.
    package var nullReplacement: AttributeValue?
    /// A value expression over `$source` that replaces `source` and `fill`.
    package var expression: PredicateExpression?

    package init(
        destination: PropertyReference,
        elementPath: [String] = [],
        source: PropertyReference?,
        sourceElementPath: [String] = [],
        conversion: AttributeConversion = .none,
        fill: AttributeValue? = nil,
        nullReplacement: AttributeValue? = nil
    ) {
        (self.destination, self.elementPath, self.source) = (destination, elementPath, source)
        (self.sourceElementPath, self.conversion, self.fill) = (sourceElementPath, conversion, fill)
        self.nullReplacement = nullReplacement
    }
}

package struct RelationshipMapping: Sendable, Hashable {
    package enum Origin: Sendable, Hashable {
        case none
        case relationship(PropertyReference)
        /// Along a path of relationships from the source, to the objects that one mapping or all created from its end.
        ///
        /// The empty path leads to the objects created from the source. With `isLast` only the last object counts, in
        /// the order of the path's first relationship, or by key.
        case path([String], mapping: String?, isLast: Bool = false)
        /// To the object of an entity of the new version whose key has the value of an expression over `$source`.
        case found(entity: String, key: String, equals: PredicateExpression)
    }

    package var destination: PropertyReference
    package var origin: Origin
    /// Whether a person wrote the origin, so that it takes precedence over a copy by name.
    package var isStated: Bool
    /// The entities of the old version to whose objects links may still lead, by name; `nil` for all of them.
    ///
    /// The destination entity changed: links to objects of other entities are dropped.
    package var reachableEntities: [String]?

    package init(destination: PropertyReference, origin: Origin, isStated: Bool) {
        (self.destination, self.origin, self.isStated) = (destination, origin, isStated)
    }

    /// Creates an inferred mapping; without a source there are no links.
    package init(
        destination: PropertyReference,
        source: PropertyReference?,
        reachableEntities: [String]? = nil
    ) {
        self.init(
            destination: destination,
            origin: source.map { .relationship($0) } ?? .none,
            isStated: false
        )
        self.reachableEntities = reachableEntities
    }

    /// The relationship of the old version from which links are copied; `nil` for any other origin.
    package var source: PropertyReference? {
        if case .relationship(let property) = origin { property } else { nil }
    }
}
