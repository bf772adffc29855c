public import Diagnostics
import MappingInference
import ModelDiffing
public import ObjectModel

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
