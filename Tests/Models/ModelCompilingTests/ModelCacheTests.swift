import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import StoreFormat
import TestSupport
import Testing

/// Compares the model caches in stores of the corpus with the hashes in the same stores.
@Suite(.enabled(if: Corpus.isPresent))
struct ModelCacheTests {
    static let stores = Corpus.paths { $0.hasSuffix(".sqlite") || $0.hasSuffix(".moody") }

    /// What run-time archives hold and models have no place for, by repository.
    static let expectedFindings: Set<String> = [
        "the archived CoreDataPlus_Tests.Cover under 'NSDefaultValue' is not understood",
        "the archived NSArray under 'NSSortDescriptors' is not understood",
        "the archived NSCompoundPredicate under 'NSValidationPredicates' is not understood",
        "the archived NSComparisonPredicate under 'NSValidationPredicates' is not understood",
    ]

    @Test func `every model cache is read, and its hashes are those of its store`() throws {
        var caches = 0
        var entities = 0
        var equal = 0
        for path in Self.stores {
            guard let store = try? StoreFile(path: Corpus.path(path)),
                let bytes = try store.modelArchive()
            else { continue }
            caches += 1
            let model = readCompiledModel(bytes, path: path)
            for diagnostic in model.diagnostics
            where !Self.expectedFindings.contains(diagnostic.message) {
                Issue.record("\(diagnostic)")
            }
            let recorded = try store.metadata().hashes
            let computed = versionHashes(of: model.value)
            #expect(computed.entityNames == recorded.entityNames, "\(path)")
            for name in recorded.entityNames {
                entities += 1
                if computed.entities[name] == recorded.entities[name] { equal += 1 }
                #expect(computed.entities[name] == recorded.entities[name], "\(path): \(name)")
            }
        }
        print("model caches: \(caches), entities: \(entities), equal hashes: \(equal)")
        #expect(caches >= 43)
    }
}
