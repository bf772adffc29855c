import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport

@testable import StoreFormat

/// The stores of the corpus, each with the model source whose hashes it carries.
enum CorpusStores {
    /// The paths of all stores, relative to the corpus.
    static let paths = Corpus.paths { path in
        [".sqlite", ".moody", ".store"].contains { path.hasSuffix($0) }
    }

    /// The models of the corpus by their hashes.
    static let models: [ModelHashes: ManagedObjectModel] = {
        var models: [ModelHashes: ManagedObjectModel] = [:]
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodel") }) {
            for version in readModelBundle(at: Corpus.path(path)).value.versions {
                models[versionHashes(of: version.model)] = version.model
            }
        }
        return models
    }()

    /// Returns the model of a store: the source that has its hashes, else the model in its cache.
    static func model(of file: StoreFile) throws -> ManagedObjectModel? {
        if let model = models[try file.metadata().hashes] { return model }
        return try file.modelArchive().map { archive in
            readCompiledModel(archive, path: file.path).value
        }
    }
}
