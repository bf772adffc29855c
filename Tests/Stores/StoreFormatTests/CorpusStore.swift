import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport

@testable import StoreFormat

enum CorpusStores {
    static let paths = Corpus.paths { path in
        [".sqlite", ".moody", ".store"].contains { path.hasSuffix($0) }
    }

    static let models: [ModelHashes: ManagedObjectModel] = {
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
