import Essentials
package struct GitTag: Sendable, Hashable {
    package let name: String
    /// The day of the tag, or of the commit that it names, such as `2026-11-22`.
    package let day: String
}

/// Returns the tags of the repository around a folder, the oldest first; of one second by their numbers.
///
/// Returns only the newest two thousand, as each is queried for each path.
package func gitTags(in folder: String) throws(GitError) -> [GitTag] {
    try gitTags(in: folder, limits: [])
}

/// Returns the releases that lead to `HEAD`; where none does, as on branches of tags, those not after it.
package func gitReleases(
    in folder: String,
    where isRelease: (GitTag) -> Bool
) throws(GitError) -> [GitTag] {
    let behind = try gitTags(in: folder, limits: ["--merged=HEAD"]).filter(isRelease)
    guard behind.isEmpty else { return behind }
    return try gitTags(in: folder, limits: ["--no-contains=HEAD"]).filter(isRelease)
}

/// The command that fetches releases before this commit, which a shallow clone lacks, and one that takes no tags; `nil` where
/// some are there, or this commit is one.
package func gitFetch(in folder: String, lacking isRelease: (GitTag) -> Bool) -> String? {
    guard let place = try? RepositoryPlace(of: folder) else { return nil }
    let limits = place.isShallow ? [["--no-contains=HEAD"], ["--points-at=HEAD"]] : [[]]
    let tags = limits.compactMap { try? gitTags(in: folder, limits: $0) }.joined()
    guard !tags.contains(where: isRelease) else { return nil }
    if place.isShallow { return "git fetch --unshallow --tags" }
    let settings = GitCommand(.config, ["--get-regexp", #"^remote\..*\.tagopt$"#], in: folder)
    return (try? settings.run())?.contains("--no-tags") == true ? "git fetch --tags" : nil
}

/// Why git cannot read the repository around a folder; `nil` where it can, or where there is none.
package func gitFault(in folder: String) -> GitError? {
    guard repositoryFolder(around: resolvedPath(folder)) != nil else { return nil }
    do throws(GitError) {
        _ = try GitCommand(.revParse, ["--git-dir"], in: folder).run()
        return nil
    } catch { return error }
}

/// The commit where the checked-out branch left another one that went on since, such as `main~2`.
///
/// `nil` where that has nothing that the checked-out one lacks, where no single commit is known, and for what is not a
/// branch, as a release is meant itself.
package func gitForkPoint(from revision: String, in folder: String) -> String? {
    func lines(_ words: String...) -> [String] {
        let output = try? GitCommand(.revParse, words, in: folder).run()
        return (output ?? "").split(separator: "\n").map(String.init)
    }
    guard !revision.hasPrefix("-"),
        let name = lines("--symbolic-full-name", revision).first,
        name.hasPrefix("refs/heads/") || name.hasPrefix("refs/remotes/")
    else { return nil }
    // Both commits, and each best common ancestor with a caret.
    let ids = lines(name + "...HEAD")
    guard ids.count == 3, let base = ids.last?.dropFirst().description, lines(name) != [base]
    else { return nil }
    let count = GitCommand(
        .revList,
        ["--count", "--first-parent", "\(base)..\(name)"],
        in: folder
    )
    let way = "\(revision)~\(((try? count.run()) ?? "").trimmed)"
    return lines(way) == [base] ? way : String(base.prefix(12))
}

private func gitTags(in folder: String, limits: [String]) throws(GitError) -> [GitTag] {
    let list = GitCommand(
        .forEachRef,
        [
            "--sort=version:refname", "--sort=creatordate",
            "--format=%(creatordate:short)%09%(refname:strip=2)",
        ] + limits + ["refs/tags"],
        in: folder
    )
    return lines(of: try list.run()).suffix(2000).map { line in
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        return GitTag(name: String(parts.last ?? ""), day: String(parts.first ?? ""))
    }
}
