import ModelHashing
package import ObjectModel

package indirect enum AttributeChange: Sendable, Hashable {
    /// By a renaming identifier.
    case name(from: String, to: String)
    /// The property moved up or down the hierarchy.
    case declaringEntity(from: String, to: String)
    case type(from: AttributeType, to: AttributeType)
    case optionality(from: Bool, to: Bool)
    case transience(from: Bool, to: Bool)
    case defaultValue(from: AttributeValue?, to: AttributeValue?)
    case derivation(from: Attribute.Derivation?, to: Attribute.Derivation?)
    /// An element below a composite attribute, by its path in the new version (old when removed).
    case element(path: [String], ElementChange)
    case flag(PropertyFlag, from: Bool, to: Bool)
    case setting(PlainSetting, from: String?, to: String?)

    package enum ElementChange: Sendable, Hashable {
        case added(Attribute)
        case removed(Attribute)
        case changed(from: Attribute, to: Attribute, AttributeChange)
    }

    /// Whether the change moves the version hash of the entity (VersionHashes, "Attributes").
    ///
    /// What is transient on both sides is not in the hash at all; of a derived attribute only its expression is, of a
    /// composite one only its elements. A renamed derived or composite attribute moves the hash only when its place
    /// among the properties changes; that is not visible here, but in `ModelDiff.movedEntities`.
    package func movesVersionHash(from: Attribute, to: Attribute) -> Bool {
        if case .transience = self { return true }
        guard !(from.isTransient && to.isTransient) else { return false }
        let isDerived = from.derivation != nil && to.derivation != nil
        let isComposite = from.type == .composite && to.type == .composite && !isDerived
        switch self {
        case .derivation:
            // Another spelling of one expression prints, and hashes, the same.
            let model = ManagedObjectModel()
            return versionHash(of: from, declaredBy: "", in: model)
                != versionHash(of: to, declaredBy: "", in: model)
        case .name, .optionality, .setting(.versionHashModifier, _, _):
            return !isDerived && !isComposite
        case .type: return !isDerived
        case .flag(let flag, _, _): return flag.row.isHashed && !isDerived && !isComposite
        case .element(_, .added), .element(_, .removed): return isComposite
        case .element(_, .changed(let from, let to, let change)):
            // Elements are hashed whether transient or not: their own flag is part of the hash.
            return isComposite && change.movesElementHash(from: from, to: to)
        case .transience: return true
        case .declaringEntity:
            // The list of a sub-entity holds inherited properties: it is the ancestors that change.
            return true
        case .defaultValue, .setting: return false
        }
    }

    private func movesElementHash(from: Attribute, to: Attribute) -> Bool {
        var (from, to) = (from, to)
        from.isTransient = false
        to.isTransient = false
        return movesVersionHash(from: from, to: to)
    }
}
