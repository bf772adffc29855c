package import ObjectModel

/// What is done to a value whose attribute changed its type (MigrationBehaviour, "Changes").
package enum AttributeConversion: Sendable, Hashable {
    case none
    /// Between the integers, Float, Double and Boolean; undocumented, observed in apps.
    case numeric(from: AttributeType, to: AttributeType)
    /// URI to String: the text is used as it is; undocumented, observed in one app.
    case uriToString
    /// The value may be in an external file from now on, or no longer: it gets the form that tells.
    ///
    /// The form is on record (SQLiteStores, "Values"); what Core Data itself does in a migration is not.
    case externalStorage(isAllowed: Bool)
    /// By a map: between types of which no public record shows that Core Data converts them.
    case unverified(from: AttributeType, to: AttributeType)
    /// Not converted: the whole mapping is refused.
    case incompatible(from: AttributeType, to: AttributeType)

    package init(from: AttributeType, to: AttributeType) {
        self =
            if from == to { .none } else if Self.isNumeric(from), Self.isNumeric(to) {
                .numeric(from: from, to: to)
            } else if from == .uri, to == .string {
                .uriToString
            } else { .incompatible(from: from, to: to) }
    }

    package init(from: Attribute, to: Attribute) {
        let isAllowed = to.allowsExternalBinaryDataStorage
        guard from.type == to.type, [.binary, .transformable].contains(to.type),
            from.allowsExternalBinaryDataStorage != isAllowed
        else {
            self.init(from: from.type, to: to.type)
            return
        }
        self = .externalStorage(isAllowed: isAllowed)
    }

    /// Whether some values of the old type have no equal in the new one.
    package var isNarrowing: Bool {
        switch self {
        case .none, .uriToString, .incompatible, .externalStorage: false
        case .numeric(let from, let to), .unverified(let from, let to):
            Self.precision(from) > Self.precision(to) || (to.isInteger && !from.isIntegral)
                || to == .boolean
        }
    }

    /// Whether no public record shows a possible pair of types.
    static func isUnverified(_ from: AttributeType, _ to: AttributeType) -> Bool {
        (isNumeric(from) && to == .decimal) || (from == .decimal && isNumeric(to))
            || (isNumeric(from) && from != .boolean && to == .date)
    }

    /// The evidence of a refusal: text to numbers, dates or bytes, and values to an archive are on record, others not.
    static func refusalEvidence(_ from: AttributeType, _ to: AttributeType) -> Evidence {
        func isReported(_ one: AttributeType, _ other: AttributeType) -> Bool {
            one == .string && (isNumeric(other) || [.decimal, .date, .binary].contains(other))
        }
        let isOnRecord = to == .transformable || isReported(from, to) || isReported(to, from)
        return isOnRecord ? .reported : .unverified
    }

    private static func isNumeric(_ type: AttributeType) -> Bool {
        type.isInteger || type == .float || type == .double || type == .boolean
    }

    /// The number of bits of the whole numbers that a type holds exactly.
    private static func precision(_ type: AttributeType) -> Int {
        switch type.values {
        case .boolean: 1
        case .float: 24
        case .integer: Int64.bitWidth - type.integers.upperBound.leadingZeroBitCount
        case .double, .date: 53
        case .decimal: 126
        case .undefined, .string, .binary, .uuid, .uri, .transformable, .objectID, .composite: 0
        }
    }
}

extension AttributeType { fileprivate var isIntegral: Bool { isInteger || self == .boolean } }
