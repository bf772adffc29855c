import Essentials

/// Finds the files below a folder with one of some suffixes, in the order of their paths, which start with `folder`.
///
/// Hidden folders are left out, `.build` among them, and so are links out of the project. A folder that was already
/// visited through symbolic links is not entered again.
package func filePaths(below folder: String, endingIn suffixes: String...) -> [String] {
    filePaths(below: folder, leavingOut: { $0.hasPrefix(".") }) { name in
        suffixes.contains(where: name.hasSuffix)
    }
}

/// Whether to skip a folder or file of a name: what is hidden, built, or of a package manager.
package func isPassedOver(_ name: String) -> Bool {
    name.hasPrefix(".") || foreignFolders.contains(name)
}

private let foreignFolders: Set = [
    "Carthage", "DerivedData", "Pods", "SourcePackages", "node_modules",
]

/// Finds the files with wanted names, and leaves out files and folders by their names.
package func filePaths(
    below folder: String,
    leavingOut isLeftOut: (String) -> Bool,
    entering mayEnter: (String) -> Bool = { _ in true },
    where isWanted: (String) -> Bool
) -> [String] {
    var found: [String] = []
    var seen: Set<FileIdentity> = []
    var rest = [folder]
    while let next = rest.popLast() {
        guard let identity = FileIdentity(of: next), seen.insert(identity).inserted else {
            continue
        }
        for entry in folderEntries(of: next) ?? [] where !isLeftOut(entry.name) {
            let isWanted = isWanted(entry.name)
            if entry.isRegular && !isWanted { continue }
            let path = next.hasSuffix("/") ? next + entry.name : next + "/" + entry.name
            if !entry.isRegular, leadsOut(path) { continue }
            if !entry.isRegular, FileIdentity(of: path)?.isFolder ?? true {
                if mayEnter(entry.name) { rest.append(path) }
            } else if isWanted {
                found.append(path)
            }
        }
    }
    return found.sorted()
}

/// Lists a folder; `nil`, with `errno` set, where it cannot be read.
///
/// The system marks most plain files, so that a walk through a large repository need not query each.
package func folderEntries(of folder: String) -> [(name: String, isRegular: Bool)]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var found: [(name: String, isRegular: Bool)] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
            bytes.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        found.append((name, entry.pointee.d_type == UInt8(DT_REG)))
    }
    return found
}

/// Returns the paths that match a shell's pattern, sorted.
///
/// As in shells that know it, `**` as a whole component matches any number of folders, including none; such a pattern
/// finds only files, and none below hidden folders.
package func matchingPaths(_ pattern: String) -> [String] {
    let parts = pathParts(pattern)
    guard let place = parts.firstIndex(of: "**") else { return globbedPaths(pattern) }
    let start = parts[..<place].joined(separator: "/")
    let roots = place == 0 ? ["."] : start.isEmpty ? ["/"] : globbedPaths(start)
    let rest = parts[place...].filter { !$0.isEmpty }
    let found = roots.flatMap { root in
        filePaths(below: root, endingIn: "").filter { path in
            let below = String(Substring(path.utf8.dropFirst(root.utf8.count)))
            return matches(pathParts(below).filter { !$0.isEmpty }[...], rest[...])
        }
    }
    return place == 0 ? found.map { String($0.dropFirst(2)) } : found
}

private func pathParts(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
}

private func matches(_ path: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == "**" {
        return matches(path, pattern.dropFirst())
            || !path.isEmpty && matches(path.dropFirst(), pattern)
    }
    guard let name = path.first, fnmatch(first, name, 0) == 0 else { return false }
    return matches(path.dropFirst(), pattern.dropFirst())
}

private func globbedPaths(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    let whole = Surroundings.current.resolved(pattern)
    guard glob(whole, 0, nil, &found) == 0, let names = found.gl_pathv else { return [] }
    let added = whole.utf8.count - pattern.utf8.count
    return (0..<Int(found.gl_pathc)).compactMap { index in
        names[index].map { String(Substring(String(cString: $0).utf8.dropFirst(added))) }
    }
}
