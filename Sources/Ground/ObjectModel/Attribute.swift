/// An attribute of an entity, or an element of a composite type.
public struct Attribute: FlaggedProperty {
    /// How the value of a derived attribute comes about, in Apple's format language.
    package struct Derivation: Sendable, Hashable {
        package var expression: String
        /// The predicate that filters what is derived from; never seen in a real file.
        package var filteringPredicate: String?

        package init(expression: String, filteringPredicate: String? = nil) {
            (self.expression, self.filteringPredicate) = (expression, filteringPredicate)
        }
    }

    /// The limits that are checked when an object is saved; they take no part in hashes and migration.
    package struct Validation: Sendable, Hashable {
        /// The least value; for strings the least length.
        package var minimum: AttributeValue?
        /// The greatest value; for strings the greatest length.
        package var maximum: AttributeValue?
        /// The ICU regular expression that strings must match.
        package var regularExpression: String?

        package init(
            minimum: AttributeValue? = nil,
            maximum: AttributeValue? = nil,
            regularExpression: String? = nil
        ) {
            (self.minimum, self.maximum) = (minimum, maximum)
            self.regularExpression = regularExpression
        }

        package var isEmpty: Bool { minimum == nil && maximum == nil && regularExpression == nil }
    }

    /// A default whose value no file shows.
    package enum UnstatedDefault: Sendable, Hashable {
        /// A value from the clock or chance when the model is built, such as `UUID()`; all rows get the same.
        case moment(String)
        /// Any other expression, by its text.
        case expression(String)
    }

    /// The name, unique in the entity and its parents.
    public var name: String
    /// The type of the value.
    public var type: AttributeType
    /// Whether the property may be nil.
    public var isOptional: Bool
    /// Whether the property is not stored.
    public var isTransient: Bool
    package var flags = PropertyFlags()
    /// Further settings that do not affect the data, such as `usesScalarValueType`, by XML attribute name.
    package var sourceSettings: [String: String] = [:]
    /// Its position in a file.
    package var source: SourceMark
    /// What few attributes have; `nil` for others.
    private var box: Box?

    package init(
        name: String,
        type: AttributeType,
        isOptional: Bool = true,
        isTransient: Bool = false,
        defaultValue: AttributeValue? = nil,
        validation: Validation = Validation(),
        derivation: Derivation? = nil,
        compositeName: String? = nil,
        valueTransformerName: String? = nil,
        customClassName: String? = nil,
        allowsExternalBinaryDataStorage: Bool = false,
        isIndexed: Bool = false,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        source: SourceMark = SourceMark()
    ) {
        (self.name, self.type, self.isOptional) = (name, type, isOptional)
        self.isTransient = isTransient
        flags[.externalStorage] = allowsExternalBinaryDataStorage
        flags[.indexed] = isIndexed
        self.source = source
        extras = Extras(
            defaultValue: defaultValue,
            validation: validation,
            derivation: derivation,
            compositeName: compositeName,
            valueTransformerName: valueTransformerName,
            customClassName: customClassName,
            renamingIdentifier: renamingIdentifier,
            versionHashModifier: versionHashModifier
        )
    }

    /// Rarely used fields, kept apart so that `Attribute` is small: models have thousands, which are often copied.
    private struct Extras: Sendable, Hashable {
        var defaultValue: AttributeValue?
        var unstatedDefault: UnstatedDefault?
        var validation: Validation = Validation()
        var derivation: Derivation?
        var compositeName: String?
        var valueTransformerName: String?
        var customClassName: String?
        var renamingIdentifier: String?
        var versionHashModifier: String?
        var userInfo: [UserInfoEntry] = []
        var unrecognized: [UnrecognizedItem] = []
        var enumCases = EnumCases()
        var memberPaths = MemberPaths()
        var encoded = EncodedShape()

        /// Whether there is nothing to keep; cases, paths and shapes count as nothing.
        var isEmpty: Bool {
            enumCases.isEmpty && memberPaths.paths.isEmpty && encoded.members.isEmpty
                && self == Extras()
        }
    }

