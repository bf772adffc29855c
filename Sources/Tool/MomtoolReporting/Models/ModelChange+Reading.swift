import ModelDiffing

extension ModelChange {
    /// Whether an app may behave differently, though perhaps no store does: not settings of the document, options of
    /// generated code, and user info.
    var isSeenByCode: Bool {
        switch self {
        case .entityChanged(_, let change):
            switch change {
            case .userInfo, .setting, .unrecognized: false
            case .name, .abstractness, .parent, .uniquenessConstraintAdded,
                .uniquenessConstraintRemoved, .versionHashModifier, .renamingIdentifier,
                .className, .fetchIndexAdded, .fetchIndexRemoved, .fetchIndex, .compoundIndexes:
                true
            }
        case .attributeChanged(_, let change):
            switch change {
            case .userInfo, .setting, .unrecognized: false
            case .name, .declaringEntity, .type, .optionality, .transience, .defaultValue,
                .derivation, .compositeName, .element, .validation, .valueTransformerName,
                .customClassName, .flag, .versionHashModifier, .renamingIdentifier:
                true
            }
        case .relationshipChanged(_, let change):
            switch change {
            case .userInfo, .setting, .unrecognized: false
            case .name, .declaringEntity, .destination, .inverse, .inverseEntity, .cardinality,
                .order, .minimumCount, .maximumCount, .optionality, .transience, .deleteRule,
                .flag, .versionHashModifier, .renamingIdentifier:
                true
            }
        case .entityAdded, .entityRemoved, .attributeAdded, .attributeRemoved,
            .relationshipAdded, .relationshipRemoved, .part:
            true
        case .versionIdentifiers, .documentSetting, .unrecognized: false
        }
    }
}
