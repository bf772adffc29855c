package import ObjectModel

extension ManagedObjectModel {
    /// A model of a test.
    package init(_ entities: [Entity], composites: [CompositeType] = []) {
        self.init(entities: entities, composites: composites)
    }
}

extension Entity {
    /// An entity of a test.
    package init(
        _ name: String,
        className: String? = nil,
        parentEntity: String? = nil,
        isAbstract: Bool = false,
        _ attributes: [Attribute] = [],
        relationships: [Relationship] = [],
        fetchIndexes: [FetchIndex] = [],
        uniquenessConstraints: [UniquenessConstraint] = [],
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil
    ) {
        self.init(
            name: name,
            className: className,
            parentEntity: parentEntity,
            isAbstract: isAbstract,
            attributes: attributes,
            relationships: relationships,
            fetchIndexes: fetchIndexes,
            uniquenessConstraints: uniquenessConstraints,
            renamingIdentifier: renamingIdentifier,
            versionHashModifier: versionHashModifier
        )
    }
}

extension Attribute {
    /// An attribute of a test.
    package init(
        _ name: String,
        _ type: AttributeType,
        isOptional: Bool = true,
        isTransient: Bool = false,
        defaultValue: AttributeValue? = nil,
        derivation: Derivation? = nil,
        compositeName: String? = nil,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil
    ) {
        self.init(
            name: name,
            type: type,
            isOptional: isOptional,
            isTransient: isTransient,
            defaultValue: defaultValue,
            derivation: derivation,
            compositeName: compositeName,
            renamingIdentifier: renamingIdentifier,
            versionHashModifier: versionHashModifier
        )
    }
}

extension Relationship {
    /// A to-one relationship of a test.
    package static func one(
        _ name: String,
        _ destination: String,
        _ inverse: String? = nil,
        isOptional: Bool = true,
        isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil
    ) -> Relationship {
        var link = many(
            name,
            destination,
            inverse,
            isOptional: isOptional,
            isOrdered: isOrdered,
            deleteRule: deleteRule,
            renamingIdentifier: renamingIdentifier
        )
        (link.isToMany, link.maxCount) = (false, 1)
        return link
    }

    /// A to-many relationship of a test.
    package static func many(
        _ name: String,
        _ destination: String,
        _ inverse: String? = nil,
        isOptional: Bool = true,
        isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil
    ) -> Relationship {
        Relationship(
            name: name,
            isOptional: isOptional,
            isToMany: true,
            isOrdered: isOrdered,
            deleteRule: deleteRule,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: inverse.map { _ in destination },
            renamingIdentifier: renamingIdentifier
        )
    }
}

extension CompositeType {
    /// A composite type of a test.
    package init(_ name: String, _ attributes: [Attribute]) {
        self.init(name: name, attributes: attributes)
    }
}
