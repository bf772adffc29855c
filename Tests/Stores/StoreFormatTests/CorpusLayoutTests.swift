import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

@testable import StoreFormat

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusLayoutTests {
    /// Known differences, each with the reason; `difference` starts with `+` for what only the store has, `-` for what
    /// only the layout has.
    static let known: [(store: String, difference: String, reason: String)] = [
        (
            "SampleModel_V2.sqlite", "+ row (3, ExpensiveSportCar, 2)",
            "migration keeps the old name of a renamed entity"
        ),
        ("SampleModel_V2.sqlite", "- row (3, LuxuryCar, 2)", "the same"),
        ("SampleModelV1.sqlite", "+ row (3, ExpensiveSportCar, 2)", "the same"),
        ("SampleModelV1.sqlite", "- row (3, LuxuryCar, 2)", "the same"),
        ("SampleModelV2.sqlite", "+ row (3, ExpensiveSportCar, 2)", "the same"),
        ("SampleModelV2.sqlite", "- row (3, LuxuryCar, 2)", "the same"),
        (
            "6739d000c8/Tests/SampleModelV1.sqlite", "+ CREATE INDEX Z_Car_maker_numberPlate",
            "the source turned its compound index into a fetch index later"
        ),
        (
            "6739d000c8/Tests/SampleModelV1.sqlite", "- CREATE INDEX Z_Car_byMakerAndNumberPlate",
            "the same"
        ),
        (
            "v2CorruptDatabase/ATDataModel.sqlite", "+ CREATE TABLE ZATRECORD",
            "the store is damaged: a column is missing"
        ),
        ("v2CorruptDatabase/ATDataModel.sqlite", "- CREATE TABLE ZATRECORD", "the same"),
        (
            "XcodeServer_1.0.0_empty.sqlite", "- CREATE INDEX",
            "the model got its fetch indexes later, which changes no hash"
        ),
        ("XcodeServer_1.0.0_full.sqlite", "- CREATE INDEX", "the same"),
        (
            "oss_stubbed_data.sqlite", "+ CREATE TABLE Z_3",
            "a 32-bit system numbered the two clashing columns the other way"
        ),
        ("oss_stubbed_data.sqlite", "- CREATE TABLE Z_3", "the same"),
    ]

    @Test(arguments: CorpusStores.paths)
    func `tables, indexes, triggers and keys of a store are those of its model's layout`(
        path: String
    ) throws {
        let file = try StoreFile(path: Corpus.path(path))
        let metadata = try file.metadata()
        guard let model = try CorpusStores.model(of: file) else { return }
        let comparison = try Comparison(of: file, metadata, model)
        let unknown = comparison.differences.filter { difference in
            !Self.known.contains { known in
                path.hasSuffix(known.store) && difference.hasPrefix(known.difference)
            }
        }
        #expect(unknown == [])
    }

    @Test func `most objects of real stores are predicted byte for byte`() throws {
        var lines: [String] = []
        var (exact, differing) = (0, 0)
        for path in CorpusStores.paths {
            let file = try StoreFile(path: Corpus.path(path))
            let metadata = try file.metadata()
            guard let model = try CorpusStores.model(of: file) else {
                lines.append("no model \(metadata.frameworkVersion ?? 0) \(path)")
                continue
            }
            let comparison = try Comparison(of: file, metadata, model)
            exact += comparison.exactCount
            differing += comparison.differences.count
            let counts = "\(comparison.exactCount) exact, \(comparison.differences.count) differ"
            lines.append("\(counts), \(metadata.frameworkVersion ?? 0) \(path)")
        }
        print(lines.joined(separator: "\n"))
        print("\(exact) exact, \(differing) differ")
        #expect(exact >= 900)
    }

    @Test func `the source of a model and its compiled form in a store have one layout`() throws {
        var count = 0
        for path in CorpusStores.paths {
            let file = try StoreFile(path: Corpus.path(path))
            guard let source = CorpusStores.models[try file.metadata().hashes],
                let archive = try file.modelArchive()
            else { continue }
            let cached = StoreLayout(model: readCompiledModel(archive, path: path).value)
            let expected = StoreLayout(model: source)
            #expect(cached.entities == expected.entities, "\(path)")
            #expect(cached.tables == expected.tables, "\(path)")
            #expect(cached.joinTables == expected.joinTables, "\(path)")
            #expect(cached.triggers == expected.triggers, "\(path)")
            count += 1
        }
        #expect(count >= 25)
    }

    @Test func `every known difference is still there`() throws {
        var found: Set<Int> = []
        for path in CorpusStores.paths {
            let file = try StoreFile(path: Corpus.path(path))
            let metadata = try file.metadata()
            guard let model = try CorpusStores.model(of: file) else { continue }
            let differences = try Comparison(of: file, metadata, model).differences
            for (index, known) in Self.known.enumerated() where path.hasSuffix(known.store) {
                if differences.contains(where: { $0.hasPrefix(known.difference) }) {
                    found.insert(index)
                }
            }
        }
        let stale = Self.known.indices.filter { !found.contains($0) }
        #expect(stale.map { Self.known[$0].store + ": " + Self.known[$0].difference } == [])
    }
}

struct Comparison {
    var exactCount: Int
    var differences: [String]

    init(of file: StoreFile, _ metadata: StoreMetadata, _ model: ManagedObjectModel) throws {
        let schema = try file.schema()
        let version = metadata.frameworkVersion ?? FrameworkVersion.current
        var options = LayoutOptions(frameworkVersion: version)
        options.overrides = StoreLayout(model: model, options: options)
            .namingRelationships(amongTables: schema.map(\.name))
        let layout = StoreLayout(model: model, options: options)
        var expected = Set(layout.tables.map(\.createSQL) + layout.joinTables.map(\.createSQL))
        expected.formUnion(layout.indexes.map(\.sql) + layout.triggers.map(\.sql))
        expected.formUnion(SystemTable.all.map(\.sql))
        if version >= FrameworkVersion.joinIndexes { expected.insert(SystemTable.modelCache.sql) }
        var entities = layout.entities
        if schema.contains(where: \.isHistoryTable) {
            let history = HistoryLayout(model: model, options: options)
            expected.formUnion(history.tables.map(\.sql) + history.indexes.map(\.sql))
            entities += history.entities
        }
        expected.formUnion(entities.map { "row (\($0.number), \($0.name), \($0.superNumber))" })
        let rows = try file.primaryKeys().map {
            "row (\($0.number), \($0.name), \($0.superNumber))"
        }
        let actual = Set(schema.map(\.sql) + rows)
        exactCount = expected.intersection(actual).count
        differences =
            expected.subtracting(actual).sorted().map { "- " + $0 }
            + actual.subtracting(expected).sorted().map { "+ " + $0 }
    }
}
