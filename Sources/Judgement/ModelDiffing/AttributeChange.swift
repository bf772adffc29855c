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
    case compositeName(from: String?, to: String?)
    /// An element below a composite attribute, by its path in the new version (old when removed).
    case element(path: [String], ElementChange)
    case validation(from: Attribute.Validation, to: Attribute.Validation)
    case valueTransformerName(from: String?, to: String?)
    case customClassName(from: String?, to: String?)
    case flag(PropertyFlag, from: Bool, to: Bool)
    case versionHashModifier(from: String?, to: String?)
    case renamingIdentifier(from: String?, to: String?)
    case userInfo(from: [UserInfoEntry], to: [UserInfoEntry])
    /// A setting without effect on the data, by its XML attribute name.
    case setting(name: String, from: String?, to: String?)
    case unrecognized(from: [UnrecognizedItem], to: [UnrecognizedItem])

    package enum ElementChange: Sendable, Hashable {
        case added(Attribute)
        case removed(Attribute)
        case changed(from: Attribute, to: Attribute, AttributeChange)
    }
}

extension AttributeChange {
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
        case .name, .optionality, .versionHashModifier:
            return !isDerived && !isComposite
        case .type:
            return !isDerived
        case .flag(let flag, _, _):
            return flag.row.isHashed && !isDerived && !isComposite
        case .element(_, .added), .element(_, .removed):
            return isComposite
        case .element(_, .changed(let from, let to, let change)):
            // Elements are hashed whether transient or not: their own flag is part of the hash.
            return isComposite && change.movesElementHash(from: from, to: to)
        case .transience: return true
        case .declaringEntity:
            // The list of a sub-entity holds inherited properties: it is the ancestors that change.
            return true
        case .defaultValue, .compositeName, .validation, .valueTransformerName, .customClassName,
            .renamingIdentifier, .userInfo, .setting, .unrecognized:
            return false
        }
    }

    private func movesElementHash(from: Attribute, to: Attribute) -> Bool {
        var (from, to) = (from, to)
        from.isTransient = false
        to.isTransient = false
        return movesVersionHash(from: from, to: to)
    }

    /// The XML attribute of the change; `nil` where it is an element.
    package var sourceAttribute: String? {
        switch self {
        case .name: "name"
        case .type: "attributeType"
        case .optionality: "optional"
        case .transience: "transient"
        case .defaultValue: "defaultValueString"
        case .derivation: "derivationExpression"
        case .compositeName: "composite"
        case .validation: "minValueString"
        case .valueTransformerName: "valueTransformerName"
        case .customClassName: "customClassName"
        case .flag(let flag, _, _): flag.row.sourceName
        case .versionHashModifier: "versionHashModifier"
        case .renamingIdentifier: "elementID"
        case .setting(let name, _, _): name
        case .element(_, .changed(_, _, let change)): change.sourceAttribute
        case .declaringEntity, .element, .userInfo, .unrecognized: nil
        }
    }
}
