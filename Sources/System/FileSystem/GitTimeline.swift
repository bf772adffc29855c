/// The commits that touched some paths, with their parents: the states that these were in.
///
/// The content of a state comes from ``GitObjects/listing(_:isNeeded:known:)``. A shallow repository has only a part of
/// the history, which is noted.
package struct GitTimeline: Sendable {
    package struct Step: Sendable, Hashable {
        package var commit: GitHistory.Commit
        package var parents: [String]
    }

    /// The commits, the newest first.
    package let steps: [Step]
    package let tags: [String]
    /// The paths from the root of the repository, current ones first, then earlier ones.
    ///
    /// A place of several folders has one list of paths for each.
    package let places: [[String]]
    package let isShallow: Bool

    /// Reads which commits touched some places, which are followed over moves.
    ///
    /// `paths` are below the folder, or relative to the root of a bare repository. `range` limits the revisions, such
    /// as `v1.0..main`. Files with the suffix `ending`, such as `.swift`, show moves. Throws when there is no
    /// repository, or no such range.
    package init(
        of paths: [String],
        in folder: String,
        range: String? = nil,
        filesEndingIn ending: String
    ) throws(GitError) {
        try GitError.requireRange(range)
        isShallow = try RepositoryPlace(of: folder).isShallow
        let search = try MoveSearch(in: folder, ["**/*\(ending)"])
        var places: [[String]] = []
        for path in paths { places.append(search.paths(of: path) { $0.hasSuffix(ending) }) }
        self.places = places
        let specs = places.joined().map { $0.isEmpty ? search.root + "." : search.root + $0 }
        let walk = ["--full-history", "--topo-order", GitHistory.Commit.format]
        let list = GitCommand(.revList, walk + [range ?? "--all", "--"] + specs, in: folder)
        steps = lines(of: try list.run()).compactMap { line in
            GitHistory.Commit.read(line[...]).map { Step(commit: $0.commit, parents: $0.parents) }
        }
        tags = try gitTags(in: folder).map(\.name)
    }
}
