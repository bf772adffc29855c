import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import MigrationTesting
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ShapeTests {
    struct Shape: Sendable, CustomStringConvertible {
        var isToMany: Bool
        var isOrdered = false
        /// `nil` for no inverse.
        var inverse: (isToMany: Bool, isOrdered: Bool)?

        var description: String {
            let own = isToMany ? (isOrdered ? "ordered" : "many") : "one"
            let other = inverse.map { $0.isToMany ? ($0.isOrdered ? "ordered" : "many") : "one" }
            return "\(own)/\(other ?? "none")"
        }

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
            try withFolder { folder in
                let store = TestStore(folder: folder, model: source.model)
                try makeSampleStore(at: store.path, model: source.model)
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

    @Test func `models edited at random keep every object and link`() throws {
        var migrated = 0
        for seed in 0..<Self.seeds {
            var models = RandomModels(seed: seed)
            let source = models.model()
            let target = models.edited(source)
            guard inferMapping(from: source, to: target).isInferable else { continue }
            try withFolder { folder in
                let store = TestStore(folder: folder, model: source)
                try makeSampleStore(at: store.path, model: source)
                #expect(try store.findings().map(\.description) == [], "seed \(seed)")
                let migration = try store.migration(to: target)
                let findings = try migration.findings(in: store.file())
                guard findings.allSatisfy({ !$0.risk.isFatal }) else { return }
                let result = try store.result(of: migration)
                migrated += 1
                guard !findings.isEmpty else {
                    try expectWhole(result.path, from: store.file(), migration, "seed \(seed)")
                    return
                }
                // What is dropped was agreed to; the rest must be consistent.
                let left = try verify(result, against: target)
                #expect(left.map(\.description) == [], "seed \(seed)")
            }
        }
        // The search is useful only while most of the edits can be inferred.
        #expect(migrated > Self.seeds / 2, "\(migrated) of \(Self.seeds)")
    }
}
