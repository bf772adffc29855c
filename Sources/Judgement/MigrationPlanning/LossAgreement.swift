/// The losses that somebody agreed to.
///
/// A name is that of an entity, which covers all of it, or of a property, such as `Book.notes`.
public enum LossAgreement: Sendable, Hashable {
    case all
    case named(Set<String>)

    /// The agreement to nothing.
    package static let none = LossAgreement.named([])

    /// Whether something with these names may be lost.
    package func covers(_ names: [String]) -> Bool {
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

    /// Returns an agreement to what either of two covers.
    package func union(_ other: LossAgreement) -> LossAgreement {
        guard case .named(let names) = self, case .named(let others) = other else { return .all }
        return .named(names.union(others))
    }
}

extension LossAgreement: ExpressibleByBooleanLiteral {
    /// Agrees to all, or to nothing.
    public init(booleanLiteral value: Bool) { self = value ? .all : .none }
}

extension LossAgreement: ExpressibleByArrayLiteral {
    /// Agrees to the named losses.
    public init(arrayLiteral elements: String...) { self = .named(Set(elements)) }
}
