public import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import ModelDiffing
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
    /// Reports of the command divide two of them further: ``migrates`` into `lightweight` and
    /// `lightweight-though-undocumented`, ``refused`` into `needs-custom-stage` and `impossible`.
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// No version hash changes: stores open as they are.
        case opensAsItIs
        /// Core Data migrates automatically and loses nothing.
        case migrates
        /// Core Data migrates automatically, and drops what the new version does not have.
        case loses
        /// Something is not understood and was not compared (``Diff/notCompared``); the rest is not worse than
        /// ``migrates``.
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
    /// The entities of both versions that are not understood in one of them, so that nothing inside was compared;
    /// ``diagnostics`` say why.
    public let notCompared: [String]
    /// What the step may lose, by names that `Advice.allowLoss` takes.
    ///
    /// What rows may violate, such as nil in a property that becomes mandatory, is not a loss: allowing it has no effect.
    public let losses: [String]

    /// Compares two versions.
    public init(from old: ModelVersion, to new: ModelVersion) {
        let (before, after) = comparable(old, new)
        let step = InferredStep.between(before, after)
        (self.old, self.new, self.diff) = (old, new, step.diff)
        notCompared = entitiesNotCompared(old, new).sorted()
        mapping = step.mapping.taken(from: old, to: new, isWhole: old.isWhole && new.isWhole)
        losses = stepLosses(step.matching, mapping).filter { !$0.risk.isFatal }.map(\.name)
    }

    /// Whether nothing differs; `false` where something was not compared.
    public var isEmpty: Bool { diff.isEmpty && notCompared.isEmpty }

    /// Whether Core Data would migrate a store; `nil` where it depends on what was not compared.
    public var movesVersionHashes: Bool? {
        diff.movesVersionHashes || notCompared.isEmpty ? diff.movesVersionHashes : nil
    }

    /// The worst verdict of all changes.
    public var verdict: Verdict {
        let verdict = Verdict(mapping.verdict)
        let isMild = [.opensAsItIs, .migrates].contains(verdict)
        return isMild && !notCompared.isEmpty ? .unknown : verdict
    }

    /// Each difference with its verdict.
    public var changes: [Change] { mapping.judgements.map { Change($0) } }

    /// What Core Data would refuse, possible renames that the model does not declare, and what was not compared.
    public var diagnostics: [Diagnostic] {
        mapping.refusals.map(\.diagnostic) + diff.diagnostics + old.gapWarnings + new.gapWarnings
    }
}

extension Diff: CustomStringConvertible {
    /// The difference on one line, such as `V1 → V2: 4 changes [loses]; loses Book.notes`.
    public var description: String {
        let count = diff.isEmpty ? "no difference" : changes.count.counted("change")
        let lost = losses.isEmpty ? "" : "; drops \(losses.joined(separator: ", "))"
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
