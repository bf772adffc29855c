package import ObjectModel

package enum RelationshipChange: Sendable, Hashable {
    /// By a renaming identifier.
    case name(from: String, to: String)
    /// The property moved up or down the hierarchy.
    case declaringEntity(from: String, to: String)
    /// `isRename` when the new name continues the old destination.
    case destination(from: String?, to: String?, isRename: Bool)
    /// `isRename` when the new name continues the old inverse.
    case inverse(from: String?, to: String?, isRename: Bool)
    /// The entity that is declared to have the inverse; `isRename` when the new name continues it.
    case inverseEntity(from: String?, to: String?, isRename: Bool)
    case cardinality(fromToMany: Bool, toToMany: Bool)
    case order(from: Bool, to: Bool)
    /// As written.
    case minimumCount(from: Int?, to: Int?)
    /// As written; part of `cardinality` when that changed.
    case maximumCount(from: Int?, to: Int?)
    case optionality(from: Bool, to: Bool)
    case transience(from: Bool, to: Bool)
    /// Not in the hash, in spite of Apple's page.
    case deleteRule(from: Relationship.DeleteRule, to: Relationship.DeleteRule)
    case flag(PropertyFlag, from: Bool, to: Bool)
    case setting(PlainSetting, from: String?, to: String?)

    /// Whether the change moves the version hash of the entity (VersionHashes, "Relationships").
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
            .declaringEntity, .setting(.versionHashModifier, _, _):
            return true
        case .cardinality, .maximumCount:
            // The hash holds the counts of the compiled model, and no flag for to-many.
            return from.compiledMaxCount != to.compiledMaxCount
        case .minimumCount(let from, let to): return (from ?? 0) != (to ?? 0)
        case .inverseEntity, .deleteRule, .flag, .setting: return false
        }
    }
}

extension DeclaredProperty<Relationship> {
    /// The inverse in the hash: a relationship that is its own inverse has none.
    fileprivate var hashedInverse: String? {
        let isOwn =
            property.inverseName == property.name && property.destinationEntity == declaredBy
        return isOwn ? nil : property.inverseName
    }
}
