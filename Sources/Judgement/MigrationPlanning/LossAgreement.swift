/// What somebody agreed to lose.
///
/// A name is that of an entity, which covers all of it, or of a property, such as `Book.notes`.
public enum LossAgreement: Sendable, Hashable {
    /// All that is lost.
    case all
    /// What is named, and nothing else.
    case named(Set<String>)

    /// Nothing.
    public static let none = LossAgreement.named([])

    /// Whether what has these names may be lost.
    public func covers(_ names: [String]) -> Bool {
        switch self {
        case .all: true
        case .named(let agreed):
            names.contains { name in
                let parts = name.split(separator: ".")
                return parts.indices.contains { last in
                    agreed.contains(parts[...last].joined(separator: "."))
                }
            }
        }
    }

    /// The agreement to what either of two covers.
    public func union(_ other: LossAgreement) -> LossAgreement {
        guard case .named(let names) = self, case .named(let others) = other else { return .all }
        return .named(names.union(others))
    }
}

extension LossAgreement: ExpressibleByBooleanLiteral {
    /// Agrees to all, or to nothing.
    public init(booleanLiteral value: Bool) {
        self = value ? .all : .none
    }
}

extension LossAgreement: ExpressibleByArrayLiteral {
    /// Agrees to what is named.
    public init(arrayLiteral elements: String...) {
        self = .named(Set(elements))
    }
}
