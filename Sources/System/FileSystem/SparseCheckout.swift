import Essentials

/// Returns what a sparse checkout leaves out below a folder, by the index of its repository.
///
/// - Parameter folder: the path of the folder.
/// - Returns: the paths, from the folder; none if everything is checked out, or git cannot say.
package func sparsePaths(below folder: String) -> [String] {
    let place = resolvedPath(folder)
    guard let root = repositoryFolder(around: place) else { return [] }
    var gitFolder = root + "/.git"
    // In a worktree it is a file that names another place.
    if let text = try? readFile(gitFolder, limit: 4096) {
        let name = String(decoding: text, as: UTF8.self).trimmed.dropFirst("gitdir: ".utf8.count)
        gitFolder = name.hasPrefix("/") ? String(name) : "\(root)/\(name)"
    }
    guard exists(gitFolder + "/info/sparse-checkout"),
        let list = try? GitCommand(.listFiles, ["-t", "-z", "--", "."], in: place).run()
    else { return [] }
    return list.utf8.split(separator: 0).map { String(Substring($0)) }
        .filter { $0.hasPrefix("S ") }.map { String($0.dropFirst(2)) }
}
