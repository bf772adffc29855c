import ObjectModel

/// What a plain attribute has besides its name: most have a type and few flags, and nothing of their own.
struct PlainAttribute: Hashable {
    /// The flags, and above them the type.
    fileprivate var bits: Int
}

extension Attribute {
    /// Returns the kind of this attribute.
    ///
    /// - Parameter isMirrored: whether it has an index of its own, which is mirrored in its flag.
    /// - Returns: the kind; `nil` for an attribute that holds more than a kind says.
    func plainKind(isMirrored: Bool) -> PlainAttribute? {
        guard derivation == nil, validation.isEmpty, defaultValue == nil,
            renamingIdentifier == nil, versionHashModifier == nil, userInfo.isEmpty,
            valueTransformerName == nil, !allowsCloudEncryption, type != .transformable,
            type != .composite
        else { return nil }
        var bits = type.rawValue << 7
        if isOptional { bits |= 0x01 }
        if isTransient { bits |= 0x02 }
        if isIndexed || isMirrored { bits |= 0x04 }
        if isIndexedBySpotlight { bits |= 0x08 }
        if isStoredInTruthFile { bits |= 0x10 }
        if allowsExternalBinaryDataStorage { bits |= 0x20 }
        if preservesValueInHistoryOnDeletion { bits |= 0x40 }
        return PlainAttribute(bits: bits)
    }
}
