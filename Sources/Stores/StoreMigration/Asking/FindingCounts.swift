package import Diagnostics
import MappingInference
import ObjectModel
import StoreFormat

/// What a finding concerns, without its rows.
struct FindingKind: Sendable, Hashable {
    var rule: RuleID
    var entity: String?
    var property: String?

    init(_ rule: RuleID, _ entity: String?, _ property: String? = nil) {
        (self.rule, self.entity, self.property) = (rule, entity, property)
    }

    init(_ finding: Diagnostic) { self.init(finding.rule, finding.entity, finding.property) }
}

/// How many rows verification found of each kind, so that only what is new counts against what was done to a store.
///
/// A fixed fault never makes up for another one, even of the same rule.
struct FindingCounts: Sendable, Hashable {
    private var counts: [FindingKind: Int] = [:]

    init(_ findings: [Diagnostic] = []) {
        for finding in findings { counts[FindingKind(finding), default: 0] += finding.count }
    }

    /// Returns the findings of each kind that has more of them than these counts.
    func exceeded(by findings: [Diagnostic]) -> [Diagnostic] {
        let now = FindingCounts(findings)
        return findings.filter { finding in
            let kind = FindingKind(finding)
            return now.counts[kind] ?? 0 > counts[kind] ?? 0
        }
    }

    /// Adds counts, minus known ones.
    mutating func add(_ others: FindingCounts, beyond known: FindingCounts) {
        for (kind, count) in others.counts where count > known.counts[kind] ?? 0 {
            counts[kind, default: 0] += count - (known.counts[kind] ?? 0)
        }
    }

    mutating func formMaximum(_ others: FindingCounts) {
        counts.merge(others.counts, uniquingKeysWith: max)
    }

    func carried(by step: StepProgram) -> FindingCounts {
        guard !counts.isEmpty else { return self }
        let successors = FindingSuccessors(step)
        var carried = FindingCounts()
        for (kind, count) in counts {
            for (successor, times) in successors.kinds(of: kind) {
                carried.counts[successor, default: 0] += times * count
            }
        }
        return carried
    }
}

extension Migration {
    /// Returns the findings of kinds that a migrated store has more of than before, by their new names.
    package func newFindings(_ after: [Diagnostic], since before: [Diagnostic]) -> [Diagnostic] {
        steps.compactMap(\.stepProgram)
            .reduce(FindingCounts(before)) { counts, step in counts.carried(by: step) }
            .exceeded(by: after)
    }
}

private struct FindingSuccessors {
    private let mappings: [String: [EntityMapping]]
    private let source: ModelGraph
    private let destination: ModelGraph

    init(_ step: StepProgram) {
        mappings = Dictionary(
            grouping: step.entityMappings.filter { $0.sourceEntity != nil },
            by: { $0.sourceEntity ?? "" }
        )
        source = step.sourceLayout.graph
        destination = step.program.layout.graph
    }

    /// The kinds of fault that a faulty row may have after the step, each with the number of rows that may come of one.
    ///
    /// A fault is reported for the entity that declares the property, or for the root of the table, regardless of the
    /// row's entity.
    func kinds(of kind: FindingKind) -> [FindingKind: Int] {
        guard let name = kind.entity, source.entity(name) != nil else { return [kind: 1] }
        var kinds: [FindingKind: Int] = [:]
        for (entity, mappings) in mappings where lineage(entity, source).contains(name) {
            var own: [FindingKind: Int] = [:]
            for successor in mappings.flatMap({ successors(of: kind, $0) }) {
                own[successor, default: 0] += 1
            }
            kinds.merge(own, uniquingKeysWith: max)
        }
        return kinds
    }

    private func successors(of kind: FindingKind, _ mapping: EntityMapping) -> Set<FindingKind> {
        guard let new = mapping.destinationEntity else { return [] }
        let entities = lineage(new, destination)
        guard let name = kind.property else {
            return Set(entities.map { FindingKind(kind.rule, $0) })
        }
        let properties =
            attributes(ofValuesIn: name, mapping) + relationships(ofLinksIn: name, mapping)
        var successors = Set(
            entities.flatMap { entity in properties.map { FindingKind(kind.rule, entity, $0) } }
        )
        for (entity, inverse) in inverses(ofLinksIn: name, mapping) {
            successors.insert(FindingKind(kind.rule, entity, inverse))
        }
        return successors
    }

    private func lineage(_ entity: String, _ graph: ModelGraph) -> [String] {
        graph.entity(entity).map { graph.lineage(of: $0).map(\.name) } ?? []
    }

    /// The attributes that get the values of one; code and expressions may move them anywhere.
    ///
    /// A fault of a whole composite attribute follows its elements.
    private func attributes(ofValuesIn name: String, _ mapping: EntityMapping) -> [String] {
        let parts = name.split(separator: ".").map(String.init)
        let targets = mapping.attributeMappings.flatMap { attribute in
            let target = [attribute.destination.name] + attribute.elementPath
            guard attribute.expression == nil, mapping.policyName == nil else {
                return target.indices.map { target[...$0] }
            }
            let source = attribute.source.map { [$0.name] + attribute.sourceElementPath } ?? []
            let depth = source.count - parts.count
            guard source.starts(with: parts), depth < target.count else { return [] }
            return [target.dropLast(depth)]
        }
        return Set(targets.map { $0.joined(separator: ".") }).sorted()
    }

    private func relationships(ofLinksIn name: String, _ mapping: EntityMapping) -> [String] {
        mappings(ofLinksIn: name, mapping).map(\.destination.name)
    }

    private func mappings(
        ofLinksIn name: String,
        _ mapping: EntityMapping
    ) -> [RelationshipMapping] {
        mapping.relationshipMappings.filter { relationship in
            relationship.source?.name == name || relationship.isStated || mapping.policyName != nil
        }
    }

    /// The inverses of the relationships that get links: a join table is reported for one of the two.
    private func inverses(
        ofLinksIn name: String,
        _ mapping: EntityMapping
    ) -> [(entity: String, property: String)] {
        mappings(ofLinksIn: name, mapping).flatMap { mapping in
            let relationship = destination.relationship(mapping.destination)
            guard let (inverse, owner) = relationship.flatMap(destination.inverse) else {
                return [(entity: String, property: String)]()
            }
            return lineage(owner.name, destination).map { ($0, inverse.name) }
        }
    }
}
