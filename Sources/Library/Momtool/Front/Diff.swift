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
/// for change in diff.changes { print(change.element, change.effect) }
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

    /// One difference.
    public struct Change: Sendable, Hashable {
        /// The element, such as `Book` or `Book.title`, by the new version where it is there.
        public var element: String
        /// What it means.
        public var verdict: Verdict
        /// What happens to existing rows; lower case, no final period.
        public var effect: String
        /// What to do about it; `nil` when there is nothing to do.
        public var cure: String?
    }

    /// The old version.
    public let old: ModelVersion
    /// The new version.
    public let new: ModelVersion
    private let diff: ModelDiff
    private let mapping: InferredMapping
    /// What the step loses or asks of rows, by names that `Advice.allowLoss` takes.
    public let losses: [String]

    /// Compares two versions.
    ///
    /// - Parameters:
    ///   - old: the old version.
    ///   - new: the new version.
    public init(from old: ModelVersion, to new: ModelVersion) {
        let matching = ModelMatching(from: old, to: new)
        let diff = ModelDiffing.diff(matching)
        let inferred = inferMapping(matching, diff)
        (self.old, self.new, self.diff) = (old, new, diff)
        mapping = old.hashes == new.hashes ? inferred.neverTaken : inferred
        losses = stepLosses(matching, mapping).map(\.name)
    }

    /// Whether nothing differs at all.
    public var isEmpty: Bool { diff.isEmpty }

    /// Whether Core Data would migrate a store.
    public var movesVersionHashes: Bool { diff.movesVersionHashes }

    /// The worst verdict of all.
    public var verdict: Verdict { Verdict(mapping.verdict) }

    /// Each difference with its verdict.
    public var changes: [Change] {
        mapping.judgements.map { judgement in
            Change(
                element: judgement.change.subject.path ?? "model",
                verdict: Verdict(judgement.verdict),
                effect: judgement.effect,
                cure: judgement.cure
            )
        }
    }

    /// What Core Data would refuse, and what may have been renamed without saying so.
    public var diagnostics: [Diagnostic] {
        mapping.refusals.map(\.diagnostic) + diff.diagnostics
    }
}

extension Diff.Verdict {
    fileprivate init(_ verdict: MappingInference.Verdict) {
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
