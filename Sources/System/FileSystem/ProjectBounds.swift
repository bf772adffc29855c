import Diagnostics
import Essentials

/// Whether the paths that files of a project name are kept inside of the project, as such files may be anybody's.
///
/// A command keeps them there; what uses the library names its own files.
package enum ProjectBounds {
    /// The variable of the environment that names the only folder of a server's commands.
    package static let variable = "MOMTOOL_FOLDER"

    fileprivate struct Kept: Sendable {
        let areKept = Locked(false)
        let hasRefused = Locked(false)
        /// The folders that paths may lead to, by the folder of the file that names them.
        let folders = Locked<[String: [String]]>([:])
    }

    fileprivate static var kept: Kept { Surroundings.current.memory.value(Kept()) }

    /// Whether the current run confines paths; a server with its own folder always does.
    package static var areKept: Bool {
        get { onlyFolder != nil || kept.areKept.withLock { $0 } }
        set { kept.areKept.withLock { $0 = newValue } }
    }

    /// Whether the run at hand refused a path that its user may allow.
    package fileprivate(set) static var hasRefused: Bool {
        get { onlyFolder == nil && kept.hasRefused.withLock { $0 } }
        set { kept.hasRefused.withLock { $0 = newValue } }
    }

    fileprivate static var onlyFolder: String? { Surroundings.current.environment[variable] }

    /// Folders of the system, which are nobody's project.
    fileprivate static let systemFolders = [
        "/bin", "/boot", "/dev", "/etc", "/lib", "/private/etc", "/proc", "/root", "/run", "/sbin",
        "/sys", "/usr", "/var/lib", "/var/log", "/var/run",
    ]
}

/// What is wrong with a path that a file of a project names, or at which the file lies; `nil` where it may be used.
///
/// Links are followed first. The project is the repository around the folder; without one, the nearest folder with a
/// project file, a package or a configuration, otherwise the current folder if it encloses the folder, otherwise the
/// folder itself. The project around the current folder belongs to the user and is also allowed. A path that is neither a
/// file nor a folder is refused too.
///
/// - Parameters:
///   - text: the path, perhaps followed by a version, relative to the folder.
///   - folder: the folder of the file that names it.
/// - Returns: the fault, in words.
package func boundsFault(_ text: String, in folder: String) -> String? {
    guard ProjectBounds.areKept else { return nil }
    var path = text.hasPrefix("/") ? text : "\(folder)/\(text)"
    if !exists(path), let mark = path.lastIndex(of: "#") { path = String(path[..<mark]) }
    let (place, roots) = (resolvedPath(path), projectFolders(around: resolvedPath(folder)))
    let isOwn = roots.contains { root in
        isInside(place, root)
            && !ProjectBounds.systemFolders.contains { isInside(place, $0) && !isInside(root, $0) }
    }
    guard isOwn, !place.split(separator: "/").contains("..") else {
        ProjectBounds.hasRefused = true
        return "'\(text)' leads out of \(roots[0]); a project's files can only name files inside it"
    }
    guard let identity = FileIdentity(of: place) else { return nil }
    return identity.isFolder || identity.isRegular
        ? nil : "'\(text)' is neither a file nor a folder"
}

/// What is wrong with a file that was found in a project, which may be a link; `nil` where it may be used.
package func boundsFault(ofFound path: String) -> String? {
    boundsFault(path.split(separator: "/").last.map(String.init) ?? path, in: parent(of: path))
}

/// Whether a walk through a project passes over an entry: a link that leads out of it.
package func leadsOut(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return false }
    return ProjectBounds.areKept && boundsFault(ofFound: path) != nil
}

/// The folders that paths may lead to; that of the file's project comes first.
private func projectFolders(around folder: String) -> [String] {
    if let only = ProjectBounds.onlyFolder { return [resolvedPath(only)] }
    let known = ProjectBounds.kept.folders
    if let folders = known.withLock({ $0[folder] }) { return folders }
    func project(_ folder: String) -> String? {
        repositoryFolder(around: folder) ?? projectFolder(around: folder)
    }
    let current = resolvedPath(Surroundings.current.folderPath)
    let home = Surroundings.current.environment["HOME"].map(resolvedPath)
    let isWide = current == "/" || current == home
    let lone = !isWide && isInside(folder, current) ? current : folder
    let folders = [project(folder) ?? lone] + [isWide ? nil : project(current)].compactMap(\.self)
    known.withLock { $0[folder] = folders }
    return folders
}

private func isInside(_ path: String, _ folder: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
}
