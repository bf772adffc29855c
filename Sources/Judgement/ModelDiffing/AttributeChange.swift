import ModelHashing
package import ObjectModel

/// What changed in an attribute that both versions have, or in an element of a composite attribute.
package indirect enum AttributeChange: Sendable, Hashable {
    /// The name, by a renaming identifier.
    case name(from: String, to: String)
    /// The declaring entity, after the property moved up or down the hierarchy.
    case declaringEntity(from: String, to: String)
    /// The type of the value.
    case type(from: AttributeType, to: AttributeType)
    /// Whether the value may be nil.
    case optionality(from: Bool, to: Bool)
    /// Whether the attribute has no place in the store.
    case transience(from: Bool, to: Bool)
    /// The default value.
    case defaultValue(from: AttributeValue?, to: AttributeValue?)
    /// How the value comes about.
    case derivation(from: Attribute.Derivation?, to: Attribute.Derivation?)
    /// The composite type that is named.
    case compositeName(from: String?, to: String?)
    /// An element below a composite attribute, by its path in the new version (old when removed).
    case element(path: [String], ElementChange)
    /// The limits that are checked on saving.
    case validation(from: Attribute.Validation, to: Attribute.Validation)
    /// The value transformer.
    case valueTransformerName(from: String?, to: String?)
    /// The class of a transformable's value.
    case customClassName(from: String?, to: String?)
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

    /// What happened to an element below a composite attribute.
    package enum ElementChange: Sendable, Hashable {
        /// It is new.
        case added(Attribute)
        /// It is gone.
        case removed(Attribute)
        /// It changed.
        case changed(from: Attribute, to: Attribute, AttributeChange)
    }
}

extension AttributeChange {
    /// Says whether the change moves the version hash of the entity (VersionHashes, "Attributes").
    ///
    /// What is transient on both sides is not in the hash at all; of a derived attribute only its
    /// expression is, of a composite one only its elements. A renamed derived or composite attribute
    /// moves the hash only when its place among the properties changes; that is not seen here, but in
    /// `ModelDiff.movedEntities`.
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
        case .transience:
            return true
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

    /// The XML attribute that the change is written in; `nil` where it is an element.
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
