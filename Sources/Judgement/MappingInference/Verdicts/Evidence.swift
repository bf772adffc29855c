/// What a ruling on Core Data's behaviour rests on (MigrationBehaviour, "Evidence").
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
    /// Drawn from the others; nobody has seen it.
    case inferred
    /// A guess.
    case unverified

    /// Whether nobody is on record to have seen it, so that it is no word of Apple's.
    package var isGuess: Bool { self == .inferred || self == .unverified }
}