    private final class Box: Sendable, Hashable {
        let extras: Extras

        init(_ extras: Extras) { self.extras = extras }

        static func == (left: Box, right: Box) -> Bool {
            left === right || left.extras == right.extras
        }

        func hash(into hasher: inout Hasher) { extras.hash(into: &hasher) }
    }

    private var extras: Extras {
        get { box?.extras ?? Extras() }
        set { box = newValue.isEmpty ? nil : Box(newValue) }
    }

    /// The default value of new objects, and of existing rows when a migration adds the attribute.
    public var defaultValue: AttributeValue? {
        get { box?.extras.defaultValue }
        set { extras.defaultValue = newValue }
    }

    /// The default if no file shows its value; then `defaultValue` is `nil`.
    package var unstatedDefault: UnstatedDefault? {
        get { box?.extras.unstatedDefault }
        set { extras.unstatedDefault = newValue }
    }

    /// The text of a default whose code is not understood; the attribute still has a default.
    ///
    /// A composite never has one in the model, regardless of its source.
    package var unreadDefault: String? {
        guard type != .composite, defaultValue == nil, case .expression(let text)? = unstatedDefault
        else { return nil }
        return text
    }

    /// Whether only stores have the value of `defaultValue`: the bytes of a collection, which differ in a model, or a value
    /// of the clock or of chance.
    package var hasUnstatedValue: Bool { unstatedValueText != nil }

    private var unstatedValueText: String? {
        switch (defaultValue, unstatedDefault) {
        case (.binary, .expression(let text)), (.some, .moment(let text)): text
        default: nil
        }
    }

    /// The default as text: as in sources if no model has its value.
    package var defaultWords: String? { unstatedValueText ?? defaultValue?.description }

    /// The limits that are checked when an object is saved.
    package var validation: Validation {
        get { box?.extras.validation ?? Validation() }
        set { extras.validation = newValue }
    }

    /// How the value comes about when the attribute is derived.
    package var derivation: Derivation? {
        get { box?.extras.derivation }
        set { extras.derivation = newValue }
    }

    /// The name of the composite type when `type` is `composite`.
    package var compositeName: String? {
        get { box?.extras.compositeName }
        set { extras.compositeName = newValue }
    }

    /// The value transformer of a transformable attribute; an explicitly empty one is empty.
    package var valueTransformerName: String? {
        get { box?.extras.valueTransformerName }
        set { extras.valueTransformerName = newValue }
    }

    package var customClassName: String? {
        get { box?.extras.customClassName }
        set { extras.customClassName = newValue }
    }

    /// The renaming identifier (`elementID`) where one is written.
    public var renamingIdentifier: String? {
        get { box?.extras.renamingIdentifier }
        set { extras.renamingIdentifier = newValue }
    }

    package var versionHashModifier: String? {
        get { box?.extras.versionHashModifier }
        set { extras.versionHashModifier = newValue }
    }

    package var userInfo: [UserInfoEntry] {
        get { box?.extras.userInfo ?? [] }
        set { extras.userInfo = newValue }
    }

    /// The cases of the enums in a composite attribute, if sources show them.
    package var enumCases: EnumCases {
        get { box?.extras.enumCases ?? EnumCases() }
        set { extras.enumCases = newValue }
    }

    /// The members of structs that lead to the elements of a composite attribute, where elements share a name.
    package var memberPaths: [[String]] {
        get { box?.extras.memberPaths.paths ?? [] }
        set { extras.memberPaths.paths = newValue }
    }

    /// The values kept as encoded data, with their paths below the attribute, if sources show them.
    package var encodedMembers: [EncodedShape.Member] {
        get { box?.extras.encoded.members ?? [] }
        set { extras.encoded.members = newValue }
    }

    package var unrecognized: [UnrecognizedItem] {
        get { box?.extras.unrecognized ?? [] }
        set { extras.unrecognized = newValue }
    }
}
