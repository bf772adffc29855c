import ObjectModel

/// What a plain attribute has besides its name: most have a type and few flags, and nothing of their own.
struct PlainAttribute: Hashable {
    fileprivate var type: AttributeType
    fileprivate var isOptional: Bool
    fileprivate var isTransient: Bool
    fileprivate var isMirrored: Bool
    fileprivate var flags: PropertyFlags
}

extension Attribute {
    /// Returns the kind of this attribute.
    ///
    /// - Parameter isMirrored: whether it has an index of its own, which is mirrored in its flag.
    /// - Returns: the kind; `nil` for an attribute that holds more than a kind says.
    func plainKind(isMirrored: Bool) -> PlainAttribute? {
        guard derivation == nil, validation.isEmpty, defaultValue == nil,
            renamingIdentifier == nil, versionHashModifier == nil, userInfo.isEmpty,
            valueTransformerName == nil, type != .transformable, type != .composite,
            !PropertyFlag.allCases.contains(where: { flags[$0] && $0.row.archivePlace == .unknown })
        else { return nil }
        return PlainAttribute(
            type: type,
            isOptional: isOptional,
            isTransient: isTransient,
            isMirrored: isMirrored,
            flags: flags
        )
    }
}
