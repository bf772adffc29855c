import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import RowExchange
import StoreFormat
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusRoundTripTests {
    static let damaged = [
        "v2CorruptDatabase/ATDataModel.sqlite": "kept by its owners because a column is missing"
    ]

    static let partial = [
        "ArtsyPartner_1.3.sqlite": "its only row has the number of another version's entity",
        "ArtsyPartner_2.0.sqlite": "its only row has the number of another version's entity",
    ]

    static let paths = Corpus.paths { path in
        [".sqlite", ".moody", ".store"].contains { path.hasSuffix($0) }
    }

    @Test(arguments: Sweep.part(of: paths, every: 3))
    func `a store made of an export exports the same`(path: String) throws {
        let file = try StoreFile(path: Corpus.path(path))
        guard let model = try CorpusModels.model(of: file) else { return }
        if Self.damaged.keys.contains(where: { path.hasSuffix($0) }) {
            #expect(throws: RowExchangeError.self) { try exportedRows(of: file, model: model) }
            return
        }
        var rows: [UInt8] = []
        let exported = try exportRows(of: file, model: model) { rows += $0 }
        #expect(
            exported.diagnostics.count
                == (Self.partial.keys.contains { path.hasSuffix($0) } ? 1 : 0)
        )
        try withTemporaryFolder { folder in
            let copy = folder + "/copy.sqlite"
            let count = try createStore(
                at: copy,
                model: model,
                rows: RowSource(bytes: rows, path: "rows.json")
            )
            let created = try StoreFile(path: copy)
            let again = try exportedRows(of: created, model: model)
            #expect(again == rows)
            #expect((count == 0) == (rows.count == 3))
            #expect(try verify(created, against: model).map(\.description) == [])
        }
    }
}

enum CorpusModels {
    private static let models: [ModelHashes: ManagedObjectModel] = {
        var models: [ModelHashes: ManagedObjectModel] = [:]
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodel") }) {
            for version in readModelBundle(at: Corpus.path(path)).value.versions {
                models[versionHashes(of: version.model)] = version.model
            }
        }
        return models
    }()

    /// Returns the source with the store's hashes, else the model in its cache.
    static func model(of file: StoreFile) throws -> ManagedObjectModel? {
        if let model = models[try file.metadata().hashes] { return model }
        return try file.modelArchive().map { archive in
            readCompiledModel(archive, path: file.path).value
        }
    }
}

func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("row-exchange-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}
