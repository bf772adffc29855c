import Essentials
import FileSystem

/// The other databases beside a store whose large values lie in the same folder, by name: `Shop.sqlite` and `Shop.db`
/// share `.Shop_SUPPORT`, and a copy of a store has the very files of the first.
package func storesSharingFiles(with path: String) -> [String] {
    let folder = externalDataFolder(of: path).deletingLastPathComponent()
    guard Files.exists(at: folder.path) else { return [] }
    let parent = folder.deletingLastPathComponent()
    let own = FileIdentity(of: path)
    let stem = String(folder.lastPathComponent.dropFirst().dropLast("_SUPPORT".count))
    let names = (try? Files.names(in: parent.path)) ?? []
    return names.filter { name in
        let url = parent.appendingPathComponent(name)
        return FileIdentity(of: url.path) != own
            && url.deletingPathExtension().lastPathComponent == stem
            && isDatabase(url.path)
    }.sorted()
}

/// Removes files that no value of a store needs any more; they stay where another store may need them.
package func dropExternalFiles(_ names: [String], of path: String) {
    guard !names.isEmpty, storesSharingFiles(with: path).isEmpty else { return }
    removeExternalFiles(names, in: externalDataFolder(of: path).path)
}
