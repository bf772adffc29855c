/// The evidence for a ruling on Core Data's behaviour (MigrationBehaviour, "Evidence").
package enum Evidence: String, Sendable, Hashable, CaseIterable {
    /// Apple's documentation.
    case documented
    /// Stores that Apple's framework itself wrote or migrated.
    case measured
    /// A public test asserts it.
    case tested
    /// An application shipped the change on automatic inference.
    case shipped
    /// Users reported it.
    case reported
    /// Inferred from the others; never observed.
    case inferred
    case unverified

    /// Whether no record shows it, so that it must not be presented as Apple's behaviour.
    package var isGuess: Bool { self == .inferred || self == .unverified }
}

/// The evidence for a ruling, and where it was observed or is documented; `nil` where it was not.
struct Ground {
    let evidence: Evidence
    let seen: String?

    static func by(_ evidence: Evidence, _ seen: String? = nil) -> Ground {
        Ground(evidence: evidence, seen: seen)
    }
}
