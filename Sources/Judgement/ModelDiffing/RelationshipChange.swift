package import ObjectModel

/// What changed in a relationship that both versions have.
package enum RelationshipChange: Sendable, Hashable {
    /// The name, by a renaming identifier.
    case name(from: String, to: String)
    /// The declaring entity, after the property moved up or down the hierarchy.
    case declaringEntity(from: String, to: String)
    /// The destination entity; `isRename` when the new name continues the old destination.
    case destination(from: String?, to: String?, isRename: Bool)
    /// The inverse; `isRename` when the new name continues the old inverse.
    case inverse(from: String?, to: String?, isRename: Bool)
    /// The entity that is said to have the inverse; `isRename` when the new name continues it.
    case inverseEntity(from: String?, to: String?, isRename: Bool)
    /// Whether the relationship may hold more than one object.
    case cardinality(fromToMany: Bool, toToMany: Bool)
    /// Whether a to-many relationship keeps an order.
    case order(from: Bool, to: Bool)
    /// The least number of objects as written.
    case minimumCount(from: Int?, to: Int?)
    /// The greatest number of objects as written; part of `cardinality` when that changed.
    case maximumCount(from: Int?, to: Int?)
    /// Whether there may be no object.
    case optionality(from: Bool, to: Bool)
    /// Whether the relationship has no place in the store.
    case transience(from: Bool, to: Bool)
    /// What happens to the destination on deletion; not in the hash, whatever Apple's page says.
    case deleteRule(from: Relationship.DeleteRule, to: Relationship.DeleteRule)
    /// A setting that is there or not.
    case flag(PropertyFlag, from: Bool, to: Bool)
    /// The version hash modifier.
    case versionHashModifier(from: String?, to: String?)
    /// The renaming identifier as written.
    case renamingIdentifier(from: String?, to: String?)
    /// The user info.
    case userInfo(from: [UserInfoEntry], to: [UserInfoEntry])
    /// A setting that says nothing about the data, by its XML attribute name.
    case setting(name: String, from: String?, to: String?)
    /// What the reader did not understand.
    case unrecognized(from: [UnrecognizedItem], to: [UnrecognizedItem])
}

extension RelationshipChange {
    /// Says whether the change moves the version hash of the entity (VersionHashes, "Relationships").
    package func movesVersionHash(
        from old: DeclaredProperty<Relationship>,
        to new: DeclaredProperty<Relationship>
    ) -> Bool {
        if case .transience = self { return true }
        let (from, to) = (old.property, new.property)
        guard !(from.isTransient && to.isTransient) else { return false }
        switch self {
        case .inverse:
            return old.hashedInverse != new.hashedInverse
        case .name, .destination, .order, .optionality, .transience,
            .versionHashModifier, .declaringEntity:
            return true
        case .cardinality, .maximumCount:
            // The hash holds the counts of the compiled model, and no flag for to-many.
            return from.compiledMaxCount != to.compiledMaxCount
        case .minimumCount(let from, let to):
            return (from ?? 0) != (to ?? 0)
        case .inverseEntity, .deleteRule, .flag, .renamingIdentifier, .userInfo, .setting,
            .unrecognized:
            return false
        }
    }

    /// The XML attribute that the change is written in; `nil` where it is an element.
    package var sourceAttribute: String? {
        switch self {
        case .name: "name"
        case .destination: "destinationEntity"
        case .inverse: "inverseName"
        case .inverseEntity: "inverseEntity"
        case .cardinality: "toMany"
        case .order: "ordered"
        case .minimumCount: "minCount"
        case .maximumCount: "maxCount"
        case .optionality: "optional"
        case .transience: "transient"
        case .deleteRule: "deletionRule"
        case .flag(let flag, _, _): flag.row.sourceName
        case .versionHashModifier: "versionHashModifier"
        case .renamingIdentifier: "elementID"
        case .setting(let name, _, _): name
        case .declaringEntity, .userInfo, .unrecognized: nil
        }
    }
}

extension DeclaredProperty<Relationship> {
    /// The inverse as the hash holds it: a relationship that is its own has none.
    fileprivate var hashedInverse: String? {
        let isOwn =
            property.inverseName == property.name && property.destinationEntity == declaredBy
        return isOwn ? nil : property.inverseName
    }
}
