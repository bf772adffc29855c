import Essentials
import FileSystem

/// What else keeps, or may keep, large values in a store's folder for them: its files are not the store's alone.
///
/// Other databases beside the store, by name: `Shop.sqlite` and `Shop.db` share `.Shop_SUPPORT`, and a copy of a store
/// names the same files. And links, by path: one through which the store reaches the folder, and those to it in the
/// folder of the store, or in one below or beside that.
package func storesSharingFiles(with path: String) -> [String] {
    let folder = externalDataFolder(of: path).deletingLastPathComponent()
    guard Files.exists(at: folder.path) else { return [] }
    let parent = folder.deletingLastPathComponent()
    let own = FileIdentity(of: path)
    let stem = String(folder.lastPathComponent.dropFirst().dropLast(supportSuffix.count))
    let stores = names(in: parent.path).filter { name in
        let url = parent.appendingPathComponent(name)
        return FileIdentity(of: url.path) != own
            && url.deletingPathExtension().lastPathComponent == stem
            && isDatabase(url.path)
    }
    return stores.sorted() + links(to: folder.lastPathComponent, in: parent)
}

private let supportSuffix = "_SUPPORT"

private func names(in folder: String) -> [String] {
    (try? Files.names(in: folder)) ?? []
}

/// The links that lead to the values in a folder, or from it to where they are.
private func links(to name: String, in parent: URL) -> [String] {
    func values(in folder: String) -> String { resolvedPath(folder + "/_EXTERNAL_DATA") }
    let folder = "\(resolvedPath(parent.path))/\(name)"
    let own = values(in: folder)
    guard own == folder + "/_EXTERNAL_DATA" else { return [own] }
    let above = parent.deletingLastPathComponent().path
    let places = [parent.path, above].flatMap { place in
        names(in: place).filter { !$0.hasSuffix(supportSuffix) }.map { "\(place)/\($0)" }
    }
    return Set([parent.path] + places).sorted().flatMap { place in
        names(in: place).sorted()
            .filter { $0.hasPrefix(".") && $0.hasSuffix(supportSuffix) }
            .filter { "\(resolvedPath(place))/\($0)" != folder }
            .map { "\(place)/\($0)" }
            .filter { values(in: $0) == own }
    }
}

/// Removes files that no value of a store needs any more, unless another store may need them.
package func dropExternalFiles(_ names: [String], of path: String) {
    guard !names.isEmpty, storesSharingFiles(with: path).isEmpty else { return }
    removeExternalFiles(names, in: externalDataFolder(of: path).path)
}
