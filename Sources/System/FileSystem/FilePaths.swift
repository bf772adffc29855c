package import Essentials

/// Returns the URL of the file at a path, as the system's calls would find it.
///
/// `URL(fileURLWithPath:)` takes a path that begins with `~` for one in somebody's home folder, and so for another
/// file than SQLite or `open` do.
package func fileURL(_ path: String) -> URL {
    let path = Surroundings.current.resolved(path)
    return URL(fileURLWithPath: path.hasPrefix("~") ? "./" + path : path)
}

/// Removes the slashes at the end of a path.
package func trimmedPath(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
}

/// Returns an absolute path without links, also for what is not there yet.
package func resolvedPath(_ path: String) -> String {
    var (start, rest) = (path.isEmpty ? "." : trimmedPath(path), "")
    while true {
        if let resolved = realpath(start, nil) {
            defer { free(resolved) }
            let folder = String(cString: resolved)
            return rest.isEmpty ? folder : (folder == "/" ? "" : folder) + rest
        }
        guard start != ".", start != "/" else { return path }
        rest = "/" + (start.split(separator: "/").last ?? "") + rest
        start = trimmedPath(parent(of: start))
    }
}

/// Returns the path of the folder that holds something.
package func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The number of bytes of a file; 0 when there is none.
package func fileSize(_ path: String) -> Int64 {
    var status = stat()
    return fileStatus(path, &status) == 0 ? Int64(status.st_size) : 0
}

/// Whether anything is at a path, be it a link that leads nowhere.
package func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}

/// Returns an absolute path as it is shown: from the current folder, when it lies below.
package func pathFromHere(_ path: String) -> String {
    let here = resolvedPath(Surroundings.current.folderPath) + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
}

/// Finds the git repository that a folder is in.
///
/// - Parameter folder: the absolute path of the folder. The root of the file system is no repository.
/// - Returns: the folder of the repository; `nil` for none within 32 levels.
package func repositoryFolder(around folder: String) -> String? {
    var folder = folder
    for _ in 0..<32 where folder != "/" {
        if exists(folder + "/.git") { return folder }
        folder = parent(of: folder)
    }
    return nil
}
