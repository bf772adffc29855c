/// The contents that files below a path had in the history of a repository, and the commits that had them.
///
/// Only the list of changes is read here. A shallow repository has only a part of the history, which is noted.
package struct GitHistory: Sendable {
    package struct Commit: Sendable, Hashable {
        package var id: String
        /// The day on which it was made, such as `2026-11-22`.
        package var date: String
        /// Who wrote it; empty where that was not read.
        package var author = ""
        /// The first line of its message; empty where that was not read.
        package var subject = ""

        package init(id: String, date: String) { (self.id, self.date) = (id, date) }

        /// Git's format of a commit for ``read(_:)``.
        static let format = "--format=%x01%H %P%x02%cs%x02%an%x02%s"

        /// Reads a commit and the names of its parents; `nil` for any other line.
        static func read(_ line: Substring) -> (commit: Commit, parents: [String])? {
            guard line.first == "\u{1}" else { return nil }
            let parts = line.dropFirst().split(
                separator: "\u{2}",
                maxSplits: 3,
                omittingEmptySubsequences: false
            ).map(String.init)
            let names = (parts.first ?? "").split(separator: " ").map(String.init)
            guard let id = names.first, parts.count == 4 else { return nil }
            var commit = Commit(id: id, date: parts[1])
            (commit.author, commit.subject) = (parts[2], parts[3])
            return (commit, Array(names.dropFirst()))
        }
    }

    /// A content that a file had for some time.
    package struct Content: Sendable, Hashable {
        package var path: String
        package var object: String
        package var first: Commit
        /// The last commit that had it; `nil` while no commit removed it.
        package var last: Commit?
        package var tags: [String] = []
    }

    /// The contents, the newest first.
    package private(set) var contents: [Content] = []
    package let isShallow: Bool

    /// Reads the history of a file or folder.
    ///
    /// A folder that was moved is followed to its earlier paths. `path` is below the folder, or relative to the root of
    /// a bare repository. `range` limits the revisions, such as `v1.0..main`. Throws when there is no repository, or no
    /// such range.
    package init(
        of path: String,
        in folder: String,
        range: String? = nil,
        isWanted: (String) -> Bool
    ) throws(GitError) {
        try GitError.requireRange(range)
        isShallow = try RepositoryPlace(of: folder).isShallow
        let paths = [path] + (try earlierPaths(of: path, in: folder, isWanted))
        let walk = ["--full-history", "--topo-order", range ?? "--all", "--"] + paths
        let commits = try GitCommand(.revList, walk, in: folder).run()
        let difference = [
            "--stdin", "--root", "-r", "-m", "--raw", "-z", "--no-abbrev", "--no-renames",
            "--no-ext-diff", "--no-textconv", Commit.format, "--",
        ]
        let changes = GitCommand(.diffTree, difference + paths, in: folder)
        read(try changes.run(input: commits), isWanted)
        try addTags(in: folder)
    }

    private struct Key: Hashable {
        var path: String
        var object: String
    }

    /// Reads the log: each commit, once for each parent, with the files that changed against that one.
    private mutating func read(_ log: String, _ isWanted: (String) -> Bool) {
        var found: [Key: Content] = [:]
        var order: [Key] = []
        var (commit, parents, turn) = (Commit(id: "", date: ""), [String](), 0)
        var change: [Substring] = []
        for token in log.split(separator: "\0") {
            let text = token.drop { $0 == "\n" }
            if let next = Commit.read(text) {
                turn = next.commit.id == commit.id ? turn + 1 : 0
                (commit, parents) = next
            } else if text.first == ":" {
                change = text.dropFirst().split(separator: " ")
            } else if change.count == 5, isWanted(String(text)) {
                let path = String(text)
                let new = Key(path: path, object: String(change[3]))
                if new.object.contains(where: { $0 != "0" }) {
                    if found[new] == nil {
                        order.append(new)
                        found[new] = Content(path: path, object: new.object, first: commit)
                    }
                    found[new]?.first = commit
                }
                let old = Key(path: path, object: String(change[2]))
                if old.object.contains(where: { $0 != "0" }), parents.indices.contains(turn) {
                    let last = Commit(id: parents[turn], date: commit.date)
                    // Content that was already met lived on elsewhere, and has its last commit, or none.
                    if found[old] == nil {
                        order.append(old)
                        found[old] = Content(
                            path: path,
                            object: old.object,
                            first: last,
                            last: last
                        )
                    }
                }
            }
        }
        contents = order.compactMap { found[$0] }
    }

    private mutating func addTags(in folder: String) throws(GitError) {
        let tags = try gitTags(in: folder).map(\.name)
        guard !tags.isEmpty, !contents.isEmpty else { return }
        // A line feed would end the query, even after a carriage return, as both form one character.
        let paths = Set(contents.map(\.path)).filter { !$0.utf8.contains(0x0A) }.sorted()
        let places = tags.flatMap { tag in paths.map { "refs/tags/\(tag):\($0)" } }
        let check = GitCommand(.catFile, ["--batch-check=%(objectname)"], in: folder)
        let answers = lines(of: try check.run(input: places.map { $0 + "\n" }.joined()))
            .prefix(places.count)
        var tagged: [Key: [String]] = [:]
        for (place, answer) in answers.enumerated() {
            let (tag, path) = (tags[place / paths.count], paths[place % paths.count])
            tagged[Key(path: path, object: answer), default: []].append(tag)
        }
        for index in contents.indices {
            let key = Key(path: contents[index].path, object: contents[index].object)
            contents[index].tags = tagged[key] ?? []
        }
    }
}
