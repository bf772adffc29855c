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
        /// Something was not understood, nor compared (``Diff/notCompared``); the rest is not worse than ``migrates``.
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

extension Diff {
    /// One difference: what changed, from what to what, and what it means.
    ///
    /// ```swift
    /// for change in diff.changes {
    ///     if case .type(let old, let new) = change.kind { print(change.element, old, new) }
    /// }
    /// ```
    public struct Change: Sendable, Hashable {
        /// What changed, with the values before and after.
        public enum Kind: Sendable, Hashable {
            case added
            case removed
            /// The element continues one of another name.
            case renamed(from: String, to: String)
            /// Another entity of the hierarchy declares the property.
            case moved(from: String, to: String)
            case type(from: AttributeType, to: AttributeType)
            /// `nil` for none.
            case defaultValue(from: AttributeValue?, to: AttributeValue?)
            /// Whether the property may be nil; the payload is the new state.
            case isOptional(Bool)
            /// Whether the property is not stored; the payload is the new state.
            case isTransient(Bool)
            /// `nil` for none.
            case parent(from: String?, to: String?)
            case destination(from: String?, to: String?)
            case inverse(from: String?, to: String?)
            /// Whether a relationship leads to several objects; the payload is the new state.
            case isToMany(Bool)
            /// What happens to the destination when an object is deleted.
            case deleteRule(from: Relationship.DeleteRule, to: Relationship.DeleteRule)
            /// Anything else in words, such as `version hash modifier` or `user info changed`; `nil` if it has no plain
            /// value.
            case setting(String, from: String?, to: String?)
        }

        /// The name of the entity in the new version, of a removed property in the old one; `nil` outside of entities.
        public var entity: String?
        /// The element, such as `Book` or `Book.title`, by its name in the new version, if removed in the old one;
        /// `model` for it.
        public var element: String
        /// What changed.
        public var kind: Kind
        /// Where it was in the old source, for a new property the entity; `nil` where neither was there.
        public var oldLocation: FileLocation?
        /// Its location in the new source, for a removed property that of the entity; `nil` if neither exists.
        public var newLocation: FileLocation?
        /// The row of the table of verdicts that decides, such as `attribute-removed`; stable.
        public var rule: RuleID
        /// What it means.
        public var verdict: Verdict
        /// What happens to existing rows; lower case, no final period.
        public var effect: String
        /// What to do about it; `nil` for nothing.
        public var cure: String?
        private var words: String
    }
}

extension Diff.Change {
    init(_ judgement: Judgement) {
        let change = judgement.change
        kind = change.kind
        entity = change.subject.entity
        element = change.subject.path ?? change.ownName ?? "model"
        (oldLocation, newLocation) = (change.fromLocation, change.toLocation)
        rule = judgement.rule
        verdict = Diff.Verdict(judgement.verdict)
        (effect, cure) = (judgement.effect, judgement.cure)
        words = change.words.line
    }
}

extension Diff.Change: CustomStringConvertible {
    /// The change on one line, such as `Book.pages: type: Integer 16 → Integer 64 [migrates]`.
    public var description: String { "\(element): \(words) [\(verdict)]".onOneLine }
}

extension ModelChange {
    fileprivate var ownName: String? {
        if case .part(let part) = self { part.name } else { nil }
    }

    fileprivate var kind: Diff.Change.Kind {
        switch self {
        case .entityAdded, .attributeAdded, .relationshipAdded: .added
        case .entityRemoved, .attributeRemoved, .relationshipRemoved: .removed
        case .entityChanged(_, let change): change.kind ?? setting
        case .attributeChanged(_, let change): change.kind ?? setting
        case .relationshipChanged(_, let change): change.kind ?? setting
        case .part(let part): kind(of: part)
        case .setting: setting
        }
    }

    private func kind(of part: PartChange) -> Diff.Change.Kind {
        switch part.action {
        case .added: .added
        case .removed: .removed
        case .changed: setting
        }
    }

    private var setting: Diff.Change.Kind { .setting(words.what, from: words.from, to: words.to) }
}

extension EntityChange {
    fileprivate var kind: Diff.Change.Kind? {
        switch self {
        case .name(let from, let to): .renamed(from: from, to: to)
        case .parent(let from, let to, _): .parent(from: from, to: to)
        case .uniquenessConstraintAdded(let constraint):
            .setting("uniqueness constraint", from: nil, to: constraint.list)
        case .uniquenessConstraintRemoved(let constraint):
            .setting("uniqueness constraint", from: constraint.list, to: nil)
        case .fetchIndexAdded(let index): .setting("fetch index", from: nil, to: index.name)
        case .fetchIndexRemoved(let index): .setting("fetch index", from: index.name, to: nil)
        case .abstractness, .fetchIndex, .compoundIndexes, .setting: nil
        }
    }
}

extension UniquenessConstraint {
    fileprivate var list: String { properties.joined(separator: ", ") }
}

extension AttributeChange {
    fileprivate var kind: Diff.Change.Kind? {
        switch self {
        case .name(let from, let to): .renamed(from: from, to: to)
        case .declaringEntity(let from, let to): .moved(from: from, to: to)
        case .type(let from, let to): .type(from: from, to: to)
        case .defaultValue(let from, let to): .defaultValue(from: from, to: to)
        case .optionality(_, let isOptional): .isOptional(isOptional)
        case .transience(_, let isTransient): .isTransient(isTransient)
        case .derivation, .element, .flag, .setting: nil
        }
    }
}

extension RelationshipChange {
    fileprivate var kind: Diff.Change.Kind? {
        switch self {
        case .name(let from, let to): .renamed(from: from, to: to)
        case .declaringEntity(let from, let to): .moved(from: from, to: to)
        case .destination(let from, let to, _): .destination(from: from, to: to)
        case .inverse(let from, let to, _): .inverse(from: from, to: to)
        case .cardinality(_, let isToMany): .isToMany(isToMany)
        case .optionality(_, let isOptional): .isOptional(isOptional)
        case .transience(_, let isTransient): .isTransient(isTransient)
        case .deleteRule(let from, let to): .deleteRule(from: from, to: to)
        case .inverseEntity, .order, .minimumCount, .maximumCount, .flag, .setting: nil
        }
    }
}
