import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
package import ObjectModel
package import StoreFormat
import TestSupport

/// The stores of the corpus and of this repository that carry their model.
package let storesWithModel: [String] = {
    let endings = [".sqlite", ".store", ".storedata", ".moody"]
    let corpus = Corpus.paths { path in endings.contains(where: path.hasSuffix) }
    let own = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
    return [own]
        + corpus.map(Corpus.path).filter { path in
            guard let store = try? StoreFile(path: path), let model = embeddedModel(of: store)
            else { return false }
            return (try? store.metadata().hashes) == versionHashes(of: model)
        }
}()

package func embeddedModel(of store: StoreFile) -> ManagedObjectModel? {
    guard let archive = try? store.modelArchive() else { return nil }
    let model = readCompiledModel(archive, path: store.path)
    return model.hasErrors ? nil : model.value
}
