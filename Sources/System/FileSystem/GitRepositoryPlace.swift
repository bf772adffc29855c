/// The place of a folder in a repository.
struct RepositoryPlace {
    /// The path from the root to the folder, with a final `/`; empty for the root and in a bare repository.
    let prefix: String
    /// Whether only a part of the history is there.
    let isShallow: Bool

    /// Throws where no repository is.
    init(of folder: String) throws(GitError) {
        let answer = try GitCommand(
            .revParse,
            ["--is-shallow-repository", "--show-prefix"],
            in: folder
        ).run()
        isShallow = answer.hasPrefix("true")
        let rest = answer.utf8.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        prefix = withoutLineEnd(String(Substring(rest)))
    }
}

/// The path from a repository's root to a folder, with a final `/`; empty for the root, `nil` outside of a repository.
package func repositoryPrefix(of folder: String) -> String? {
    try? RepositoryPlace(of: folder).prefix
}
