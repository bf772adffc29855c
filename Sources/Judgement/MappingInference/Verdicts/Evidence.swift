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

/// A row of a table of verdicts, which its evidence completes.
struct RulingDraft<Named> {
    let named: Named
    private(set) var change = ""
    private(set) var effect = ""
    private(set) var cure: String?

    init(_ named: Named) { self.named = named }

    /// Names the change, in the words of the page of verdicts.
    func when(_ change: String) -> Self { with(\.change, change) }
    /// Says what happens; lower case, no final period.
    func then(_ effect: String) -> Self { with(\.effect, effect) }
    func cured(_ cure: String) -> Self { with(\.cure, cure) }

    private func with<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }
}
