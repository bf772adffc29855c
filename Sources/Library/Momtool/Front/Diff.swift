public import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelHashing
public import ObjectModel

/// The differences between two versions, and what each means for stores.
///
/// ```swift
/// let diff = try Model("Shop.xcdatamodeld").diff(from: "V1")
/// for change in diff.changes { print(change.element, change.kind, change.verdict) }
/// ```
///
/// Found without a store: ``Migrator`` asks the rows of one.
///
/// ## Topics
///
/// ### Comparing
/// - ``init(from:to:)``
/// - ``isEmpty``
/// - ``movesVersionHashes``
///
/// ### What it means
/// - ``changes``
/// - ``verdict``
/// - ``losses``
/// - ``diagnostics``
public struct Diff: Sendable, Hashable {
    /// What a change, or all of them, means for existing stores.
    ///
    /// Reports of the command tell two of them apart further: `lightweight` and `lightweight-though-undocumented` are
    /// ``migrates``, `needs-custom-stage` and `impossible` are ``refused``.
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// No version hash moves: stores open as they are.
        case opensAsItIs
        /// Core Data migrates by itself and loses nothing.
        case migrates
        /// Core Data migrates by itself, and what has no place any more is lost.
        case loses
        /// The rows of a store decide.
        case dependsOnRows
        /// Core Data infers no migration.
        case refused
    }

    /// The old version.
    public let old: ModelVersion
    /// The new version.
    public let new: ModelVersion
    private let diff: ModelDiff
    private let mapping: InferredMapping
    /// What the step may lose, by names that `Advice.allowLoss` takes, and nothing else: what rows may stand against, such
    /// as a value that becomes mandatory, is no loss, and agreeing to it would change nothing.
    public let losses: [String]

    /// Compares two versions.
    ///
    /// - Parameters:
    ///   - old: the old version.
    ///   - new: the new version.
    public init(from old: ModelVersion, to new: ModelVersion) {
        let matching = ModelMatching(from: old, to: new)
        let diff = ModelDiffing.diff(matching)
        (self.old, self.new, self.diff) = (old, new, diff)
        mapping = inferMapping(matching, diff)
            .taken(from: old, to: new, isWhole: old.isWhole && new.isWhole)
        losses = stepLosses(matching, mapping).filter { !$0.risk.isFatal }.map(\.name)
    }

    /// Whether nothing differs at all.
    public var isEmpty: Bool { diff.isEmpty }

    /// Whether Core Data would migrate a store.
    public var movesVersionHashes: Bool { diff.movesVersionHashes }

    /// The worst verdict of all.
    public var verdict: Verdict { Verdict(mapping.verdict) }

    /// Each difference with its verdict.
    public var changes: [Change] {
        mapping.judgements.map { Change($0) }
    }

    /// What Core Data would refuse, and what may have been renamed without saying so.
    public var diagnostics: [Diagnostic] {
        mapping.refusals.map(\.diagnostic) + diff.diagnostics
    }
}

extension Diff: CustomStringConvertible {
    /// The difference on one line, such as `V1 → V2: 4 changes [loses]; loses Book.notes`.
    public var description: String {
        let count = isEmpty ? "no difference" : changes.count.counted("change")
        let lost = losses.isEmpty ? "" : "; loses \(losses.joined(separator: ", "))"
        return "\(old.name) → \(new.name): \(count) [\(verdict)]\(lost)".onOneLine
    }
}

extension Diff.Verdict {
    init(_ verdict: MappingInference.Verdict) {
        self =
            switch verdict {
            case .noEffectOnHash: .opensAsItIs
            case .lightweight, .lightweightThoughUndocumented: .migrates
            case .dependsOnRows: .dependsOnRows
            case .losesData: .loses
            case .needsCustomStage, .impossible: .refused
            }
    }
}
