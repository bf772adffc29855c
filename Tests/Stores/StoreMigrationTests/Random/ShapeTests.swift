import Diagnostics
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

struct ShapeTests {
    struct Shape: Sendable {
        var isToMany: Bool
        var isOrdered = false
        /// `nil` for no inverse.
        var inverse: (isToMany: Bool, isOrdered: Bool)?

        var model: ManagedObjectModel {
            func arrow(_ isToMany: Bool, _ isOrdered: Bool) -> String {
                isOrdered ? ">>>" : isToMany ? ">>" : ">"
            }
            let own = "a\(arrow(isToMany, isOrdered))B"
            guard let inverse else { return modelOf("A: value \(own)", "B: value") }
            let back = "b\(arrow(inverse.isToMany, inverse.isOrdered))A.a"
            return modelOf("A: value \(own).b", "B: value \(back)")
        }
    }

    static let shapes: [Shape] = {
        let sides: [(Bool, Bool)] = [(false, false), (true, false), (true, true)]
        return sides.flatMap { own in
            [Shape(isToMany: own.0, isOrdered: own.1)]
                + sides.map { Shape(isToMany: own.0, isOrdered: own.1, inverse: $0) }
        }
    }()

    @Test(arguments: shapes)
    func `links survive every change of shape, or their loss is announced`(_ source: Shape) throws {
        for target in Self.shapes {
            let title = "\(source) → \(target)"
            #expect(inferMapping(from: source.model, to: target.model).isInferable, "\(title)")
            try withSample(source.model) { store in
                let migration = try store.migration(to: target.model)
                let findings = try migration.findings(in: store.file())
                let result = try store.result(of: migration)
                if findings.isEmpty {
                    try expectWhole(result.path, from: store.file(), migration, title)
                } else {
                    let left = try verify(result, against: target.model)
                    #expect(left.map(\.description) == [], "\(title)")
                    let dump = try StoreDump(result, model: target.model)
                    #expect(dump.links.values.contains { !$0.isEmpty }, "\(title)")
                }
            }
        }
    }
}

struct RandomMigrationTests {
    /// `MOMTOOL_SEEDS` widens the search, as a nightly run does.
    static let seeds: Int =
        ProcessInfo.processInfo.environment["MOMTOOL_SEEDS"].flatMap { Int($0) } ?? 60

    /// Migrates between models edited at random; `body` answers how much was lost.
    private func search(
        from start: Int,
        _ body: (TestStore, Migration, [RowFinding], ManagedObjectModel, Comment) throws -> Int
    ) throws -> (migrated: Int, lost: Int) {
        var (migrated, lost) = (0, 0)
        for seed in start..<start + Self.seeds {
            var models = RandomModels(seed: seed)
            let source = models.model()
            let target = models.edited(source)
            guard inferMapping(from: source, to: target).isInferable else { continue }
            try withSample(source) { store in
                #expect(try store.findings().map(\.description) == [], "seed \(seed)")
                let migration = try store.migration(to: target)
                let findings = try migration.findings(in: store.file())
                guard findings.allSatisfy({ !$0.risk.isFatal }) else { return }
                let count = try body(store, migration, findings, target, "seed \(seed)")
                (migrated, lost) = (migrated + 1, lost + count)
            }
        }
        // The search is useful only while most of the edits can be inferred.
        #expect(migrated > Self.seeds / 2, "\(migrated) of \(Self.seeds)")
        return (migrated, lost)
    }

    @Test func `models edited at random keep every object and link`() throws {
        _ = try search(from: 0) { store, migration, findings, target, title in
            let result = try store.result(of: migration)
            guard !findings.isEmpty else {
                try expectWhole(result.path, from: store.file(), migration, title.rawValue)
                return 0
            }
            // What is dropped was agreed to; the rest must be consistent.
            #expect(try verify(result, against: target).map(\.description) == [], title)
            return 0
        }
    }

    @Test func `announced losses are what is missing`() throws {
        let found = try search(from: 1_000_000) { store, migration, findings, target, title in
            let missing = Missing(
                before: try StoreDump(store.file(), model: store.model),
                after: try StoreDump(store.result(of: migration), model: target),
                migration.mapping,
                ModelGraph(store.model)
            )
            func sum(_ unit: RowRisk.Unit) -> Int {
                findings.filter { $0.risk.unit == unit && !$0.keepsAll }.map(\.count).reduce(0, +)
            }
            #expect(sum(.rows) == missing.rows, title)
            #expect(sum(.values) == missing.values, "\(title): \(findings)")
            #expect(sum(.links) == missing.links, "\(title): \(findings)")
            return missing.rows + missing.values + missing.links
        }
        #expect(found.lost > Self.seeds / 2, "\(found.lost)")
    }
}

extension RowFinding {
    /// Whether rows and links stay, though not their order or their validity.
    fileprivate var keepsAll: Bool {
        switch risk.kind {
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
                return new != .null && value.isSame(as: new)
            }
        }
    }
}
