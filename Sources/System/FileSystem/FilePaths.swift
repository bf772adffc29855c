package import Essentials

/// Returns the URL of the file at a path, as the system's calls would find it.
///
/// `URL(fileURLWithPath:)` expands a leading `~` to a home folder, and so means another file than SQLite or `open` do.
package func fileURL(_ path: String) -> URL {
    let path = Surroundings.current.resolved(path)
    return URL(fileURLWithPath: path.hasPrefix("~") ? "./" + path : path)
}

package func trimmedPath(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
}

/// Returns an absolute path without links, even of a missing file.
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

package func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The number of bytes of a file; 0 when there is none.
package func fileSize(_ path: String) -> Int64 {
    var status = stat()
    return fileStatus(path, &status) == 0 ? Int64(status.st_size) : 0
}

/// Whether anything is at a path, even a dangling link.
package func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}

/// Returns an absolute path for display: relative to the current folder if it is below.
package func pathFromHere(_ path: String) -> String {
    let here = resolvedPath(Surroundings.current.folderPath) + "/"
    if path + "/" == here { return "." }
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
}

/// The nearest folder, from a folder upwards, that holds a project file, a package or a configuration.
///
/// - Parameter folder: the absolute path of the folder.
/// - Returns: the folder; `nil` for none within eight levels.
package func projectFolder(around folder: String) -> String? {
    let marks = ["Package.swift", "Project.swift", "project.yml", ".momtool.yml"]
    var folder = folder
    for _ in 0..<8 where folder != "/" {
        let names = (try? Files.names(in: folder)) ?? []
        let isProject = names.contains { name in
            marks.contains(name) || [".xcodeproj", ".xcworkspace"].contains(where: name.hasSuffix)
        }
        if isProject { return folder }
        folder = parent(of: folder)
    }
    return nil
}

/// The folders from one upwards to the root of its repository, by absolute paths; without one near, eight of them.
package func foldersUpwards(from folder: String) -> (folders: [String], isRepository: Bool) {
    var (folder, folders) = (folder, [folder])
    while folders.count < 8, folder != "/", !exists(folder + "/.git") {
        folder = parent(of: folder)
        folders.append(folder)
    }
    return (folders, exists(folder + "/.git"))
}

/// Finds the folder of the git repository around a folder, by its absolute path; `nil` for none within 32 levels.
///
/// The root of the file system is not a repository.
package func repositoryFolder(around folder: String) -> String? {
    var folder = folder
    for _ in 0..<32 where folder != "/" {
        if exists(folder + "/.git") { return folder }
        folder = parent(of: folder)
    }
    return nil
}
