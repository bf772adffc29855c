/// Finds the paths that a folder had before it was moved, relative to a folder in the repository; none if it never was.
///
/// `path` is below the folder, or relative to the root of a bare repository.
func earlierPaths(
    of path: String,
    in folder: String,
    _ isWanted: (String) -> Bool
) throws(GitError) -> [String] {
    let search = try MoveSearch(in: folder, bundleFiles)
    return search.paths(of: path, isWanted).dropFirst().map { search.root + $0 }
}

/// Finds the earlier paths of a model, or of a folder of Swift sources unless it `isBundle`, from the root of the
/// repository; none for what was never moved.
package func earlierPaths(
    of path: String,
    in folder: String,
    ofBundle isBundle: Bool
) throws(GitError) -> [String] {
    let search = try MoveSearch(in: folder, isBundle ? bundleFiles : ["**/*.swift"])
    return Array(search.paths(of: path) { _ in true }.dropFirst())
}

private let bundleFiles = ["contents", "elements"].map { "**/*.xcdatamodel/\($0)" }

/// The moves of files in the history of a repository.
///
/// Git does not record moves: a removed file and an added one with the same bytes in the same commit count as one, and so
/// do two of one name, if the commit has no others of that name: it was edited too. This needs no content, so a partial
/// clone works like a full one. The whole history is searched, regardless of the range, because the move may be before it,
/// and what is staged for the next commit.
struct MoveSearch {
    /// The relative path from the folder to the root of the repository, such as `../../`.
    let root: String
    /// The relative path from the root to the folder, such as `App/Models/`.
    private let prefix: String
    private let moves: [(old: String, new: String)]

    /// Looks for moves of the files that match patterns from the root of the repository.
    init(in folder: String, _ patterns: [String]) throws(GitError) {
        let prefix = try RepositoryPlace(of: folder).prefix
        let root = String(repeating: "../", count: prefix.count { $0 == "/" })
        (self.prefix, self.root) = (prefix, root)
        let files = patterns.map { root + $0 }
        let walk = ["--full-history", "--topo-order", "--no-merges", "--all", "--"] + files
        let commits = try GitCommand(.revList, walk, in: folder, matchesPatterns: true).run()
        func moves(_ command: GitCommand.Plumbing, _ words: [String]) -> GitCommand {
            let form = ["--raw", "-z", "--no-abbrev", "-M100%", "--diff-filter=RAD"]
            let all = form + ["--no-ext-diff", "--no-textconv"] + words + ["--"] + files
            return GitCommand(command, all, in: folder, matchesPatterns: true)
        }
        // A repository without a commit has nothing to compare with.
        let staged = (try? moves(.diffIndex, ["--cached", "HEAD"]).run()) ?? ""
        let made = try moves(.diffTree, ["--stdin", "-r"]).run(input: commits)
        self.moves = rawMoves(in: "\(staged)\0\(made)")
    }

    /// Returns the paths of a file or folder from the root of the repository: the current one, then the earlier ones.
    func paths(of path: String, _ isWanted: (String) -> Bool) -> [String] {
        let current = joined(prefix, path)
        guard let name = current.split(separator: "/").last, !current.contains("..") else {
            return [current]
        }
        let isBundle = name.hasSuffix(".xcdatamodeld")
        var known = [current]
        var count = 0
        let moves = moves.filter { isWanted($0.old) && isWanted($0.new) }
        // An earlier path may itself have come from another, even in a branch that was read before.
        while count < known.count, known.count < moveLimit {
            count = known.count
            for move in moves {
                let isFile = known.contains(move.new)
                guard
                    let later = isFile ? move.new : known.first(where: { contains($0, move.new) }),
                    let earlier = isFile
                        ? move.old : folderBefore(move, of: later, isBundle: isBundle),
                    !known.contains(where: { $0 == earlier || contains($0, earlier) })
                else { continue }
                known.append(earlier)
            }
        }
        return known
    }
}

private let moveLimit = 64

private func contains(_ folder: String, _ path: String) -> Bool { path.hasPrefix(folder + "/") }

/// The folder of a moved file, if it moved with its whole folder or into another version of it.
private func folderBefore(
    _ move: (old: String, new: String),
    of later: String,
    isBundle: Bool
) -> String? {
    let rest = String(move.new.dropFirst(later.count))
    if move.old.hasSuffix(rest), move.old.count > rest.count {
        return String(move.old.dropLast(rest.count))
    }
    guard isBundle else { return nil }
    let parts = move.old.split(separator: "/")
    guard let place = parts.lastIndex(where: { $0.hasSuffix(".xcdatamodeld") }) else { return nil }
    return parts[...place].joined(separator: "/")
}

private func joined(_ prefix: String, _ path: String) -> String {
    (prefix + path).split(separator: "/").filter { $0 != "." }.joined(separator: "/")
}

/// Reads the moves of raw differences, each of which begins with its commit: lines such as `:mode mode object object R100`,
/// and one or two paths, each with NUL.
private func rawMoves(in log: String) -> [(old: String, new: String)] {
    var tokens = log.split(separator: "\0", omittingEmptySubsequences: false)[...]
    var moves: [(old: String, new: String)] = []
    var ends: [String: (old: [String], new: [String])] = [:]
    func addEdited() {
        for (_, end) in ends.sorted(by: { $0.key < $1.key })
        where end.old.count == 1 && end.new.count == 1 { moves.append((end.old[0], end.new[0])) }
        ends = [:]
    }
    while let head = tokens.popFirst()?.drop(while: { $0 == "\n" }) {
        guard head.first == ":", let path = tokens.popFirst().map(String.init) else {
            addEdited()
            continue
        }
        let name = nameInMoves(path)
        switch head.split(separator: " ").last?.first {
        case "R": tokens.popFirst().map { moves.append((path, String($0))) }
        case "D": ends[name, default: ([], [])].old.append(path)
        default: ends[name, default: ([], [])].new.append(path)
        }
    }
    return moves
}

/// What an edited file keeps when it is moved: its name, of a version of a model with that of the bundle.
private func nameInMoves(_ path: String) -> String {
    let parts = path.split(separator: "/")
    let start = parts.lastIndex { $0.hasSuffix(".xcdatamodeld") } ?? parts.endIndex - 1
    return parts[max(start, 0)...].joined(separator: "/")
}
