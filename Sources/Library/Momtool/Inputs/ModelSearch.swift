import Essentials
import FileSystem

/// Returns the model sources below a folder, bundles and single versions, in the order of their paths.
///
/// It skips what compilers made, hidden folders and those of package managers, and does not follow links.
package func modelSources(below folder: String) -> [String] {
    found(below: folder).models
}

/// Returns the models that a git revision has below a folder, as ``modelSources(below:)`` does; none where git fails.
package func modelSources(at revision: String, below folder: String) -> [String] {
    guard let name = PlacedRevision(revision, in: folder).name, let place = GitPlace("\(name):./")
    else { return [] }
    var models: [String] = []
    _ = try? GitObjects.shared(at: folder).files(at: place) { path, isFolder in
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard isFolder, !isPassedOver(name) else { return false }
        guard isModelSource(name) else { return true }
        models.append(folder == "." ? path : "\(folder)/\(path)")
        return false
    }
    return models
}

func lockPaths(below folder: String) -> [String] { found(below: folder).locks }

private func found(below folder: String) -> (models: [String], locks: [String]) {
    var found: (models: [String], locks: [String]) = ([], [])
    search(trimmedPath(folder), depth: 0, &found)
    return found
}

private func search(
    _ folder: String,
    depth: Int,
    _ found: inout (models: [String], locks: [String])
) {
    guard depth < 64 else { return }
    let names = (try? Files.names(in: folder)) ?? []
    for name in names.sorted() where !isPassedOver(name) {
        let path = folder == "." ? name : "\(folder)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            if status.st_mode & S_IFMT == S_IFREG, LockFile.isLock(path) {
                found.locks.append(path)
            }
            continue
        }
        if isModelSource(name) {
            found.models.append(path)
        } else {
            search(path, depth: depth + 1, &found)
        }
    }
}

private func isModelSource(_ name: String) -> Bool {
    name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel")
}

/// Whether to skip a folder or file of a name: what is hidden, and the folders of package managers.
func isPassedOver(_ name: String) -> Bool { name.hasPrefix(".") || foreignFolders.contains(name) }

private let foreignFolders: Set = ["Pods", "Carthage", "DerivedData", "node_modules"]
