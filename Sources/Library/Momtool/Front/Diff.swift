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
/// - ``notCompared``
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
        /// Something is not understood, and was not compared (``Diff/notCompared``); what was is no worse than ``migrates``.
        case unknown
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
    /// The entities that both versions have and that are not understood in one of them, so that nothing inside them was
    /// compared; why is in ``diagnostics``.
    public let notCompared: [String]
    /// What the step may lose, by names that `Advice.allowLoss` takes, and nothing else: what rows may stand against, such
    /// as a value that becomes mandatory, is no loss, and agreeing to it would change nothing.
    public let losses: [String]

    /// Compares two versions.
    ///
    /// - Parameters:
    ///   - old: the old version.
    ///   - new: the new version.
    public init(from old: ModelVersion, to new: ModelVersion) {
        let (before, after) = comparable(old, new)
        let matching = ModelMatching(from: before, to: after)
        let diff = ModelDiffing.diff(matching)
        (self.old, self.new, self.diff) = (old, new, diff)
        notCompared = entitiesNotCompared(old, new).sorted()
        mapping = inferMapping(matching, diff)
            .taken(from: old, to: new, isWhole: old.isWhole && new.isWhole)
        losses = stepLosses(matching, mapping).filter { !$0.risk.isFatal }.map(\.name)
    }

    /// Whether nothing differs at all; `false` where something was not compared.
    public var isEmpty: Bool { diff.isEmpty && notCompared.isEmpty }

    /// Whether Core Data would migrate a store; `nil` where what was not compared decides.
    public var movesVersionHashes: Bool? {
        diff.movesVersionHashes || notCompared.isEmpty ? diff.movesVersionHashes : nil
    }

    /// The worst verdict of all.
    public var verdict: Verdict {
        let verdict = Verdict(mapping.verdict)
        let isMild = [.opensAsItIs, .migrates].contains(verdict)
        return isMild && !notCompared.isEmpty ? .unknown : verdict
    }

    /// Each difference with its verdict.
    public var changes: [Change] {
        mapping.judgements.map { Change($0) }
    }

    /// What Core Data would refuse, what may have been renamed without saying so, and what is not understood and so was not
    /// compared.
    public var diagnostics: [Diagnostic] {
        mapping.refusals.map(\.diagnostic) + diff.diagnostics
            + old.gapWarnings + new.gapWarnings
    }
}

extension Diff: CustomStringConvertible {
    /// The difference on one line, such as `V1 → V2: 4 changes [loses]; loses Book.notes`.
    public var description: String {
        let count = diff.isEmpty ? "no difference" : changes.count.counted("change")
        let lost = losses.isEmpty ? "" : "; loses \(losses.joined(separator: ", "))"
        let open =
            notCompared.isEmpty ? "" : "; not compared: \(notCompared.joined(separator: ", "))"
        return "\(old.name) → \(new.name): \(count) [\(verdict)]\(lost)\(open)".onOneLine
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
