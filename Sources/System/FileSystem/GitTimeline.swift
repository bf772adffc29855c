/// The commits that touched what lies at some paths, with their parents: the states that it was in.
///
/// What each state holds is asked for by ``GitObjects/listing(_:isNeeded:known:)``. A shallow repository has only a part of
/// the history, which is said.
package struct GitTimeline: Sendable {
    /// A commit that touched something.
    package struct Step: Sendable, Hashable {
        package var commit: GitHistory.Commit
        /// The names of its parents.
        package var parents: [String]
    }

    /// The commits, the newest first.
    package let steps: [Step]
    /// The tags, by their names.
    package let tags: [String]
    /// The paths from the root of the repository, those of today first, then where they were before.
    ///
    /// A place of several folders has one list of paths for each.
    package let places: [[String]]
    /// Whether older commits are missing.
    package let isShallow: Bool

    /// Reads which commits touched some places.
    ///
    /// What was moved is followed to where it was, over as many moves as there were.
    ///
    /// - Parameters:
    ///   - paths: the paths below the folder, or from the root of a bare repository.
    ///   - folder: a folder in the repository.
    ///   - range: the revisions that count, such as `v1.0..main`; all of them when left out.
    ///   - ending: what the names of the files end with that tell of moves, such as `.swift`.
    /// - Throws: ``GitError`` when there is no repository, or no such range.
    package init(
        of paths: [String],
        in folder: String,
        range: String? = nil,
        filesEndingIn ending: String
    ) throws(GitError) {
        if let range, range.hasPrefix("-") {
            throw GitError(reason: "'\(range)' is not a range of revisions")
        }
        let shallow = GitCommand(.revParse, ["--is-shallow-repository"], in: folder)
        isShallow = try shallow.run().hasPrefix("true")
        let search = try MoveSearch(in: folder, ["**/*\(ending)"])
        var places: [[String]] = []
        for path in paths { places.append(search.paths(of: path) { $0.hasSuffix(ending) }) }
        self.places = places
        // An empty path is the whole repository.
        let specs = places.joined().map { $0.isEmpty ? search.root + "." : search.root + $0 }
        let walk = ["--full-history", "--topo-order", GitHistory.Commit.format]
        let list = GitCommand(.revList, walk + [range ?? "--all", "--"] + specs, in: folder)
        steps = lines(said: try list.run()).compactMap { line in
            GitHistory.Commit.read(line[...]).map { Step(commit: $0.commit, parents: $0.parents) }
        }
        let names = ["--format=%(refname:strip=2)", "refs/tags"]
        tags = lines(said: try GitCommand(.forEachRef, names, in: folder).run())
    }
}
