package import Diagnostics
import MappingInference
import ModelDiffing
package import ModelLanguage
import ObjectModel

/// A rule of a team, written in `.momtool.yml` in the language of predicates.
///
///     rules:
///       - id: acme-no-inline-binary
///         for: attribute
///         when: "type == 'Binary' AND externalStorage == NO"
///         message: "keep '{name}' outside of the store"
///         severity: warning
///         applies: new
///
/// It is broken where its condition holds.
package struct HouseRule: Sendable, Hashable {
    package enum Subject: String, Sendable, Hashable, CaseIterable {
        case entity, attribute, relationship, index, version, change
    }

    package var id: RuleID
    package var subject: Subject
    package var condition: Predicate
    /// `{key}` is replaced by a value.
    package var message: String
    package var severity = Severity.warning
    /// Whether to check only what the version before does not have.
    package var appliesToNew = false
    /// Models that keep the rule, each with its versions, oldest first.
    package var passes: [Example]
    package var fails: [Example]
    package var location: FileLocation

    package struct Example: Sendable, Hashable {
        /// The elements inside of `<model>`, of each version.
        package var versions: [String]
        package var location: FileLocation

        package init(_ versions: [String], at location: FileLocation) {
            (self.versions, self.location) = (versions, location)
        }
    }

    package init(
        _ id: RuleID,
        for subject: Subject,
        when condition: Predicate,
        message: String,
        at location: FileLocation
    ) {
        (self.id, self.subject, self.condition, self.message) = (id, subject, condition, message)
        (passes, fails) = ([], [])
        self.location = location
    }

    /// Faults of the condition and the message: unknown keys and functions.
    package var faults: [String] {
        var checking = HouseRuleTyping(subject)
        checking.check(condition)
        return checking.faults + messageKeys.compactMap { checking.fault(ofPath: $0) }
    }

    private var messageKeys: [String] {
        message.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
            part in part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }
}

/// A version for house rules, with caches; differences from the version before are found when a rule asks for them.
final class HouseRuleScope {
    let version: ModelVersion
    let isShipped: Bool
    let previous: HouseRuleScope?
    private let indexes: [String: Int]
    private let children: [String: [Int]]
    /// Whether the version, or the previous one, could not be read completely, so that differences mean nothing.
    private let isIncomplete: Bool

    private(set) lazy var judgements: [Judgement] = {
        guard let previous, !isIncomplete else { return [] }
        return inferMapping(from: previous.version, to: version).judgements
    }()
    private lazy var new = Set(judgements.compactMap(\.change.added))

    init(
        _ version: ModelVersion,
        isShipped: Bool = false,
        isIncomplete: Bool = false,
        after previous: HouseRuleScope? = nil
    ) {
        (self.version, self.isShipped, self.isIncomplete) = (version, isShipped, isIncomplete)
        self.previous = previous
        var indexes: [String: Int] = [:]
        var children: [String: [Int]] = [:]
        for (index, entity) in version.model.entities.enumerated() {
            if indexes[entity.name] == nil { indexes[entity.name] = index }
            if let parent = entity.parentEntity { children[parent, default: []].append(index) }
        }
        (self.indexes, self.children) = (indexes, children)
    }

    var entities: [Entity] { version.model.entities }

    func entity(_ name: String?) -> HouseRuleValue {
        guard let name, let index = indexes[name] else { return .null }
        return .element(HouseRuleElement(scope: self, place: .entity(index)))
    }

    func children(of name: String) -> [Int] { children[name] ?? [] }

    func relationship(_ entity: String?, _ name: String?) -> HouseRuleValue {
        guard let entity, let name, let index = indexes[entity],
            let place = entities[index].relationships.firstIndex(where: { $0.name == name })
        else { return .null }
        return .element(HouseRuleElement(scope: self, place: .relationship(index, place)))
    }

    func item(_ path: String?) -> HouseRuleValue {
        let parts = (path ?? "").split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first, let index = indexes[first] else { return .null }
        guard parts.count == 2 else { return entity(first) }
        if let place = entities[index].attributes.firstIndex(where: { $0.name == parts[1] }) {
            return .element(HouseRuleElement(scope: self, place: .attribute(index, place)))
        }
        return relationship(first, parts[1])
    }

    /// Whether the version before lacks an element; everything in the oldest version is new.
    func isNew(_ element: HouseRuleElement) -> Bool {
        guard previous != nil else { return true }
        switch element.place {
        case .version, .change: return true
        case .entity: return new.contains(element.path)
        case .attribute(let entity, _), .relationship(let entity, _), .index(let entity, _):
            return new.contains(element.path) || new.contains(entities[entity].name)
        }
    }

    func elements(for subject: HouseRule.Subject) -> [HouseRuleElement] {
        func all(_ places: (Int) -> [HouseRuleElement.Place]) -> [HouseRuleElement] {
            entities.indices.flatMap(places).map { HouseRuleElement(scope: self, place: $0) }
        }
        return switch subject {
        case .version: [HouseRuleElement(scope: self, place: .version)]
        case .entity: all { [.entity($0)] }
        case .attribute:
            all { entity in entities[entity].attributes.indices.map { .attribute(entity, $0) } }
        case .relationship:
            all { entity in entities[entity].relationships.indices.map { .relationship(entity, $0) }
            }
        case .index:
            all { entity in entities[entity].fetchIndexes.indices.map { .index(entity, $0) } }
        case .change: judgements.indices.map { HouseRuleElement(scope: self, place: .change($0)) }
        }
    }

    func location(of element: HouseRuleElement) -> FileLocation? {
        let place: FileLocation? =
            switch element.place {
            case .version: nil
            case .entity(let index): entities[index].source.element
            case .attribute(let entity, let index):
                entities[entity].attributes[index].source.element
            case .relationship(let entity, let index):
                entities[entity].relationships[index].source.element
            case .index(let entity, let index): entities[entity].fetchIndexes[index].source.element
            case .change(let index):
                judgements[index].change.toLocation ?? judgements[index].change.fromLocation
            }
        return place ?? version.elementLocation
    }
}

extension ModelChange {
    fileprivate var added: String? {
        switch self {
        case .entityAdded, .attributeAdded, .relationshipAdded: subject.path
        case .entityChanged(let pair, .fetchIndexAdded(let index)): "\(pair.to.name).\(index.name)"
        default: nil
        }
    }
}
