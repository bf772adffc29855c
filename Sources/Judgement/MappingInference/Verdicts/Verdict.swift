/// The effect of a change on a store, from harmless to impossible; a step has the worst of its changes.
package enum Verdict: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// The version hash stays: Core Data opens the old store as it is and migrates nothing.
    case noEffectOnHash
    /// Apple documents that a mapping is inferred.
    case lightweight
    /// A mapping is inferred in practice; no documentation says so.
    case lightweightThoughUndocumented
    /// A mapping is inferred; the rows decide whether it succeeds, or loses nothing.
    case dependsOnRows
    /// A mapping is inferred, and data is dropped.
    case losesData
    /// No mapping is inferred; a custom stage or a mapping model can do it.
    case needsCustomStage
    /// Not even a chain of steps does it without new entities or properties in the model.
    case impossible

    package static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }

    /// Whether Core Data infers a mapping at all, or needs none.
    package var isInferable: Bool { self < .needsCustomStage }

    /// The verdict for programs; stable.
    package var identifier: String {
        switch self {
        case .noEffectOnHash: "no-effect-on-hash"
        case .lightweight: "lightweight"
        case .lightweightThoughUndocumented: "lightweight-though-undocumented"
        case .dependsOnRows: "depends-on-rows"
        case .losesData: "loses-data"
        case .needsCustomStage: "needs-custom-stage"
        case .impossible: "impossible"
        }
    }
}
