import Essentials
import FileSystem

/// The folder that paths must stay in.
///
/// A path is followed through all links before it is used, and so are the links inside a folder that is named;
/// `boundsFault` refuses what the files of the folder name outside. Where the system can confine processes
/// (``confineProcess(to:scratch:program:)``), it also refuses what is put in place of a path after it was looked at.
struct Confinement: Sendable {
    let root: String

    func existing(_ path: String) throws(AgentFault) -> String {
        let path = try inside(path)
        guard exists(resolvedPath(path)) else {
            throw AgentFault("there is no '\(path)' in \(root)\(suggestion(forPath: path))")
        }
        try requireNoWayOut(of: resolvedPath(path))
        return path
    }

    /// A model, perhaps followed by a version.
    func model(_ text: String) throws(AgentFault) -> String {
        if exists(text) { return try existing(text) }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].contains(":") else {
            throw AgentFault(
                "'\(text)' names a git revision; give the path, and the revision as 'against'"
            )
        }
        let path = try existing(String(parts[0]))
        return parts.count > 1 ? "\(path)#\(parts[1])" : path
    }

    func possible(_ path: String) throws(AgentFault) -> String {
        exists(path) ? try existing(path) : try new(path)
    }

    func new(_ path: String) throws(AgentFault) -> String {
        let path = try inside(path)
        guard !exists(path) else {
            throw AgentFault("'\(path)' already exists, and nothing is replaced")
        }
        return path
    }

    /// A path inside the folder; relative paths begin there.
    private func inside(_ path: String) throws(AgentFault) -> String {
        let refusal = AgentFault("'\(path)' is not in \(root), the only allowed folder")
        // The system would read the path only up to it.
        guard !path.utf8.contains(0) else { throw refusal }
        guard !path.hasPrefix("-") else {
            throw AgentFault("a path does not begin with '-'; write './\(path)'")
        }
        guard path.hasPrefix("/") || !path.hasPrefix("~") else { throw refusal }
        let resolved = resolvedPath(path)
        // What follows a missing folder is not looked up, so that it may go up.
        guard isInside(resolved), !resolved.split(separator: "/").contains("..") else {
            throw refusal
        }
        return path
    }

    private func isInside(_ path: String) -> Bool {
        path == root || path.hasPrefix(root == "/" ? "/" : root + "/")
    }

    private func requireNoWayOut(of start: String) throws(AgentFault) {
        var open = [start]
        // Folders are known by identity: one that is reached by many names is searched once.
        var seen = Set([FileIdentity(of: start)])
        var count = 0
        while let folder = open.popLast() {
            let names = (try? Files.names(in: folder)) ?? []
            count += names.count
            guard count <= 500_000 else {
                throw AgentFault("'\(start)' has too much to search; name a part of it")
            }
            for path in names.map({ "\(folder)/\($0)" }) {
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                let kind = status.st_mode & S_IFMT
                guard kind == S_IFDIR || kind == S_IFLNK else { continue }
                let target = kind == S_IFDIR ? path : resolvedPath(path)
                guard isInside(target) else {
                    throw AgentFault(
                        "the link '\(path)' leads out of \(root), the only allowed folder"
                    )
                }
                if seen.insert(FileIdentity(of: target)).inserted { open.append(target) }
            }
        }
    }
}

/// Lets this process, and all that it starts, open only a folder and what programs need to run.
///
/// Also readable are the system's own folders, the files of this program, git's settings, and the repository around the
/// folder. Only the folder and the scratch folder may be written. Returns whether the system does it; where not, only
/// paths are checked.
func confineProcess(to root: String, scratch: String) -> Bool {
    var readable = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"]
    readable += ["/etc", "/opt", "/nix", "/proc", "/sys"] + mappedFiles
    if let home = ProcessInfo.processInfo.environment["HOME"] {
        readable += ["\(home)/.gitconfig", "\(home)/.config/git"]
    }
    // In a worktree of a repository, `.git` is a file that names another place.
    let parents = sequence(first: parent(of: root)) { $0 == "/" ? nil : parent(of: $0) }
    if let folder = parents.first(where: { exists("\($0)/.git") }) {
        readable.append("\(folder)/.git")
    }
    let writable = [root, scratch, "/dev"]
    return confine(reading: readable.filter(exists), writing: writable)
}

private var mappedFiles: [String] {
    guard let maps = try? readFile("/proc/self/maps", limit: 4 << 20) else { return [] }
    let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
    return Set(
        lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
    ).sorted()
}
