/// The path from the root of a repository to a folder in its working tree, with a final `/`; empty for the root, `nil`
/// outside of a repository.
package func repositoryPrefix(of folder: String) -> String? {
    let place = GitCommand(.revParse, ["--show-prefix"], in: folder)
    return (try? place.run()).map(withoutLineEnd)
}
