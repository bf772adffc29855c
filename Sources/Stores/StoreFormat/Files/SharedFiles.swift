import Essentials
import FileSystem

/// Other users, or possible users, of a store's folder for large values: its files may not belong only to the store.
///
/// Other databases beside the store, by name: `Shop.sqlite` and `Shop.db` share `.Shop_SUPPORT`, and a copy of a store
/// names the same files. And links, by path: one through which the store reaches the folder, and those to it in the
/// folders around: below its own, and below up to three parents, unless there are too many.
package func storesSharingFiles(with path: String) -> [String] {
    let folder = externalDataFolder(of: path).deletingLastPathComponent()
    guard Files.exists(at: folder.path) else { return [] }
    let parent = folder.deletingLastPathComponent()
    let own = FileIdentity(of: path)
    let stem = String(folder.lastPathComponent.dropFirst().dropLast(supportSuffix.count))
    let stores = names(in: parent.path).filter { name in
        let url = parent.appendingPathComponent(name)
        return FileIdentity(of: url.path) != own
            && url.deletingPathExtension().lastPathComponent == stem && isDatabase(url.path)
    }
    return stores.sorted() + links(to: folder.lastPathComponent, in: parent)
}

private let supportSuffix = "_SUPPORT"

private func names(in folder: String) -> [String] { (try? Files.names(in: folder)) ?? [] }

/// The links that lead to the values in a folder, or from it to where they are.
private func links(to name: String, in parent: URL) -> [String] {
    func values(in folder: String) -> String { resolvedPath(folder + "/_EXTERNAL_DATA") }
    let folder = "\(resolvedPath(parent.path))/\(name)"
    let own = values(in: folder)
    guard own == folder + "/_EXTERNAL_DATA" else { return [own] }
    return supportFolders(around: resolvedPath(parent.path)).filter {
        $0 != folder && values(in: $0) == own
    }
}

/// The folders of values in a folder and in those around it, on its disk, the nearest ones first: below it, below its
/// parent, and so on.
///
/// A link may be anywhere; distant places, or those behind thousands of folders, are not searched.
private func supportFolders(around folder: String) -> [String] {
    var (found, seen): ([String], Set<String>) = ([], [])
    var status = stat()
    guard lstat(folder, &status) == 0 else { return [] }
    let (disk, ends) = (status.st_dev, [".git", ".build", "node_modules"])
    var start = folder
    for _ in 0..<4 where start != "/" {
        var rest = [start][...]
        while let next = rest.popFirst(), seen.count < 3000 {
            guard seen.insert(next).inserted else { continue }
            for entry in (folderEntries(of: next) ?? []).sorted(by: { $0.name < $1.name })
            where !entry.isRegular && !ends.contains(entry.name)
                && ![".", ".."].contains(entry.name)
            {
                let path = "\(next)/\(entry.name)"
                if entry.name.hasPrefix("."), entry.name.hasSuffix(supportSuffix) {
                    found.append(path)
                } else if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                    status.st_dev == disk
                {
                    rest.append(path)
                }
            }
        }
        start = parent(of: start)
    }
    return found
}

/// Removes files that no value of a store needs any more, unless another store may need them.
package func dropExternalFiles(_ names: [String], of path: String) {
    guard !names.isEmpty, storesSharingFiles(with: path).isEmpty else { return }
    removeExternalFiles(names, in: externalDataFolder(of: path).path)
}
