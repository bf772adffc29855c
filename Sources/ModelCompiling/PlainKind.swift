import ObjectModel

/// What a plain property has besides names: most have a type and few flags, and nothing of their own.
struct PlainKind: Hashable {
    fileprivate struct Settings: OptionSet, Hashable {
        var rawValue: Int
        static let isOptional = Settings(rawValue: 1)
        static let isTransient = Settings(rawValue: 2)
        static let isMirrored = Settings(rawValue: 4)
        static let isOrdered = Settings(rawValue: 8)
        static let isRelationship = Settings(rawValue: 16)
    }

    /// The number of the type of an attribute, or of the delete rule of a relationship.
    fileprivate var number: Int
    fileprivate var settings: Settings
    fileprivate var flags: PropertyFlags
    fileprivate var minimum = 0
    fileprivate var maximum = 0
}

extension Entity {
    /// Returns the kinds of the attributes.
    ///
    /// - Parameter mirrored: the attributes that have an index of their own, which is mirrored in their flag.
    /// - Returns: the kind of each; `nil` for those that hold more than a kind says.
    func plainKinds(mirrored: Set<String>) -> [PlainKind?] {
        attributes.indices.map { index in
            let isMirrored = mirrored.contains(attributes[index].name)
            return attributes[index].plainKind(isMirrored: isMirrored)
        }
    }
}

extension Attribute {
    @inline(__always)
    fileprivate func plainKind(isMirrored: Bool) -> PlainKind? {
        guard derivation == nil, validation.minimum == nil, validation.maximum == nil,
            validation.regularExpression == nil, defaultValue == nil,
            renamingIdentifier == nil, versionHashModifier == nil, userInfo.isEmpty,
            valueTransformerName == nil, type != .transformable, type != .composite,
            flags.isDisjoint(with: .unproven)
        else { return nil }
        var settings: PlainKind.Settings = isMirrored ? .isMirrored : []
        if isOptional { settings.insert(.isOptional) }
        if isTransient { settings.insert(.isTransient) }
        return PlainKind(number: type.rawValue, settings: settings, flags: flags)
    }
}

extension Relationship {
    /// Returns the kind of this relationship; `nil` if it holds more than a kind says.
    func plainKind(isMirrored: Bool) -> PlainKind? {
        guard renamingIdentifier == nil, versionHashModifier == nil, userInfo.isEmpty else {
            return nil
        }
        var settings: PlainKind.Settings = isMirrored ? .isMirrored : []
        if isOptional { settings.insert(.isOptional) }
        if isTransient { settings.insert(.isTransient) }
        if isOrdered { settings.insert(.isOrdered) }
        return PlainKind(
            number: deleteRule.rawValue,
            settings: settings.union(.isRelationship),
            flags: flags,
            minimum: compiledMinCount,
            maximum: compiledMaxCount
        )
    }
}

extension PropertyFlags {
    /// Those whose place in a compiled model no file has shown.
    fileprivate static let unproven = PropertyFlags(
        PropertyFlag.allCases.filter { $0.row.archivePlace == .unknown }
    )
}
