import ObjectModel
import PropertyLists

/// What a plain property has besides names: most have a type and few flags, and nothing of their own.
struct PlainKind: Equatable {
    fileprivate struct Settings: OptionSet {
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

/// The values of properties by their kinds, as far as these are few: they are found one by one, faster than by hash.
struct PlainValues {
    private var kinds: [PlainKind] = []
    private var values: [KeyedArchive.Values] = []

    private static let limit = 32

    /// The values of a kind, which copies share but for the first.
    subscript(kind: PlainKind) -> KeyedArchive.Values? {
        kinds.firstIndex(of: kind).map { values[$0] }
    }

    /// Adds the values of a kind that has none, unless there are too many.
    mutating func add(_ kind: PlainKind, _ values: KeyedArchive.Values) {
        guard kinds.count < Self.limit else { return }
        kinds.append(kind)
        self.values.append(values)
    }
}

extension PlainKind {
    /// The kind of an attribute; `nil` if it holds more than a kind says.
    ///
    /// It is read where it stands: to copy it takes longer than what is asked of it.
    @inline(__always)
    init?(ofAttributeAt index: Int, in attributes: [Attribute], isMirrored: Bool) {
        let type = attributes[index].type
        let flags = attributes[index].flags
        guard attributes[index].isPlain, type != .transformable, type != .composite,
            flags.isDisjoint(with: .unproven)
        else { return nil }
        var settings: Settings = isMirrored ? .isMirrored : []
        if attributes[index].isOptional { settings.insert(.isOptional) }
        if attributes[index].isTransient { settings.insert(.isTransient) }
        self.init(number: type.rawValue, settings: settings, flags: flags)
    }

    /// The kind of a relationship; `nil` if it holds more than a kind says.
    init?(of relationship: Relationship, isMirrored: Bool) {
        guard relationship.renamingIdentifier == nil, relationship.versionHashModifier == nil,
            relationship.userInfo.isEmpty
        else { return nil }
        var settings: Settings = isMirrored ? [.isRelationship, .isMirrored] : .isRelationship
        if relationship.isOptional { settings.insert(.isOptional) }
        if relationship.isTransient { settings.insert(.isTransient) }
        if relationship.isOrdered { settings.insert(.isOrdered) }
        self.init(
            number: relationship.deleteRule.rawValue,
            settings: settings,
            flags: relationship.flags,
            minimum: relationship.compiledMinCount,
            maximum: relationship.compiledMaxCount
        )
    }
}

extension PropertyFlags {
    /// Those whose place in a compiled model no file has shown.
    fileprivate static let unproven = PropertyFlags(
        PropertyFlag.allCases.filter { $0.row.archivePlace == .unknown }
    )
}
