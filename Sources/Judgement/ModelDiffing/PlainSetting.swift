import ObjectModel

/// A setting whose change is reported by its text before and after, or only as such.
package enum PlainSetting: Sendable, Hashable {
    case versionHashModifier, renamingIdentifier
    /// Of an entity.
    case className
    case compositeName, validation, valueTransformerName
    /// Of the value of an attribute.
    case customClassName
    case versionIdentifiers, userInfo, unrecognized
    /// A setting without effect on the data, by its XML attribute name.
    case source(String)

    func words(_ from: String?, _ to: String?) -> ChangeWords {
        ChangeWords(row.words, from, to, xml: row.attribute)
    }

    /// Whether an app may behave differently.
    package var isSeenByCode: Bool { row.isSeenByCode }

    private var row: (words: String, attribute: String?, isSeenByCode: Bool) {
        switch self {
        case .versionHashModifier: ("version hash modifier", "versionHashModifier", true)
        case .renamingIdentifier: ("renaming identifier", "elementID", true)
        case .className: ("class", "representedClassName", true)
        case .compositeName: ("composite type", "composite", true)
        case .validation: ("validation", "minValueString", true)
        case .valueTransformerName: ("value transformer", "valueTransformerName", true)
        case .customClassName: ("custom class", "customClassName", true)
        case .versionIdentifiers: ("version identifiers", nil, false)
        case .userInfo: ("user info changed", nil, false)
        case .unrecognized: ("unknown content changed", nil, false)
        case .source(let name): (name, name, false)
        }
    }
}

typealias PlainChange = (setting: PlainSetting, from: String?, to: String?)

protocol PlainlySet {
    var versionHashModifier: String? { get }
    var renamingIdentifier: String? { get }
    var userInfo: [UserInfoEntry] { get }
    var sourceSettings: [String: String] { get }
    var unrecognized: [UnrecognizedItem] { get }
}

extension Attribute: PlainlySet {}
extension Entity: PlainlySet {}
extension Relationship: PlainlySet {}

/// Compares what decides about hashes and matching.
func identityChanges(from: some PlainlySet, to: some PlainlySet) -> [PlainChange] {
    textChange(.versionHashModifier, from.versionHashModifier, to.versionHashModifier)
        + textChange(.renamingIdentifier, from.renamingIdentifier, to.renamingIdentifier)
}

/// Compares what has no effect on data.
func remainingChanges(from: some PlainlySet, to: some PlainlySet) -> [PlainChange] {
    (from.userInfo == to.userInfo ? [] : [(.userInfo, nil, nil)])
        + sourceChanges(from.sourceSettings, to.sourceSettings)
        + (from.unrecognized == to.unrecognized ? [] : [(.unrecognized, nil, nil)])
}

func textChange(_ setting: PlainSetting, _ from: String?, _ to: String?) -> [PlainChange] {
    from == to ? [] : [(setting, from, to)]
}

func sourceChanges(_ from: [String: String], _ to: [String: String]) -> [PlainChange] {
    guard from != to else { return [] }
    return Set(from.keys).union(to.keys).sorted()
        .flatMap { textChange(.source($0), from[$0], to[$0]) }
}
