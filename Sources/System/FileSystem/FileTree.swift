import Essentials

/// Finds the files below a folder whose names end in some way, in the order of their paths.
///
/// Folders that are hidden are left out, `.build` among them. A folder that was seen already, by way of symbolic
/// links, is not entered again.
///
/// - Parameters:
///   - folder: the path of the folder.
///   - suffix: how the names of the files end.
/// - Returns: the paths, each below `folder` as it was given.
package func filePaths(below folder: String, endingIn suffix: String) -> [String] {
    var found: [String] = []
    var seen: Set<FileIdentity> = []
    var rest = [folder]
    while let next = rest.popLast() {
        guard let identity = FileIdentity(of: next), seen.insert(identity).inserted else {
            continue
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? []
        for name in names where !name.hasPrefix(".") {
            let path = next.hasSuffix("/") ? next + name : next + "/" + name
            guard let identity = FileIdentity(of: path) else { continue }
            if identity.isFolder {
                rest.append(path)
            } else if name.hasSuffix(suffix) {
                found.append(path)
            }
        }
    }
    return found.sorted()
}

/// Returns the paths that match a shell's pattern, sorted.
package func matchingPaths(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0, let names = found.gl_pathv else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { names[$0].map { String(cString: $0) } }
}
