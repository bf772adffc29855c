import Foundation
import MappingInference
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RandomLossTests {
    /// `MOMTOOL_SEEDS` widens the search, as a nightly run does.
    static let seeds: Int =
        ProcessInfo.processInfo.environment["MOMTOOL_SEEDS"].flatMap { Int($0) } ?? 60

    @Test func `announced losses are what is missing`() throws {
        var (migrated, lost) = (0, 0)
        for seed in 0..<Self.seeds {
            var models = RandomModels(seed: 1_000_000 + seed)
            let source = models.model()
            let target = models.edited(source)
            guard inferMapping(from: source, to: target).isInferable else { continue }
            try withFolder { folder in
                let store = TestStore(folder: folder, model: source)
                try makeSampleStore(at: store.path, model: source)
                let migration = try store.migration(to: target)
                let findings = try migration.findings(in: store.file())
                guard findings.allSatisfy(\.isLoss) else { return }
                let missing = Missing(
                    before: try StoreDump(store.file(), model: source),
                    after: try StoreDump(store.result(of: migration), model: target),
                    migration.mapping,
                    ModelGraph(source)
                )
                func sum(_ unit: RowRisk.Unit) -> Int {
                    findings.filter { $0.risk.unit == unit && !$0.keepsAll }.map(\.count)
                        .reduce(0, +)
                }
                #expect(sum(.rows) == missing.rows, "seed \(seed)")
                #expect(sum(.values) == missing.values, "seed \(seed): \(findings)")
                #expect(sum(.links) == missing.links, "seed \(seed): \(findings)")
                migrated += 1
                lost += missing.rows + missing.values + missing.links
            }
        }
        #expect(migrated > Self.seeds / 2, "\(migrated) of \(Self.seeds)")
        #expect(lost > Self.seeds / 2, "\(lost)")
    }
}

extension RowFinding {
    /// Whether rows and links stay, though not their order or their validity.
    fileprivate var keepsAll: Bool {
        switch risk {
        case .orderLost, .tooManyLinks, .derivationNotComputed: true
        default: false
        }
    }
}

private struct Missing {
    private struct Link: Hashable {
        var relationship: String
        var source: Int64
        var destination: Int64
    }

    var rows = 0
    var values = 0
    var links = 0

    init(before: StoreDump, after: StoreDump, _ mapping: InferredMapping, _ graph: ModelGraph) {
        var kept: Set<Link> = []
        var old: Set<Link> = []
        let mappings = Dictionary(
            mapping.entityMappings.compactMap { mapping in
                mapping.sourceEntity.map { ($0, mapping) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        for (key, values) in before.values {
            guard let mapping = mappings[key.entity], let name = mapping.destinationEntity else {
                rows += 1
                continue
            }
            let newKey = StoreDump.Key(entity: name, key: key.key)
            guard let newValues = after.values[newKey] else {
                rows += 1
                continue
            }
            self.values += missing(values, newValues, mapping, graph)
            for (name, ends) in before.links[key] ?? [:] {
                for end in ends { old.insert(link(name, key, end, graph)) }
            }
            for relationship in mapping.relationshipMappings {
                guard let origin = relationship.source else { continue }
                for end in after.links[newKey]?[relationship.destination.name] ?? [] {
                    kept.insert(link(origin.name, key, end, graph))
                }
            }
        }
        links = old.subtracting(kept).count
    }

    private func link(
        _ name: String,
        _ key: StoreDump.Key,
        _ end: Int64,
        _ graph: ModelGraph
    ) -> Link {
        guard let entity = graph.entity(key.entity),
            let (property, owner) = graph.property(name, of: entity),
            let relationship = property as? Relationship
        else { return Link(relationship: name, source: key.key, destination: end) }
        let own = "\(owner.name).\(name)"
        guard let (inverse, other) = graph.inverse(of: relationship) else {
            return Link(relationship: own, source: key.key, destination: end)
        }
        let theirs = "\(other.name).\(inverse.name)"
        return own <= theirs
            ? Link(relationship: own, source: key.key, destination: end)
            : Link(relationship: theirs, source: end, destination: key.key)
    }

    private func missing(
        _ values: [String: SQLiteValue],
        _ newValues: [String: SQLiteValue],
        _ mapping: EntityMapping,
        _ graph: ModelGraph
    ) -> Int {
        values.count { name, value in
            guard value != .null, name != "Z_OPT" else { return false }
            let attributes = mapping.attributeMappings.filter { attribute in
                attribute.source.map {
                    ([$0.name] + attribute.sourceElementPath).joined(separator: ".") == name
                } ?? false
            }
            return !attributes.contains { attribute in
                let path = [attribute.destination.name] + attribute.elementPath
                let new = newValues[path.joined(separator: ".")] ?? .null
                return new != .null && isEqual(value, new)
            }
        }
    }

    private func isEqual(_ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
        switch (left, right) {
        case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
            Int64(exactly: real) == whole
        default: left == right
        }
    }
}
