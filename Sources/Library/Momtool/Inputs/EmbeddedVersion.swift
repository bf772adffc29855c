package import Diagnostics
import Essentials
import FileSystem
import ModelLoading
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// Reads the version in a store's model cache, named as the store; `nil` when it carries none.
package func embeddedVersion(of store: StoreFile) throws(StoreError) -> Diagnosed<ModelVersion>? {
    guard let archive = try store.modelArchive() else { return nil }
    let name = fileURL(store.path).deletingPathExtension().lastPathComponent
    return readCompiledModel(archive, path: store.path).map { model in
        ModelVersion(name: name, path: store.path, isCurrent: true, model: model)
    }
}
