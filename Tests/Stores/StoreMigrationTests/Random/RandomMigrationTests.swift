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
                let path = folder.appending(path: "Old.sqlite").path
                try makeSampleStore(at: path, model: source)
                let store = try StoreFile(path: path)
                #expect(try verify(store, against: source).map(\.description) == [], "seed \(seed)")
                let migration = try Migration(
                    of: store,
                    from: ModelVersion(model: source),
                    to: ModelVersion(model: target)
                )
                let findings = try migration.findings(in: store)
                guard findings.allSatisfy({ !$0.risk.isFatal }) else { return }
                let result = folder.appending(path: "New.sqlite").path
                let options = MigrationOptions(acceptsLosses: true)
                try migration.run(from: store, toNewFile: result, options: options)
                migrated += 1
                guard !findings.isEmpty else {
                    try expectWhole(result, from: store, migration, "seed \(seed)")
                    return
                }
                // What is dropped was agreed to; the rest must be consistent.
                let left = try verify(StoreFile(path: result), against: target)
                #expect(left.map(\.description) == [], "seed \(seed)")
            }
        }
        // The search is useful only while most of the edits can be inferred.
        #expect(migrated > Self.seeds / 2, "\(migrated) of \(Self.seeds)")
    }
}
